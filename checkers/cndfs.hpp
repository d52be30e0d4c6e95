// Nested depth-first searches by several workers: Evangelista, Laarman, Petrucci & van de Pol, "Improved
// Multi-Core Nested Depth-First Search" (2012), algorithm CNDFS: blue and red are shared, and both are only
// set when a search leaves a state.
//
// Requires: one Inf set, on states.  Memory: a byte a state, and for each worker two bits a state and its
// paths.
// Differs from the paper: a blue edge that closes an accepting cycle is reported at once, as by Schwoon &
// Esparza (2005). A worker that has nothing left to do waits for the others: what is blue may still be
// searched red.
// Orders: all sequentially consistent. The paper's proof takes the changes of colours in one order.
// In the paper → here: Cyan_i → kCyan of own_, R_i → red_states_ with kPink of own_, s.blue and s.red →
// shared colours.
#pragma once

#include "parallel/components.hpp"
#include "parallel/team.hpp"
#include "path.hpp"
#include "state_array.hpp"

namespace buchi {

class Cndfs {
 public:
  enum Colour : uint8_t { kMet = 1, kBlue = 2, kRed = 4 };

  struct Shared {
    explicit Shared(Team& team) : search(team.search) { team.table.bound(colours.capacity()); }

    static size_t bytes_a_state(const Search&) { return sizeof(Colour); }

    bool has(StateId state, Colour colour) const { return (colours[state].load() & colour) != 0; }
    // Tells whether it has the colour for the first time.
    bool paint(StateId state, Colour colour) {
      return !has(state, colour) && (colours[state].fetch_or(colour) & colour) == 0;
    }

    // After all workers have ended.
    void extract(TeamWorker&, Lasso& result) const { result = lasso; }

    Search& search;
    SharedArray<std::atomic<uint8_t>> colours{kMostStates};
    std::atomic<unsigned> searching{0};  // workers
    std::atomic<bool> found{false};
    Lasso lasso;  // of who found one first
  };

  Cndfs(Shared& shared, TeamWorker& worker)
      : shared_(shared),
        worker_(worker),
        path_(worker),
        red_path_(worker),
        own_(shared.search),
        red_states_(worker.meter()) {
    worker.table.fetch_beside(shared.colours.data(), 1);
    ++shared.searching;
  }

  bool explore(const Array<Edge>& starts) {
    for (size_t i = 0; i < starts.size(); ++i)
      if (dfs_blue(starts[i].target)) return true;
    --shared_.searching;  // not where a limit ends the search: it is not done then
    wait_for([this] { return shared_.searching == 0; });
    return false;
  }

 private:
  enum { kWhite, kCyan, kPink };

  // Meetings of the table wait for all, also for who waits.
  bool goes_on() {
    if (worker_.team.is_over()) return false;
    worker_.table.make_room(0);
    return true;
  }

  template <class Condition>
  void wait_for(Condition condition) {
    Patience patience;
    while (!condition() && goes_on()) patience.wait();
  }

  bool dfs_blue(StateId start) {
    if (shared_.has(start, kBlue)) return false;
    enter_blue(start);
    while (!path_.empty() && goes_on()) {
      if (const auto edge = path_.next_edge()) {
        if (closes_accepting_cycle(edge->target)) return report(edge->target);
        if (own_[edge->target] != kCyan && !shared_.has(edge->target, kBlue)) enter_blue(edge->target);
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

  bool closes_accepting_cycle(StateId target) {
    return own_[target] == kCyan && (is_accepting(path_.top().state) || is_accepting(target));
  }

  bool leave() {
    const StateId state = path_.top().state;
    shared_.paint(state, kBlue);
    if (is_accepting(state)) {
      if (dfs_red()) return true;
      wait_for_accepting_but(state);
      for (const StateId red : red_states_) shared_.paint(red, kRed);
    }
    own_.set(state, kWhite);
    path_.leave();
    return false;
  }

  // From the top of the path through states that are not red. None of them becomes red before all of them
  // can.
  bool dfs_red() {
    red_states_.shrink(0);
    enter_red(path_.top().state);
    while (!red_path_.empty() && goes_on()) {
      const auto edge = red_path_.next_edge();
      if (!edge) {
        red_path_.leave();
      } else if (own_[edge->target] == kCyan) {
        return report(edge->target);
      } else if (own_[edge->target] != kPink && !shared_.has(edge->target, kRed)) {
        own_.set(edge->target, kPink);
        enter_red(edge->target);
      }
    }
    return false;
  }

  // Accepting states other than this one are made red by searches of their own.
  void wait_for_accepting_but(StateId state) {
    for (const StateId other : red_states_)
      if (other != state && is_accepting(other)) wait_for([&] { return shared_.has(other, kRed); });
  }

  void enter_blue(StateId state) {
    own_.set(state, kCyan);
    enter(path_, state);
  }
  void enter_red(StateId state) {
    red_states_.push(state);
    enter(red_path_, state);
    worker_.note_depth(path_.size() + red_path_.size());
  }
  void enter(PathOf<TeamWorker>& path, StateId state) {
    const bool is_first = shared_.paint(state, kMet);
    path.enter(state, 0);
    if (is_first) worker_.counters.transitions += path.pending().size();  // counted by who came first
  }

  bool is_accepting(StateId state) const {
    const Product& product = shared_.search.product;
    const uint32_t own = product.automaton_state(worker_.table.vector(state));
    return shared_.search.accepts(product.automaton.state_marks(own));
  }

  // The edge that was looked at last, of the red path or else of the blue one, leads back to this state.
  bool report(StateId target) {
    if (!shared_.found.exchange(true)) shared_.lasso = close_lasso(path_, red_path_, target);
    return true;
  }

  Shared& shared_;
  TeamWorker& worker_;
  PathOf<TeamWorker> path_, red_path_;
  StateBits<2> own_;
  Array<StateId> red_states_;
};
inline const TeamRegistration<Cndfs> cndfs_kernel("cndfs");

}  // namespace buchi
