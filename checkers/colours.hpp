// The four colours of nested depth-first search in two bits a state, and the red search that goes with them:
// the half of figures that `se`, `and` and `sd` share.
#pragma once

#include "kernel.hpp"

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
  explicit ColouredSearch(Worker& worker_)
      : worker(worker_), search(worker_.search), path(worker_), colours_(search), red_path_(worker_) {
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
    return colour(target) == kCyan && (search.accepts(path.top().marks) || search.is_accepting(target));
  }

  // From the top of the path through blue states; all of them become red unless a cyan one is found.
  bool dfs_red() {
    enter_red(path.top().state);
    while (!red_path_.empty()) {
      const auto edge = red_path_.next_edge();
      if (!edge) {
        red_path_.leave();
      } else if (colour(edge->target) == kCyan) {
        return report(edge->target);
      } else if (colour(edge->target) == kBlue) {
        paint(edge->target, kRed);
        enter_red(edge->target);
      }
    }
    return false;
  }

  // The edge that was looked at last, of the red path or else of the blue one, leads back to this state.
  bool report(StateId target) {
    target_ = target;
    return true;
  }
  void extract(Lasso& lasso) const { lasso = close_lasso(path, red_path_, target_); }

  Worker& worker;
  Search& search;
  Path path;

 private:
  void enter_red(StateId state) {
    red_path_.enter(state, 0);
    worker.note_depth(path.size() + red_path_.size());
  }

  StateBits<2> colours_;
  Path red_path_;
  StateId target_ = 0;
};

}  // namespace buchi
