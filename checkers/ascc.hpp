// Couvreur's algorithm amended with the stack of active states: Gaiser & Schwoon, "Comparison of Algorithms
// for Checking Emptiness on Büchi Automata" (2009), figure 2.
//
// Requires: Inf sets only, any number.  Memory: four bytes a state.
// Differs from the paper: acceptance is read on edges, so a root also keeps the marks of the edge that leads
// to it.
#pragma once

#include "cycle.hpp"
#include "search.hpp"

namespace buchi {

class Ascc {
 public:
  explicit Ascc(Search& search)
      : search_(search),
        all_marks_(search.acceptance.at(0).inf),
        number_(search),
        path_(search),
        roots_(search.meter()),
        active_(search.meter()) {}

  bool run() {
    Array<Edge> starts(search_.meter());
    search_.initial(starts);
    for (const Edge start : starts)
      if (number_[start.target] == 0 && explore(start.target)) return true;
    return false;
  }

 private:
  // A strongly connected component of the states explored so far, known by the number of its first state.
  struct Root {
    uint32_t number;
    Marks marks;     // on edges inside the component
    Marks incoming;  // on the edge that enters it
  };
  static constexpr uint32_t kInactive = UINT32_MAX;

  bool explore(StateId start) {
    enter(start, 0);
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        const uint32_t number = number_[edge->target];
        if (number == 0) {
          enter(edge->target, edge->marks);
        } else if (number != kInactive && merge(number, edge->marks)) {
          extract_lasso();
          return true;
        }
      } else {
        leave();
      }
    }
    return false;
  }

  void enter(StateId state, Marks marks) {
    number_[state] = ++count_;
    roots_.push({count_, 0, marks});
    active_.push(state);
    path_.enter(state, marks);
    for (const Edge edge : path_.pending()) number_.prefetch(edge.target);
  }

  // An edge back to an active state closes a cycle through all components above that state's.
  bool merge(uint32_t number, Marks marks) {
    while (roots_.back().number > number) {
      const Root inner = roots_.pop();
      marks |= inner.marks | inner.incoming;
    }
    roots_.back().marks |= marks;
    return (roots_.back().marks & all_marks_) == all_marks_;
  }

  void leave() {
    const StateId state = path_.top().state;
    path_.leave();
    if (roots_.back().number != number_[state]) return;
    roots_.pop();
    StateId inactive;
    do {
      inactive = active_.pop();
      number_[inactive] = kInactive;
    } while (inactive != state);
  }

  void extract_lasso() {
    search_.finish();
    const uint32_t root = roots_.back().number;
    size_t depth = 0;
    for (; number_[path_[depth].state] != root; ++depth) search_.lasso.prefix.push_back(path_[depth].state);
    const auto inside = [this, root](StateId state) {
      return number_[state] >= root && number_[state] != kInactive;
    };
    search_.lasso.cycle = CycleThroughMarks(search_, inside).find(path_[depth].state, all_marks_);
  }

  Search& search_;
  const Marks all_marks_;
  uint32_t count_ = 0;
  StateArray<uint32_t> number_;
  Path path_;
  Array<Root> roots_;
  Array<StateId> active_;
};

inline bool ascc(Search& search) { return Ascc(search).run(); }
inline const KernelRegistration ascc_kernel("ascc", ascc);

}  // namespace buchi
