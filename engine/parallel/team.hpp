// A team of workers that search one product: threads, the first end, counters, and what was found as a lasso.
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel.hpp"
#include "shared_table.hpp"

namespace buchi {

// Workers in threads, and how the first of them ends.
class Crew {
 public:
  explicit Crew(unsigned workers_) : workers(workers_) {}

  // To be looked at in each step: a worker may go back over many states without a `post`. Relaxed: what a
  // worker does after another has ended is wasted, not wrong.
  bool is_over() const { return over_.load(std::memory_order_relaxed); }

  // The first end is that of the search; a worker that was stopped has no opinion. But what was found is
  // there, whatever others came to meanwhile: they may have explored the rest before it could be told.
  void finish(End end) { finish(end, nullptr); }
  void finish(End end, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (is_over() && (end != End::kFound || end_ == End::kFound)) return;
    end_ = end;
    error_ = std::move(error);
    over_.store(true, std::memory_order_relaxed);
  }

  // Runs `work(index)` in threads, and returns how the first of them ended; throws what it threw.
  template <class Work>
  End run(Work work) {
    const auto guarded = [&](unsigned index) {
      try {
        work(index);
      } catch (const LimitReached& limit) {
        finish(limit.end);
      } catch (const std::bad_alloc&) {
        finish(End::kMemory);
      } catch (...) {
        finish(End::kDone, std::current_exception());
      }
    };
    std::vector<std::thread> threads;
    try {
      for (unsigned i = 1; i < workers; ++i) threads.emplace_back(guarded, i);
    } catch (const std::exception&) {  // no more threads are to be had: those that are there will do
    }
    guarded(0);
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
    return end_;
  }

  void add(const Counters& own) {
    const std::lock_guard lock(mutex_);
    counters.states += own.states;
    counters.transitions += own.transitions;
    counters.post_calls += own.post_calls;
    counters.reduced_posts += own.reduced_posts;
    counters.left_out += own.left_out;
    counters.components += own.components;
    counters.deadlocks += own.deadlocks;
    counters.max_depth = std::max(counters.max_depth, own.max_depth);
    counters.max_stack = std::max(counters.max_stack, own.max_stack);
  }

  const unsigned workers;
  Counters counters;  // of those that have ended

 private:
  std::mutex mutex_;
  End end_ = End::kDone;
  std::exception_ptr error_;
  alignas(64) std::atomic<bool> over_{false};
};

// What the workers of a team share besides the search: the states met, and how the search ended.
class Team : public Crew {
 public:
  Team(Search& search_, size_t bytes_beside)
      : Crew(search_.workers),
        search(search_),
        table(search_.meter(), search_.product.row_bytes(), bytes_beside, search_.workers) {}

  Search& search;
  SharedTable table;
};

// Adds what one worker did since the last time to the progress of all. Relaxed: it is shown to people, and a
// limit may be overrun by what the others do at the moment.
class ProgressOfOne {
 public:
  void tell(Control& control, const Meter& meter, const Counters& counters) {
    control.states.fetch_add(counters.states - told_.states, std::memory_order_relaxed);
    control.transitions.fetch_add(counters.transitions - told_.transitions, std::memory_order_relaxed);
    if (counters.max_depth > control.depth.load(std::memory_order_relaxed))
      control.depth.store(counters.max_depth, std::memory_order_relaxed);
    control.bytes.store(meter.used(), std::memory_order_relaxed);
    told_ = counters;
  }

 private:
  Counters told_;
};

// What one worker of a team has for itself. Its counters are added to those of the team when it ends.
class TeamWorker {
 public:
  using Successors = SuccessorsOf<SharedTable::Handle>;

  TeamWorker(Team& team_, unsigned index_)
      : team(team_),
        index(index_),
        table(team_.table),
        successors(team_.search.product, team_.search.meter(), table, order(team_.search, index_)) {}
  ~TeamWorker() {
    publish();
    team.add(counters);
  }
  TeamWorker(const TeamWorker&) = delete;
  TeamWorker& operator=(const TeamWorker&) = delete;

