// Half of the workers with each strategy: Renault, Duret-Lutz, Kordon & Poitrenaud, "Parallel Explicit Model
// Checking for Generalized Büchi Automata" (2015), algorithm 1, lines 24 to 28. All of them share the same
// sets.
//
// Requires: no Fin, any number of clauses.  Memory: as `renault_dijkstra.hpp` and `renault_tarjan.hpp`.
#pragma once

#include <variant>

#include "renault_dijkstra.hpp"
#include "renault_tarjan.hpp"

namespace buchi {

class RenaultMixed {
 public:
  using Shared = SharedSets<Partition>;

  RenaultMixed(Shared& shared, TeamWorker& worker) : strategy_(choose(shared, worker)) {}

  bool explore(const Array<Edge>& starts) {
    return std::visit([&](auto& strategy) { return strategy.explore(starts); }, strategy_);
  }

 private:
  using Strategy = std::variant<RenaultDijkstra, RenaultTarjan>;

  static Strategy choose(Shared& shared, TeamWorker& worker) {
    if (worker.index < shared.search.workers / 2)
      return Strategy(std::in_place_type<RenaultDijkstra>, shared, worker);
    return Strategy(std::in_place_type<RenaultTarjan>, shared, worker);
  }

  Strategy strategy_;
};
inline const TeamRegistration<RenaultMixed> renault_mixed_kernel("renault-mixed");

}  // namespace buchi
