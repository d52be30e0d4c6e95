// Generalized Rabin pairs by a team of workers: Bloemen, Duret-Lutz & van de Pol, "Model checking with
// generalized Rabin and Fin-less automata" (2019), section 3.3: the search of a pair as in `ufscc`, around
// its Fin edges, from a list of starts that all workers of the pair share.
//
// Requires: any disjunction of clauses.  Memory: 17 bytes a state and pair that is searched, the starts, and
// the path of each worker.
// Differs from the paper: reports when the Inf marks are among those of the component; the cyclic list of
// starts is an array that only grows, so that nothing is locked and nothing removed: whether a start is done
// is seen by its component. Pairs together share the states, too; a worker whose pair is done helps with
// another.
// In the paper → here: Fstates → Starts; R, S and Dead as in `ufscc`; F_M and I_M → pair.fin and pair.inf.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "ufscc.hpp"

namespace buchi {

// The states from which the search of a pair begins: the initial ones, and those behind Fin edges. Orders: an
// entry is stored by a release and loaded by an acquire, and so is that a state is listed, since who sees it
// listed relies on the entry.
class Starts {
 public:
  static constexpr size_t kListedBytes = 1;

  explicit Starts(Meter& meter) : meter_(meter), listed_(kMostStates), entries_(kMostStates) {}
  ~Starts() { meter_.refund(charged_.load(std::memory_order_relaxed)); }
  Starts(const Starts&) = delete;
  Starts& operator=(const Starts&) = delete;

  // Lists a state once. One that another worker is about to list is waited for: it must be there when its
  // source is buried, or the pair might be taken for done.
  void add(StateId state, const Team& team) {
    std::atomic<uint8_t>& listed = listed_[state];
    uint8_t seen = kNot;
    if (listed.compare_exchange_strong(seen, kAlmost, std::memory_order_acq_rel)) {
      const size_t index = size_.fetch_add(1, std::memory_order_acq_rel);
      if (index >= entries_.capacity()) throw LimitReached{End::kMemory};
      entries_[index].store(state + 1, std::memory_order_release);
      listed.store(kListed, std::memory_order_release);
      if (index % kBlock == 0) charge(kBlock * sizeof(StateId));
      return;
    }
    for (Patience patience; listed.load(std::memory_order_acquire) != kListed && !team.is_over();)
      patience.wait();
  }

  size_t size() const { return size_.load(std::memory_order_acquire); }

  StateId at(size_t index) const {
    Patience patience;
    for (;;) {
      const StateId entry = entries_[index].load(std::memory_order_acquire);
      if (entry != 0) return entry - 1;
      patience.wait();
    }
  }

  size_t capacity() const { return listed_.capacity(); }

 private:
  enum : uint8_t { kNot, kAlmost, kListed };
  static constexpr size_t kBlock = 1024;

  void charge(size_t bytes) {
    meter_.charge(bytes);
    charged_.fetch_add(bytes, std::memory_order_relaxed);
  }

  Meter& meter_;
  SharedArray<std::atomic<uint8_t>> listed_;
  SharedArray<std::atomic<StateId>> entries_;  // + 1
  std::atomic<size_t> size_{0}, charged_{0};
};

// What the workers of one pair share: the product without the edges of its Fin set.
class PairGraph {
 public:
  static constexpr size_t kBytes = Components::kNodeBytes + Starts::kListedBytes;

  PairGraph(Team& team, Clause pair_) : pair(pair_), starts(team.search.meter()), team_(team) {
    team.table.bound(std::min(sets.capacity(), starts.capacity()));
  }

  bool accepts(Marks marks) const { return (pair.inf & ~marks) == 0; }

  // A Fin edge is no part of a cycle: the search begins again at its target.
  bool follows(Edge edge) {
    if ((edge.marks & pair.fin) == 0) return true;
    if (!sets.is_dead(edge.target)) starts.add(edge.target, team_);
    return false;
  }

  // Nothing is left to be searched. Relaxed: who sees it late wastes a little.
  void finish() { over_.store(true, std::memory_order_relaxed); }
  bool is_over() const { return over_.load(std::memory_order_relaxed); }

  void extract(TeamWorker& worker, Lasso& lasso) {
    const StateId start = found.load();
    const auto visited = [this](Edge edge) { return sets.is_met(edge.target); };
    const auto inside = [&](Edge edge) {
      return (edge.marks & pair.fin) == 0 && sets.is_met(edge.target) && sets.same(edge.target, start);
    };
    Ground<TeamWorker::Successors> ground{team_.search.control, worker.meter(), worker.successors};
    lasso = {path_to(ground, start, visited), cycle_through(ground, start, pair.inf, inside)};
  }

