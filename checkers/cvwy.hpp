// Nested depth-first search of Courcoubetis, Vardi, Wolper & Yannakakis (1992), as in Schwoon & Esparza, "A
// Note on On-the-Fly Verification Algorithms" (2005), figure 1.
//
// Requires: one Inf set, on states.  Memory: two bits a state.
#pragma once

#include "kernel.hpp"

namespace buchi {

class Cvwy {
 public:
  explicit Cvwy(Worker& worker)
      : worker_(worker), search_(worker.search), bits_(search_), blue_path_(worker), red_path_(worker) {
    bits_.fetch_with_states();
  }

  bool explore(StateId start) { return dfs_blue(start); }
  void extract(Lasso& lasso) const { lasso = close_lasso(blue_path_, red_path_, target_); }

 private:
  static constexpr int kBlue = 1, kRed = 2;

  bool dfs_blue(StateId start) {
    if (has(start, kBlue)) return false;
    enter(blue_path_, start, kBlue);
    while (!blue_path_.empty()) {
      if (const auto edge = blue_path_.next_edge()) {
        if (!has(edge->target, kBlue)) enter(blue_path_, edge->target, kBlue);
      } else {
        const StateId state = blue_path_.top().state;
        if (search_.accepts(blue_path_.top().marks) && dfs_red(state)) return true;
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
      } else if (!has(edge->target, kRed)) {
        enter(red_path_, edge->target, kRed);
      } else if (edge->target == seed) {
        target_ = seed;
        return true;
      }
    }
    return false;
  }

  bool has(StateId state, int bit) { return (bits_[state] & bit) != 0; }

  void enter(Path& path, StateId state, int bit) {
    bits_.set(state, bits_[state] | bit);
    path.enter(state, search_.state_marks(state));
    worker_.note_depth(blue_path_.size() + red_path_.size());
  }

  Worker& worker_;
  Search& search_;
  StateBits<2> bits_;
  Path blue_path_, red_path_;
  StateId target_ = 0;  // where the red path comes back to the blue one
};

inline const Registration<Cvwy> cvwy_kernel("cvwy");

}  // namespace buchi
