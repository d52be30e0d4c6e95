// Shortest walks through a product that has been searched, for counterexamples. They count no transitions.
#pragma once

#include <stdexcept>

#include "state_array.hpp"

namespace buchi {

// A walk that grows by shortest paths along edges that are `allowed(edge)`. Within the limits of the search.
template <class Allowed>
class Walk {
 public:
  Walk(Search& search, Allowed allowed)
      : search_(search),
        allowed_(allowed),
        successors_(search.product),
        edges_(search.meter()),
        last_round_(search),
        arrivals_(search.meter()) {}

  // Goes on to the nearest edge that is `goal(edge)` and takes it; an empty walk begins in an initial state.
  template <class Goal>
  void extend_to(Goal goal) {
    ++round_;
    arrivals_.shrink(0);
    if (!states.empty()) last_round_[states.back()] = round_;
    if (states.empty() ? begin(goal) : spread(kStart, states.back(), goal)) return;
    for (size_t i = 0; i < arrivals_.size(); ++i) {
      if (i % 256 == 0) search_.control.check();
      if (spread(i, arrivals_[i].state, goal)) return;
    }
    throw std::logic_error("a counterexample was found, but there is no way to walk it");
  }

  std::vector<StateId> states;
  Marks seen = 0;  // on the edges walked

 private:
  // A state of the breadth-first search, and the edge that led there from the arrival `before`.
  struct Arrival {
    StateId state;
    Marks marks;
    size_t before;
  };
  static constexpr size_t kStart = SIZE_MAX;

  template <class Goal>
  bool begin(Goal goal) {
    edges_.shrink(0);
    successors_.initial(edges_);
    for (const Edge start : edges_) {
      if (goal(start)) {
        states.push_back(start.target);
        return true;
      }
      if (allowed_(start)) arrive({start.target, 0, kStart});
    }
    return false;
  }

  template <class Goal>
  bool spread(size_t index, StateId state, Goal goal) {
    edges_.shrink(0);
    successors_.post(state, edges_);
    for (const Edge edge : edges_) {
      if (!allowed_(edge)) continue;
      if (goal(edge)) {
        append(index, edge);
        return true;
      }
      arrive({edge.target, edge.marks, index});
    }
    return false;
  }

  void arrive(Arrival arrival) {
    if (last_round_[arrival.state] == round_) return;
    last_round_[arrival.state] = round_;
    arrivals_.push(arrival);
  }

  void append(size_t index, Edge last) {
    std::vector<StateId> reversed{last.target};
    seen |= last.marks;
    for (; index != kStart; index = arrivals_[index].before) {
      reversed.push_back(arrivals_[index].state);
      seen |= arrivals_[index].marks;
    }
    states.insert(states.end(), reversed.rbegin(), reversed.rend());
  }

  Search& search_;
  Allowed allowed_;
  Successors successors_;
  Array<Edge> edges_;
  uint32_t round_ = 0;
  StateArray<uint32_t> last_round_;  // in which a state was reached
  Array<Arrival> arrivals_;
};

// A cycle through `start` along allowed edges that carry all `wanted` marks together.
template <class Allowed>
std::vector<StateId> cycle_through(Search& search, StateId start, Marks wanted, Allowed allowed) {
  Walk walk(search, allowed);
  walk.states = {start};
  while ((wanted & ~walk.seen) != 0)
    walk.extend_to([&](Edge edge) { return (edge.marks & wanted & ~walk.seen) != 0; });
  if (walk.states.size() == 1 || walk.states.back() != start)
    walk.extend_to([start](Edge edge) { return edge.target == start; });
  walk.states.pop_back();
  return walk.states;
}

// The states before `goal` on a shortest path from an initial state.
template <class Allowed>
std::vector<StateId> path_to(Search& search, StateId goal, Allowed allowed) {
  Walk walk(search, allowed);
  walk.extend_to([goal](Edge edge) { return edge.target == goal; });
  walk.states.pop_back();
  return walk.states;
}

}  // namespace buchi
