// A counterexample of minimal total length, prefix and cycle together, by breadth-first search. No run of the
// product is shorter; with another automaton one may be.
//
// Requires: any disjunction of clauses.  Memory: 16 bytes a state, and a search over (state, marks seen).
// The states nearest to the start are searched first, twice as many each time. Where there is no accepting
// cycle among the first few thousand, `tgrp` decides. A run that is found bounds what can be better: a
// shorter one stays nearer to the start than it is long, so the search goes no further than that; each time
// that it goes further it may find a better bound. The states that were met are taken by their distance from
// the start, and each one on an accepting component begins a breadth-first search for the shortest accepting
// cycle through it, never longer than what would improve on the best run so far. The state of a cycle that is
// nearest to the start is tried first, so a search stays among states that come later. In the worst case the
// work is the square of the component's size times two to the number of sets.
//
// Differs from the minimization of Gastin, Moro & Zeitoun (2004): breadth-first, which is polynomial.
#pragma once

#include "tgrp.hpp"

namespace buchi {

// The states nearest to the start, in the order of their distance.
class Near {
 public:
  explicit Near(Worker& worker)
      : worker_(worker),
        place_(worker.search),
        parent_(worker.search),
        queue_(worker.meter()),
        levels_(worker.meter()),
        edges_(worker.meter()) {}

  void begin() {
    for (const Edge start : worker_.starts()) discover(start.target, start.target);
    levels_.push(0);
    level_end_ = queue_.size();
  }

  // Goes on until so many states are explored, but none further away than `farthest`.
  void grow(size_t most, size_t farthest) {
    for (; explored_ < std::min(most, queue_.size()); ++explored_) {
      if (explored_ == level_end_) {
        levels_.push(level_end_);
        level_end_ = queue_.size();
      }
      if (level() > farthest) return;
      explore(queue_[explored_]);
    }
  }

  bool is_whole() const { return explored_ == queue_.size(); }
  // Are all states explored that are no further away?
  bool covers(size_t distance) const {
    return is_whole() || level() + (explored_ == level_end_ ? 1 : 0) > distance;
  }
  // Did the model fail in a state? It is then none of those that are near.
  bool has_faults() const { return has_faults_; }

  // The explored states in their order.
  size_t explored() const { return explored_; }
  StateId operator[](size_t i) const { return queue_[i]; }
  bool begins_level(size_t i, size_t level) const { return level < levels_.size() && levels_[level] == i; }
  // Where a state stands in it, from 1; zero where it does not, or the model fails in it.
  size_t place(StateId state) {
    const size_t place = place_[state];
    return place <= explored_ ? place : 0;
  }
  StateId parent(StateId state) { return parent_[state]; }

 private:
  static constexpr uint32_t kFaulty = UINT32_MAX;

  // How far away the state is that is explored next, once its level has begun.
  size_t level() const { return levels_.size() - 1; }

  void explore(StateId state) {
    edges_.shrink(0);
    if (explored_ + 1 < queue_.size()) worker_.expect(queue_[explored_ + 1]);
    try {
      worker_.post(state, edges_);
    } catch (const ModelError&) {
      has_faults_ = true;
      place_[state] = kFaulty;
    }
    worker_.note_depth(level() + 1);
    for (const Edge edge : edges_) discover(edge.target, state);
  }

  void discover(StateId state, StateId from) {
    if (place_[state] != 0) return;
    queue_.push(state);
    place_[state] = static_cast<uint32_t>(queue_.size());
    parent_[state] = from;
  }

  Worker& worker_;
  StateArray<uint32_t> place_;
  StateArray<StateId> parent_;
  Array<StateId> queue_;
  Array<size_t> levels_;  // where each begins in the queue
  Array<Edge> edges_;
  size_t explored_ = 0, level_end_ = 0;
  bool has_faults_ = false;
};

// Numbers the components among the near states that can satisfy a clause; other states keep the number 0.
struct AcceptingComponents : AllEdgesAllSets {
  AcceptingComponents(Search& search, Near& near_, Clause clause)
      : AllEdgesAllSets{clause.inf}, near(near_), fin(clause.fin), number(search) {
    Worker again(search);  // goes over the same states: its edges are not counted twice
    Ascc ascc(again, *this);
    for (size_t i = 0; i < near.explored(); ++i)
      if (near.place(near[i]) != 0) ascc.explore(near[i]);
  }

