// A cycle in a strongly connected set of states that passes through given marks.
#pragma once

#include <deque>
#include <stdexcept>
#include <unordered_map>

#include "search.hpp"

namespace buchi {

// Extends a walk by shortest paths: first to an edge with a mark that is still missing, again and again, then
// home. `inside` says which states belong to the component; all of them must be reachable from each other
// within it.
template <class Inside>
class CycleThroughMarks {
 public:
  CycleThroughMarks(Search& search, Inside inside)
      : inside_(inside), successors_(search.product()), edges_(search.meter()) {}

  std::vector<StateId> find(StateId start, Marks wanted) {
    walk_ = {start};
    missing_ = wanted;
    while (missing_ != 0) extend([this](Edge edge) { return (edge.marks & missing_) != 0; });
    if (walk_.size() == 1 || walk_.back() != start)
      extend([start](Edge edge) { return edge.target == start; });
    walk_.pop_back();
    return walk_;
  }

 private:
  struct Arrival {
    StateId from;
    Marks marks;
  };

  // Breadth-first search from the end of the walk to the first edge that is a goal; the path there joins the
  // walk.
  template <class Goal>
  void extend(Goal goal) {
    const StateId origin = walk_.back();
    arrivals_.clear();
    std::deque<StateId> queue{origin};
    while (!queue.empty()) {
      const StateId state = queue.front();
      queue.pop_front();
      edges_.shrink(0);
      successors_.post(state, edges_);
      for (const Edge edge : edges_) {
        if (!inside_(edge.target)) continue;
        if (goal(edge)) return append(origin, state, edge);
        if (edge.target != origin && arrivals_.try_emplace(edge.target, Arrival{state, edge.marks}).second)
          queue.push_back(edge.target);
      }
    }
    throw std::logic_error("the component is not strongly connected");
  }

  void append(StateId origin, StateId last, Edge edge) {
    const auto position = static_cast<std::ptrdiff_t>(walk_.size());
    walk_.push_back(edge.target);
    missing_ &= ~edge.marks;
    for (StateId state = last; state != origin;) {
      walk_.insert(walk_.begin() + position, state);
      const Arrival arrival = arrivals_.at(state);
      missing_ &= ~arrival.marks;
      state = arrival.from;
    }
  }

  Inside inside_;
  Successors successors_;
  Array<Edge> edges_;
  std::unordered_map<StateId, Arrival> arrivals_;
  std::vector<StateId> walk_;
  Marks missing_ = 0;
};

}  // namespace buchi
