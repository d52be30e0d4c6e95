// Reachability for terminal automata: Černá & Pelánek (2003); Schwoon & Esparza, "A Note on On-the-Fly
// Verification Algorithms" (2005), section 5.1. A run that has come to an accepting state can always go on
// among accepting states.
//
// Requires: one Inf set, on states, a terminal automaton, and a product in which every state of the model has
// a successor.  Memory: one bit a state.
// Differs from the papers: an accepting state is reported once its successors are known, since only a run
// that goes on is one.
#pragma once

#include "kernel.hpp"

namespace buchi {

class Reach {
 public:
  explicit Reach(Worker& worker) : search_(worker.search), seen_(search_), path_(worker) {}

  bool explore(StateId start) {
    if (seen_[start] != 0) return false;
    if (enter(start)) return true;
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        if (seen_[edge->target] == 0 && enter(edge->target)) return true;
      } else {
        path_.leave();
      }
    }
    return false;
  }

  // Goes on among accepting states until one of them comes again; that may be a long way, within the limits.
  void extract(Lasso& lasso) {
    Successors successors(search_.product);
    Array<Edge> edges(search_.meter());
    Array<StateId> walk(search_.meter());
    StateArray<uint32_t> place(search_);  // of a state in the walk, from 1
    StateId state = path_.top().state;
    while (place[state] == 0) {
      walk.push(state);
      place[state] = static_cast<uint32_t>(walk.size());
      if (walk.size() % 256 == 0) search_.control.check();
      edges.shrink(0);
      successors.post(state, edges);
      const Edge* next = std::find_if(edges.begin(), edges.end(),
                                      [this](Edge edge) { return search_.is_accepting(edge.target); });
      if (next == edges.end()) throw std::logic_error("the automaton is not terminal");
      state = next->target;
    }
    lasso.prefix = path_.states(path_.size() - 1);
    StateId* cycle = walk.begin() + (place[state] - 1);
    lasso.prefix.insert(lasso.prefix.end(), walk.begin(), cycle);
    lasso.cycle.assign(cycle, walk.end());
  }

 private:
  bool enter(StateId state) {
    seen_.set(state, 1);
    path_.enter(state, 0);
    return !path_.pending().empty() && search_.is_accepting(state);
  }

  Search& search_;
  StateBits<1> seen_;
  Path path_;
};

inline const Registration<Reach> reach_kernel("reach");

}  // namespace buchi
