// Numbers the components of a product that another check has searched, for a certificate: of the product
// without the Fin edges of each clause. It is no check of its own: it accepts nothing, and finds nothing.
//
// Requires: any disjunction of clauses.  Memory: four bytes a state, and the stacks.
#pragma once

#include "ascc.hpp"

namespace buchi {

struct WithoutFin : AllEdgesAllSets {
  Marks fin;
  bool follows(Edge edge, bool /*is_new*/) const { return (edge.marks & fin) == 0; }
  bool accepts(Marks) const { return false; }
};

class NumberComponents {
 public:
  explicit NumberComponents(Worker& worker) : worker_(worker), search_(worker.search) {}

  // From all states of the table, which grows where not all of them are there yet: a Fin edge leads to states
  // that no other edge does.
  bool explore(StateId) {
    for (const Clause& clause : search_.acceptance) {
      Numbering* numbering = search_.begin_numbering(clause.fin);
      if (numbering == nullptr) continue;
      WithoutFin policy{{0}, clause.fin};
      Ascc<WithoutFin> ascc(worker_, policy, numbering);
      for (StateId state = 0; state < search_.product.table.size(); ++state) ascc.explore(state);
    }
    return false;
  }

  void extract(Lasso&) {}

 private:
  Worker& worker_;
  Search& search_;
};
inline const Registration<NumberComponents> numbers_kernel("numbers");

}  // namespace buchi
