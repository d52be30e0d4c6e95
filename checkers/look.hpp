// A first look: some states breadth first, and a search for accepting cycles among them. A cycle of a part is
// one of the whole, and most cycles that a depth-first search meets late are near the start.
//
// Requires: any disjunction of clauses.  Memory: as `ascc`, for a bounded number of states.
// It is no check of its own: where it finds nothing, and there are more states, it ends as a search does that
// may not store more.
#pragma once

#include <optional>

#include "ascc.hpp"

namespace buchi {

// The graph of the states that were looked at, without the edges of the Fin set.
struct WithinLook : AllEdgesAllSets {
  Marks fin;
  StateId end;
  bool follows(Edge edge, bool /*is_new*/) const { return edge.target < end && (edge.marks & fin) == 0; }
};

class Look {
 public:
  explicit Look(Worker& worker) : worker_(worker), again_(worker.search), edges_(worker.search.meter()) {}

  // The numbers of the table are the queue: all initial states have theirs.
  bool explore(StateId) {
    if (looked_ != 0) return false;
    const StateTable& table = worker_.search.product.table;
    while (looked_ < std::min(table.size(), kMost) && look_at(looked_)) ++looked_;
    for (const Clause& clause : worker_.search.acceptance)
      if (find(clause)) return true;
    if (looked_ < table.size()) throw LimitReached{End::kStates};
    return false;
  }

  void extract(Lasso& lasso) {
    ProductGround ground(worker_.search);
    const auto visited = [&](Edge edge) { return edge.target < looked_; };
    const auto inside = [&](Edge edge) {
      return policy_->follows(edge, false) && ascc_->inside(edge.target);
    };
    lasso = {path_to(*ground, ascc_->root(), visited),
             cycle_through(*ground, ascc_->root(), policy_->wanted, inside)};
  }

 private:
  static constexpr StateId kMost = 1 << 14;

  // An error of the model counts only when the check that follows comes to the state.
  bool look_at(StateId state) {
    edges_.shrink(0);
    try {
      worker_.post(state, edges_);
    } catch (const ModelError&) {
      return false;
    }
    return true;
  }

  bool find(const Clause& clause) {
    ascc_.reset();
    policy_.emplace(WithinLook{{clause.inf}, clause.fin, looked_});
    ascc_.emplace(again_, *policy_);
    bool found = false;
    for (StateId state = 0; state < looked_ && !found; ++state) found = ascc_->explore(state);
    worker_.note_depth(again_.counters.max_depth);
    return found;
  }

  Worker& worker_;
  Worker again_;  // goes over the same states: its edges are not counted twice
  Array<Edge> edges_;
  StateId looked_ = 0;
  std::optional<WithinLook> policy_;
  std::optional<Ascc<WithinLook>> ascc_;
};
inline const Registration<Look> look_kernel("look");

}  // namespace buchi
