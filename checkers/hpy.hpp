// Nested depth-first search of Holzmann, Peled & Yannakakis (1996), as described in Schwoon & Esparza, "A
// Note on On-the-Fly Verification Algorithms" (2005), section 3.1: the red search ends at any state of the
// blue path.
//
// Requires: one Inf set, on states.  Memory: three bits a state, in four.
// Differs from the paper: no partial-order reduction.
#pragma once

#include "kernel.hpp"

namespace buchi {

class Hpy {
 public:
  explicit Hpy(Worker& worker)
      : worker_(worker), search_(worker.search), bits_(search_), blue_path_(worker), red_path_(worker) {
    bits_.fetch_with_states();
  }

  bool explore(StateId start) { return dfs_blue(start); }
  void extract(Lasso& lasso) const { lasso = close_lasso(blue_path_, red_path_, target_); }

 private:
  static constexpr int kBlue = 1, kRed = 2, kOnPath = 4;

  bool dfs_blue(StateId start) {
    if (has(start, kBlue)) return false;
    enter(blue_path_, start, kBlue | kOnPath);
    while (!blue_path_.empty()) {
      if (const auto edge = blue_path_.next_edge()) {
        if (!has(edge->target, kBlue)) enter(blue_path_, edge->target, kBlue | kOnPath);
      } else {
        const StateId state = blue_path_.top().state;
        if (search_.accepts(blue_path_.top().marks) && dfs_red(state)) return true;
        bits_.set(state, bits_[state] & ~kOnPath);
        blue_path_.leave();
      }
    }
    return false;
  }

  bool dfs_red(StateId seed) {
    enter(red_path_, seed, kRed);
    while (!red_path_.empty()) {
      const auto edge = red_path_.next_edge();
      if (!edge) {
        red_path_.leave();
      } else if (has(edge->target, kOnPath)) {
        target_ = edge->target;
        return true;
      } else if (!has(edge->target, kRed)) {
        enter(red_path_, edge->target, kRed);
      }
    }
    return false;
  }

  bool has(StateId state, int bit) { return (bits_[state] & bit) != 0; }

  void enter(Path& path, StateId state, int bits) {
    bits_.set(state, bits_[state] | bits);
    path.enter(state, search_.state_marks(state));
    worker_.note_depth(blue_path_.size() + red_path_.size());
  }

  Worker& worker_;
  Search& search_;
  StateBits<4> bits_;
  Path blue_path_, red_path_;
  StateId target_ = 0;  // where the red path comes back to the blue one
};

inline const Registration<Hpy> hpy_kernel("hpy");

}  // namespace buchi
