// The product that a certificate is about, by its definition: which edges leave a row.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "expression.hpp"
#include "model.hpp"
#include "row_set.hpp"
#include "steps.hpp"

namespace buchi::certify {

enum class Letter : int32_t { kSource, kDestination, kChange };

// Edges whose targets are to be looked up together, and what one thread needs to find them.
struct Edges {
  struct Edge {
    Row source;
    uint32_t marks;
    int32_t command;
    uint64_t hash;  // of its target
  };

  Edges(size_t stride_, size_t successors_)
      : stride(stride_),
        most(kBatch + successors_ + 1),
        targets(most * stride),
        successors((successors_ + 1) * stride),
        commands(successors_ + 1) {
    all.reserve(most);
  }
  uint8_t* target(size_t edge) { return targets.data() + edge * stride; }
  // Is there no room left for an edge for each successor?
  bool is_full() const { return all.size() >= kBatch; }

  static constexpr size_t kBatch = 128;
  const size_t stride, most;
  std::vector<Edge> all;
  std::vector<uint8_t> targets, successors;
  std::vector<int32_t> commands, enabled, stack;
  std::vector<Move> found;
};

class Product {
 public:
  Product(const Model& model_, size_t automaton_bytes, int32_t letter, bool stutter)
      : model(model_),
        automaton_bytes_(automaton_bytes),
        letter_(static_cast<Letter>(letter)),
        stutter_(stutter) {}

  void set_propositions(std::vector<int32_t> tables, const std::vector<std::vector<int32_t>>& programs,
                        const std::vector<std::tuple<uint32_t, bool, bool, Flags>>& steps) {
    tables_ = std::move(tables);
    for (const auto& program : programs) programs_.emplace_back(program);
    for (const auto& [number, of_taken, negated, commands] : steps) {
      steps_.push_back({uint64_t{1} << number, of_taken, negated, commands});
      about_steps_ |= steps_.back().bit;
    }
  }

  void set_automaton(size_t states, const std::vector<std::tuple<uint64_t, uint64_t, uint32_t>>& initial,
                     const std::vector<std::tuple<uint32_t, uint64_t, uint64_t, uint32_t, uint32_t>>& edges) {
    outgoing_.resize(states);
    for (const auto& [yes, no, state] : initial) initial_.add({yes, no}, {state, 0});
    for (const auto& [source, yes, no, marks, target] : edges)
      outgoing_.at(source).add({yes, no}, {target, marks});
    uint64_t read = initial_.read;
    for (const Outgoing& one : outgoing_) read |= one.read;
    if (read != 0 && 63 - static_cast<size_t>(__builtin_clzll(read)) >= programs_.size())
      throw std::invalid_argument("a label has a proposition too many");
  }

  void set_fairness(const std::vector<std::tuple<bool, uint32_t, Flags>>& conditions) {
    for (const auto& [strong, mark, commands] : conditions) fair_.push_back({strong, mark, commands});
  }

  const std::vector<int32_t>& tables() const { return tables_; }
  size_t row_bytes() const { return model.width() + automaton_bytes_; }
  size_t automaton_states() const { return outgoing_.size(); }
  uint32_t automaton_state(const uint8_t* row) const {
    uint32_t state = 0;
    memcpy(&state, row + model.width(), automaton_bytes_);
    return state;
  }
  void set_automaton_state(uint8_t* row, uint32_t state) const {
    for (size_t i = 0; i < automaton_bytes_; ++i)
      row[model.width() + i] = static_cast<uint8_t>(state >> 8 * i);
  }

  // The states in which the automaton begins. False where a proposition fails.
  bool begin(const uint8_t* state, Edges& edges) const {
    uint64_t letter;
    if (!read_letter(state, initial_.read, edges.stack, letter)) return false;
    initial_.find(letter, edges.found);
    return true;
  }

