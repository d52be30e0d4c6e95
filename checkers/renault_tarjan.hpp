// The canvas of `renault.hpp` with lowlinks: Renault, Duret-Lutz, Kordon & Poitrenaud, "Parallel Explicit
// Model Checking for Generalized Büchi Automata" (2015), strategy 1.
//
// Requires: no Fin, any number of clauses.  Memory: as the canvas, and 4 bytes a state of the path.
// Differs from the paper: a worker that ends joins what its path has in common, so that a run can be found
// within the sets. In the paper → here: pstack → lowlinks_.
#pragma once

#include "renault.hpp"

namespace buchi {

class RenaultTarjan : public Renault<RenaultTarjan> {
 public:
  RenaultTarjan(Shared& shared, TeamWorker& worker) : Renault(shared, worker), lowlinks_(worker.meter()) {}
  // However it ends: others may have found something that this worker knows a part of.
  ~RenaultTarjan() {
    for (size_t i = dfs.size(); i-- > 1;) {
      if (lowlinks_[i] == number(dfs[i].state)) continue;
      lowlinks_[i - 1] = std::min(lowlinks_[i - 1], lowlinks_[i]);
      partition.unite(dfs[i].state, dfs[i - 1].state, dfs[i].marks);
    }
  }

 private:
  friend class Renault<RenaultTarjan>;

  void push(uint32_t number) { lowlinks_.push(number); }

  bool update(Edge edge) {
    lowlinks_.back() = std::min(lowlinks_.back(), number(edge.target));
    return unite(edge.target, dfs.top().state, edge.marks);
  }

  bool pop() {
    const auto [state, marks, _] = dfs.top();
    dfs.leave();
    const uint32_t lowlink = lowlinks_.pop();
    if (lowlink == number(state)) {
      mark_dead(state);
      return false;
    }
    lowlinks_.back() = std::min(lowlinks_.back(), lowlink);
    keep(state);
    return unite(state, dfs.top().state, marks);
  }

  void drop() { lowlinks_.pop(); }

  Array<uint32_t> lowlinks_;
};
inline const TeamRegistration<RenaultTarjan> renault_tarjan_kernel("renault-tarjan");

}  // namespace buchi
