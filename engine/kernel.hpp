// The protocol of an emptiness check, and the scaffold that runs it.
#pragma once

#include <new>
#include <vector>

#include "path.hpp"
#include "state_array.hpp"

namespace buchi {

// How a search ended, and what it took. A limit may end the extraction of a run, or what makes it shorter:
// the lasso is then empty, or the best so far.
struct Outcome {
  End end = End::kDone;
  Counters counters;
  Lasso lasso;
  std::vector<int64_t> largest;            // values that an exploration was asked for
  std::vector<std::vector<uint8_t>> seen;  // commands and values that occurred in it, likewise
  std::vector<uint64_t> levels;            // of an exploration by one: states met within 0, 1, ... steps
  // Of a model: the way to what was searched for, or a deadlock that an exploration has met.
  std::vector<std::vector<uint8_t>> path;
};

// The protocol of an emptiness check, a class that
//   is made for a worker,
//   `bool explore(StateId start)`: explores from an initial state, and tells whether there is an accepting
//   run, `void extract(Lasso&)`: is asked for that run afterwards, and may walk through the product once
//   more; `bool another_pass()`: where it has one, is asked after the last initial state whether to go
//   through all of them again.
// The scaffold below times, counts and finishes.
template <class Kernel>
bool find(Worker& worker, Kernel& kernel) {
  const Array<Edge> starts = worker.starts();
  for (;;) {
    for (size_t i = 0; i < starts.size(); ++i)
      if (kernel.explore(starts[i].target)) return true;
    if constexpr (requires { kernel.another_pass(); }) {
      if (!kernel.another_pass()) return false;
      ++worker.counters.passes;
    } else {
      return false;
    }
  }
}

template <class Kernel>
void run_worker(Worker& worker, Outcome& outcome) {
  Kernel kernel(worker);
  const bool found = find(worker, kernel);
  worker.finish();
  if (!found) return;
  outcome.end = End::kFound;
  kernel.extract(outcome.lasso);
}

template <class Kernel>
Outcome run_kernel(Search& search) {
  Outcome outcome;
  Worker worker(search);
  try {
    search.begin();
    run_worker<Kernel>(worker, outcome);
  } catch (const LimitReached& limit) {
    outcome.end = limit.end;
    worker.finish();
  } catch (const std::bad_alloc&) {
    outcome.end = End::kMemory;
    worker.finish();
  }
  outcome.counters = worker.counters;
  return outcome;
}

struct RegisteredKernel {
  const char* name;
  Outcome (*run)(Search& search);
  bool takes_workers;          // else there is one
  bool takes_further = false;  // conditions, beside the acceptance
};

inline std::vector<RegisteredKernel>& kernels() {
  static std::vector<RegisteredKernel> all;
  return all;
}

// A checker's file registers its kernel by itself: `inline const Registration<Gv> gv_kernel("gv");`
template <class Kernel>
struct Registration {
  explicit Registration(const char* name, bool takes_further = false) {
    kernels().push_back({name, run_kernel<Kernel>, false, takes_further});
  }
};

}  // namespace buchi
