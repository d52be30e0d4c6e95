// A check for testing automata in one pass, our own: ASCC for Büchi acceptance; a component that is complete
// and has stuttering steps at livelock-accepting states is searched for a cycle of them, at once and by
// itself.
//
// Requires: the table of a testing automaton.  Memory: four bytes and two bits a state.
#pragma once

#include "ascc.hpp"
#include "livelock.hpp"

namespace buchi {

struct LivelockInComponent : AllEdgesAllSets {
  LivelockInComponent(Worker& worker, Marks buchi, Marks livelock_)
      : AllEdgesAllSets{buchi}, livelock(livelock_), search(worker, livelock_) {}

  // A livelock never leaves a component: it is enough to look at the steps between its members.
  bool complete(std::span<const StateId> members, Marks marks) {
    if ((marks & livelock) == 0) return false;
    for (const StateId member : members)
      if (search.explore(member, [this](StateId state) { return ascc->inside(state); })) return true;
    return false;
  }

  const Marks livelock;
  LivelockSearch search;
  Ascc<LivelockInComponent>* ascc = nullptr;
};

class TaScc {
 public:
  explicit TaScc(Worker& worker)
      : search_(worker.search),
        policy_(worker, search_.acceptance.at(0).inf, search_.acceptance.at(1).inf),
        ascc_(worker, policy_) {
    policy_.ascc = &ascc_;
  }

  bool explore(StateId start) { return ascc_.explore(start); }

  void extract(Lasso& lasso) {
    const auto cycle = policy_.search.cycle();
    if (cycle.empty()) return ascc_.extract(lasso, policy_.wanted);
    const auto visited = [&](Edge edge) { return ascc_.is_visited(edge.target); };
    ProductGround ground(search_);
    lasso = {path_to(*ground, cycle.front(), visited), cycle};
  }

 private:
  Search& search_;
  LivelockInComponent policy_;
  Ascc<LivelockInComponent> ascc_;
};
inline const Registration<TaScc> ta_scc_kernel("ta-scc");

}  // namespace buchi
