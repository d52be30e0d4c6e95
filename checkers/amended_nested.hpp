// The amended nested depth-first search of Gaiser & Schwoon, "Comparison of Algorithms for Checking Emptiness
// on Büchi Automata" (2009), figure 1: a state whose successors are all red is red without a red search.
//
// Requires: one Inf set, on states.  Memory: two bits a state, one byte for each state of the path.
#pragma once

#include "colours.hpp"

namespace buchi {

class And : private ColouredSearch {
 public:
  explicit And(Worker& worker) : ColouredSearch(worker), all_red_(search.meter()) {}

  bool explore(StateId start) { return dfs_blue(start); }
  using ColouredSearch::extract;

 private:
  bool dfs_blue(StateId start) {
    if (colour(start) != kWhite) return false;
    enter(start);
    while (!path.empty()) {
      if (const auto edge = path.next_edge()) {
        if (closes_accepting_cycle(edge->target)) return report(edge->target);
        if (colour(edge->target) == kWhite) {
          enter(edge->target);
        } else {
          note_successor(edge->target);
        }
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

  void enter(StateId state) {
    all_red_.push(1);
    ColouredSearch::enter(state);
  }

  void note_successor(StateId state) {
    if (colour(state) != kRed) all_red_.back() = 0;
  }

  bool leave() {
    const StateId state = path.top().state;
    const bool red = all_red_.pop() != 0;
    const bool accepting = search.accepts(path.top().marks);
    if (!red && accepting && dfs_red()) return true;
    paint(state, red || accepting ? kRed : kBlue);
    path.leave();
    if (!path.empty()) note_successor(state);
    return false;
  }

  Array<uint8_t> all_red_;
};

inline const Registration<And> and_kernel("and");

}  // namespace buchi
