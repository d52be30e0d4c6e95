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
  LivelockInComponent(Search& search, Marks buchi, Marks livelock_)
      : AllEdgesAllSets{buchi}, livelock(livelock_), search(search, livelock_) {}

  // A livelock never leaves a component: it is enough to look at the steps between its members.
  bool complete(std::span<const StateId> members, Marks marks) {
    if ((marks & livelock) == 0) return false;
    for (const StateId member : members)
      if (search.explore(member, [this](StateId state) { return check->inside(state); })) return true;
    return false;
  }

  const Marks livelock;
  LivelockSearch search;
  Ascc<LivelockInComponent>* check = nullptr;
};

inline bool ta_scc(Search& search) {
  const Marks buchi = search.acceptance.at(0).inf;
  LivelockInComponent policy(search, buchi, search.acceptance.at(1).inf);
  Ascc check(search, policy);
  policy.check = &check;
  if (!search.any_start([&](StateId start) { return check.explore(start); })) return false;
  search.finish();
  const auto visited = [&](Edge edge) { return check.is_visited(edge.target); };
  const auto inside = [&](Edge edge) { return check.inside(edge.target); };
  if (policy.search.cycle.empty()) {
    search.lasso = {check.path_to_root(), cycle_through(search, check.root(), buchi, inside)};
  } else {
    search.lasso = {path_to(search, policy.search.cycle.front(), visited), policy.search.cycle};
  }
  return true;
}
inline const KernelRegistration ta_scc_kernel("ta-scc", ta_scc);

}  // namespace buchi
