// Any Emerson-Lei acceptance, component by component: Baier, Blahoudek, Duret-Lutz, Klein, Müller & Strejček,
// "Generic Emptiness Check for Fun and Profit" (2019), algorithm 1.
//
// Requires: any conjunction of disjunctions of clauses.  Memory: four bytes a state; eight more for states of
// components that are taken apart, and these components themselves.
// A component all of whose marks together are accepted has an accepting cycle, which is found while the
// component grows. A complete one that is not accepted is taken apart: where a condition is not met, one of
// its clauses must be met by a cycle, which then has no edge of the Fin marks of that clause. Without these
// edges there are smaller components, with fewer marks.
// Differs from the paper: the condition is a conjunction of disjunctive normal forms instead of any formula,
// so that Streett conditions stay small. The Fin marks of all conditions of which only one clause is left are
// removed at once (the paper's unit Fins), else each clause of a condition is tried in turn (its disjuncts);
// no Fin mark has to be chosen.
#pragma once

#include <vector>

#include "ascc.hpp"

namespace buchi {

// A conjunction of disjunctions of clauses.
using Conditions = std::vector<std::vector<Clause>>;

// Is a clause met by a cycle with exactly these marks? Can it be by one with some of them?
inline bool is_met(Clause clause, Marks marks) {
  return (clause.fin & marks) == 0 && (clause.inf & ~marks) == 0;
}
inline bool can_be_met(Clause clause, Marks marks) { return (clause.inf & ~marks) == 0; }

inline bool is_met(const std::vector<Clause>& condition, Marks marks) {
  return std::ranges::any_of(condition, [marks](Clause clause) { return is_met(clause, marks); });
}
inline bool are_met(const Conditions& conditions, Marks marks) {
  return std::ranges::all_of(conditions, [marks](const auto& one) { return is_met(one, marks); });
}
inline bool can_be_met(const Conditions& conditions, Marks marks) {
  return std::ranges::all_of(conditions, [marks](const auto& one) {
    return std::ranges::any_of(one, [marks](Clause clause) { return can_be_met(clause, marks); });
  });
}

// What a cycle needs so that conditions are met that these marks meet: a clause of each, taken together.
inline Clause together(const Conditions& conditions, Marks marks) {
  Clause all{0, 0};
  for (const auto& condition : conditions) {
    const Clause met =
        *std::ranges::find_if(condition, [marks](Clause clause) { return is_met(clause, marks); });
    all = {all.fin | met.fin, all.inf | met.inf};
  }
  return all;
}

// The components of a part of the product, without the edges of some marks. Those of which a part may be
// accepted are stacked.
class PartOfProduct {
 public:
  struct Component {
    size_t begin, end;  // of its states
    Marks marks;
  };

  explicit PartOfProduct(Search& search) : region_(search), states_(search.meter()), found_(search.meter()) {}

  void begin(const Conditions& conditions, std::span<const StateId> members, Marks removed) {
    conditions_ = conditions;
    removed_ = removed;
    ++current_;
    for (const StateId state : members) region_[state] = current_;
  }

  bool follows(Edge edge, bool /*is_new*/) {
    return (edge.marks & removed_) == 0 && region_[edge.target] == current_;
  }
  bool accepts(Marks marks) const { return are_met(conditions_, marks); }
  // One that is met but was not accepted has no cycle.
  bool complete(std::span<const StateId> members, Marks marks) {
    if (are_met(conditions_, marks) || !can_be_met(conditions_, marks)) return false;
    const size_t first = states_.size();
    for (const StateId state : members) states_.push(state);
    found_.push({first, states_.size(), marks});
    return false;
  }

  const Conditions& conditions() const { return conditions_; }
  size_t found() const { return found_.size(); }
  Component last() const { return found_[found_.size() - 1]; }
  std::span<const StateId> members(Component component) const {
    return {states_.data() + component.begin, component.end - component.begin};
  }
  void pop() { states_.shrink(found_.pop().begin); }

