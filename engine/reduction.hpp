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
  explicit Reduction(Independence independence)
      : known_(std::move(independence)),
        words_((known_.tests.size() + 63) / 64),
        enablers_(rows(known_.enablers)),
        conflicts_(rows(known_.conflicts)) {}

  // Keeps of all successors of a state those of a stubborn set, in their order. Returns how many.
  size_t reduce(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands,
                size_t count) const override {
    if (count < 2) return count;
    thread_local Scratch scratch;
    scratch.begin(words_, known_.conjuncts.size());
    for (size_t i = 0; i < count; ++i) set(scratch.enabled, commands[i]);
    size_t best = count;
    for (size_t i = 0; i < count && best > 1; ++i) {
      const size_t size = close(state, commands[i], best, scratch);
      if (size < best) {
        best = size;
        std::swap(scratch.chosen, scratch.best);
      }
    }
    return best == count ? count : keep(rows, stride, commands, count, scratch.best);
  }

 private:
  using Bits = std::vector<uint64_t>;

  // Sets of commands, and what is known of the conjuncts in one state.
  struct Scratch {
    Bits enabled, chosen, best, pending;
    enum Value : uint8_t { kUnknown, kFalse, kNotFalse };
    std::vector<Value> values;

    void begin(size_t words, size_t conjuncts) {
      enabled.assign(words, 0);
      best.resize(words);
      values.assign(conjuncts, kUnknown);
    }
  };

  static size_t index(int32_t number) { return static_cast<size_t>(number); }
  static void set(Bits& bits, int32_t command) { bits[index(command) / 64] |= bit(command); }
  static bool has(const Bits& bits, int32_t command) {
    return (bits[index(command) / 64] & bit(command)) != 0;
  }
  static uint64_t bit(int32_t command) { return uint64_t{1} << (command % 64); }

  Bits rows(const std::vector<std::vector<int32_t>>& lists) const {
    Bits all(lists.size() * words_);
    for (size_t i = 0; i < lists.size(); ++i)
      for (const int32_t command : lists[i]) all[i * words_ + index(command) / 64] |= bit(command);
    return all;
  }

  // The stubborn set of a command that is enabled; returns how many of it are, at most `best`.
  size_t close(const uint8_t* state, int32_t seed, size_t best, Scratch& scratch) const {
    scratch.chosen.assign(words_, 0);
    set(scratch.chosen, seed);
    scratch.pending = scratch.chosen;
    size_t size = 1;
    for (size_t word = 0; word < words_ && size < best;) {
      if (scratch.pending[word] == 0) {
        ++word;
        continue;
      }
      const int bit = __builtin_ctzll(scratch.pending[word]);
      scratch.pending[word] &= scratch.pending[word] - 1;
      const auto command = static_cast<int32_t>(word * 64) + bit;
      const uint64_t* needed = has(scratch.enabled, command) ? &conflicts_[index(command) * words_]
                                                             : enablers_of(state, command, scratch);
      for (size_t i = 0; i < words_; ++i) {
        const uint64_t fresh = needed[i] & ~scratch.chosen[i];
        if (fresh == 0) continue;
        scratch.chosen[i] |= fresh;
        scratch.pending[i] |= fresh;
        size += static_cast<size_t>(__builtin_popcountll(fresh & scratch.enabled[i]));
        word = std::min(word, i);
      }
    }
    return size;
  }

  // Of the conjuncts that are false, one whose enablers cost least: enabled ones cost most.
  const uint64_t* enablers_of(const uint8_t* state, int32_t command, Scratch& scratch) const {
    const uint64_t* cheapest = nullptr;
    size_t least = SIZE_MAX;
    for (const int32_t conjunct : known_.tests[index(command)]) {
      if (!is_false(state, conjunct, scratch)) continue;
      const uint64_t* enablers = &enablers_[index(conjunct) * words_];
      const size_t cost = cost_of(enablers, scratch);
      if (cost < least) {
        least = cost;
        cheapest = enablers;
      }
    }
    if (cheapest == nullptr) throw std::logic_error("a command is disabled, but its guard is true");
    return cheapest;
  }

  size_t cost_of(const uint64_t* commands, const Scratch& scratch) const {
    size_t cost = 0;
    for (size_t i = 0; i < words_; ++i) {
      const uint64_t fresh = commands[i] & ~scratch.chosen[i];
      cost += static_cast<size_t>(__builtin_popcountll(fresh)) +
              kEnabled * static_cast<size_t>(__builtin_popcountll(fresh & scratch.enabled[i]));
    }
    return cost;
  }

  // A conjunct that fails is not false: one before it is.
  bool is_false(const uint8_t* state, int32_t conjunct, Scratch& scratch) const {
    auto& known = scratch.values[index(conjunct)];
    if (known == Scratch::kUnknown) {
      Fault fault{};
      int32_t value = 1;
      const auto& code = known_.conjuncts[index(conjunct)];
      const bool runs = run(code.data(), state, nullptr, known_.tables.data(), nullptr, &value, &fault);
      known = runs && value == 0 ? Scratch::kFalse : Scratch::kNotFalse;
    }
    return known == Scratch::kFalse;
  }

  static size_t keep(uint8_t* rows, size_t stride, int32_t* commands, size_t count, const Bits& chosen) {
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!has(chosen, commands[i])) continue;
      if (kept != i) memcpy(rows + kept * stride, rows + i * stride, stride);
      commands[kept++] = commands[i];
    }
    return kept;
  }

  static constexpr size_t kEnabled = 1000;

  const Independence known_;
  const size_t words_;               // of a set of commands
  const Bits enablers_, conflicts_;  // a set for each conjunct, for each command
};

}  // namespace buchi
