// Generalized Rabin pairs one after the other: Bloemen, Duret-Lutz & van de Pol, "Model checking with
// generalized Rabin and Fin-less automata" (2019), algorithms 1 and 3.
//
// Requires: any disjunction of clauses.  Memory: four bytes a state, and the states set aside.
// Differs from the paper: reports when the Inf marks are among those of the component, not when they are
// equal; components are kept on stacks as in ASCC instead of a union-find, which a sequential search does not
// need; several Fin sets of a clause count as their union, which makes any Emerson-Lei condition one of Rabin
// pairs; Fstates is a stack, on which a state stands once for each Fin edge that led to it while it was new.
// In the paper → here: Fstates → set_aside; R → the roots of ASCC; S → a root and the active states above it;
// Dead → inactive, Visited → numbered in ASCC; F_M and I_M → fin and wanted.
#pragma once

#include <optional>

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
template <class Policy>
bool explore_pair(Ascc<Policy>& ascc, Policy& policy, StateId start) {
  if (ascc.explore(start)) return true;
  while (!policy.set_aside.empty())
    if (ascc.explore(policy.set_aside.pop())) return true;
  return false;
}

// Algorithm 1: a pass for each pair.
class Tgrp {
 public:
  explicit Tgrp(Worker& worker) : worker_(worker) {}

  bool explore(StateId start) {
    if (!pass_) pass_.emplace(worker_, worker_.search.acceptance.at(pair_));
    return explore_pair(pass_->ascc, pass_->policy, start);
  }

  bool another_pass() {
    forget();
    return ++pair_ != worker_.search.acceptance.size();
  }

  void extract(Lasso& lasso) {
    auto& ascc = pass_->ascc;
    const Clause pair = worker_.search.acceptance[pair_];
    const auto visited = [&](Edge edge) { return ascc.is_visited(edge.target); };
    const auto inside = [&](Edge edge) { return ascc.inside(edge.target) && (edge.marks & pair.fin) == 0; };
    ProductGround ground(worker_.search);
    lasso = {path_to(*ground, ascc.root(), visited), cycle_through(*ground, ascc.root(), pair.inf, inside)};
  }

  // Gives back the memory of the search.
  void forget() { pass_.reset(); }

 private:
  struct Pass {
    Pass(Worker& worker, Clause pair)
        : policy{worker.search, pair}, ascc(worker, policy, worker.search.begin_numbering(pair.fin)) {}
    AvoidFin policy;
    Ascc<AvoidFin> ascc;
  };

  Worker& worker_;
  size_t pair_ = 0;
  std::optional<Pass> pass_;
};
inline const Registration<Tgrp> tgrp_kernel("tgrp");

}  // namespace buchi
