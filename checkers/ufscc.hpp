// Strongly connected components by a team of workers: Bloemen, Laarman & van de Pol, "Multi-Core On-The-Fly
// SCC Decomposition" (2016), as in Bloemen, Duret-Lutz & van de Pol, "Model checking with generalized Rabin
// and Fin-less automata" (2019), sections 3.2 and 5.1: workers search in different orders and share what they
// know of components, also of those that are not complete.
//
// Requires: no Fin, any number of clauses.  Memory: 16 bytes a state, and the path of each worker.
// Differs from the papers: acceptance is read on edges; the marks of an edge of the path are added when the
// worker goes back over it within one component, since another may have joined its two ends by other edges;
// an edge to a component that only others have in hand is put off once.
// In the paper → here: S → components, R → roots_, Dead → Claim::kDead, the pick of a live state → pick.
#pragma once

#include "parallel/components.hpp"
#include "parallel/shared_sets.hpp"

namespace buchi {

// The search of one worker. A graph has the components found so far, and says which edges belong to it and
// which marks accept: `tgrp` searches each pair in the same way.
template <class Graph>
class UfsccSearch {
 public:
  UfsccSearch(Graph& graph, TeamWorker& worker)
      : graph_(graph),
        components_(graph.sets),
        worker_(worker),
        frames_(worker.meter()),
        edges_(worker.meter()),
        roots_(worker.meter()) {
    worker.table.fetch_beside(components_.nodes(), Components::kNodeBytes);
  }

  // Tells whether there is an accepting cycle; false also where the search is over before.
  bool explore(StateId start) {
    begin(start);
    while (!is_done()) {
      if (worker_.team.is_over() || graph_.is_over()) return false;
      worker_.table.make_room(0);
      if (step()) return true;
    }
    return false;
  }

  void begin(StateId start) { come_to({start, 0}, false); }
  bool is_done() const { return frames_.empty(); }

  // One edge or one retreat. Tells whether there is an accepting cycle.
  bool step() {
    const Frame& top = frames_[frames_.size() - 1];
    if (components_.is_buried(top.state)) edges_.shrink(top.edges_before);  // somebody else explored it
    if (edges_.size() == top.edges_before) return retreat();
    const Edge edge = edges_.pop();
    if (!graph_.follows(edge)) return false;
    if (edge.target == top.state) return test(edge.target, components_.add_marks(edge.target, edge.marks));
    return come_to(edge, can_wait());
  }

 private:
  struct Frame {
    StateId state;
    Marks marks;          // of the edge that led here
    size_t edges_before;  // of the frames below
    size_t put_off;       // of its own edges, at the bottom
  };
  struct Root {
    StateId state;
    Marks marks;  // of the edge that led here
  };
  using Claim = Components::Claim;

  bool test(StateId state, Marks marks) {
    if (!graph_.accepts(marks)) return false;
    graph_.found.store(state);
    return true;
  }

  // Is there another edge of the frame that was not put off?
  bool can_wait() const {
    const Frame& top = frames_[frames_.size() - 1];
    return worker_.team.workers > 1 && edges_.size() > top.edges_before + top.put_off;
  }

  // An edge to what only others have in hand goes below the other edges of its frame, once: by then it
  // usually leads to a dead state or into our own component.
  void put_off(Edge edge) {
    Frame& top = frames_.back();
    const Edge other = std::exchange(edges_[top.edges_before + top.put_off], edge);
    edges_.push(other);
    ++top.put_off;
  }

  bool come_to(Edge edge, bool waits) {
    switch (components_.claim(edge.target, worker_.index, waits)) {
      case Claim::kDead:
        return false;
      case Claim::kOthers:
        put_off(edge);
        return false;
      case Claim::kFirst:
        enter(edge.target, edge.marks, edge.marks, true);
        return false;
      case Claim::kNew:
        enter(edge.target, edge.marks, edge.marks, false);
        return false;
      case Claim::kFound:
        return close(edge);
    }
    __builtin_unreachable();
  }

  void enter(StateId state, Marks frame_marks, Marks root_marks, bool is_first) {
    frames_.push({state, frame_marks, edges_.size(), 0});
    roots_.push({state, root_marks});
    worker_.note_depth(frames_.size());
    if (!is_first && components_.is_buried(state)) return;  // who came first counts the edges
    const size_t before = edges_.size();
    worker_.post(state, edges_);
    if (is_first) worker_.counters.transitions += edges_.size() - before;
    std::reverse(edges_.begin() + before, edges_.end());
  }

  // The edge closes a cycle: all components of the path above its target are one. What they hold together is
  // tested when all are joined: before, the states of a set need not lie on a cycle within it.
  bool close(Edge edge) {
    const StateId state = frames_.back().state;
    Marks marks = edge.marks;
    while (!components_.same(state, edge.target)) {
      const Root inner = roots_.pop();
      marks |= inner.marks;
      components_.unite(inner.state, roots_.back().state);
    }
    return test(state, components_.add_marks(edge.target, marks));
  }

  bool retreat() {
    const Frame left = frames_.pop();
    components_.bury(left.state);
    if (is_with_top(left.state)) return test(left.state, components_.add_marks(left.state, left.marks));
    // The marks of the edge go on with the frame of the state that is picked.
    if (const auto picked = components_.pick(left.state)) {
      enter(*picked, left.marks, 0, false);
      return false;
    }
    if (components_.kill(left.state)) ++worker_.counters.components;
    if (is_with_top(left.state)) return false;
    while (!roots_.empty() && components_.same(roots_.back().state, left.state)) roots_.pop();
    return false;
  }

  // Is the state in the component of the top of the path?
  bool is_with_top(StateId state) {
    return !frames_.empty() && components_.same(frames_.back().state, state);
  }

  Graph& graph_;
  Components& components_;
  TeamWorker& worker_;
  Array<Frame> frames_;
  Array<Edge> edges_;
  Array<Root> roots_;
};

class Ufscc {
 public:
  struct Shared : SharedSets<Components> {
    using SharedSets::SharedSets;
    static bool follows(Edge) { return true; }
    static bool is_over() { return false; }
  };

  Ufscc(Shared& shared, TeamWorker& worker) : search_(shared, worker) {}

  bool explore(const Array<Edge>& starts) {
    for (size_t i = 0; i < starts.size() && search_.is_done(); ++i)
      if (search_.explore(starts[i].target)) return true;
    return false;
  }

 private:
  UfsccSearch<Shared> search_;
};
inline const TeamRegistration<Ufscc> ufscc_kernel("ufscc");

}  // namespace buchi
