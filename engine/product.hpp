// The product of a model and an automaton: the only thing a checker sees.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "automaton.hpp"
#include "model.hpp"
#include "state_table.hpp"

namespace buchi {

struct Edge {
  StateId target;
  Marks marks;
};

// In place of a command: the model stays where it is, since no command is enabled.
inline constexpr int32_t kNoCommand = -1;

// Marks that steps of the model carry beside those of the automaton's edges: what fairness speaks of.
struct StepMarks {
  struct OfCommand {
    Marks taken;     // on the steps that it takes
    Marks enabled;   // on all steps from a state in which it is enabled
    Marks disabled;  // on all steps from a state in which no command with the mark is enabled
  };
  std::vector<OfCommand> commands;  // none: steps carry no marks

  // The marks of all steps from a state.
  Marks of_state(std::span<const int32_t> enabled) const {
    Marks shown = 0, awake = 0;
    for (const int32_t command : enabled) {
      if (command < 0) continue;
      shown |= commands[static_cast<size_t>(command)].enabled;
      awake |= commands[static_cast<size_t>(command)].disabled;
    }
    return shown | (idle & ~awake);
  }
  Marks of_taken(int32_t command) const {
    return command < 0 ? 0 : commands[static_cast<size_t>(command)].taken;
  }

  Marks idle = 0;  // all marks that say that something is disabled
};

struct ProductOptions {
  bool stutter_deadlocks = true;         // a state without successors repeats itself forever
  std::optional<uint64_t> shuffle_seed;  // explore successors in a random order
  StepMarks step_marks;
};

// What the product is made of, without the states met so far. A product state is the model's vector followed
// by the automaton's state.
struct Space {
  Space(const Model& model_, const Automaton& automaton_, ProductOptions options_)
      : model(model_),
        automaton(automaton_),
        options(options_),
        automaton_bytes(automaton_.states() <= 1 << 8    ? 1
                        : automaton_.states() <= 1 << 16 ? 2
                                                         : 4) {}

  size_t row_bytes() const { return model.width() + automaton_bytes; }
  uint32_t automaton_state(const uint8_t* row) const {
    uint32_t state = 0;
    memcpy(&state, row + model.width(), automaton_bytes);
    return state;
  }
  void set_automaton_state(uint8_t* row, uint32_t state) const {
    memcpy(row + model.width(), &state, automaton_bytes);
  }

  const Model& model;
  const Automaton& automaton;
  const ProductOptions options;
  const size_t automaton_bytes;
};

class Product : public Space {
 public:
  Product(const Model& model_, const Automaton& automaton_, ProductOptions options_)
      : Space(model_, automaton_, options_), table(meter, row_bytes()) {}

  Marks state_marks(StateId state) const {
    return automaton.state_marks(automaton_state(table.vector(state)));
  }

  Meter meter;
  StateTable table;
};

// The letter of a step: is a proposition in it? Tests of steps are for letters of the source.
struct LetterOfStep {
  const Space& space;
  Letter kind;
  const uint8_t* source;
  const uint8_t* target;
  std::span<const int32_t> enabled = {};
  int32_t taken = kNoCommand;

  bool operator()(int32_t proposition) const {
    if (const StepTest* test = space.automaton.step_test(proposition)) return (*test)(enabled, taken);
    switch (kind) {
      case Letter::kSource:
        return test(proposition, source);
      case Letter::kDestination:
        return test(proposition, target);
      case Letter::kChange:
        return test(proposition, source) != test(proposition, target);
    }
    __builtin_unreachable();
  }

 private:
  bool test(int32_t proposition, const uint8_t* state) const {
    return space.automaton.test(proposition, state, space.model.width());
  }
};

// The order in which successors are explored. A random one depends on the seed and on what the state is, not
// on its number: it is the same in every search.
struct Order {
  enum Kind { kModel, kReversed, kRandom } kind = kModel;
  uint64_t seed = 0;

  static Order of(const ProductOptions& options) {
    return options.shuffle_seed ? Order{kRandom, *options.shuffle_seed} : Order{};
  }

  template <class T>
  void apply(std::vector<T>& items, uint64_t state_hash) const {
    if (kind == kReversed) {
      std::reverse(items.begin(), items.end());
    } else if (kind == kRandom) {
      uint64_t random = (seed ^ state_hash) * 0x9e3779b97f4a7c15ull;
      for (size_t left = items.size(); left > 1; --left) {
        random ^= random >> 30;
        random *= 0xbf58476d1ce4e5b9ull;
        random ^= random >> 27;
        std::swap(items[left - 1], items[random % left]);
      }
    }
  }
};

// Computes the edges of product states; each thread has its own. A depth-first search asks next for the first
// state that is new, and another search may say what it asks for next: the successors of that state are
// computed, and begin to come from memory, while those of the state before are still on their way.
template <class Table>
class SuccessorsOf {
 public:
  SuccessorsOf(const Space& space, Meter& meter, Table& table, Order order)
      : space_(space),
        table_(table),
        order_(order),
        stride_((table.width() + 7) / 8 * 8),
        now_(space, meter, stride_),
        ahead_(space, meter, stride_) {}

  // Each appends to `edges`, in the order of the model's successors and then of the automaton's edges, or in
  // the other order that was asked for. Who asks for them gets the commands that the edges come from.
  void initial(Array<Edge>& edges) {
    const auto& start = space_.model.initial();
    memcpy(now_.rows.data(), start.data(), start.size());
    now_.pending.clear();
    const LetterOfStep letter{space_, Letter::kSource, now_.rows.data(), nullptr};
    for (const Move& move : space_.automaton.initial(letter)) now_.add(0, move);
    request(now_);
    intern(edges);
  }

