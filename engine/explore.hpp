// All reachable states of a model, breadth first.
#pragma once

#include "control.hpp"
#include "model.hpp"
#include "search.hpp"
#include "state_table.hpp"

namespace buchi {

// The dense numbers of the table are the queue. Successors are gathered from several states before they are
// looked up, so that many waits for memory overlap.
class Exploration {
 public:
  Exploration(const Model& model, Control& control)
      : model_(model),
        control_(control),
        table_(meter_, model.width()),
        stride_((table_.width() + 7) / 8 * 8),
        rows_(meter_, (kBatch + model.most_successors() + 1) * stride_) {
    meter_.set_limit(control.limits.bytes);
    control.start();
    rows_.extend((kBatch + model.most_successors() + 1) * stride_);
    commands_.resize(model.most_successors());
  }

  void run() {
    memcpy(rows_.data(), model_.initial().data(), model_.width());
    intern(1);
    for (StateId next = 0; next < table_.size();) {
      size_t gathered = 0;
      for (; next < table_.size() && gathered < kBatch; ++next) gathered += post(next, gathered);
      intern(gathered);
      poll();
    }
  }

  Counters finish() {
    counters_.states = table_.size();
    counters_.seconds = control_.seconds();
    counters_.bytes = meter_.peak();
    return counters_;
  }

 private:
  static constexpr size_t kBatch = 64;

  size_t post(StateId state, size_t gathered) {
    const size_t count =
        model_.post(table_.vector(state), rows_.data() + gathered * stride_, stride_, commands_.data());
    ++counters_.post_calls;
    counters_.transitions += count;
    counters_.deadlocks += count == 0;
    return count;
  }

  void intern(size_t count) {
    table_.make_room(count);
    hashes_.resize(count);
    places_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      hashes_[i] = table_.hash(rows_.data() + i * stride_);
      table_.prefetch_slot(hashes_[i]);
    }
    for (size_t i = 0; i < count; ++i) places_[i] = table_.prefetch_vector(hashes_[i]);
    for (size_t i = 0; i < count; ++i) table_.insert(rows_.data() + i * stride_, hashes_[i], places_[i]);
  }

  void poll() {
    control_.check_states(table_.size());
    if (++polls_ % 64 != 0) return;
    control_.states.store(table_.size(), std::memory_order_relaxed);
    control_.transitions.store(counters_.transitions, std::memory_order_relaxed);
    control_.bytes.store(meter_.used(), std::memory_order_relaxed);
    control_.check();
  }

  const Model& model_;
  Control& control_;
  Meter meter_;
  StateTable table_;
  const size_t stride_;
  Array<uint8_t> rows_;
  std::vector<int32_t> commands_;  // of the successors of one state; nobody asks for them
  std::vector<uint64_t> hashes_;
  std::vector<size_t> places_;
  Counters counters_;
  uint64_t polls_ = 0;
};

}  // namespace buchi
