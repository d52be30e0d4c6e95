// Couvreur's algorithm (1999) without a stack of the active states, as in Schwoon & Esparza, "A Note on
// On-the-Fly Verification Algorithms" (2005), figure 5: a second search removes the states of a complete
// component.
//
// Requires: Inf sets only, any number.  Memory: four bytes a state.
// Differs from the paper: acceptance is read on edges, so a root also keeps the marks of the edge that leads
// to it; the cycle of a counterexample is walked breadth-first from the root of its component, not searched
// depth-first from the end of the path.
#pragma once

#include "kernel.hpp"
#include "walk.hpp"

namespace buchi {

class C99 {
 public:
  explicit C99(Worker& worker)
      : worker_(worker),
        wanted_(worker.search.inf()),
        number_(worker.search),
        path_(worker),
        removal_(worker),
        roots_(worker.search.meter()) {
    number_.fetch_with_states();
  }

  bool explore(StateId start) {
    if (number_[start] != 0) return false;
    enter(start, 0);
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        const uint32_t number = number_[edge->target];
        if (number == 0) {
          enter(edge->target, edge->marks);
        } else if (number != kRemoved && merge(number, edge->marks)) {
          return true;
        }
      } else {
        leave();
      }
    }
    return false;
  }

  void extract(Lasso& lasso) {
    const Root root = roots_.back();
    const auto inside = [&](Edge edge) {
      const uint32_t number = number_[edge.target];
      return number >= root.number && number != kRemoved;
    };
    const StateId first = path_[root.depth].state;
    ProductGround ground(worker_.search);
    lasso = {path_.states(root.depth), cycle_through(*ground, first, wanted_, inside)};
  }

 private:
  struct Root {
    uint32_t number;
    Marks marks, incoming;
    size_t depth;
  };
  static constexpr uint32_t kRemoved = UINT32_MAX;

  void enter(StateId state, Marks marks) {
    number_[state] = ++count_;
    roots_.push({count_, 0, marks, path_.size()});
    worker_.note_stack(roots_.size());
    path_.enter(state, marks);
  }

  // No state above the edge's target is a root any more; the cycle through them is accepting when all sets
  // are met.
  bool merge(uint32_t number, Marks marks) {
    while (roots_.back().number > number) {
      const Root inner = roots_.pop();
      marks |= inner.marks | inner.incoming;
    }
    roots_.back().marks |= marks;
    return (roots_.back().marks & wanted_) == wanted_;
  }

  void leave() {
    const StateId state = path_.top().state;
    path_.leave();
    if (roots_.back().number != number_[state]) return;
    roots_.pop();
    ++worker_.counters.components;
    remove(state);
  }

  void remove(StateId root) {
    const auto enter = [this](StateId state) {
      number_[state] = kRemoved;
      removal_.enter(state, 0);
      worker_.note_depth(path_.size() + removal_.size());
    };
    enter(root);
    while (!removal_.empty()) {
      const auto edge = removal_.next_edge();
      if (!edge) {
        removal_.leave();
      } else if (number_[edge->target] != kRemoved) {
        enter(edge->target);
      }
    }
  }

  Worker& worker_;
  const Marks wanted_;
  uint32_t count_ = 0;
  StateArray<uint32_t> number_;
  Path path_, removal_;
  Array<Root> roots_;
};

inline const Registration<C99> c99_kernel("c99");

}  // namespace buchi
