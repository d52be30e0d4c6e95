// Tarjan+ for testing automata: Geldenhuys & Hansen, "Larger Automata and Less Work for LTL Model Checking"
// (2006), section 4.2, on the algorithm of Geldenhuys & Valmari (2004).
//
// Requires: the table of a testing automaton.  Memory: 12 bytes and a bit a state, eight more on the path and
// four more in an open component; two bits a state for the second pass.
// The paper gives three modifications of that algorithm; here they are, in this order,
//   1. `livelock_roots_`, the stack L: for each state of the path the potential root of its livelock;
//   2. `close_livelock`: a stuttering step to a state of the path at or above the top of L is a violation;
//   3. `shallowest_plus_one_`: the shallowest state that each state is known to stutter to, looked at where
//      a stuttering step leads to that state and kept up by `remember`.
// Differs from the paper, which only outlines it: acceptance is read on edges (a Büchi-accepting state counts
// when it is left by a change); when nothing was found, the second pass is skipped if no stuttering step led
// to a known state of an incomplete component, since such a step is needed to close a cycle that was missed.
#pragma once

#include "livelock.hpp"
#include "walk.hpp"

namespace buchi {

class TarjanPlus {
 public:
  explicit TarjanPlus(Worker& worker)
      : worker_(worker),
        search_(worker.search),
        buchi_(search_.acceptance.at(0).inf),
        livelock_(search_.acceptance.at(1).inf),
        states_(search_),
        shallowest_plus_one_(search_),
        on_path_(search_),
        path_(worker),
        goals_(search_.meter()),
        livelock_roots_(search_.meter()),
        current_(search_.meter()) {
    states_.fetch_with_states();
  }

  bool explore(StateId start) { return second_ ? second_pass() : first_pass(start); }

  bool another_pass() {
    if (second_ || !missed_) return false;
    second_.emplace(worker_, livelock_);
    return true;
  }

  void extract(Lasso& lasso) {
    if (second_) {
      const auto visited = [this](Edge edge) { return states_[edge.target].number != 0; };
      const auto cycle = second_->cycle();
      ProductGround ground(search_);
      lasso = {path_to(*ground, cycle.front(), visited), cycle};
    } else if (shallow_) {
      extract_livelock(lasso);
    } else {
      const StateId source = path_[depth_].state;
      lasso = {path_.states(depth_ + 1), walk_back(target_, source, [](Marks) { return true; })};
    }
  }

 private:
  struct Numbers {
    uint32_t number, lowlink;
  };
  static constexpr uint32_t kNoGoal = 0, kRemoved = UINT32_MAX;

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

  // Decides what the first pass may have missed: a cycle of stuttering steps, from whatever state.
  bool second_pass() {
    for (; next_ < worker_.counters.states; ++next_)
      if (second_->explore(next_, [](StateId) { return true; })) return true;
    return false;
  }

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
    worker_.note_stack(current_.size());
    path_.enter(state, in_livelock ? livelock_ : 0);
  }

  bool close_buchi(Edge edge) {
    if ((edge.marks & buchi_) != 0) return report_buchi(path_.size() - 1, edge.target);
    return lower(states_[edge.target].lowlink);
  }

  // As in `gv`.
  bool lower(uint32_t lowlink) {
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
    if (states_[state].lowlink != states_[state].number) return lower(states_[state].lowlink);
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
    depth_ = depth;
    target_ = target;
    return true;
  }

  // A stuttering step leads from the top of the path to `target`, which stutters on to `shallow`.
  bool report_livelock(StateId target, StateId shallow) {
    target_ = target;
    shallow_ = shallow;
    return true;
  }

  // From `shallow` along the path to its top, then to `target` and stuttering back.
  void extract_livelock(Lasso& lasso) {
    lasso = close_lasso(path_, Path(worker_), *shallow_);
    if (target_ == *shallow_) return;
    auto back = walk_back(target_, *shallow_, [this](Marks marks) { return is_livelock(marks); });
    back.pop_back();
    lasso.cycle.insert(lasso.cycle.end(), back.begin(), back.end());
  }

  template <class Allowed>
  std::vector<StateId> walk_back(StateId from, StateId to, Allowed allowed) {
    const auto open = [this, allowed](Edge edge) {
      const uint32_t number = states_[edge.target].number;
      return number != 0 && number != kRemoved && allowed(edge.marks);
    };
    ProductGround ground(search_);
    return way(*ground, from, to, open);
  }

  Worker& worker_;
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
  // What was found: an accepting change, a livelock, or, by the second pass, a cycle of stuttering steps.
  size_t depth_ = 0;
  StateId target_ = 0;
  std::optional<StateId> shallow_;
  std::optional<LivelockSearch> second_;
  StateId next_ = 0;  // where the second pass goes on
};

inline const Registration<TarjanPlus> tarjan_plus_kernel("tarjan+");

}  // namespace buchi
