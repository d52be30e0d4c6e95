// Cycles of stuttering steps at livelock-accepting states of a testing automaton: the part that `tarjan+` and
// `ta-scc` share.
#pragma once

#include "kernel.hpp"

namespace buchi {

// Any cycle of edges with the livelock mark is a violation, so one depth-first search over them decides.
class LivelockSearch {
 public:
  LivelockSearch(Worker& worker, Marks livelock)
      : livelock_(livelock), colours_(worker.search), path_(worker) {}

  // Searches what is reachable from `start` and was not searched before, within `inside(state)`.
  template <class Inside>
  bool explore(StateId start, Inside inside) {
    if (colours_[start] != kNew) return false;
    enter(start);
    while (!path_.empty()) {
      const auto edge = path_.next_edge();
      if (!edge) {
        colours_.set(path_.top().state, kDone);
        path_.leave();
      } else if ((edge->marks & livelock_) != 0 && inside(edge->target)) {
        if (colours_[edge->target] == kOnPath) {
          closed_by_ = edge->target;
          return true;
        }
        if (colours_[edge->target] == kNew) enter(edge->target);
      }
    }
    return false;
  }

  // The cycle that was found; empty where there is none.
  std::vector<StateId> cycle() const {
    std::vector<StateId> states = path_.states(path_.size());
    states.erase(states.begin(), std::find(states.begin(), states.end(), closed_by_));
    return states;
  }

 private:
  enum { kNew, kOnPath, kDone };

  void enter(StateId state) {
    colours_.set(state, kOnPath);
    path_.enter(state, 0);
  }

  const Marks livelock_;
  StateBits<2> colours_;
  Path path_;
  StateId closed_by_ = 0;
};

}  // namespace buchi