  // Adds the edges of a row; `look_up` is called where there is no room for one. Returns what fails.
  template <class LookUp>
  const char* add_edges(Row row, const uint8_t* source, Edges& edges, LookUp look_up) const {
    if (edges.is_full()) look_up();
    const Outgoing& outgoing = outgoing_[automaton_state(source)];
    uint64_t here;
    if (!read_letter(source, outgoing.read, edges.stack, here)) return "a proposition fails in this state";
    const bool is_known = letter_ == Letter::kSource && steps_.empty();
    if (is_known) {
      outgoing.find(here, edges.found);
      if (edges.found.empty()) return nullptr;
    }
    // Where each step of the model is one edge, it is written where the target of that is looked for.
    const bool is_one = is_known && edges.found.size() == 1;
    uint8_t* successors = is_one ? edges.target(edges.all.size()) : edges.successors.data();
    size_t count;
    try {
      count = model.post(source, successors, edges.stride, edges.commands.data()).count;
    } catch (const ModelError&) {
      return "a step of the model fails in this state";
    }
    if (!steps_.empty() || !fair_.empty())
      edges.enabled.assign(edges.commands.begin(), edges.commands.begin() + static_cast<ptrdiff_t>(count));
    if (count == 0 && stutter_) {
      memcpy(successors, source, model.width());
      edges.commands[count++] = kNothing;
    }
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* target = successors + i * edges.stride;
      const Step step{edges.enabled, edges.commands[i]};
      if (!is_known) {
        uint64_t there = 0;
        if (letter_ != Letter::kSource && !read_letter(target, outgoing.read, edges.stack, there))
          return "a proposition fails after a step from this state";
        const uint64_t letter = letter_ == Letter::kSource   ? here
                                : letter_ == Letter::kChange ? here ^ there
                                                             : there;
        outgoing.find(letter | letter_of_step(step), edges.found);
      }
      const uint32_t marks = fair_.empty() ? 0 : marks_of_step(step);
      for (const Move& move : edges.found) {
        if (edges.all.size() == edges.most) look_up();
        add_edge(target, move.destination, {row, move.marks | marks, step.taken, 0}, edges);
      }
    }
    return nullptr;
  }

  const Model& model;

 private:
  // Of these propositions, which hold in a state, but for those about steps. False where one fails.
  bool read_letter(const uint8_t* state, uint64_t read, std::vector<int32_t>& stack, uint64_t& letter) const {
    letter = 0;
    for (uint64_t left = read & ~about_steps_; left != 0; left &= left - 1) {
      const auto value = programs_[static_cast<size_t>(__builtin_ctzll(left))](state, tables_, stack);
      if (!value) return false;
      if (*value != 0) letter |= left & -left;
    }
    return true;
  }
  uint64_t letter_of_step(Step step) const {
    uint64_t letter = 0;
    for (const StepProposition& one : steps_)
      if ((one.of_taken ? step.takes(one.commands) : step.enables(one.commands)) != one.negated)
        letter |= one.bit;
    return letter;
  }
  uint32_t marks_of_step(Step step) const {
    uint32_t marks = 0;
    for (const Fairness& one : fair_) {
      const bool moves = step.takes(one.commands), waits = step.enables(one.commands);
      if (one.strong) {
        marks |= (waits ? 1u << one.mark : 0) | (moves ? 2u << one.mark : 0);
      } else if (moves || !waits) {
        marks |= 1u << one.mark;
      }
    }
    return marks;
  }

  void add_edge(const uint8_t* successor, uint32_t destination, Edges::Edge edge, Edges& edges) const {
    uint8_t* target = edges.target(edges.all.size());
    if (target != successor) memcpy(target, successor, model.width());
    set_automaton_state(target, destination);
    edges.all.push_back(edge);
  }

  const size_t automaton_bytes_;
  const Letter letter_;
  const bool stutter_;
  std::vector<int32_t> tables_;
  std::vector<Expression> programs_;
  std::vector<StepProposition> steps_;
  uint64_t about_steps_ = 0;  // their bits
  Outgoing initial_;
  std::vector<Outgoing> outgoing_;  // of each state of the automaton
  std::vector<Fairness> fair_;
};

}  // namespace buchi::certify
