// The four colours of nested depth-first search in two bits a state, and the red search that goes with them.
#pragma once

#include "search.hpp"

namespace buchi {

enum Colour {
  kWhite,
  kCyan,
  kBlue,
  kRed
};  // unseen; on the blue path; left by the blue search; and by the red one

// Blue path and red search: Schwoon & Esparza, "A Note on On-the-Fly Verification Algorithms" (2005), figure
// 3, which Gaiser & Schwoon (2009), figure 1, share. The blue search is the checker's.
class ColouredSearch {
 public:
  explicit ColouredSearch(Search& search)
      : search(search), path(search), colours_(search), red_path_(search) {
    colours_.fetch_with_states();
  }

  int colour(StateId state) { return colours_[state]; }
  void paint(StateId state, Colour colour) { colours_.set(state, colour); }

  void enter(StateId state) {
    paint(state, kCyan);
    path.enter(state, search.state_marks(state));
  }

  // An edge from the top of the path to a cyan state closes a cycle; it is accepting if one of the two states
  // is.
  bool closes_accepting_cycle(StateId target) {
    if (colour(target) != kCyan) return false;
    return (search.accepts(path.top().marks) || search.is_accepting(target)) && report(target, nullptr);
  }

  // From the top of the path through blue states; all of them become red unless a cyan one is found.
  bool dfs_red() {
    enter_red(path.top().state);
    while (!red_path_.empty()) {
      const auto edge = red_path_.next_edge();
      if (!edge) {
        red_path_.leave();
      } else if (colour(edge->target) == kCyan) {
        return report(edge->target, &red_path_);
      } else if (colour(edge->target) == kBlue) {
        paint(edge->target, kRed);
        enter_red(edge->target);
      }
    }
    return false;
  }

  Search& search;
  Path path;

 private:
  void enter_red(StateId state) {
    red_path_.enter(state, 0);
    search.note_depth(path.size() + red_path_.size());
  }
  bool report(StateId target, const Path* red_path) {
    search.finish();
    search.lasso = close_lasso(path, target, red_path);
    return true;
  }

  StateBits<2> colours_;
  Path red_path_;
};

}  // namespace buchi
