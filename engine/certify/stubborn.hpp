// Stubborn sets by their definition (docs/reduction.md, conditions 1 to 5): may commands be left out of a
// state?
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "expression.hpp"

namespace buchi::certify {

// A set of commands.
class Commands {
 public:
  Commands(size_t commands, const std::vector<int32_t>& members) : words_((commands + 63) / 64) {
    for (const int32_t one : members) set(one);
  }
  void set(int32_t one) { words_.at(static_cast<size_t>(one) / 64) |= uint64_t{1} << one % 64; }
  void reset(int32_t one) { words_[static_cast<size_t>(one) / 64] &= ~(uint64_t{1} << one % 64); }
  bool has(int32_t one) const { return (words_[static_cast<size_t>(one) / 64] >> one % 64 & 1) != 0; }
  void clear() { words_.assign(words_.size(), 0); }
  bool is_within(const Commands& other) const {
    for (size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    return true;
  }

 private:
  std::vector<uint64_t> words_;
};

// What is known of a part of guards.
struct Conjunct {
  Expression condition;
  Commands enablers;              // that may make it true
  Expression place;               // where all depends on one variable and its changes are known: its value,
  std::vector<Commands> leavers;  // and what changes it from the values 0, 1, ...
};

class Stubborn {
 public:
  std::vector<std::vector<int32_t>> tests;  // of each command, its conjuncts
  std::vector<Commands> conflicts;          // of each command, those that it does not accord with
  std::vector<Conjunct> conjuncts;
  Commands visible, careful;  // commands that a property sees; these and those that break cycles

  // Is there a stubborn set without these commands? All of them are parts of the largest closed set, which is
  // what is left when commands are taken away that need one that is not there.
  bool has_set_without(const Commands& left_out, std::span<const int32_t> enabled, const uint8_t* state,
                       const std::vector<int32_t>& tables, std::vector<int32_t>& stack) const {
    const auto count = static_cast<int32_t>(tests.size());
    Commands inside(tests.size(), {}), runs(tests.size(), {});
    for (int32_t one = 0; one < count; ++one)
      if (!left_out.has(one)) inside.set(one);
    for (const int32_t one : enabled) runs.set(one);
    const auto may_stay = [&](int32_t one) {
      if (runs.has(one))
        return conflicts[static_cast<size_t>(one)].is_within(inside) &&
               (!careful.has(one) || visible.is_within(inside));
      for (const int32_t test : tests[static_cast<size_t>(one)])
        if (keeps_false(conjuncts[static_cast<size_t>(test)], inside, state, tables, stack)) return true;
      return false;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (int32_t one = 0; one < count; ++one) {
        if (!inside.has(one) || may_stay(one)) continue;
        inside.reset(one);
        changed = true;
      }
    }
    return is_enough(inside, enabled);
  }

 private:
  // Is a conjunct false, and are all commands inside that may change that?
  static bool keeps_false(const Conjunct& one, const Commands& inside, const uint8_t* state,
                          const std::vector<int32_t>& tables, std::vector<int32_t>& stack) {
    if (one.condition(state, tables, stack) != 0) return false;
    if (one.enablers.is_within(inside)) return true;
    if (one.leavers.empty()) return false;
    const auto value = one.place(state, tables, stack);
    return value >= 0 && static_cast<size_t>(*value) < one.leavers.size() &&
           one.leavers[static_cast<size_t>(*value)].is_within(inside);
  }

  // Is a command inside enabled, if any is, and one that is not visible, if any such is?
  bool is_enough(const Commands& inside, std::span<const int32_t> enabled) const {
    bool takes_one = false, takes_unseen = false, is_unseen_enabled = false;
    for (const int32_t one : enabled) {
      takes_one |= inside.has(one);
      takes_unseen |= inside.has(one) && !visible.has(one);
      is_unseen_enabled |= !visible.has(one);
    }
    return takes_one && (takes_unseen || !is_unseen_enabled);
  }
};

}  // namespace buchi::certify
