// The path of a depth-first search, and the lasso that it closes.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "search.hpp"

namespace buchi {

// The path of a depth-first search, with the edges of its states that are still to be explored. The worker is
// one alone, or one of a team.
template <class Searcher>
class PathOf {
 public:
  explicit PathOf(Searcher& worker) : worker_(worker), frames_(worker.meter()), edges_(worker.meter()) {}

  struct Frame {
    StateId state;
    Marks marks;  // of the edge that led here, or of the state where acceptance is read on states
    size_t edges_before;
  };

  bool empty() const { return frames_.empty(); }
  size_t size() const { return frames_.size(); }
  const Frame& operator[](size_t i) const { return frames_[i]; }
  const Frame& top() const { return frames_[frames_.size() - 1]; }

  // Steps into a state; its edges come in the order of `post`, last first in memory, so that a used edge
  // frees its place.
  void enter(StateId state, Marks marks) {
    frames_.push({state, marks, edges_.size()});
    worker_.note_depth(frames_.size());
    worker_.post(state, edges_);
    std::reverse(edges_.begin() + frames_.back().edges_before, edges_.end());
  }
  std::optional<Edge> next_edge() {
    if (edges_.size() == top().edges_before) return std::nullopt;
    return edges_.pop();
  }
  // The edges of the top state that are still to be explored.
  std::span<const Edge> pending() const {
    return {edges_.data() + top().edges_before, edges_.size() - top().edges_before};
  }
  // Back to the state before.
  void leave() {
    edges_.shrink(top().edges_before);
    frames_.pop();
  }

  // Its first `count` states.
  std::vector<StateId> states(size_t count) const {
    std::vector<StateId> result;
    for (size_t i = 0; i < count; ++i) result.push_back(frames_[i].state);
    return result;
  }

 private:
  Searcher& worker_;
  Array<Frame> frames_;
  Array<Edge> edges_;
};
using Path = PathOf<Worker>;

// The lasso that an edge from the top of a path back to `target` closes; `tail` continues the path from its
// top, as the second search of a nested one does, and may be empty.
template <class Searcher>
Lasso close_lasso(const PathOf<Searcher>& path, const PathOf<Searcher>& tail, StateId target) {
  Lasso lasso;
  std::vector<StateId>* part = &lasso.prefix;
  const auto append = [&](StateId state) {
    if (state == target) part = &lasso.cycle;
    part->push_back(state);
  };
  for (size_t i = 0; i < path.size(); ++i) append(path[i].state);
  for (size_t i = 1; i < tail.size(); ++i) append(tail[i].state);
  return lasso;
}

}  // namespace buchi
