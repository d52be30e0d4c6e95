// Nested depth-first search of Gastin, Moro & Zeitoun (2004), as described in Schwoon & Esparza, "A Note on
// On-the-Fly Verification Algorithms" (2005), section 3.1: the blue search notices an edge back to an
// accepting state of its path, and a second look at the successors of a state makes it black when all of them
// are: it is part of no accepting run.
//
// Requires: one Inf set, on states.  Memory: three bits a state, in four.
// Differs from the paper: the search for a shortest counterexample is left out; a state that the red search
// has left is black, too.
#pragma once

#include "kernel.hpp"

namespace buchi {

class Gmz {
 public:
  explicit Gmz(Worker& worker)
      : worker_(worker),
        search_(worker.search),
        bits_(search_),
        blue_path_(worker),
        red_path_(worker),
        successors_(search_.meter()) {
    bits_.fetch_with_states();
  }

  bool explore(StateId start) { return dfs_blue(start); }
  void extract(Lasso& lasso) const { lasso = close_lasso(blue_path_, red_path_, target_); }

 private:
  static constexpr int kBlue = 1, kBlack = 2, kOnPath = 4;

  bool dfs_blue(StateId start) {
    if (has(start, kBlue)) return false;
    enter_blue(start);
    while (!blue_path_.empty()) {
      if (const auto edge = blue_path_.next_edge()) {
        if (has(edge->target, kOnPath) && search_.is_accepting(edge->target)) return report(edge->target);
        if (!has(edge->target, kBlue)) enter_blue(edge->target);
      } else if (leave_blue()) {
        return true;
      }
    }
    return false;
  }

  bool leave_blue() {
    const StateId state = blue_path_.top().state;
    const bool accepting = search_.accepts(blue_path_.top().marks);
    if (accepting && dfs_red(state)) return true;
    const bool black = accepting || all_successors_are_black(state);
    bits_.set(state, kBlue | (black ? kBlack : 0));
    blue_path_.leave();
    return false;
  }

  bool all_successors_are_black(StateId state) {
    successors_.shrink(0);
    worker_.post(state, successors_);
    for (const Edge edge : successors_)
      if (!has(edge.target, kBlack)) return false;
    return true;
  }

  bool dfs_red(StateId seed) {
    enter(red_path_, seed);
    while (!red_path_.empty()) {
      const auto edge = red_path_.next_edge();
      if (!edge) {
        red_path_.leave();
      } else if (has(edge->target, kOnPath)) {
        return report(edge->target);
      } else if (!has(edge->target, kBlack)) {
        bits_.set(edge->target, kBlue | kBlack);
        enter(red_path_, edge->target);
      }
    }
    return false;
  }

  bool has(StateId state, int bit) { return (bits_[state] & bit) != 0; }

  void enter_blue(StateId state) {
    bits_.set(state, kBlue | kOnPath);
    enter(blue_path_, state);
  }
  void enter(Path& path, StateId state) {
    path.enter(state, search_.state_marks(state));
    worker_.note_depth(blue_path_.size() + red_path_.size());
  }

  // An edge leads back to this state of the blue path.
  bool report(StateId target) {
    target_ = target;
    return true;
  }

  Worker& worker_;
  Search& search_;
  StateBits<4> bits_;
  Path blue_path_, red_path_;
  Array<Edge> successors_;
  StateId target_ = 0;
};

inline const Registration<Gmz> gmz_kernel("gmz");

}  // namespace buchi
