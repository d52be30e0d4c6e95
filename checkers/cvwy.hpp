// Nested depth-first search of Courcoubetis, Vardi, Wolper & Yannakakis (1992), as in Schwoon & Esparza, "A
// Note on On-the-Fly Verification Algorithms" (2005), figure 1.
//
// Requires: one Inf set, on states.  Memory: two bits a state.
#pragma once

#include "search.hpp"

namespace buchi {

class Cvwy {
 public:
  explicit Cvwy(Search& search) : search_(search), bits_(search), blue_path_(search), red_path_(search) {
    bits_.fetch_with_states();
  }

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

 private:
  static constexpr int kBlue = 1, kRed = 2;

  bool dfs_red(StateId seed) {
    enter(red_path_, seed, kRed);
    while (!red_path_.empty()) {
      const auto edge = red_path_.next_edge();
      if (!edge) {
        red_path_.leave();
      } else if (!has(edge->target, kRed)) {
        enter(red_path_, edge->target, kRed);
      } else if (edge->target == seed) {
        search_.finish();
        search_.lasso = close_lasso(blue_path_, seed, &red_path_);
        return true;
      }
    }
    return false;
  }

  bool has(StateId state, int bit) { return (bits_[state] & bit) != 0; }

  void enter(Path& path, StateId state, int bit) {
    bits_.set(state, bits_[state] | bit);
    path.enter(state, search_.state_marks(state));
    search_.note_depth(blue_path_.size() + red_path_.size());
  }

  Search& search_;
  StateBits<2> bits_;
  Path blue_path_, red_path_;
};

inline bool cvwy(Search& search) {
  Cvwy check(search);
  return search.any_start([&](StateId start) { return check.dfs_blue(start); });
}
inline const KernelRegistration cvwy_kernel("cvwy", cvwy);

}  // namespace buchi
