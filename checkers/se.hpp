// The nested depth-first search of Schwoon & Esparza, "A Note on On-the-Fly Verification Algorithms" (2005),
// figure 3.
//
// Requires: one Inf set, on states.  Memory: two bits a state.
#pragma once

#include "colours.hpp"

namespace buchi {

class Se : ColouredSearch {
 public:
  using ColouredSearch::ColouredSearch;

  bool dfs_blue(StateId start) {
    if (colour(start) != kWhite) return false;
    enter(start);
    while (!path.empty()) {
      if (const auto edge = path.next_edge()) {
        if (closes_accepting_cycle(edge->target)) return true;
        if (colour(edge->target) == kWhite) enter(edge->target);
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

 private:
  bool leave() {
    const StateId state = path.top().state;
    const bool accepting = search.accepts(path.top().marks);
    if (accepting && dfs_red()) return true;
    paint(state, accepting ? kRed : kBlue);
    path.leave();
    return false;
  }
};

inline bool se(Search& search) {
  Se check(search);
  return search.any_start([&](StateId start) { return check.dfs_blue(start); });
}
inline const KernelRegistration se_kernel("se", se);

}  // namespace buchi