  const Clause pair;
  Components sets;
  Starts starts;
  std::atomic<StateId> found{0};  // a state of an accepting component

 private:
  Team& team_;
  std::atomic<bool> over_{false};
};

// The search of a pair by one worker.
class PairSearch {
 public:
  PairSearch(PairGraph& graph, TeamWorker& worker) : graph_(graph), worker_(worker), search_(graph, worker) {}

  // False also where others have done the rest.
  bool explore(const Array<Edge>& initial) {
    for (size_t i = 0; i < initial.size(); ++i) graph_.starts.add(initial[i].target, worker_.team);
    while (const auto start = next_start()) {
      if (search_.explore(*start)) return true;
      if (worker_.team.is_over() || graph_.is_over()) return false;
    }
    graph_.finish();
    return false;
  }

 private:
  static constexpr size_t kTries = 64;

  // A start that is not dead: at first in this worker's share of them, so that workers spread, else the
  // first. When all are dead, the pair is done: a start is listed before its source is buried, so what is
  // behind a dead one is listed, too.
  std::optional<StateId> next_start() {
    const Starts& starts = graph_.starts;
    const size_t size = starts.size(), left = size - dead_below_;
    const size_t own = dead_below_ + left * worker_.index / worker_.team.search.workers;
    for (size_t i = own; i < std::min(own + kTries, size); ++i)
      if (const StateId start = starts.at(i); !graph_.sets.is_dead(start)) return start;
    for (; dead_below_ < starts.size(); ++dead_below_)
      if (const StateId start = starts.at(dead_below_); !graph_.sets.is_dead(start)) return start;
    return std::nullopt;
  }

  PairGraph& graph_;
  TeamWorker& worker_;
  UfsccSearch<PairGraph> search_;
  size_t dead_below_ = 0;  // all starts before this one are
};

class TgrpTeam {
 public:
  // The pairs. Each is forgotten when it is done and the last worker has left it.
  class Shared {
   public:
    explicit Shared(Team& team) : team_(team), pairs_(team.search.acceptance.size()) {}

    static size_t bytes_a_state(const Search& search) {
      return PairGraph::kBytes * (search.pairs_together ? search.acceptance.size() : 1);
    }

    // The first pair from `first` on that is not done; none where all are.
    std::shared_ptr<PairGraph> next(size_t first) {
      const std::lock_guard lock(mutex_);
      for (size_t i = 0; i < pairs_.size(); ++i) {
        const size_t index = (first + i) % pairs_.size();
        Pair& pair = pairs_[index];
        if (pair.is_done || (pair.graph && pair.graph->is_over())) {
          pair = {nullptr, true};
          continue;
        }
        if (!pair.graph) {
          pair.graph = std::make_shared<PairGraph>(team_, team_.search.acceptance[index]);
          ++passes_;
        }
        return pair.graph;
      }
      return nullptr;
    }

    void found(std::shared_ptr<PairGraph> graph) {
      const std::lock_guard lock(mutex_);
      found_ = std::move(graph);
    }

    uint64_t passes() const { return passes_; }
    void extract(TeamWorker& worker, Lasso& lasso) { found_->extract(worker, lasso); }

   private:
    struct Pair {
      std::shared_ptr<PairGraph> graph;
      bool is_done = false;
    };

    Team& team_;
    std::mutex mutex_;
    std::vector<Pair> pairs_;
    std::shared_ptr<PairGraph> found_;
    uint64_t passes_ = 0;
  };

  TgrpTeam(Shared& shared, TeamWorker& worker) : shared_(shared), worker_(worker) {}

  // One pair after the other; together, each worker begins with another pair.
  bool explore(const Array<Edge>& initial) {
    const size_t first = worker_.team.search.pairs_together ? worker_.index : 0;
    while (const auto graph = shared_.next(first)) {
      if (PairSearch(*graph, worker_).explore(initial)) {
        shared_.found(graph);
        return true;
      }
      if (worker_.team.is_over()) return false;
    }
    return false;
  }

 private:
  Shared& shared_;
  TeamWorker& worker_;
};
inline const TeamRegistration<TgrpTeam> tgrp_team_kernel("tgrp");

}  // namespace buchi
