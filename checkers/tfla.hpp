// The check for TGBAs extended to Fin-less automata: Bloemen, Duret-Lutz & van de Pol, "Model checking with
// generalized Rabin and Fin-less automata" (2019), section 5.1. A disjunction of conjunctions of Inf sets is
// checked at once.
//
// Requires: no Fin, any number of clauses.  Memory: four bytes a state.
// Differs from the paper: sequential, and components are kept on stacks as in ASCC instead of a union-find.
#pragma once

#include <algorithm>

#include "ascc.hpp"

namespace buchi {

// Accepts where any clause does.
struct AnyClause : AllEdgesAllSets {
  const std::vector<Clause>& clauses;
  bool accepts(Marks marks) const { return satisfied(marks) != clauses.end(); }
  std::vector<Clause>::const_iterator satisfied(Marks marks) const {
    return std::find_if(clauses.begin(), clauses.end(),
                        [marks](Clause clause) { return (clause.inf & ~marks) == 0; });
  }
};

inline bool tfla(Search& search) {
  AnyClause policy{{0}, search.acceptance};
  Ascc check(search, policy);
  if (!search.any_start([&](StateId start) { return check.explore(start); })) return false;
  search.finish();
  const Marks wanted = policy.satisfied(check.marks())->inf;
  const auto inside = [&](Edge edge) { return check.inside(edge.target); };
  search.lasso = {check.path_to_root(), cycle_through(search, check.root(), wanted, inside)};
  return true;
}
inline const KernelRegistration tfla_kernel("tfla", tfla);

}  // namespace buchi
