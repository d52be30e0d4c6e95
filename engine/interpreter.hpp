// Executes a model in guarded-command form without a compiler.
#pragma once

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
  int32_t guard;     // where its program starts in the code, or -1
  int32_t transfer;  // likewise
  int32_t effects;
  std::vector<ValueTest> least = {};  // all values are above zero
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
    group_commands();
  }

  static int32_t post(const void* context, const uint8_t* state, uint8_t* rows, size_t stride,
                      int32_t* commands, Fault* fault) {
    return static_cast<const Interpreter*>(context)->post(state, rows, stride, commands, fault);
  }

 private:
  static constexpr size_t kMostShared = 64;
  static constexpr ValueTest kNoTest = {0, -1, 0};

  // Neighbouring commands that test the same variable first: a state looks only at those of the variable's
  // value. Those that need at least some value are all looked at, unless the value is zero.
  struct Group {
    int32_t type, offset;
    bool least;
    std::vector<std::vector<int32_t>> by_value;

    bool is_of(int32_t type_, int32_t offset_, bool least_) const {
      return type == type_ && offset == offset_ && least == least_;
    }
    const std::vector<int32_t>* of(const uint8_t* state) const {
      const auto value = static_cast<size_t>(offset < 0 ? 0 : load(type, state, offset));
      if (least) return value == 0 ? nullptr : &by_value[0];
      return value < by_value.size() ? &by_value[value] : nullptr;
    }
  };

  void group_commands() {
    for (size_t i = 0; i < commands_.size(); ++i) {
      const bool least = commands_[i].at.empty() && !commands_[i].least.empty();
      const auto [type, offset, value] = first_test(commands_[i]);
      if (groups_.empty() || !groups_.back().is_of(type, offset, least))
        groups_.push_back({type, offset, least, {}});
      auto& by_value = groups_.back().by_value;
      const auto key = static_cast<size_t>(least ? 0 : value);
      if (by_value.size() <= key) by_value.resize(key + 1);
      by_value[key].push_back(static_cast<int32_t>(i));
    }
  }

  static ValueTest first_test(const InterpretedCommand& command) {
    if (!command.at.empty()) return command.at[0];
    return command.least.empty() ? kNoTest : command.least[0];
  }

  int32_t post(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands, Fault* fault) const {
    int32_t shared[kMostShared];
    if (!compute_shared(state, shared, fault) || !check_assertions(state, shared, fault)) return -1;
    int32_t count = 0;
    fault->part = Fault::kCommand;
    for (const Group& group : groups_) {
      const std::vector<int32_t>* candidates = group.of(state);
      if (candidates == nullptr) continue;
      for (const int32_t i : *candidates) {
        fault->index = i;
        const InterpretedCommand& command = commands_[static_cast<size_t>(i)];
        int32_t enabled = 0;
        if (!is_enabled(command, state, shared, &enabled, fault)) return -1;
        if (enabled == 0) continue;
        if (!execute(command, state, rows, shared, fault)) return -1;
        rows += stride;
        commands[count++] = i;
      }
    }
    return count;
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

  bool is_enabled(const InterpretedCommand& command, const uint8_t* state, const int32_t* shared,
                  int32_t* enabled, Fault* fault) const {
    if (!holds(command.at, 1, state) || !has_least(command.least, state)) return true;
    *enabled = 1;
    return command.guard < 0 || evaluate(command.guard, state, shared, enabled, fault);
  }

  bool execute(const InterpretedCommand& command, const uint8_t* state, uint8_t* row, const int32_t* shared,
               Fault* fault) const {
    memcpy(row, state, width_);
    return (command.transfer < 0 || run(&code_[static_cast<size_t>(command.transfer)], state, row,
                                        tables_.data(), shared, nullptr, fault)) &&
           (command.effects < 0 || run(&code_[static_cast<size_t>(command.effects)], row, row, tables_.data(),
                                       shared, nullptr, fault));
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
  std::vector<Group> groups_;
};

}  // namespace buchi