  bool follows(Edge edge, bool /*is_new*/) { return (edge.marks & fin) == 0 && near.place(edge.target) != 0; }
  bool accepts(Marks) const { return false; }
  bool complete(std::span<const StateId> members, Marks marks) {
    if ((wanted & ~marks) != 0) return false;
    ++count;
    for (const StateId member : members) number[member] = count;
    return false;
  }

  Near& near;
  const Marks fin;
  StateArray<uint32_t> number;
  uint32_t count = 0;
};

// Finds a shorter lasso among the near states, or a first one, as far as one clause allows.
class Shortening {
 public:
  Shortening(Worker& worker, Near& near, Clause clause, Lasso& lasso)
      : worker_(worker),
        near_(near),
        clause_(clause),
        lasso_(lasso),
        components_(worker.search, near, clause),
        edges_(worker.meter()),
        nodes_(worker.meter()) {}

  void run() {
    size_t depth = 0;
    for (size_t i = 0; components_.count != 0 && i < near_.explored(); ++i) {
      if (near_.begins_level(i, depth + 1)) ++depth;
      if (depth + 1 >= best()) return;
      if (components_.number[near_[i]] != 0) shorten(near_[i], depth);
    }
  }

 private:
  // A step of the walk from a state back to itself: where it is, and which wanted marks it has seen.
  struct Node {
    StateId state;
    Marks seen;
    size_t before;
  };

  size_t best() const { return lasso_.cycle.empty() ? SIZE_MAX : lasso_.prefix.size() + lasso_.cycle.size(); }

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
    edges_.shrink(0);
    worker_.post(node.state, edges_);
    for (const Edge edge : edges_) {
      if (!is_inside(start, edge)) continue;
      const Marks seen = node.seen | (edge.marks & clause_.inf);
      if (edge.target == start && seen == clause_.inf) return true;
      push({edge.target, seen, index}, known);
    }
    return false;
  }

  bool is_inside(StateId start, Edge edge) {
    return near_.place(edge.target) >= near_.place(start) && (edge.marks & clause_.fin) == 0 &&
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
    for (StateId state = start; near_.parent(state) != state;) {
      state = near_.parent(state);
      lasso.prefix.push_back(state);
    }
    std::reverse(lasso.cycle.begin(), lasso.cycle.end());
    std::reverse(lasso.prefix.begin(), lasso.prefix.end());
    lasso_ = std::move(lasso);
  }

  Worker& worker_;
  Near& near_;
  const Clause clause_;
  Lasso& lasso_;
  AcceptingComponents components_;
  Array<Edge> edges_;
  Array<Node> nodes_;
};

// When a limit ends the extraction, the lasso is the shortest so far.
class Shortest : public Tgrp {
 public:
  explicit Shortest(Worker& worker) : Tgrp(worker), worker_(worker), near_(worker) {}

  bool explore(StateId start) {
    if (!has_looked_) look();
    return !lasso_.cycle.empty() || (!is_decided() && Tgrp::explore(start));
  }

  bool another_pass() { return !is_decided() && Tgrp::another_pass(); }

  void extract(Lasso& lasso) {
    if (lasso_.cycle.empty()) {
      Tgrp::extract(lasso);
    } else {
      lasso = lasso_;
    }
    forget();
    while (!near_.covers(farthest(lasso))) {
      near_.grow(2 * near_.explored(), farthest(lasso));
      shorten(lasso);
    }
    worker_.finish();  // all this is what was asked for
  }

 private:
  static constexpr size_t kFirst = 1 << 5, kMost = 1 << 14;

  bool is_decided() const { return near_.is_whole() && !near_.has_faults(); }
  // How far from the start a shorter lasso may come.
  static size_t farthest(const Lasso& lasso) {
    const size_t length = lasso.prefix.size() + lasso.cycle.size();
    return length < 2 ? 0 : length - 2;
  }

  void look() {
    has_looked_ = true;
    near_.begin();
    for (size_t most = kFirst; most <= kMost && lasso_.cycle.empty() && !near_.is_whole(); most *= 2) {
      near_.grow(most, SIZE_MAX);
      try {
        shorten(lasso_);
      } catch (const LimitReached&) {
        if (lasso_.cycle.empty()) throw;
      }
    }
  }

  void shorten(Lasso& lasso) {
    for (const Clause clause : worker_.search.acceptance) Shortening(worker_, near_, clause, lasso).run();
  }

  Worker& worker_;
  Near near_;
  Lasso lasso_;  // found near the start
  bool has_looked_ = false;
};
inline const Registration<Shortest> shortest_kernel("shortest");

}  // namespace buchi
