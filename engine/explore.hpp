// All reachable states of a model, breadth first.
#pragma once

#include <algorithm>
#include <optional>

#include "bytecode.hpp"
#include "control.hpp"
#include "model.hpp"
#include "search.hpp"
#include "state_table.hpp"

namespace buchi {

// A variable whose values are noted: 0, 1, ... and all others as the last.
struct Watched {
  int32_t type, offset, values;
};

// What is asked of the states: expressions, as programs with their constant tables, and whether it is to be
// noted which commands and which values of these variables occur.
struct Measures {
  std::vector<std::vector<int32_t>> programs;
  std::vector<int32_t> tables;
  std::optional<std::vector<Watched>> watched = std::nullopt;
};

// The largest value of each expression in any state that was looked at, and last that of their sum.
class Largest {
 public:
  explicit Largest(const Measures& measures) : measures_(measures) {
    if (!measures.programs.empty()) values.resize(measures.programs.size() + 1, INT64_MIN);
  }

  void look_at(const uint8_t* state, size_t width) {
    int64_t sum = 0;
    for (size_t i = 0; i < measures_.programs.size(); ++i) {
      int32_t value;
      Fault fault{0, Fault::kProposition, static_cast<int32_t>(i)};
      if (!run(measures_.programs[i].data(), state, nullptr, measures_.tables.data(), nullptr, &value,
               &fault))
        throw ModelError(fault, {state, state + width});
      values[i] = std::max<int64_t>(values[i], value);
      sum += value;
    }
    if (!values.empty()) values.back() = std::max(values.back(), sum);
  }

  void join(const Largest& other) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], other.values[i]);
  }

  std::vector<int64_t> values;

 private:
  const Measures& measures_;
};

// Which commands led to a successor, and which values each watched variable had, in any state that was looked
// at. Nothing where that was not asked for.
class Seen {
 public:
  Seen(const Measures& measures, size_t commands) : watched_(measures.watched) {
    if (!watched_) return;
    rows.emplace_back(commands);
    for (const Watched& variable : *watched_) rows.emplace_back(static_cast<size_t>(variable.values));
  }

  void look_at(const uint8_t* state, const int32_t* commands, size_t count) {
    if (!watched_) return;
    for (size_t i = 0; i < count; ++i) rows[0][static_cast<size_t>(commands[i])] = 1;
    auto row = rows.begin();
    for (const auto [type, offset, values] : *watched_)
      (*++row)[std::min(static_cast<size_t>(load(type, state, offset)), static_cast<size_t>(values) - 1)] = 1;
  }

  void join(const Seen& other) {
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t j = 0; j < rows[i].size(); ++j) rows[i][j] |= other.rows[i][j];
  }

  std::vector<std::vector<uint8_t>> rows;  // 1 for what was seen: of commands, then of each variable

 private:
  const std::optional<std::vector<Watched>>& watched_;
};

// The successors of several states, which are gathered before they are looked up, so that many waits for
// memory overlap.
template <class Table>
class Expansion {
 public:
  static constexpr size_t kBatch = 64;

  Expansion(const Model& model, const Measures& measures, Meter& meter, Table& table)
      : largest(measures),
        seen(measures, model.most_successors()),
        model_(model),
        table_(table),
        is_asked_(!measures.programs.empty() || measures.watched),
        stride_((table.width() + 7) / 8 * 8),
        rows_(meter, (kBatch + model.most_successors() + 1) * stride_),
        commands_(model.most_successors()) {
    rows_.extend((kBatch + model.most_successors() + 1) * stride_);
  }

  bool is_full() const { return gathered_ >= kBatch; }

  void add_initial() {
    memcpy(row(gathered_), model_.initial().data(), model_.width());
    ++gathered_;
  }

  void post(StateId state, Counters& counters) {
    const uint8_t* vector = table_.vector(state);
    const auto [count, left_out] = model_.post(vector, row(gathered_), stride_, commands_.data());
    if (is_asked_) look_at(vector, count);
    ++counters.post_calls;
    count_left_out(left_out, counters);
    counters.transitions += count;
    counters.deadlocks += count == 0;
    if (count == 0 && deadlock.empty()) deadlock.assign(vector, vector + model_.width());
    gathered_ += count;
  }

  // Stores what was gathered; `is_new(id)` is told of each state that was not there.
  template <class IsNew>
  void intern(IsNew is_new) {
    const size_t count = std::exchange(gathered_, 0);
    table_.make_room(count);
    hashes_.resize(count);
    places_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      hashes_[i] = table_.hash(row(i));
      table_.prefetch_slot(hashes_[i]);
    }
    for (size_t i = 0; i < count; ++i) places_[i] = table_.prefetch_vector(hashes_[i]);
    for (size_t i = 0; i < count; ++i) {
      const StateTable::Insertion inserted = table_.insert(row(i), hashes_[i], places_[i]);
      if (inserted.fresh) is_new(inserted.id);
    }
  }

  Largest largest;                // of the states whose successors were gathered
  Seen seen;                      // likewise
  std::vector<uint8_t> deadlock;  // the first of them that has none

 private:
  // Not inline: few ask, and the others would pay for its registers.
  [[gnu::noinline]] void look_at(const uint8_t* vector, size_t count) {
    largest.look_at(vector, model_.width());
    seen.look_at(vector, commands_.data(), count);
  }

  uint8_t* row(size_t i) { return rows_.data() + i * stride_; }

  const Model& model_;
  Table& table_;
  const bool is_asked_;
  const size_t stride_;
  Array<uint8_t> rows_;
  std::vector<int32_t> commands_;  // of the successors of one state
  std::vector<uint64_t> hashes_;
  std::vector<size_t> places_;
  size_t gathered_ = 0;
};

// By one thread: the dense numbers of the table are the queue.
class Exploration {
 public:
  Exploration(const Model& model, const Measures& measures, Control& control)
      : control_(control), table_(meter_, model.width()), expansion_(model, measures, meter_, table_) {
    meter_.set_limit(control.limits.bytes);
    control.start();
  }

  void run() {
    expansion_.add_initial();
    intern();
    StateId level_end = table_.size();
    for (StateId next = 0; next < table_.size();) {
      for (; next < level_end && !expansion_.is_full(); ++next) expansion_.post(next, counters_);
      intern();
      if (next == level_end) {
        levels_.push_back(level_end);
        level_end = table_.size();
      }
      poll();
    }
  }

  Counters finish() {
    counters_.states = table_.size();
    counters_.seconds = control_.seconds();
    counters_.bytes = meter_.peak();
    return counters_;
  }

  const std::vector<int64_t>& largest() const { return expansion_.largest.values; }
  const std::vector<uint8_t>& deadlock() const { return expansion_.deadlock; }
  const std::vector<std::vector<uint8_t>>& seen() const { return expansion_.seen.rows; }
  const std::vector<uint64_t>& levels() const { return levels_; }

 private:
  void intern() {
    expansion_.intern([](StateId) {});
  }

  void poll() {
    control_.check_states(table_.size());
    if (++polls_ % 64 != 0) return;
    control_.states.store(table_.size(), std::memory_order_relaxed);
    control_.transitions.store(counters_.transitions, std::memory_order_relaxed);
    control_.bytes.store(meter_.used(), std::memory_order_relaxed);
    control_.check();
  }

  Control& control_;
  Meter meter_;
  StateTable table_;
  Expansion<StateTable> expansion_;
  Counters counters_;
  std::vector<uint64_t> levels_;  // states within so many steps
  uint64_t polls_ = 0;
};

}  // namespace buchi
