// Components by workers that only share what they know of sets of states: Renault, Duret-Lutz, Kordon &
// Poitrenaud, "Parallel Explicit Model Checking for Generalized Büchi Automata" (2015), algorithm 1: the
// canvas of `renault-tarjan`, `renault-dijkstra` and `renault-mixed`.
//
// Requires: no Fin, any number of clauses.  Memory: 8 bytes a state, and for each worker 4 bytes a state and
// its stacks.
// Differs from the paper: workers search in orders of their own, of which only those after the second are
// random. That `unite` tells of dead states, so that a worker goes back at once, is the paper's own proposal
// (section 3.4).
// In the paper → here: uf → partition, dfs → dfs, live → live_, livenum → livenum_ (from 1 on), Step.pos →
// number, EC → explore, GET_STATUS → status, stop → Team::is_over.
#pragma once

#include "parallel/partition.hpp"
#include "parallel/shared_sets.hpp"
#include "state_array.hpp"

namespace buchi {

// A strategy is a class that is derived from this one, with
//   `void push(uint32_t number)`: a state that got this number is about to be entered,
//   `bool update(Edge)`: an edge leads to a live state,
//   `bool pop()`: the top of the path has no more edges,
//   `void drop()`: the top of the path, which is dead, was left.
template <class Strategy>
class Renault {
 public:
  using Shared = SharedSets<Partition>;

  Renault(Shared& shared, TeamWorker& worker)
      : partition(shared.sets),
        dfs(worker),
        shared_(shared),
        worker_(worker),
        live_(worker.meter()),
        livenum_(shared.search) {
    worker.table.fetch_beside(partition.nodes(), Partition::kNodeBytes);
  }

  bool explore(const Array<Edge>& starts) {
    for (size_t i = 0; i < starts.size(); ++i) {
      if (status(starts[i].target) == kUnknown) enter({starts[i].target, 0});
      while (!dfs.empty()) {
        if (worker_.team.is_over()) return false;
        worker_.table.make_room(0);
        if (step()) return true;
      }
    }
    return false;
  }

 protected:
  uint32_t number(StateId state) { return livenum_[state]; }

  // Joins the sets of two states of one component. Tells whether the set is accepting; when it is dead,
  // others have explored the component, and the worker goes back.
  bool unite(StateId a, StateId b, Marks marks) {
    const Partition::United united = partition.unite(a, b, marks);
    if (!united.is_dead) return test(a, united.marks);
    go_back();
    return false;
  }

  bool test(StateId state, Marks marks) {
    if (!shared_.accepts(marks)) return false;
    partition.unite(state, state, marks);  // what only this worker knew
    shared_.found.store(state);
    return true;
  }

  // To the first state of the path that is not dead: what can be reached from a dead one is dead, too.
  void go_back() {
    while (!dfs.empty() && partition.is_dead(dfs.top().state)) {
      const StateId state = dfs.top().state;
      dfs.leave();
      strategy().drop();
      forget(state);
    }
  }

  // A state that is no root stays live when it leaves the path.
  void keep(StateId state) { live_.push(state); }

  void mark_dead(StateId root) {
    if (partition.kill(root)) ++worker_.counters.components;
    forget(root);
  }

  Partition& partition;
  PathOf<TeamWorker> dfs;

 private:
  enum Status { kLive, kDead, kUnknown };

  Strategy& strategy() { return static_cast<Strategy&>(*this); }

  Status status(StateId state) {
    if (livenum_[state] != 0) return kLive;
    return partition.is_dead(state) ? kDead : kUnknown;
  }

  // One edge or one retreat. Tells whether there is an accepting cycle.
  bool step() {
    const auto edge = dfs.next_edge();
    if (!edge) return strategy().pop();
    switch (status(edge->target)) {
      case kDead:
        return false;
      case kLive:
        return strategy().update(*edge);
      case kUnknown:
        enter(*edge);
        return false;
    }
    __builtin_unreachable();
  }

  void enter(Edge edge) {
    const bool is_first = partition.make_set(edge.target);
    livenum_[edge.target] = ++live_count_;
    strategy().push(live_count_);
    dfs.enter(edge.target, edge.marks);
    if (is_first) worker_.counters.transitions += dfs.pending().size();  // counted by who came first
  }

  // The state and those that were numbered after it, all of which have left the path, are live no more.
  void forget(StateId state) {
    const uint32_t own = livenum_[state];
    livenum_[state] = 0;
    for (--live_count_; live_count_ >= own; --live_count_) livenum_[live_.pop()] = 0;
  }

  Shared& shared_;
  TeamWorker& worker_;
  Array<StateId> live_;
  StateArray<uint32_t> livenum_;
  uint32_t live_count_ = 0;
};

}  // namespace buchi