 private:
  Conditions conditions_;
  Marks removed_ = 0;
  StateArray<uint32_t> region_;  // the last part that a state belonged to
  uint32_t current_ = 0;
  Array<StateId> states_;
  Array<Component> found_;
};

class Generic {
 public:
  explicit Generic(Worker& worker)
      : worker_(worker),
        conditions_(all_conditions(worker.search)),
        part_(worker.search),
        within_(worker, part_),
        policy_{*this},
        whole_(worker, policy_) {}

  bool explore(StateId start) { return whole_.explore(start); }

  void extract(Lasso& lasso) {
    if (is_in_part_) {
      const auto within = [this](Edge edge) { return part_.follows(edge, false); };
      extract(lasso, within_, together(part_.conditions(), within_.marks()), within);
    } else {
      extract(lasso, whole_, together(conditions_, whole_.marks()), [](Edge) { return true; });
    }
  }

 private:
  struct WholeProduct {
    Generic& generic;
    bool follows(Edge, bool /*is_new*/) { return true; }
    bool accepts(Marks marks) const { return are_met(generic.conditions_, marks); }
    bool complete(std::span<const StateId> members, Marks marks) {
      return generic.is_in_part_ = generic.has_accepting_part(generic.conditions_, members, marks, 0);
    }
  };

  static Conditions all_conditions(const Search& search) {
    Conditions conditions = search.further;
    conditions.push_back(search.acceptance);
    return conditions;
  }

  // Has a component with these marks, which are not accepted, a part whose marks are?
  bool has_accepting_part(const Conditions& conditions, std::span<const StateId> members, Marks marks,
                          Marks removed) {
    Marks unit = 0;
    size_t several = conditions.size();
    const auto possible = [marks](Clause clause) { return can_be_met(clause, marks); };
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (is_met(conditions[i], marks)) continue;
      const auto count = std::ranges::count_if(conditions[i], possible);
      if (count == 0) return false;
      if (count > 1) several = i;
      if (count == 1) unit |= std::ranges::find_if(conditions[i], possible)->fin;
    }
    if (unit != 0) return is_found_without(removed | unit, conditions, members);
    if (several == conditions.size()) return false;  // all are met: there is no cycle
    for (const Clause clause : conditions[several]) {
      if (!possible(clause)) continue;
      Conditions chosen = conditions;
      chosen[several] = {clause};
      if (is_found_without(removed | clause.fin, chosen, members)) return true;
    }
    return false;
  }

  // Is there an accepting cycle among these states without the edges of the marks that are removed?
  bool is_found_without(Marks removed, const Conditions& conditions, std::span<const StateId> members) {
    const uint64_t components = worker_.counters.components;  // of the whole product
    const size_t before = part_.found();
    part_.begin(conditions, members, removed);
    within_.forget(members);
    for (const StateId state : members)
      if (within_.explore(state)) return true;
    worker_.counters.components = components;
    for (; part_.found() > before; part_.pop()) {
      const auto next = part_.last();
      if (has_accepting_part(conditions, part_.members(next), next.marks, removed)) return true;
    }
    return false;
  }

  // A component may have edges that were not explored when it was found, with marks that are to be avoided.
  template <class Policy, class Within>
  void extract(Lasso& lasso, Ascc<Policy>& ascc, Clause wanted, Within within) {
    ProductGround ground(worker_.search);
    const auto visited = [&](Edge edge) { return whole_.is_visited(edge.target); };
    const auto inside = [&](Edge edge) {
      return (edge.marks & wanted.fin) == 0 && within(edge) && ascc.inside(edge.target);
    };
    lasso = {path_to(*ground, ascc.root(), visited), cycle_through(*ground, ascc.root(), wanted.inf, inside)};
  }

  Worker& worker_;
  const Conditions conditions_;
  PartOfProduct part_;
  Ascc<PartOfProduct> within_;
  WholeProduct policy_;
  Ascc<WholeProduct> whole_;
  bool is_in_part_ = false;
};
inline const Registration<Generic> generic_kernel("generic", true);

}  // namespace buchi
