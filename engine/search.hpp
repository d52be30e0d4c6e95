// The scaffolding of every search: counters, limits, progress, the search path, data kept for each state.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "control.hpp"
#include "product.hpp"

namespace buchi {

struct Counters {
  uint64_t states = 0;       // distinct states stored
  uint64_t transitions = 0;  // edges generated, each time they are generated
  uint64_t post_calls = 0;
  uint64_t max_depth = 0;
  uint64_t max_stack = 0;  // of what a check stacks beside its path: roots, or states of open components
  uint64_t passes = 1;     // searches over the product, for checks that may need several
  uint64_t deadlocks = 0;  // of the model; counted by `explore` only
  uint64_t bytes = 0;      // at the peak
  double seconds = 0;
};

// An accepting run: the states before the cycle, and those of the cycle, whose last leads back to its first.
struct Lasso {
  std::vector<StateId> prefix, cycle;
};

// Marks to be seen finitely and infinitely often.
struct Clause {
  Marks fin, inf;
};

class Search {
 public:
  Search(Product& product, Control& control, std::vector<Clause> clauses)
      : acceptance(std::move(clauses)), product_(product), control_(control), successors_(product) {
    product.meter.set_limit(control.limits.bytes);
    control.start();
  }

  // Explores from the initial states in turn until one exploration finds something.
  template <class Explore>
  bool any_start(Explore explore) {
    Array<Edge> starts(meter());
    successors_.initial(starts);
    counters.states = product_.table.size();
    for (const Edge start : starts)
      if (explore(start.target)) return true;
    return false;
  }

  // With one Inf set on states: does a state belong to it, one of a path or any other?
  Marks state_marks(StateId state) const { return product_.state_marks(state); }
  bool accepts(Marks marks) const {
    const Marks inf = acceptance.at(0).inf;
    return (marks & inf) == inf;
  }
  bool is_accepting(StateId state) const { return accepts(state_marks(state)); }

  // Appends the edges of a state. Throws LimitReached.
  void post(StateId state, Array<Edge>& edges) {
    if (++counters.post_calls % kPollInterval == 0) poll();
    const size_t before = edges.size();
    successors_.post(state, edges);
    counters.transitions += edges.size() - before;
    counters.states = product_.table.size();
    if (control_.limits.states != 0 && counters.states > control_.limits.states) throw LimitReached{"states"};
  }

  void note_depth(size_t depth) {
    if (depth > counters.max_depth) counters.max_depth = depth;
  }
  void note_stack(size_t size) {
    if (size > counters.max_stack) counters.max_stack = size;
  }

  // After a verdict: the counters no longer change while the counterexample is extracted.
  void finish() {
    counters.seconds = control_.seconds();
    counters.bytes = product_.meter.peak();
    publish();
  }

  Meter& meter() { return product_.meter; }
  Product& product() { return product_; }
  Control& control() { return control_; }

  const std::vector<Clause> acceptance;
  Counters counters;
  Lasso lasso;

 private:
  static constexpr uint64_t kPollInterval = 256;

  void poll() {
    publish();
    control_.check();
  }
  void publish() {
    control_.states.store(counters.states, std::memory_order_relaxed);
    control_.transitions.store(counters.transitions, std::memory_order_relaxed);
    control_.depth.store(counters.max_depth, std::memory_order_relaxed);
    control_.bytes.store(product_.meter.used(), std::memory_order_relaxed);
  }

  Product& product_;
  Control& control_;
  Successors successors_;
};

// A value for each state, zero until it is set.
template <class T>
class StateArray {
 public:
  explicit StateArray(Search& search) : table_(search.product().table), values_(search.meter()) {}

  // For the array that a search reads at each edge: its values come from memory together with the states.
  void fetch_with_states(size_t states_per_value = 1) {
    table_.fetch_beside(values_.data(), 8 * sizeof(T) / states_per_value);
  }

  T& operator[](StateId state) {
    if (state >= values_.size()) values_.extend(size_t{state} + 1);
    return values_[state];
  }

 private:
  StateTable& table_;
  Array<T> values_;
};

// A few bits for each state, zero until they are set.
template <int kBits>
class StateBits {
 public:
  explicit StateBits(Search& search) : bytes_(search) {}

  int operator[](StateId state) { return bytes_[state / kPerByte] >> shift(state) & kMask; }
  void set(StateId state, int value) {
    uint8_t& byte = bytes_[state / kPerByte];
    byte = static_cast<uint8_t>((byte & ~(kMask << shift(state))) | value << shift(state));
  }
  void fetch_with_states() { bytes_.fetch_with_states(kPerByte); }

 private:
  static_assert(kBits == 1 || kBits == 2 || kBits == 4);
  static constexpr StateId kPerByte = 8 / kBits;
  static constexpr int kMask = (1 << kBits) - 1;
  static int shift(StateId state) { return static_cast<int>(state % kPerByte) * kBits; }

  StateArray<uint8_t> bytes_;
};

// The path of a depth-first search, with the edges of its states that are still to be explored.
class Path {
 public:
  explicit Path(Search& search) : search_(search), frames_(search.meter()), edges_(search.meter()) {}

  struct Frame {
    StateId state;
    Marks marks;  // of the edge that led here, or of the state where acceptance is read on states
    size_t edges_before;
  };

  bool empty() const { return frames_.empty(); }
  size_t size() const { return frames_.size(); }
  const Frame& operator[](size_t i) const { return frames_[i]; }
  const Frame& top() const { return frames_[frames_.size() - 1]; }

  // Steps into a state; its edges come in the order of `post`, last first in memory, so that a used edge
  // frees its place.
  void enter(StateId state, Marks marks) {
    frames_.push({state, marks, edges_.size()});
    search_.note_depth(frames_.size());
    search_.post(state, edges_);
    std::reverse(edges_.begin() + frames_.back().edges_before, edges_.end());
  }
  std::optional<Edge> next_edge() {
    if (edges_.size() == top().edges_before) return std::nullopt;
    return edges_.pop();
  }
  // The edges of the top state that are still to be explored.
  std::span<const Edge> pending() const {
    return {edges_.data() + top().edges_before, edges_.size() - top().edges_before};
  }
  // Back to the state before.
  void leave() {
    edges_.shrink(top().edges_before);
    frames_.pop();
  }

 private:
  Search& search_;
  Array<Frame> frames_;
  Array<Edge> edges_;
};

// The lasso that an edge from the top of a path back to `target` closes; `tail` continues the path from its
// top, as the second search of a nested one does.
inline Lasso close_lasso(const Path& path, StateId target, const Path* tail = nullptr) {
  Lasso lasso;
  std::vector<StateId>* part = &lasso.prefix;
  const auto append = [&](StateId state) {
    if (state == target) part = &lasso.cycle;
    part->push_back(state);
  };
  for (size_t i = 0; i < path.size(); ++i) append(path[i].state);
  for (size_t i = 1; tail != nullptr && i < tail->size(); ++i) append((*tail)[i].state);
  return lasso;
}

// An emptiness check: returns whether there is an accepting run and leaves it in `search.lasso`.
using Kernel = bool (*)(Search& search);

struct RegisteredKernel {
  const char* name;
  Kernel run;
};

inline std::vector<RegisteredKernel>& kernels() {
  static std::vector<RegisteredKernel> all;
  return all;
}

// A checker's file registers its kernel by itself: `inline const KernelRegistration ascc_kernel("ascc",
// ascc);`
struct KernelRegistration {
  KernelRegistration(const char* name, Kernel run) { kernels().push_back({name, run}); }
};

}  // namespace buchi
