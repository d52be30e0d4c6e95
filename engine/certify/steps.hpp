// What a certificate knows of the steps of a model and of the edges of an automaton.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace buchi::certify {

// For each command: is it one of them?
using Flags = std::vector<bool>;

struct StepProposition {
  uint64_t bit;
  bool of_taken, negated;
  Flags commands;
};

// A fairness condition and its marks: weak ones say "moved or disabled", strong ones "enabled" and "moved".
struct Fairness {
  bool strong;
  uint32_t mark;  // the first one
  Flags commands;
};

inline constexpr int32_t kNothing = -1;  // in place of a command: the model stays where it is

struct Step {
  const std::vector<int32_t>& enabled;
  int32_t taken;

  bool takes(const Flags& commands) const {
    return taken != kNothing && commands[static_cast<size_t>(taken)];
  }
  bool enables(const Flags& commands) const {
    for (const int32_t command : enabled)
      if (commands[static_cast<size_t>(command)]) return true;
    return false;
  }
};

struct Move {
  uint32_t destination, marks;
};

struct Label {
  uint64_t yes, no;
  bool holds(uint64_t letter) const { return (letter & yes) == yes && (letter & no) == 0; }
};

// The edges that leave a state of the automaton, and the propositions that they read.
struct Outgoing {
  void add(Label label, Move move) {
    edges.emplace_back(label, move);
    read |= label.yes | label.no;
  }
  void find(uint64_t letter, std::vector<Move>& found) const {
    found.clear();
    for (const auto& [label, move] : edges)
      if (label.holds(letter)) found.push_back(move);
  }

  std::vector<std::pair<Label, Move>> edges;
  uint64_t read = 0;
};

}  // namespace buchi::certify
