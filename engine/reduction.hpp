// Stubborn sets: Valmari, "Stubborn sets for reduced state space generation" (1989), guard by guard as in
// Laarman, Pater, van de Pol & Hansen, "Guard-based partial-order reduction" (2016).
//
// A set of commands is stubborn in a state if
//   an enabled command of it accords with all commands outside,
//   of a disabled command of it some conjunct is false, and all commands that may make it true are in the
//   set, a command of it is enabled, if any is.
// What the commands outside do can then wait until one of the set was taken, and every deadlock of the model
// is reached by taking commands of stubborn sets only.
//
// Where a property sees some commands, and others break the cycles that those it sees do not,
//   a set of which an enabled command is one of these holds all that the property sees,
//   a command of it is enabled that the property does not see, if any such is.
// Then the runs of the model are kept but for how often a state is repeated: docs/reduction.md has the proof.
// The set depends on the state of the model alone, so that what is reduced is a model like any other.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "bytecode.hpp"

namespace buchi {

// As models/independence.py makes it. Commands and conjuncts are numbers.
struct Independence {
  std::vector<std::vector<int32_t>> conjuncts;  // programs
  std::vector<int32_t> tables;
  std::vector<std::vector<int32_t>> tests;      // of a command: its conjuncts
  std::vector<std::vector<int32_t>> enablers;   // of a conjunct: commands that may make it true
  std::vector<std::vector<int32_t>> conflicts;  // of a command: those that it does not accord with
  // Of a conjunct of one variable whose every change is known: the variable, and for each of its values the
  // first row of commands that change it from that value; what else the conjunct may wait for.
  struct Leaving {
    int32_t type, offset, first, values;
  };
  std::vector<Leaving> leaving;               // of a conjunct; no values where there is none
  std::vector<std::vector<int32_t>> leavers;  // those rows
  std::vector<int32_t> visible;               // what a property sees
  std::vector<int32_t> breaking;              // every cycle has one of these or of the visible ones
};

class Reduction : public Reducer {
 public:
  explicit Reduction(Independence independence)
      : known_(std::move(independence)),
        words_((known_.tests.size() + 63) / 64),
        enablers_(rows(known_.enablers)),
        conflicts_(rows(known_.conflicts)),
        leavers_(rows(known_.leavers)),
        visible_(bits(known_.visible)),
        careful_(bits(known_.breaking)) {
    for (size_t i = 0; i < words_; ++i) careful_[i] |= visible_[i];
  }

  // Keeps of all successors of a state those of a stubborn set, in their order. Returns how many.
  size_t reduce(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands,
                size_t count) const override {
    if (count < 2) return count;
    Scratch& scratch = scratch_of_this_thread();
    Closing closing(*this, state, scratch, count);
    scratch.begin(words_, known_.conjuncts.size());
    for (size_t i = 0; i < count; ++i) set(scratch.enabled, commands[i]);
    for (size_t i = 0; i < count && closing.best > 1; ++i)
      if (!has(careful_, commands[i])) closing.try_seed(commands[i]);
    if (closing.best == count) closing.try_visible({commands, count});
    return closing.best == count ? count : keep(rows, stride, commands, count, scratch.best);
  }

 private:
  using Bits = std::vector<uint64_t>;

  // The words of a set of commands that are not zero.
  struct Part {
    uint32_t word;
    uint64_t bits;
  };
  using Row = std::span<const Part>;
  struct SparseRows {
    std::vector<Part> parts;
    std::vector<size_t> begins{0};
    Row operator[](int32_t number) const {
      return {&parts[begins[index(number)]], begins[index(number) + 1] - begins[index(number)]};
    }
  };

  // Sets of commands, and what is known of conjuncts and commands in one state.
  struct Scratch {
    Bits enabled, chosen, best;
    Bits pending[2];  // of the set those whose needs are not yet in it: the enabled ones, the others
    enum Value : uint8_t { kUnknown, kFalse, kNotFalse };
    std::vector<Value> values;