  // The state whose edges are asked for after those of the next one.
  void expect(StateId state) { expected_ = state; }

  // Returns how many successors of the model were left out.
  size_t post(StateId state, Array<Edge>& edges, Array<int32_t>* commands = nullptr) {
    if (state == std::exchange(ahead_of_, kNone)) {
      std::swap(now_, ahead_);
    } else {
      prepare(table_.vector(state), now_);
    }
    intern(edges);
    if (commands != nullptr)
      for (const Pending& next : now_.pending) commands->push(now_.commands[next.row]);
    return now_.left_out;
  }

 private:
  static constexpr StateId kNone = UINT32_MAX;

  struct Pending {
    size_t row;
    Move move;
    uint64_t hash;
    size_t place;  // in the table
  };

  // The successors of a state before they have numbers.
  struct Batch {
    Batch(const Space& space, Meter& meter, size_t stride)
        : rows(meter, (space.model.most_successors() + 1) * stride),
          commands(space.model.most_successors() + 1) {
      rows.extend((space.model.most_successors() + 1) * stride);
    }
    void add(size_t row, Move move) { pending.push_back({row, move, 0, 0}); }

    Array<uint8_t> rows;
    std::vector<int32_t> commands;  // of the rows
    size_t count = 0;               // of the rows
    size_t left_out = 0;            // successors of the model that have no row
    std::vector<Pending> pending;
  };

  uint8_t* row(Batch& batch, const Pending& next) {
    uint8_t* vector = batch.rows.data() + next.row * stride_;
    space_.set_automaton_state(vector, next.move.destination);
    return vector;
  }

  void prepare(const uint8_t* source, Batch& batch) {
    const uint32_t from = space_.automaton_state(source);
    const Letter kind = space_.automaton.letter();
    batch.pending.clear();
    batch.left_out = 0;
    if (kind == Letter::kSource && !space_.automaton.reads_steps()) {
      const auto moves = space_.automaton.moves(from, LetterOfStep{space_, kind, source, nullptr});
      if (moves.empty()) return;
      const size_t count = model_successors(source, batch);
      for (size_t i = 0; i < count; ++i)
        for (const Move& move : moves) batch.add(i, move);
    } else {
      const size_t count = model_successors(source, batch);
      const std::span<const int32_t> enabled(batch.commands.data(), count);
      for (size_t i = 0; i < count; ++i) {
        const uint8_t* target = batch.rows.data() + i * stride_;
        const LetterOfStep letter{space_, kind, source, target, enabled, enabled[i]};
        for (const Move& move : space_.automaton.moves(from, letter)) batch.add(i, move);
      }
    }
    if (!space_.options.step_marks.commands.empty()) mark_steps(batch);
    if (order_.kind != Order::kModel) order_.apply(batch.pending, table_.hash(source));
    request(batch);
  }

  void mark_steps(Batch& batch) const {
    const StepMarks& marks = space_.options.step_marks;
    const Marks of_state = marks.of_state({batch.commands.data(), batch.count});
    for (Pending& next : batch.pending)
      next.move.marks |= of_state | marks.of_taken(batch.commands[next.row]);
  }

  size_t model_successors(const uint8_t* source, Batch& batch) {
    const auto [count, left_out] =
        space_.model.post(source, batch.rows.data(), stride_, batch.commands.data());
    batch.count = count;
    batch.left_out = left_out;
    if (batch.count == 0 && space_.options.stutter_deadlocks) {
      memcpy(batch.rows.data(), source, space_.model.width());
      batch.commands[0] = kNoCommand;
      batch.count = 1;
    }
    return batch.count;
  }

  // All slots are fetched before the first is needed, then all vectors, so that the waits overlap.
  void request(Batch& batch) {
    for (Pending& next : batch.pending) {
      next.hash = table_.hash(row(batch, next));
      table_.prefetch_slot(next.hash);
    }
  }

  void intern(Array<Edge>& edges) {
    table_.make_room(now_.pending.size());
    const Pending* first_new = nullptr;
    for (Pending& next : now_.pending) {
      next.place = table_.prefetch_vector(next.hash);
      if (first_new == nullptr && table_.is_free(next.place)) first_new = &next;
    }
    if (expected_ != kNone) {
      if (look_ahead(table_.vector(expected_))) ahead_of_ = expected_;
      expected_ = kNone;
      first_new = nullptr;
    }
    const bool looked_ahead = first_new != nullptr && look_ahead(row(now_, *first_new));
    for (const Pending& next : now_.pending) {
      const StateId target = table_.insert(row(now_, next), next.hash, next.place).id;
      edges.push({target, next.move.marks});
      if (looked_ahead && &next == first_new) ahead_of_ = target;
    }
  }

  // An error of the model counts only when the search comes to the state.
  bool look_ahead(const uint8_t* source) {
    try {
      prepare(source, ahead_);
    } catch (const ModelError&) {
      return false;
    }
    return true;
  }

  const Space& space_;
  Table& table_;
  const Order order_;
  const size_t stride_;
  Batch now_, ahead_;
  StateId ahead_of_ = kNone, expected_ = kNone;
};

class Successors : public SuccessorsOf<StateTable> {
 public:
  explicit Successors(Product& product)
      : SuccessorsOf(product, product.meter, product.table, Order::of(product.options)) {}
};

}  // namespace buchi
