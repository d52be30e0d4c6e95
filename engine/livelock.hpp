// Cycles of stuttering steps at livelock-accepting states of a testing automaton.
#pragma once

#include "search.hpp"

namespace buchi {

// Any cycle of edges with the livelock mark is a violation, so one depth-first search over them decides.
class LivelockSearch {
 public:
  LivelockSearch(Search& search, Marks livelock)
      : livelock_(livelock), search_(search), colours_(search), path_(search) {}

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
          cycle = close_lasso(path_, edge->target).cycle;
          return true;
        }
        if (colours_[edge->target] == kNew) enter(edge->target);
      }
    }
    return false;
  }

  std::vector<StateId> cycle;

 private:
  enum { kNew, kOnPath, kDone };

  void enter(StateId state) {
    colours_.set(state, kOnPath);
    path_.enter(state, 0);
  }

  const Marks livelock_;
  Search& search_;
  StateBits<2> colours_;
  Path path_;
};

}  // namespace buchi