    void begin(size_t words, size_t conjuncts) {
      enabled.assign(words, 0);
      best.resize(words);
      values.assign(conjuncts, kUnknown);
    }
  };

  // Asking for it takes longer than a short set.
  [[gnu::noinline]] static Scratch& scratch_of_this_thread() {
    thread_local Scratch scratch;
    return scratch;
  }

  static size_t index(int32_t number) { return static_cast<size_t>(number); }
  static uint64_t bit(int32_t command) { return uint64_t{1} << (command % 64); }
  static void set(Bits& bits, int32_t command) { bits[index(command) / 64] |= bit(command); }
  static bool has(const Bits& bits, int32_t command) {
    return (bits[index(command) / 64] & bit(command)) != 0;
  }

  Bits bits(const std::vector<int32_t>& commands) const {
    Bits all(words_);
    for (const int32_t command : commands) set(all, command);
    return all;
  }

  SparseRows rows(const std::vector<std::vector<int32_t>>& lists) const {
    SparseRows all;
    for (const auto& list : lists) {
      const Bits row = bits(list);
      for (uint32_t word = 0; word < words_; ++word)
        if (row[word] != 0) all.parts.push_back({word, row[word]});
      all.begins.push_back(all.parts.size());
    }
    all.parts.push_back({0, 0});  // so that an empty row at the end has an address
    return all;
  }

  // The smallest stubborn set of one state so far.
  struct Closing {
    Closing(const Reduction& of_, const uint8_t* state_, Scratch& scratch_, size_t enabled)
        : of(of_), state(state_), scratch(scratch_), best(enabled) {}

    const Reduction& of;
    const uint8_t* state;
    Scratch& scratch;
    size_t best;  // how many commands of it are enabled; at first all

    // The set of an enabled command. It is given up where it comes to an enabled command that asks for more.
    void try_seed(int32_t seed) {
      start();
      add(static_cast<uint32_t>(seed / 64), bit(seed));
      if (close(true)) keep_chosen();
    }

    // The set of all that the property sees, and of one enabled command that it does not see.
    void try_visible(std::span<const int32_t> commands) {
      start();
      for (uint32_t word = 0; word < of.words_; ++word) add(word, of.visible_[word]);
      if (!close(false)) return;
      if (!has_invisible()) {
        for (const int32_t command : commands) {
          if (has(of.visible_, command)) continue;
          add(static_cast<uint32_t>(command / 64), bit(command));
          if (!close(false)) return;
          break;
        }
      }
      keep_chosen();
    }

   private:
    void start() {
      scratch.chosen.assign(of.words_, 0);
      for (Bits& pending : scratch.pending) pending.assign(of.words_, 0);
      size_ = 0;
      next_[0] = next_[1] = static_cast<uint32_t>(of.words_);
    }

    void keep_chosen() {
      best = size_;
      std::swap(scratch.chosen, scratch.best);
    }

    bool has_invisible() const {
      for (size_t i = 0; i < of.words_; ++i)
        if ((scratch.chosen[i] & scratch.enabled[i] & ~of.visible_[i]) != 0) return true;
      return false;
    }

    // Adds commands; returns those that are enabled and were not there.
    uint64_t add(uint32_t word, uint64_t commands) {
      const uint64_t fresh = commands & ~scratch.chosen[word];
      if (fresh == 0) return 0;
      scratch.chosen[word] |= fresh;
      const uint64_t enabled = fresh & scratch.enabled[word];
      scratch.pending[0][word] |= enabled;
      scratch.pending[1][word] |= fresh & ~enabled;
      if (enabled != 0) next_[0] = std::min(next_[0], word);
      if (fresh != enabled) next_[1] = std::min(next_[1], word);
      size_ += count(enabled);
      return enabled;
    }

