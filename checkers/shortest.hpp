// A counterexample of minimal total length, prefix and cycle together, by breadth-first search. No run of the
// product is shorter; with another automaton one may be.
//
// Requires: any disjunction of clauses.  Memory: 16 bytes a state, and a search over (state, marks seen).
// `tgrp` decides; where it finds a run, the rest of the product is explored for its accepting components,
// once for each clause. Then the states are taken by their distance from the start, and each one on an
// accepting component begins a breadth-first search for the shortest accepting cycle through it, never longer
// than what would improve on the best run so far. The state of a cycle that is nearest to the start is tried
// first, so a search stays among states that come later. In the worst case the work is the square of the
// component's size times two to the number of sets; a property that holds costs what it costs `tgrp`.
// Differs from the minimization of Gastin, Moro & Zeitoun (2004): breadth-first, which is polynomial.
#pragma once

#include "tgrp.hpp"

namespace buchi {

// Numbers the components that can satisfy a clause; other states keep the number 0.
struct AcceptingComponents : AvoidFin {
  AcceptingComponents(Search& search, Clause pair) : AvoidFin(search, pair), number(search) {}

  bool accepts(Marks) const { return false; }
  bool complete(std::span<const StateId> members, Marks marks) {
    if ((wanted & ~marks) != 0) return false;
    ++count;
    for (const StateId member : members) number[member] = count;
    return false;
  }
  void find(Worker& worker) {
    Ascc ascc(worker, *this);
    for (const Edge start : worker.starts()) explore_pair(ascc, *this, start.target);
  }

  StateArray<uint32_t> number;
  uint32_t count = 0;
};

// Shortens a lasso, as far as one clause allows.
class Shortening {
 public:
  Shortening(Worker& worker, Clause clause, Lasso& lasso)
      : worker_(worker),
        clause_(clause),
        lasso_(lasso),
        components_(worker.search, clause),
        order_(worker.search),
        parent_(worker.search),
        queue_(worker.search.meter()),
        edges_(worker.search.meter()),
        nodes_(worker.search.meter()) {
    components_.find(worker);
  }

  void run() {
    for (const Edge start : worker_.starts()) discover(start.target, start.target);
    size_t level_end = queue_.size(), depth = 0;
    for (size_t i = 0; i < queue_.size(); ++i) {
      if (i == level_end) {
        level_end = queue_.size();
        ++depth;
      }
      if (depth + 1 >= best()) return;
      const StateId state = queue_[i];
      if (components_.number[state] != 0) shorten(state, depth);
      post(state);
      for (const Edge edge : edges_) discover(edge.target, state);
    }
  }

 private:
  // A step of the walk from a state back to itself: where it is, and which wanted marks it has seen.
  struct Node {
    StateId state;
    Marks seen;
    size_t before;
  };

  size_t best() const { return lasso_.prefix.size() + lasso_.cycle.size(); }

  void post(StateId state) {
    edges_.shrink(0);
    worker_.post(state, edges_);
  }

  void discover(StateId state, StateId from) {
    if (order_[state] != 0) return;
    queue_.push(state);
    order_[state] = static_cast<uint32_t>(queue_.size());
    parent_[state] = from;
  }

  // Looks for a cycle through `start`, at this depth, that makes a shorter lasso.
  void shorten(StateId start, size_t depth) {
    nodes_.shrink(0);
    StateTable known(worker_.search.meter(), sizeof(uint64_t));
    push({start, 0, 0}, known);
    size_t level_end = 1, length = 0;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (i == level_end) {
        level_end = nodes_.size();
        ++length;
      }
      if (depth + length + 1 >= best()) return;
      if (spread(start, i, known)) return report(start, i);
    }
  }

  // Does an edge of this node close the cycle?
  bool spread(StateId start, size_t index, StateTable& known) {
    const Node node = nodes_[index];
    post(node.state);
    for (const Edge edge : edges_) {
      if (!is_inside(start, edge)) continue;
      const Marks seen = node.seen | (edge.marks & clause_.inf);
      if (edge.target == start && seen == clause_.inf) return true;
      push({edge.target, seen, index}, known);
    }
    return false;
  }

  bool is_inside(StateId start, Edge edge) {
    const bool is_later = order_[edge.target] == 0 || order_[edge.target] >= order_[start];
    return is_later && (edge.marks & clause_.fin) == 0 &&
           components_.number[edge.target] == components_.number[start];
  }

  void push(Node node, StateTable& known) {
    uint8_t row[sizeof(uint64_t)];
    memcpy(row, &node.state, sizeof node.state);
    memcpy(row + sizeof node.state, &node.seen, sizeof node.seen);
    known.make_room(1);
    const uint64_t hash = known.hash(row);
    if (known.insert(row, hash, known.prefetch_vector(hash)).fresh) nodes_.push(node);
  }

  void report(StateId start, size_t last) {
    Lasso lasso;
    for (size_t i = last;; i = nodes_[i].before) {
      lasso.cycle.push_back(nodes_[i].state);
      if (i == 0) break;
    }
    for (StateId state = start; parent_[state] != state;) {
      state = parent_[state];
      lasso.prefix.push_back(state);
    }
    std::reverse(lasso.cycle.begin(), lasso.cycle.end());
    std::reverse(lasso.prefix.begin(), lasso.prefix.end());
    lasso_ = std::move(lasso);
  }

  Worker& worker_;
  const Clause clause_;
  Lasso& lasso_;
  AcceptingComponents components_;
  StateArray<uint32_t> order_;  // of discovery, from 1
  StateArray<StateId> parent_;
  Array<StateId> queue_;
  Array<Edge> edges_;
  Array<Node> nodes_;
};

// When a limit ends the extraction, the lasso is the shortest so far.
class Shortest : public Tgrp {
 public:
  explicit Shortest(Worker& worker) : Tgrp(worker), worker_(worker) {}

  void extract(Lasso& lasso) {
    Tgrp::extract(lasso);
    forget();
    for (const Clause clause : worker_.search.acceptance) Shortening(worker_, clause, lasso).run();
    worker_.finish();  // all this is what was asked for
  }

 private:
  Worker& worker_;
};
inline const Registration<Shortest> shortest_kernel("shortest");

}  // namespace buchi
