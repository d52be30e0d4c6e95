// Reachability for terminal automata: Černá & Pelánek (2003); Schwoon & Esparza, "A Note on On-the-Fly
// Verification Algorithms" (2005), section 5.1. A run that has come to an accepting state can always go on
// among accepting states.
//
// Requires: one Inf set, on states, a terminal automaton, and a product in which every state of the model has
// a successor and no state was met before.  Memory: four bytes a state.
// Differs from the papers: breadth-first, so that the way to a violation is a shortest one; and the run that
// is reported ends where the automaton has read enough, since it accepts whatever follows. An automaton that
// reads the source of a step has then read the state that the accepting edge leaves, one that reads the
// destination, or which command takes the step, the state that it leads to.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernel.hpp"

namespace buchi {

class Reach {
 public:
  explicit Reach(Worker& worker)
      : worker_(worker),
        product_(worker.search.product),
        parents_(worker.search.meter()),
        edges_(worker.search.meter()),
        reads_sources_(product_.automaton.letter() == Letter::kSource && !product_.automaton.reads_taken()) {
    if (product_.table.size() != 0) throw std::logic_error("reach needs a product of its own");
    find_terminal_states();
  }

  // The numbers of the table are the queue: all initial states have theirs.
  bool explore(StateId) {
    if (!parents_.empty()) return false;
    for (StateId start = 0; start < product_.table.size(); ++start) {
      parents_.push(start);
      if (accepts_all(start)) return found(start);
    }
    StateId level_end = 0;
    for (StateId state = 0; state < product_.table.size(); ++state) {
      if (state == level_end) {
        level_end = product_.table.size();
        worker_.note_depth(++depth_);
      }
      if (violates(state)) return true;
    }
    number_all();
    return false;
  }

  void extract(Lasso& lasso) {
    StateId state = last_;
    for (; parents_[state] != state; state = parents_[state]) lasso.prefix.push_back(state);
    lasso.prefix.push_back(state);
    std::reverse(lasso.prefix.begin(), lasso.prefix.end());
  }

 private:
  // No edge was accepting, on a cycle or not: one number is enough.
  void number_all() {
    Numbering* numbering = worker_.search.inf() == 0 ? nullptr : worker_.search.begin_numbering(0);
    if (numbering != nullptr && product_.table.size() != 0) numbering->add(0);
  }

  bool violates(StateId state) {
    edges_.shrink(0);
    if (state + 1 < product_.table.size()) worker_.expect(state + 1);
    try {
      worker_.post(state, edges_);
    } catch (const ModelError&) {
      if (!reads_enough(state)) throw;
      return found(state);
    }
    const auto first_new = static_cast<StateId>(parents_.size());
    while (parents_.size() < product_.table.size()) parents_.push(state);
    for (const Edge edge : edges_)
      if (edge.target >= first_new && accepts_all(edge.target))
        return found(reads_sources_ ? state : edge.target);
    return false;
  }

  // Is the letter of this state enough? Then it does not matter whether the model can go on from it.
  bool reads_enough(StateId state) const {
    if (!reads_sources_ || product_.automaton.reads_steps()) return false;
    const uint8_t* row = product_.table.vector(state);
    const LetterOfStep letter{product_, Letter::kSource, row, nullptr};
    const auto moves = product_.automaton.moves(product_.automaton_state(row), letter);
    return std::ranges::any_of(moves, [this](Move move) { return is_terminal_[move.destination]; });
  }

  bool accepts_all(StateId state) const {
    return is_terminal_[product_.automaton_state(product_.table.vector(state))];
  }

  // Accepting states that have a way on, and those that every letter leads to one of them: an automaton that
  // reads the destination knows one step before what it needs no more to read.
  void find_terminal_states() {
    const Automaton& automaton = product_.automaton;
    std::vector<bool> accepting(automaton.states());
    for (uint32_t state = 0; state < automaton.states(); ++state)
      accepting[state] = worker_.search.accepts(automaton.state_marks(state)) &&
                         automaton.always_leads_to(state, [](uint32_t) { return true; });
    is_terminal_ = accepting;
    for (uint32_t state = 0; state < automaton.states(); ++state)
      if (!accepting[state])
        is_terminal_[state] = automaton.always_leads_to(state, [&](uint32_t to) { return accepting[to]; });
  }

  bool found(StateId last) {
    last_ = last;
    return true;
  }

  Worker& worker_;
  const Product& product_;
  std::vector<bool> is_terminal_;  // of the automaton's states
  Array<StateId> parents_;         // of the states met so far; an initial one is its own
  Array<Edge> edges_;
  const bool reads_sources_;  // and nothing that is known only with the step
  size_t depth_ = 0;
  StateId last_ = 0;  // of the run
};

inline const Registration<Reach> reach_kernel("reach");

}  // namespace buchi