    // Adds what the commands of the set need, those of enabled ones first: they show soon that a set is
    // large. Tells whether the set is smaller than the best so far.
    bool close(bool of_seed) {
      while (size_ < best) {
        const int32_t command = take(0) ? taken_ : take(1) ? taken_ : -1;
        if (command < 0) return true;
        for (const Part part : needs(command)) {
          const uint64_t enabled = add(part.word, part.bits);
          if (of_seed && (enabled & of.careful_[part.word]) != 0) return false;
        }
      }
      return false;
    }

    // Takes a command from those that are pending, if there is one.
    bool take(int which) {
      Bits& pending = scratch.pending[which];
      uint32_t& word = next_[which];
      while (word < of.words_ && pending[word] == 0) ++word;
      if (word == of.words_) return false;
      taken_ = static_cast<int32_t>(word * 64) + __builtin_ctzll(pending[word]);
      pending[word] &= pending[word] - 1;
      return true;
    }

    Row needs(int32_t command) {
      return has(scratch.enabled, command) ? of.conflicts_[command] : cheapest(command);
    }

    // Of what a disabled command waits for, what costs least: enabled commands cost most. One of its
    // conjuncts must become true, and before that a variable of it must change.
    Row cheapest(int32_t command) {
      least_ = SIZE_MAX;
      for (const int32_t conjunct : of.known_.tests[index(command)]) {
        if (!is_false(conjunct)) continue;
        consider(of.enablers_[conjunct]);
        const Independence::Leaving& leaving = of.known_.leaving[index(conjunct)];
        if (leaving.values == 0) continue;
        const int32_t value = load(leaving.type, state, leaving.offset);
        if (value >= 0 && value < leaving.values) consider(of.leavers_[leaving.first + value]);
      }
      if (least_ == SIZE_MAX) throw std::logic_error("a command is disabled, but its guard is true");
      return cheapest_;
    }

    void consider(Row commands) {
      const size_t cost = cost_of(commands);
      if (cost >= least_) return;
      least_ = cost;
      cheapest_ = commands;
    }

    size_t cost_of(Row commands) const {
      size_t cost = 0;
      for (const Part part : commands) {
        const uint64_t fresh = part.bits & ~scratch.chosen[part.word];
        if (fresh == 0) continue;
        const uint64_t enabled = fresh & scratch.enabled[part.word];
        cost += count(fresh) + kEnabled * count(enabled) + kCareful * count(enabled & of.careful_[part.word]);
      }
      return cost;
    }

    // Few bits are set.
    static size_t count(uint64_t bits) {
      size_t set = 0;
      for (; bits != 0; bits &= bits - 1) ++set;
      return set;
    }

    // A conjunct that fails is not false: one before it is.
    bool is_false(int32_t conjunct) {
      auto& known = scratch.values[index(conjunct)];
      if (known == Scratch::kUnknown) {
        Fault fault{};
        int32_t value = 1;
        const auto& code = of.known_.conjuncts[index(conjunct)];
        const bool runs = run(code.data(), state, nullptr, of.known_.tables.data(), nullptr, &value, &fault);
        known = runs && value == 0 ? Scratch::kFalse : Scratch::kNotFalse;
      }
      return known == Scratch::kFalse;
    }

    static constexpr size_t kEnabled = 1'000, kCareful = 1'000'000;

    int32_t taken_ = -1;
    Row cheapest_;
    size_t least_ = 0;           // what it costs
    size_t size_ = 0;            // how many commands of the set are enabled
    uint32_t next_[2] = {0, 0};  // no word before it has commands that are pending
  };

  static size_t keep(uint8_t* rows, size_t stride, int32_t* commands, size_t count, const Bits& chosen) {
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!has(chosen, commands[i])) continue;
      if (kept != i) memcpy(rows + kept * stride, rows + i * stride, stride);
      commands[kept++] = commands[i];
    }
    return kept;
  }

  const Independence known_;
  const size_t words_;  // of a set of commands
  const SparseRows enablers_, conflicts_, leavers_;
  const Bits visible_;
  Bits careful_;  // visible, or breaking cycles
};

}  // namespace buchi
