// The nested depth-first search of Schwoon & Esparza, "A Note on On-the-Fly Verification Algorithms" (2005),
// figure 3.
//
// Requires: one Inf set, on states.  Memory: two bits a state.
#pragma once

#include "colours.hpp"

namespace buchi {

class Se : private ColouredSearch {
 public:
  using ColouredSearch::ColouredSearch;

  bool explore(StateId start) { return dfs_blue(start); }
  using ColouredSearch::extract;

 private:
  bool dfs_blue(StateId start) {
    if (colour(start) != kWhite) return false;
    enter(start);
    while (!path.empty()) {
      if (const auto edge = path.next_edge()) {
        if (closes_accepting_cycle(edge->target)) return report(edge->target);
        if (colour(edge->target) == kWhite) enter(edge->target);
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

  bool leave() {
    const StateId state = path.top().state;
    const bool accepting = search.accepts(path.top().marks);
    if (accepting && dfs_red()) return true;
    paint(state, accepting ? kRed : kBlue);
    path.leave();
    return false;
  }
};

inline const Registration<Se> se_kernel("se");

}  // namespace buchi
