// Shortest walks through a product that has been searched, for counterexamples. They count no transitions.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "search.hpp"

namespace buchi {

// A walk that grows by shortest paths along edges that are `allowed(edge)`. Within the limits of the search.
template <class SuccessorFunction, class Allowed>
class Walk {
 public:
  Walk(Control& control, Meter& meter, SuccessorFunction& successors, Allowed allowed)
      : control_(control),
        successors_(successors),
        allowed_(allowed),
        edges_(meter),
        last_round_(meter),
        arrivals_(meter) {}

  // Goes on to the nearest edge that is `goal(edge)` and takes it; an empty walk begins in an initial state.
  template <class Goal>
  void extend_to(Goal goal) {
    ++round_;
    arrivals_.shrink(0);
    if (!states.empty()) round_of(states.back()) = round_;
    if (states.empty() ? begin(goal) : spread(kStart, states.back(), goal)) return;
    for (size_t i = 0; i < arrivals_.size(); ++i) {
      if (i % 256 == 0) control_.check();
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
    if (std::exchange(round_of(arrival.state), round_) == round_) return;
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

  // In which a state was reached last.
  uint32_t& round_of(StateId state) {
    if (state >= last_round_.size()) last_round_.extend(size_t{state} + 1);
    return last_round_[state];
  }

  Control& control_;
  SuccessorFunction& successors_;
  Allowed allowed_;
  Array<Edge> edges_;
  uint32_t round_ = 0;
  Array<uint32_t> last_round_;
  Array<Arrival> arrivals_;
};

// Where to walk: in the product of a search, or in the states that a team has met.
template <class SuccessorFunction>
struct Ground {
  Control& control;
  Meter& meter;
  SuccessorFunction& successors;
};

// A cycle through `start` along allowed edges that carry all `wanted` marks together.
template <class SuccessorFunction, class Allowed>
std::vector<StateId> cycle_through(Ground<SuccessorFunction> ground, StateId start, Marks wanted,
                                   Allowed allowed) {
  Walk walk(ground.control, ground.meter, ground.successors, allowed);
  walk.states = {start};
  while ((wanted & ~walk.seen) != 0)
    walk.extend_to([&](Edge edge) { return (edge.marks & wanted & ~walk.seen) != 0; });
  if (walk.states.size() == 1 || walk.states.back() != start)
    walk.extend_to([start](Edge edge) { return edge.target == start; });
  walk.states.pop_back();
  return walk.states;
}

// The states before `goal` on a shortest path from an initial state.
template <class SuccessorFunction, class Allowed>
std::vector<StateId> path_to(Ground<SuccessorFunction> ground, StateId goal, Allowed allowed) {
  Walk walk(ground.control, ground.meter, ground.successors, allowed);
  walk.extend_to([goal](Edge edge) { return edge.target == goal; });
  walk.states.pop_back();
  return walk.states;
}

// From one state to another, both included; a state by itself where they are the same.
template <class SuccessorFunction, class Allowed>
std::vector<StateId> way(Ground<SuccessorFunction> ground, StateId from, StateId to, Allowed allowed) {
  Walk walk(ground.control, ground.meter, ground.successors, allowed);
  walk.states = {from};
  if (from != to) walk.extend_to([to](Edge edge) { return edge.target == to; });
  return walk.states;
}

// The product of a search, as a sequential kernel has it.
class ProductGround {
 public:
  explicit ProductGround(Search& search) : search_(search), successors_(search.product) {}
  Ground<Successors> operator*() { return {search_.control, search_.meter(), successors_}; }

 private:
  Search& search_;
  Successors successors_;
};

}  // namespace buchi
