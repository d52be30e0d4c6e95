// Tarjan+ for testing automata: Geldenhuys & Hansen, "Larger Automata and Less Work for LTL Model Checking"
// (2006), section 4.2, on the algorithm of Geldenhuys & Valmari (2004).
//
// Requires: the table of a testing automaton.  Memory: 12 bytes and a bit a state, eight more on the path and
// four more in an open component; two bits a state for the second pass.
// Differs from the paper, which only outlines it: acceptance is read on edges (a Büchi-accepting state counts
// when it is left by a change); when nothing was found, the second pass is skipped if no stuttering step led
// to a known state of an incomplete component, since such a step is needed to close a cycle that was missed.
#pragma once

#include "livelock.hpp"
#include "search.hpp"
#include "walk.hpp"

namespace buchi {

class TarjanPlus {
 public:
  explicit TarjanPlus(Search& search)
      : search_(search),
        buchi_(search.acceptance.at(0).inf),
        livelock_(search.acceptance.at(1).inf),
        states_(search),
        shallowest_plus_one_(search),
        on_path_(search),
        path_(search),
        goals_(search.meter()),
        livelock_roots_(search.meter()),
        current_(search.meter()) {
    states_.fetch_with_states();
  }

  bool first_pass(StateId start) {
    if (states_[start].number != 0) return false;
    enter(start, kNoGoal, false);
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        const uint32_t number = states_[edge->target].number;
        if (number == 0) {
          enter(edge->target, goal_of(*edge), is_livelock(edge->marks));
        } else if (number != kRemoved && (close_buchi(*edge) || close_livelock(*edge))) {
          return true;
        }
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

  // Decides what the first pass may have missed: a cycle of stuttering steps.
  bool second_pass() {
    if (!missed_) return false;
    ++search_.counters.passes;
    const uint64_t states = search_.counters.states;
    LivelockSearch livelock(search_, livelock_);
    for (StateId state = 0; state < states; ++state)
      if (livelock.explore(state, [](StateId) { return true; })) return report_cycle(livelock.cycle);
    return false;
  }

 private:
  struct Numbers {
    uint32_t number, lowlink;
  };
  static constexpr uint32_t kNoGoal = 0, kRemoved = UINT32_MAX;

  bool is_livelock(Marks marks) const { return (marks & livelock_) != 0; }
  uint32_t goal_of(Edge edge) {
    return (edge.marks & buchi_) != 0 ? states_[path_.top().state].number : goals_.back();
  }

  // A state that is not entered by a stuttering step of a livelock may be the root of the next one.
  void enter(StateId state, uint32_t goal, bool in_livelock) {
    ++count_;
    states_[state] = {count_, count_};
    on_path_.set(state, 1);
    goals_.push(goal);
    livelock_roots_.push(in_livelock ? livelock_roots_.back() : count_);
    current_.push(state);
    search_.note_stack(current_.size());
    path_.enter(state, in_livelock ? livelock_ : 0);
  }

  bool close_buchi(Edge edge) {
    if ((edge.marks & buchi_) != 0) return report_buchi(path_.size() - 1, edge.target);
    return reaches(states_[edge.target].lowlink);
  }

  bool reaches(uint32_t lowlink) {
    uint32_t& own = states_[path_.top().state].lowlink;
    own = std::min(own, lowlink);
    const uint32_t goal = goals_.back();
    if (goal == kNoGoal || own > goal) return false;
    size_t depth = path_.size() - 1;
    while (states_[path_[depth].state].number != goal) --depth;
    return report_buchi(depth, path_[depth + 1].state);
  }

  // A stuttering step to a state of the path, or to one that is known to stutter on to a state of the path:
  // if nothing but stuttering lies between that state and the top, this is a livelock.
  bool close_livelock(Edge edge) {
    if (!is_livelock(edge.marks)) return false;
    const StateId shallow = on_path_[edge.target] != 0 ? edge.target : shallowest(edge.target);
    if (on_path_[shallow] != 0 && states_[shallow].number >= livelock_roots_.back())
      return report_livelock(edge.target, shallow);
    remember(shallow);
    missed_ = true;
    return false;
  }

  // The state nearest to the start of the path to which a state is known to stutter: itself if there is no
  // other.
  StateId shallowest(StateId state) {
    const StateId known = shallowest_plus_one_[state];
    return known == 0 ? state : known - 1;
  }
  // The top of the path stutters on to this state.
  void remember(StateId shallow) {
    const StateId state = path_.top().state;
    if (states_[shallow].number < states_[shallowest(state)].number)
      shallowest_plus_one_[state] = shallow + 1;
  }

  bool leave() {
    const auto [state, marks, _] = path_.top();
    goals_.pop();
    livelock_roots_.pop();
    on_path_.set(state, 0);
    path_.leave();
    if (is_livelock(marks)) remember(shallowest(state));
    if (states_[state].lowlink != states_[state].number) return reaches(states_[state].lowlink);
    StateId removed;
    do {
      removed = current_.pop();
      states_[removed].number = kRemoved;
    } while (removed != state);
    return false;
  }

  // The accepting change leads from the state at `depth` of the path to `target`; a way back is known to
  // exist.
  bool report_buchi(size_t depth, StateId target) {
    search_.finish();
    for (size_t i = 0; i <= depth; ++i) search_.lasso.prefix.push_back(path_[i].state);
    search_.lasso.cycle = walk_back(target, path_[depth].state, [](Marks) { return true; });
    return true;
  }

  // From `shallow` along the path to its top, then to `target` and stuttering back.
  bool report_livelock(StateId target, StateId shallow) {
    search_.finish();
    search_.lasso = close_lasso(path_, shallow);
    if (target == shallow) return true;
    auto back = walk_back(target, shallow, [this](Marks marks) { return is_livelock(marks); });
    back.pop_back();
    search_.lasso.cycle.insert(search_.lasso.cycle.end(), back.begin(), back.end());
    return true;
  }

  bool report_cycle(const std::vector<StateId>& cycle) {
    search_.finish();
    const auto visited = [this](Edge edge) { return states_[edge.target].number != 0; };
    search_.lasso = {path_to(search_, cycle.front(), visited), cycle};
    return true;
  }

  template <class Allowed>
  std::vector<StateId> walk_back(StateId from, StateId to, Allowed allowed) {
    Walk walk(search_, [this, allowed](Edge edge) {
      const uint32_t number = states_[edge.target].number;
      return number != 0 && number != kRemoved && allowed(edge.marks);
    });
    walk.states = {from};
    if (from != to) walk.extend_to([to](Edge edge) { return edge.target == to; });
    return walk.states;
  }

  Search& search_;
  const Marks buchi_, livelock_;
  uint32_t count_ = 0;
  bool missed_ = false;
  StateArray<Numbers> states_;
  StateArray<StateId> shallowest_plus_one_;
  StateBits<1> on_path_;
  Path path_;
  Array<uint32_t> goals_, livelock_roots_;
  Array<StateId> current_;
};

inline bool tarjan_plus(Search& search) {
  TarjanPlus check(search);
  return search.any_start([&](StateId start) { return check.first_pass(start); }) || check.second_pass();
}
inline const KernelRegistration tarjan_plus_kernel("tarjan+", tarjan_plus);

}  // namespace buchi
