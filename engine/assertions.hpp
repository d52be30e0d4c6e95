// A shortest way to a state in which an assertion of the model fails.
#pragma once

#include "explore.hpp"

namespace buchi {

// Breadth-first: the dense numbers of the table are the queue. A state with another fault has no successors.
class AssertionSearch {
 public:
  AssertionSearch(const Model& model, Control& control)
      : model_(model),
        control_(control),
        table_(meter_, model.width()),
        expansion_(model, nothing_, meter_, table_),
        parents_(meter_) {
    meter_.set_limit(control.limits.bytes);
    control.start();
  }

  // Whether there is one; its state is the last of `path`.
  bool run() {
    expansion_.add_initial();
    intern(0);
    StateId level_end = 0;
    for (StateId state = 0; state < table_.size(); ++state) {
      if (state == level_end) {
        level_end = table_.size();
        ++counters_.max_depth;
      }
      if (fails(state)) return true;
      intern(state);
      poll(state);
    }
    return false;
  }

  // The vectors of the states on the way to the one that was found.
  std::vector<std::vector<uint8_t>> path() const {
    std::vector<std::vector<uint8_t>> states;
    for (StateId state = found_;; state = parents_[state]) {
      const uint8_t* vector = table_.vector(state);
      states.emplace_back(vector, vector + model_.width());
      if (parents_[state] == state) break;
    }
    std::reverse(states.begin(), states.end());
    return states;
  }

  Counters finish() {
    counters_.states = table_.size();
    counters_.seconds = control_.seconds();
    counters_.bytes = meter_.peak();
    return counters_;
  }

 private:
  bool fails(StateId state) {
    try {
      expansion_.post(state, counters_);
    } catch (const ModelError& error) {
      found_ = state;
      return error.fault.kind == Fault::kAssertion;
    }
    return false;
  }

  void intern(StateId from) {
    expansion_.intern([&](StateId) { parents_.push(from); });
  }

  void poll(StateId state) {
    control_.check_states(table_.size());
    if (state % 256 != 0) return;
    control_.states.store(table_.size(), std::memory_order_relaxed);
    control_.transitions.store(counters_.transitions, std::memory_order_relaxed);
    control_.depth.store(counters_.max_depth, std::memory_order_relaxed);
    control_.bytes.store(meter_.used(), std::memory_order_relaxed);
    control_.check();
  }

  const Model& model_;
  Control& control_;
  const Measures nothing_;
  Meter meter_;
  StateTable table_;
  Expansion<StateTable> expansion_;
  Array<StateId> parents_;  // the initial state is its own
  Counters counters_;
  StateId found_ = 0;
};

}  // namespace buchi
