// Shortest walks through a product that has been searched, for counterexamples. They count no transitions.
#pragma once

#include <deque>
#include <stdexcept>
#include <unordered_map>

#include "search.hpp"

namespace buchi {

// A walk that grows by shortest paths along edges that are `allowed(edge)`.
template <class Allowed>
class Walk {
 public:
  Walk(Search& search, Allowed allowed)
      : allowed_(allowed), successors_(search.product()), edges_(search.meter()) {}

  // Goes on to the nearest edge that is `goal(edge)` and takes it; an empty walk begins in an initial state.
  template <class Goal>
  void extend_to(Goal goal) {
    arrivals_.clear();
    queue_.clear();
    if (states.empty() ? begin(goal) : spread(states.back(), goal)) return;
    while (!queue_.empty()) {
      const StateId state = queue_.front();
      queue_.pop_front();
      if (spread(state, goal)) return;
    }
    throw std::logic_error("a counterexample was found, but there is no way to walk it");
  }

  std::vector<StateId> states;
  Marks seen = 0;  // on the edges walked

 private:
  struct Arrival {
    StateId from;
    Marks marks;
  };

  template <class Goal>
  bool begin(Goal goal) {
    edges_.shrink(0);
    successors_.initial(edges_);
    for (const Edge start : edges_) {
      if (goal(start)) {
        states.push_back(start.target);
        return true;
      }
      if (allowed_(start) && arrivals_.try_emplace(start.target, Arrival{start.target, 0}).second)
        queue_.push_back(start.target);
    }
    return false;
  }

  template <class Goal>
  bool spread(StateId state, Goal goal) {
    edges_.shrink(0);
    successors_.post(state, edges_);
    for (const Edge edge : edges_) {
      if (!allowed_(edge)) continue;
      if (goal(edge)) {
        append(state, edge);
        return true;
      }
      const bool known = !states.empty() && edge.target == states.back();
      if (!known && arrivals_.try_emplace(edge.target, Arrival{state, edge.marks}).second)
        queue_.push_back(edge.target);
    }
    return false;
  }

  void append(StateId state, Edge last) {
    std::vector<StateId> reversed{last.target};
    seen |= last.marks;
    while (states.empty() || state != states.back()) {
      reversed.push_back(state);
      const Arrival arrival = arrivals_.at(state);
      seen |= arrival.marks;
      if (arrival.from == state) break;  // an initial state
      state = arrival.from;
    }
    states.insert(states.end(), reversed.rbegin(), reversed.rend());
  }

  Allowed allowed_;
  Successors successors_;
  Array<Edge> edges_;
  std::unordered_map<StateId, Arrival> arrivals_;
  std::deque<StateId> queue_;
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
