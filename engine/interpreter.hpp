// Executes a model in guarded-command form without a compiler.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bytecode.hpp"

namespace buchi {

// A test that a variable has a value, or at least that value: type, offset, value.
using ValueTest = std::array<int32_t, 3>;

struct InterpretedCommand {
  std::vector<ValueTest> at;
  std::vector<ValueTest> least;  // all values are above zero
  int32_t guard;                 // where its program starts in the code, or -1
  int32_t assigns;               // likewise
  bool reads_old;                // do the assignments begin with the values before all of them?
};

struct InterpretedAssertion {
  std::vector<ValueTest> at;
  int32_t condition;
};

class Interpreter {
 public:
  Interpreter(size_t width, std::vector<int32_t> code, std::vector<int32_t> tables,
              std::vector<int32_t> shared, std::vector<InterpretedAssertion> assertions,
              std::vector<InterpretedCommand> commands)
      : width_(width),
        code_(std::move(code)),
        tables_(std::move(tables)),
        shared_(std::move(shared)),
        assertions_(std::move(assertions)),
        commands_(std::move(commands)) {
    if (shared_.size() > kMostShared) throw std::invalid_argument("too many shared expressions");
    for (size_t i = 0; i < commands_.size(); ++i) add(i, 0, entries_);
  }

  static int32_t post(const void* context, const uint8_t* state, uint8_t* rows, size_t stride,
                      int32_t* commands, Fault* fault) {
    return static_cast<const Interpreter*>(context)->post(state, rows, stride, commands, fault);
  }

 private:
  static constexpr size_t kMostShared = 64;
  static constexpr size_t kMostNested = 8;  // tests, of which a command may have any number

  // Commands in their order. Neighbours that test the same variable, as their first test or after the same
  // ones, are one entry: a state looks only at those of the variable's value, or at those that need it not to
  // be zero. What is tested besides is looked at when a command is taken.
  struct Entry {
    int32_t command;  // or -1
    int32_t type = 0, offset = 0;
    bool not_zero = false;
    std::vector<std::vector<Entry>> by_value = {};

    bool tests(const Entry& other) const {
      return command < 0 && type == other.type && offset == other.offset && not_zero == other.not_zero;
    }
  };

  void add(size_t number, size_t depth, std::vector<Entry>& entries) const {
    const InterpretedCommand& command = commands_[number];
    if (depth < std::min(command.at.size(), kMostNested)) {
      const auto [type, offset, value] = command.at[depth];
      add(number, depth + 1, list_of({-1, type, offset}, static_cast<size_t>(value), entries));
    } else if (depth == 0 && !command.least.empty()) {
      const auto [type, offset, value] = command.least[0];
      list_of({-1, type, offset, true}, 1, entries).push_back({static_cast<int32_t>(number)});
    } else {
      entries.push_back({static_cast<int32_t>(number)});
    }
  }

  // Where what comes after a test goes.
  static std::vector<Entry>& list_of(Entry test, size_t value, std::vector<Entry>& entries) {
    if (entries.empty() || !entries.back().tests(test)) entries.push_back(std::move(test));
    auto& by_value = entries.back().by_value;
    if (by_value.size() <= value) by_value.resize(value + 1);
    return by_value[value];
  }

  // What one state is asked for, and the successors so far.
  struct Posting {
    const uint8_t* state;
    uint8_t* row;
    size_t stride;
    int32_t* commands;
    const int32_t* shared;
    Fault* fault;
    int32_t count = 0;
  };

  int32_t post(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands, Fault* fault) const {
    int32_t shared[kMostShared];
    if (!compute_shared(state, shared, fault) || !check_assertions(state, shared, fault)) return -1;
    Posting posting{state, rows, stride, commands, shared, fault};
    fault->part = Fault::kCommand;
    return take(entries_, posting) ? posting.count : -1;
  }

  bool take(const std::vector<Entry>& entries, Posting& posting) const {
    for (const Entry& entry : entries) {
      if (entry.command >= 0) {
        if (!take(entry.command, posting)) return false;
        continue;
      }
      const int32_t loaded = load(entry.type, posting.state, entry.offset);
      const auto value = static_cast<size_t>(entry.not_zero ? loaded != 0 : loaded);
      if (value < entry.by_value.size() && !take(entry.by_value[value], posting)) return false;
    }
    return true;
  }

  bool take(int32_t number, Posting& posting) const {
    const InterpretedCommand& command = commands_[static_cast<size_t>(number)];
    posting.fault->index = number;
    if (!holds(command.at, kMostNested, posting.state) || !has_least(command.least, posting.state))
      return true;
    int32_t enabled = 1;
    if (command.guard >= 0 &&
        !evaluate(command.guard, posting.state, posting.shared, &enabled, posting.fault))
      return false;
    if (enabled == 0) return true;
    if (!execute(command, posting)) return false;
    posting.row += posting.stride;
    posting.commands[posting.count++] = number;
    return true;
  }

  bool compute_shared(const uint8_t* state, int32_t* shared, Fault* fault) const {
    fault->part = Fault::kShared;
    for (size_t i = 0; i < shared_.size(); ++i) {
      fault->index = static_cast<int32_t>(i);
      if (!evaluate(shared_[i], state, shared, &shared[i], fault)) return false;
    }
    return true;
  }

  bool check_assertions(const uint8_t* state, const int32_t* shared, Fault* fault) const {
    fault->part = Fault::kAssertionPart;
    for (size_t i = 0; i < assertions_.size(); ++i) {
      fault->index = static_cast<int32_t>(i);
      if (!holds(assertions_[i].at, 0, state)) continue;
      int32_t value;
      if (!evaluate(assertions_[i].condition, state, shared, &value, fault)) return false;
      if (value == 0) {
        fault->kind = Fault::kAssertion;
        return false;
      }
    }
    return true;
  }

  bool execute(const InterpretedCommand& command, Posting& posting) const {
    memcpy(posting.row, posting.state, width_);
    return command.assigns < 0 ||
           run(&code_[static_cast<size_t>(command.assigns)], command.reads_old ? posting.state : posting.row,
               posting.row, tables_.data(), posting.shared, nullptr, posting.fault);
  }

  bool evaluate(int32_t start, const uint8_t* state, const int32_t* shared, int32_t* value,
                Fault* fault) const {
    return run(&code_[static_cast<size_t>(start)], state, nullptr, tables_.data(), shared, value, fault);
  }

  static bool holds(const std::vector<ValueTest>& tests, size_t from, const uint8_t* state) {
    for (size_t i = from; i < tests.size(); ++i)
      if (load(tests[i][0], state, tests[i][1]) != tests[i][2]) return false;
    return true;
  }

  static bool has_least(const std::vector<ValueTest>& tests, const uint8_t* state) {
    for (const ValueTest& test : tests)
      if (load(test[0], state, test[1]) < test[2]) return false;
    return true;
  }

  size_t width_;
  std::vector<int32_t> code_, tables_, shared_;
  std::vector<InterpretedAssertion> assertions_;
  std::vector<InterpretedCommand> commands_;
  std::vector<Entry> entries_;
};

}  // namespace buchi
