// Simple depth-first search for weak automata: Černá & Pelánek (2003); Schwoon & Esparza, "A Note on
// On-the-Fly Verification Algorithms" (2005), section 5.1: the blue search of figure 3 alone.
//
// Requires: one Inf set, on states, and a weak automaton.  Memory: two bits a state.
#pragma once

#include "colours.hpp"

namespace buchi {

class Sd : private ColouredSearch {
 public:
  using ColouredSearch::ColouredSearch;
  using ColouredSearch::extract;

  bool explore(StateId start) {
    if (colour(start) != kWhite) return false;
    enter(start);
    while (!path.empty()) {
      if (const auto edge = path.next_edge()) {
        if (closes_accepting_cycle(edge->target)) return report(edge->target);
        if (colour(edge->target) == kWhite) enter(edge->target);
      } else {
        paint(path.top().state, kBlue);
        path.leave();
      }
    }
    return false;
  }
};

inline const Registration<Sd> sd_kernel("sd");

}  // namespace buchi
