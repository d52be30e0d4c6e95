// What the workers of a check by components share: sets of states that lie in one component, and an accepting
// one of them when it is found.
#pragma once

#include <atomic>

#include "team.hpp"
#include "walk.hpp"

namespace buchi {

// The acceptance is a disjunction of conjunctions of Inf sets.
template <class Sets>
struct SharedSets {
  explicit SharedSets(Team& team) : search(team.search) { team.table.bound(sets.capacity()); }

  static size_t bytes_a_state(const Search&) { return Sets::kNodeBytes; }

  bool accepts(Marks marks) const { return satisfied(marks) != nullptr; }
  const Clause* satisfied(Marks marks) const {
    for (const Clause& clause : search.acceptance)
      if ((clause.inf & ~marks) == 0) return &clause;
    return nullptr;
  }

  // All workers have ended: two states of one set lie on a cycle through states of it only.
  void extract(TeamWorker& worker, Lasso& lasso) {
    const StateId start = found.load();
    const auto visited = [this](Edge edge) { return sets.is_met(edge.target); };
    const auto inside = [&](Edge edge) { return sets.is_met(edge.target) && sets.same(edge.target, start); };
    const Marks wanted = satisfied(sets.marks_of(start))->inf;
    Ground<TeamWorker::Successors> ground{search.control, search.meter(), worker.successors};
    lasso = {path_to(ground, start, visited), cycle_through(ground, start, wanted, inside)};
  }

  Search& search;
  Sets sets;
  std::atomic<StateId> found{0};  // a state of an accepting set
};

}  // namespace buchi
