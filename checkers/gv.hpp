// Geldenhuys & Valmari (2004), as in Schwoon & Esparza, "A Note on On-the-Fly Verification Algorithms"
// (2005), figure 7: Tarjan's algorithm that remembers the deepest accepting step of the path and reports a
// way back above it.
//
// Requires: one Inf set.
// Memory: eight bytes a state, four more on the path and four more in an open component.
// Differs from the paper: acceptance is read on edges, so the goal is the source of an accepting edge of the
// path.
#pragma once

#include "kernel.hpp"
#include "walk.hpp"

namespace buchi {

class Gv {
 public:
  explicit Gv(Worker& worker)
      : worker_(worker),
        inf_(worker.search.inf()),
        states_(worker.search),
        path_(worker),
        goals_(worker.search.meter()),
        current_(worker.search.meter()) {
    states_.fetch_with_states();
  }

  bool explore(StateId start) {
    if (states_[start].number != 0) return false;
    enter(start, kNoGoal);
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        const uint32_t number = states_[edge->target].number;
        const bool accepting = (edge->marks & inf_) == inf_;
        if (number == 0) {
          enter(edge->target, accepting ? states_[path_.top().state].number : goals_.back());
        } else if (number != kRemoved && accepting) {
          return report(path_.size() - 1, edge->target);
        } else if (number != kRemoved && lower(states_[edge->target].lowlink)) {
          return true;
        }
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

  // From the accepting edge along any way back.
  void extract(Lasso& lasso) {
    const auto open = [this](Edge edge) {
      const uint32_t number = states_[edge.target].number;
      return number != 0 && number != kRemoved;
    };
    ProductGround ground(worker_.search);
    lasso = {path_.states(depth_ + 1), way(*ground, target_, path_[depth_].state, open)};
  }

 private:
  struct Numbers {
    uint32_t number, lowlink;
  };
  static constexpr uint32_t kNoGoal = 0, kRemoved = UINT32_MAX;

  void enter(StateId state, uint32_t goal) {
    ++count_;
    states_[state] = {count_, count_};
    goals_.push(goal);
    current_.push(state);
    worker_.note_stack(current_.size());
    path_.enter(state, 0);
  }

  // The top of the path reaches a state with this number; at the goal or above it, that closes an accepting
  // cycle.
  bool lower(uint32_t lowlink) {
    uint32_t& own = states_[path_.top().state].lowlink;
    own = std::min(own, lowlink);
    const uint32_t goal = goals_.back();
    if (goal == kNoGoal || own > goal) return false;
    size_t depth = path_.size() - 1;
    while (states_[path_[depth].state].number != goal) --depth;
    return report(depth, path_[depth + 1].state);
  }

  bool leave() {
    const StateId state = path_.top().state;
    goals_.pop();
    path_.leave();
    if (states_[state].lowlink != states_[state].number) return lower(states_[state].lowlink);
    ++worker_.counters.components;
    StateId removed;
    do {
      removed = current_.pop();
      states_[removed].number = kRemoved;
    } while (removed != state);
    return false;
  }

  // The accepting edge leads from the state at `depth` of the path to `target`, and a way back is known to
  // exist.
  bool report(size_t depth, StateId target) {
    depth_ = depth;
    target_ = target;
    return true;
  }

  Worker& worker_;
  const Marks inf_;
  uint32_t count_ = 0;
  StateArray<Numbers> states_;
  Path path_;
  Array<uint32_t> goals_;
  Array<StateId> current_;
  size_t depth_ = 0;
  StateId target_ = 0;
};

inline const Registration<Gv> gv_kernel("gv");

}  // namespace buchi
