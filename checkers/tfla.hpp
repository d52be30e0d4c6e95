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

class Tfla {
 public:
  explicit Tfla(Worker& worker)
      : policy_{{0}, worker.search.acceptance}, ascc_(worker, policy_, worker.search.begin_numbering(0)) {}

  bool explore(StateId start) { return ascc_.explore(start); }
  void extract(Lasso& lasso) { ascc_.extract(lasso, policy_.satisfied(ascc_.marks())->inf); }

 private:
  AnyClause policy_;
  Ascc<AnyClause> ascc_;
};
inline const Registration<Tfla> tfla_kernel("tfla");

}  // namespace buchi