  Meter& meter() { return team.search.meter(); }

  // Appends the edges of a state. Throws LimitReached; where states are limited, all are told of each one.
  void post(StateId state, Array<Edge>& edges) {
    if (++counters.post_calls % kPollInterval == 0) poll();
    count_left_out(successors.post(state, edges), counters);
    Control& control = team.search.control;
    if (control.limits.states == 0) return;
    publish();
    control.check_states(control.states.load(std::memory_order_relaxed));
  }

  void note_depth(size_t depth) {
    if (depth > counters.max_depth) counters.max_depth = depth;
  }

  Team& team;
  const unsigned index;
  SharedTable::Handle table;
  Successors successors;
  Counters counters;

 private:
  static constexpr uint64_t kPollInterval = 256;

  // The first worker keeps to the order that was asked for, so that one alone searches as a sequential check
  // does; the others go other ways and meet less.
  static Order order(const Search& search, unsigned index) {
    const Order wanted = Order::of(search.product.options);
    if (index == 0) return wanted;
    if (index == 1 && wanted.kind == Order::kModel) return {Order::kReversed, 0};
    return {Order::kRandom, wanted.seed + index};
  }

  void poll() {
    publish();
    team.search.control.check();
  }

  void publish() {
    counters.states = table.inserted();
    progress_.tell(team.search.control, team.search.meter(), counters);
  }

  ProgressOfOne progress_;
};

// Brings a run of the team's states to the product, whose numbers are others.
inline std::vector<StateId> numbered_in(Product& product, const SharedTable& from,
                                        const std::vector<StateId>& states) {
  std::vector<StateId> result;
  for (const StateId state : states) {
    const uint8_t* row = from.vector(state);
    product.table.make_room(1);
    const uint64_t hash = product.table.hash(row);
    result.push_back(product.table.insert(row, hash, product.table.prefetch_vector(hash)).id);
  }
  return result;
}

// The protocol of a check by a team, a class with
//   `Shared`, made for a team: what its workers share besides; `bytes_a_state(search)` of it for each state;
//     `void extract(TeamWorker&, Lasso&)`: the run that was found, after all workers have ended;
//     `passes()`: where it has one, how many searches over the product there were,
//   a constructor for a worker of the team,
//   `bool explore(const Array<Edge>& starts)`: explores from the initial states; false also where the team is
//     over.
template <class Kernel>
Outcome run_team(Search& search) {
  Outcome outcome;
  Team team(search, Kernel::Shared::bytes_a_state(search));
  typename Kernel::Shared shared(team);
  search.begin();
  outcome.end = team.run([&](unsigned index) {
    TeamWorker worker(team, index);
    Array<Edge> starts(search.meter());
    worker.successors.initial(starts);
    Kernel kernel(shared, worker);
    const bool found = kernel.explore(starts);
    team.finish(found ? End::kFound : End::kDone);
  });
  team.counters.seconds = search.control.seconds();
  outcome.counters = team.counters;
  if constexpr (requires { shared.passes(); }) outcome.counters.passes = shared.passes();
  if (outcome.end == End::kFound) {
    Lasso lasso;
    try {
      TeamWorker worker(team, 0);
      shared.extract(worker, lasso);
      outcome.lasso.prefix = numbered_in(search.product, team.table, lasso.prefix);
      outcome.lasso.cycle = numbered_in(search.product, team.table, lasso.cycle);
    } catch (const LimitReached& limit) {
      outcome.end = limit.end;
    } catch (const std::bad_alloc&) {
      outcome.end = End::kMemory;
    }
  }
  outcome.counters.bytes = search.meter().peak();
  return outcome;
}

// Registers a check by a team: `inline const TeamRegistration<Ufscc> ufscc_kernel("ufscc");`
template <class Kernel>
struct TeamRegistration {
  explicit TeamRegistration(const char* name) { kernels().push_back({name, run_team<Kernel>, true}); }
};

}  // namespace buchi
