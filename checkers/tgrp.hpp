// Generalized Rabin pairs one after the other: Bloemen, Duret-Lutz & van de Pol, "Model checking with
// generalized Rabin and Fin-less automata" (2019), algorithms 1 and 3.
//
// Requires: any disjunction of clauses.  Memory: four bytes a state, and the states set aside.
// Differs from the paper: reports when the Inf marks are among those of the component, not when they are
// equal; components are kept on stacks as in ASCC instead of a union-find, which a sequential search does not
// need; the states set aside are a stack, on which a state stands once for each Fin edge that led to it while
// it was new.
#pragma once

#include "ascc.hpp"

namespace buchi {

// An edge of the Fin set is no part of a cycle: the search goes on from its target later.
struct AvoidFin : AllEdgesAllSets {
  AvoidFin(Search& search, Clause pair)
      : AllEdgesAllSets{pair.inf}, fin(pair.fin), set_aside(search.meter()) {}

  bool follows(Edge edge, bool is_new) {
    if ((edge.marks & fin) == 0) return true;
    if (is_new) set_aside.push(edge.target);
    return false;
  }

  const Marks fin;
  Array<StateId> set_aside;
};

// Algorithm 3: is there a cycle without Fin marks and with all Inf marks?
inline bool check_pair(Search& search, Clause pair) {
  AvoidFin policy(search, pair);
  Ascc check(search, policy);
  const auto explore = [&](StateId start) {
    if (check.explore(start)) return true;
    while (!policy.set_aside.empty())
      if (check.explore(policy.set_aside.pop())) return true;
    return false;
  };
  if (!search.any_start(explore)) return false;
  search.finish();
  const StateId root = check.root();
  const auto visited = [&](Edge edge) { return check.is_visited(edge.target); };
  const auto inside = [&](Edge edge) { return check.inside(edge.target) && (edge.marks & pair.fin) == 0; };
  search.lasso = {path_to(search, root, visited), cycle_through(search, root, pair.inf, inside)};
  return true;
}

// Algorithm 1.
inline bool tgrp(Search& search) {
  search.counters.passes = 0;
  for (const Clause pair : search.acceptance) {
    ++search.counters.passes;
    if (check_pair(search, pair)) return true;
  }
  return false;
}
inline const KernelRegistration tgrp_kernel("tgrp", tgrp);

}  // namespace buchi
