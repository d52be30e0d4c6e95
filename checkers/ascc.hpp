// Couvreur's algorithm amended with the stack of active states: Gaiser & Schwoon, "Comparison of Algorithms
// for Checking Emptiness on Büchi Automata" (2009), figure 2.
//
// Requires: Inf sets only, any number.  Memory: four bytes a state, and the stacks.
// Differs from the paper: acceptance is read on edges, so a root also keeps the marks of the edge that leads
// to it. The figure tests for acceptance at each turn of the loop that merges components (line 19), this one
// once after the loop: the marks only grow in it. A policy says which edges belong to the graph, which marks
// accept, and what to do with a complete component, so that `tfla`, `tgrp` and `ta-scc` search in the same
// way. A state is numbered by its place among the active ones, which orders them as the figure does, and
// numbers that no place has are left for complete components: a certificate is made of them. In the paper →
// here: Roots → roots_, Active → active_, dfsnum → number_ (larger than any place where `current` is false).
#pragma once

#include "kernel.hpp"
#include "walk.hpp"

namespace buchi {

// The policy of ASCC itself, and what others start from.
struct AllEdgesAllSets {
  Marks wanted;
  bool follows(Edge, bool /*is_new*/) { return true; }
  bool accepts(Marks marks) const { return (marks & wanted) == wanted; }
  bool complete(std::span<const StateId>, Marks) { return false; }
};

template <class Policy>
class Ascc {
 public:
  // Where there is a numbering, it gets the components in the order in which they are complete.
  Ascc(Worker& worker, Policy& policy, Numbering* numbering = nullptr)
      : worker_(worker),
        policy_(policy),
        numbering_(numbering),
        number_(worker.search),
        path_(worker),
        roots_(worker.search.meter()),
        active_(worker.search.meter()) {
    number_.fetch_with_states();
  }
  ~Ascc() {
    if (numbering_ != nullptr) numbering_->take(number_.give());
  }
  Ascc(const Ascc&) = delete;
  Ascc& operator=(const Ascc&) = delete;

  bool explore(StateId start) {
    if (number_[start] != 0) return false;
    enter(start, 0);
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        const uint32_t number = number_[edge->target];
        if (!policy_.follows(*edge, number == 0)) continue;
        if (number == 0) {
          enter(edge->target, edge->marks);
        } else if (is_active(number) && merge(number, edge->marks)) {
          return true;
        }
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

  // After a find: the accepting component by its root, the path to it, and whether a state is part of it.
  StateId root() { return path_[root_depth()].state; }
  Marks marks() const { return roots_[roots_.size() - 1].marks; }
  bool inside(StateId state) {
    const uint32_t number = number_[state];
    return number >= roots_.back().number && is_active(number);
  }
  bool is_visited(StateId state) { return number_[state] != 0; }
  // Between two searches: some states may be visited again.
  void forget(std::span<const StateId> states) {
    for (const StateId state : states) number_[state] = 0;
  }
  void extract(Lasso& lasso, Marks wanted) {
    const auto within = [this](Edge edge) { return inside(edge.target); };
    ProductGround ground(worker_.search);
    lasso = {path_.states(root_depth()), cycle_through(*ground, root(), wanted, within)};
  }

 private:
  // A strongly connected component of the states explored so far, known by the number of its first state.
  struct Root {
    uint32_t number;
    Marks marks;     // on edges inside the component
    Marks incoming;  // on the edge that enters it
    size_t depth;    // of its first state on the path
  };

  // A number that is not zero: is it of an active state?
  bool is_active(uint32_t number) const { return number <= active_.size(); }
  size_t root_depth() const { return roots_[roots_.size() - 1].depth; }

  void enter(StateId state, Marks marks) {
    active_.push(state);
    const auto number = static_cast<uint32_t>(active_.size());
    number_[state] = number;
    roots_.push({number, 0, marks, path_.size()});
    worker_.note_stack(active_.size());
    path_.enter(state, marks);
  }

  // An edge back to an active state closes a cycle through all components above that state's.
  bool merge(uint32_t number, Marks marks) {
    while (roots_.back().number > number) {
      const Root inner = roots_.pop();
      marks |= inner.marks | inner.incoming;
    }
    roots_.back().marks |= marks;
    return policy_.accepts(roots_.back().marks);
  }

  bool leave() {
    const StateId state = path_.top().state;
    if (roots_.back().number == number_[state]) {
      const size_t first = roots_.back().number - 1;
      if (policy_.complete({active_.data() + first, active_.size() - first}, roots_.back().marks))
        return true;
      ++worker_.counters.components;
      const uint32_t number = numbering_ == nullptr ? Numbering::kAny : numbering_->add(roots_.back().marks);
      for (; active_.size() > first; active_.pop()) number_[active_.back()] = number;
      roots_.pop();
    }
    path_.leave();
    return false;
  }

  Worker& worker_;
  Policy& policy_;
  Numbering* const numbering_;
  StateArray<uint32_t> number_;
  Path path_;
  Array<Root> roots_;
  Array<StateId> active_;
};

class AsccCheck {
 public:
  explicit AsccCheck(Worker& worker)
      : policy_{worker.search.inf()}, ascc_(worker, policy_, worker.search.begin_numbering(0)) {}

  bool explore(StateId start) { return ascc_.explore(start); }
  void extract(Lasso& lasso) { ascc_.extract(lasso, policy_.wanted); }

 private:
  AllEdgesAllSets policy_;
  Ascc<AllEdgesAllSets> ascc_;
};
inline const Registration<AsccCheck> ascc_kernel("ascc");

}  // namespace buchi
