// A search: what all of its workers share, and what each has for itself.
#pragma once

#include <utility>
#include <vector>

#include "control.hpp"
#include "numbering.hpp"
#include "product.hpp"

namespace buchi {

struct Counters {
  uint64_t states = 0;       // distinct states stored
  uint64_t transitions = 0;  // edges generated, each time they are generated
  uint64_t post_calls = 0;
  uint64_t reduced_posts = 0;  // of these, those that left out successors of the model
  uint64_t left_out = 0;       // such successors
  uint64_t max_depth = 0;
  uint64_t max_stack = 0;   // of what a check stacks beside its path: roots, or states of open components
  uint64_t components = 0;  // that were explored completely, by checks that tell them apart
  uint64_t passes = 1;      // searches over the product, for checks that may need several
  uint64_t deadlocks = 0;   // of the model; counted by `explore` only
  uint64_t bytes = 0;       // at the peak
  double seconds = 0;
};

inline void count_left_out(size_t successors, Counters& counters) {
  counters.reduced_posts += successors != 0;
  counters.left_out += successors;
}

// An accepting run: the states before the cycle, and those of the cycle, whose last leads back to its first.
// Without a cycle it is a run that ends in a state of the model from which every way on is accepted.
struct Lasso {
  std::vector<StateId> prefix, cycle;
};

// Marks to be seen finitely and infinitely often.
struct Clause {
  Marks fin, inf;
};

// What all workers share: the product, what is accepted, and how the search is ended.
class Search {
 public:
  Search(Product& product_, Control& control_, std::vector<Clause> clauses,
         std::vector<std::vector<Clause>> further_ = {}, unsigned workers_ = 1, bool pairs_together_ = false)
      : acceptance(std::move(clauses)),
        further(std::move(further_)),
        product(product_),
        control(control_),
        workers(workers_),
        pairs_together(pairs_together_) {}

  void begin() {
    product.meter.set_limit(control.limits.bytes);
    control.start();
  }

  // For checks of one clause without Fin.
  Marks inf() const { return acceptance.at(0).inf; }
  bool accepts(Marks marks) const { return (marks & inf()) == inf(); }
  // With one Inf set on states: does a state belong to it, one of a path or any other?
  Marks state_marks(StateId state) const { return product.state_marks(state); }
  bool is_accepting(StateId state) const { return accepts(state_marks(state)); }

  Meter& meter() { return product.meter; }

  // Where components are to be numbered: the numbering without the edges of these marks; nowhere a second
  // one.
  Numbering* begin_numbering(Marks fin) {
    if (numberings == nullptr || numberings->has(fin)) return nullptr;
    return &numberings->begin(fin);
  }

  const std::vector<Clause> acceptance;            // a run satisfies one of them,
  const std::vector<std::vector<Clause>> further;  // and one of each of these; for `generic` only
  Product& product;
  Control& control;
  const unsigned workers;
  const bool pairs_together;         // for checks of one clause after the other
  Numberings* numberings = nullptr;  // that are asked for
};

// What one worker has for itself: its successor function and its counters.
class Worker {
 public:
  explicit Worker(Search& search_) : search(search_), successors_(search_.product) {}

  Meter& meter() { return search.meter(); }

  // The initial states of the product.
  Array<Edge> starts() {
    Array<Edge> edges(search.meter());
    successors_.initial(edges);
    counters.states = search.product.table.size();
    return edges;
  }

  // The state that is asked for after the next one, where that is not the first new one.
  void expect(StateId state) { successors_.expect(state); }

  // Appends the edges of a state. Throws LimitReached.
  void post(StateId state, Array<Edge>& edges) {
    if (++counters.post_calls % kPollInterval == 0) poll();
    const size_t before = edges.size();
    count_left_out(successors_.post(state, edges), counters);
    counters.transitions += edges.size() - before;
    counters.states = search.product.table.size();
    search.control.check_states(counters.states);
  }

  void note_depth(size_t depth) {
    if (depth > counters.max_depth) counters.max_depth = depth;
  }
  void note_stack(size_t size) {
    if (size > counters.max_stack) counters.max_stack = size;
  }

  // Time and memory as they are now.
  void finish() {
    counters.seconds = search.control.seconds();
    counters.bytes = search.meter().peak();
    publish();
  }

  Search& search;
  Counters counters;

 private:
  static constexpr uint64_t kPollInterval = 256;

  void poll() {
    publish();
    search.control.check();
  }
  void publish() {
    Control& control = search.control;
    control.states.store(counters.states, std::memory_order_relaxed);
    control.transitions.store(counters.transitions, std::memory_order_relaxed);
    control.depth.store(counters.max_depth, std::memory_order_relaxed);
    control.bytes.store(search.meter().used(), std::memory_order_relaxed);
  }

  Successors successors_;
};

}  // namespace buchi
