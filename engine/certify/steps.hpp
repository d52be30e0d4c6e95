// What a certificate knows of the steps of a model and of the edges of an automaton.
#pragma once

#include <cstdint>
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

struct Step {
  const std::vector<int32_t>& enabled;
  int32_t taken;

  bool takes(const Flags& commands) const { return taken >= 0 && commands[static_cast<size_t>(taken)]; }
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

}  // namespace buchi::certify
