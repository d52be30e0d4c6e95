// Stubborn sets: Valmari, "Stubborn sets for reduced state space generation" (1989), guard by guard as in
// Laarman, Pater, van de Pol & Hansen, "Guard-based partial-order reduction" (2016).
//
// A set of commands is stubborn in a state if
//   an enabled command of it accords with all commands outside,
//   of a disabled command of it some conjunct is false, and all commands that may make it true are in the
//   set, a command of it is enabled, if any is.
// What the commands outside do can then wait until one of the set was taken, and every deadlock of the model
// is reached by taking commands of stubborn sets only.
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bytecode.hpp"

namespace buchi {

// As models/independence.py makes it.
struct Independence {
  std::vector<std::vector<int32_t>> conjuncts;  // programs
  std::vector<int32_t> tables;
  std::vector<std::vector<int32_t>> tests;      // of a command: its conjuncts
  std::vector<std::vector<int32_t>> enablers;   // of a conjunct: commands that may make it true
  std::vector<std::vector<int32_t>> conflicts;  // of a command: those that it does not accord with
};

class Reduction : public Reducer {
 public:
  explicit Reduction(Independence independence) : known_(std::move(independence)) {}

  // Keeps of all successors of a state those of a stubborn set, in their order. Returns how many.
  size_t reduce(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands,
                size_t count) const override {
    if (count < 2) return count;
    thread_local Scratch scratch;
    scratch.begin(known_.tests.size(), known_.conjuncts.size());
    Search search{known_, state, scratch};
    for (size_t i = 0; i < count; ++i) scratch.enabled[index(commands[i])] = scratch.epoch;
    size_t best = count;
    for (size_t i = 0; i < count && best > 1; ++i) {
      const size_t size = search.close(commands[i], best);
      if (size < best) {
        best = size;
        std::swap(scratch.chosen, scratch.best);
        scratch.best_round = scratch.round;
      }
    }
    return best == count ? count : keep(rows, stride, commands, count, scratch);
  }

 private:
  static size_t index(int32_t number) { return static_cast<size_t>(number); }

  // What is known in one state; a number that is not that of the state or round is no knowledge.
  struct Scratch {
    uint64_t epoch = 0, round = 0, best_round = 0;
    std::vector<uint64_t> enabled, chosen, best, looked_at;
    std::vector<bool> is_false;
    std::vector<int32_t> pending;

    void begin(size_t commands, size_t conjuncts) {
      if (enabled.size() < commands) {
        enabled.resize(commands);
        chosen.resize(commands);
        best.resize(commands);
      }
      if (looked_at.size() < conjuncts) {
        looked_at.resize(conjuncts);
        is_false.resize(conjuncts);
      }
      ++epoch;
    }
  };

  struct Search {
    const Independence& known;
    const uint8_t* state;
    Scratch& scratch;

    // The stubborn set of a command that is enabled; returns how many of it are, at most `best`.
    size_t close(int32_t seed, size_t best) {
      ++scratch.round;
      scratch.pending.clear();
      size_t size = add(seed);
      while (!scratch.pending.empty() && size < best) {
        const int32_t command = scratch.pending.back();
        scratch.pending.pop_back();
        for (const int32_t other :
             is_enabled(command) ? known.conflicts[index(command)] : enablers_of(command))
          size += add(other);
      }
      return size;
    }

    size_t add(int32_t command) {
      if (scratch.chosen[index(command)] == scratch.round) return 0;
      scratch.chosen[index(command)] = scratch.round;
      scratch.pending.push_back(command);
      return is_enabled(command) ? 1 : 0;
    }

    bool is_enabled(int32_t command) const { return scratch.enabled[index(command)] == scratch.epoch; }

    // Of the conjuncts that are false, one whose enablers cost least: enabled ones cost most.
    const std::vector<int32_t>& enablers_of(int32_t command) {
      const std::vector<int32_t>* cheapest = nullptr;
      size_t least = SIZE_MAX;
      for (const int32_t conjunct : known.tests[index(command)]) {
        if (!is_false(conjunct)) continue;
        const size_t cost = cost_of(known.enablers[index(conjunct)]);
        if (cost < least) {
          least = cost;
          cheapest = &known.enablers[index(conjunct)];
        }
      }
      if (cheapest == nullptr) throw std::logic_error("a command is disabled, but its guard is true");
      return *cheapest;
    }

    size_t cost_of(const std::vector<int32_t>& commands) const {
      size_t cost = 0;
      for (const int32_t command : commands)
        if (scratch.chosen[index(command)] != scratch.round) cost += is_enabled(command) ? kEnabled : 1;
      return cost;
    }

    // A conjunct that fails is not false: one before it is.
    bool is_false(int32_t conjunct) {
      if (scratch.looked_at[index(conjunct)] != scratch.epoch) {
        Fault fault{};
        int32_t value = 1;
        const auto& code = known.conjuncts[index(conjunct)];
        const bool runs = run(code.data(), state, nullptr, known.tables.data(), nullptr, &value, &fault);
        scratch.is_false[index(conjunct)] = runs && value == 0;
        scratch.looked_at[index(conjunct)] = scratch.epoch;
      }
      return scratch.is_false[index(conjunct)];
    }
  };

  static size_t keep(uint8_t* rows, size_t stride, int32_t* commands, size_t count, const Scratch& scratch) {
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      if (scratch.best[index(commands[i])] != scratch.best_round) continue;
      if (kept != i) memcpy(rows + kept * stride, rows + i * stride, stride);
      commands[kept++] = commands[i];
    }
    return kept;
  }

  static constexpr size_t kEnabled = 1000;

  const Independence known_;
};

}  // namespace buchi
