// The canvas of `renault.hpp` with a stack of potential roots: Renault, Duret-Lutz, Kordon & Poitrenaud,
// "Parallel Explicit Model Checking for Generalized Büchi Automata" (2015), strategy 2.
//
// Requires: no Fin, any number of clauses.  Memory: as the canvas, and 16 bytes a potential root.
// Differs from the paper: lines 11 to 15 read the root again that was popped last, and forget the marks of
// the one that stays; here the loop looks at the root that is now on top, and the marks are added to its own.
// In the paper → here: pstack → roots_, P.p → depth, P.acc → marks.
#pragma once

#include "renault.hpp"

namespace buchi {

class RenaultDijkstra : public Renault<RenaultDijkstra> {
 public:
  RenaultDijkstra(Shared& shared, TeamWorker& worker) : Renault(shared, worker), roots_(worker.meter()) {}

 private:
  friend class Renault<RenaultDijkstra>;

  // A set of states found to lie in one component, known by the place of its first state on the path.
  struct Root {
    size_t depth;
    Marks marks;  // on edges inside
  };

  void push(uint32_t /*number*/) { roots_.push({dfs.size(), 0}); }

  // What the sets hold together is tested when all are joined: before, they need not lie on a cycle within
  // them.
  bool update(Edge edge) {
    const uint32_t target = number(edge.target);
    Marks marks = edge.marks;
    while (target < number(dfs[roots_.back().depth].state)) {
      const Root inner = roots_.pop();
      const auto [state, incoming, _] = dfs[inner.depth];
      const auto united = partition.unite(edge.target, state, marks | incoming | inner.marks);
      if (united.is_dead) {
        go_back();
        return false;
      }
      marks = united.marks;
    }
    roots_.back().marks |= marks;
    return test(edge.target, roots_.back().marks);
  }

  bool pop() {
    const StateId state = dfs.top().state;
    dfs.leave();
    if (roots_.back().depth == dfs.size()) {
      roots_.pop();
      mark_dead(state);
    } else {
      keep(state);
    }
    return false;
  }

  void drop() {
    if (!roots_.empty() && roots_.back().depth == dfs.size()) roots_.pop();
  }

  Array<Root> roots_;
};
inline const TeamRegistration<RenaultDijkstra> renault_dijkstra_kernel("renault-dijkstra");

}  // namespace buchi
