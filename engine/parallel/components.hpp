// The strongly connected components found so far, as a union-find that threads share: Bloemen, Laarman & van
// de Pol, "Multi-Core On-The-Fly SCC Decomposition" (2016). For each state one node of 16 bytes; zero is a
// state that was never met.
//
// Parent, status and workers share one word on purpose: "is it a root", "is it dead", "am I in it" are one
// load, and a link and a claim change the same word, so that neither misses the other. Orders: loads of
// `main` and `next` acquire, changes of `main` are acquire and release, stores to `next` and unlocking
// release. One place is sequentially consistent: `add_marks` changes `marks` and then loads `main`, `unite`
// changes `main` and then loads `marks`. One of the two must see the other, or a mark would be lost.
#pragma once

#include <sched.h>

#include <atomic>
#include <optional>

#include "automaton.hpp"
#include "shared_table.hpp"

namespace buchi {

// Waits a little; the thread that is waited for may not be running.
class Patience {
 public:
  void wait() {
    if (++tries_ % 64 == 0) sched_yield();
    __builtin_ia32_pause();
  }

 private:
  unsigned tries_ = 0;
};

class Components {
 public:
  static constexpr unsigned kMostWorkers = 28;
  static constexpr size_t kNodeBytes = 16;

  Components() : nodes_(kMostStates) {}

  enum class Claim {
    kFirst,   // by this worker, and nobody was there before
    kNew,     // by this worker
    kFound,   // this worker has a state of the component on its path
    kOthers,  // not claimed: others have it in hand
    kDead
  };

  // The worker comes to a state; where it `waits`, not to one that only others have in hand.
  Claim claim(StateId state, unsigned worker, bool waits = false) {
    const uint64_t me = uint64_t{1} << worker;
    for (;;) {
      const StateId root = root_of(state);
      uint64_t main = load(root);
      if (has_parent(main)) continue;
      if ((main & kDead) != 0) return Claim::kDead;
      if ((main & me) != 0) return Claim::kFound;
      const bool is_first = (main & kWorkers) == 0;
      if (waits && !is_first) return Claim::kOthers;
      if (swap(root, main, main | me)) return is_first ? Claim::kFirst : Claim::kNew;
    }
  }

  bool is_dead(StateId state) { return (load(root_of(state)) & kDead) != 0; }
  bool is_met(StateId state) const { return load(state) != 0; }
  bool is_buried(StateId state) const { return (load(state) & kTomb) != 0; }

  bool same(StateId a, StateId b) {
    for (;;) {
      const StateId first = root_of(a), second = root_of(b);
      if (first == second) return true;
      if (!has_parent(load(first))) return false;
    }
  }

  // Joins two components that are alive.
  void unite(StateId a, StateId b) {
    const auto [below, above, has_list] = lock_roots(a, b);
    if (below == above) return;
    // The list of the larger root first: threads that wait for each other would have to wait in a circle of
    // ever smaller roots.
    const StateId first = has_list ? below : lock_list(below), second = lock_list(above);
    const uint32_t next = nodes_[first].next.load(std::memory_order_acquire);
    const uint32_t other = nodes_[second].next.load(std::memory_order_acquire);
    nodes_[first].next.store(other != 0 ? other : second + 1, std::memory_order_release);
    nodes_[second].next.store(next != 0 ? next : first + 1, std::memory_order_release);
    link(below, above, has_list ? kLock | kListLock : kLock);
    if (!has_list) unlock_list(first);
    unlock_list(second);
  }

  // Adds marks to a component; returns all that are inside. Marks that are there already change nothing: who
  // brought them takes care that they are not lost.
  Marks add_marks(StateId state, Marks marks) {
    for (;;) {
      const StateId root = root_of(state);
      Marks all = nodes_[root].marks.load(std::memory_order_seq_cst);
      if ((marks & ~all) != 0) all = nodes_[root].marks.fetch_or(marks, std::memory_order_seq_cst) | marks;
      if (!has_parent(nodes_[root].main.load(std::memory_order_seq_cst))) return all;
    }
  }
  Marks marks_of(StateId state) { return add_marks(state, 0); }

  // A state whose edges were all explored is not to be picked any more.
  void bury(StateId state) {
    Patience patience;
    for (;;) {
      uint64_t main = load(state);
      if ((main & kTomb) != 0) return;
      if ((main & kListLock) == 0 && swap(state, main, main | kTomb)) return;
      patience.wait();
    }
  }

  // A state of the component that is not buried; where there is none, the component is complete.
  std::optional<StateId> pick(StateId state) { return find_alive(state); }

  // A complete component dies. Tells whether it was alive.
  bool kill(StateId state) {
    for (;;) {
      const StateId root = root_of(state);
      uint64_t main = load(root);
      if (has_parent(main)) continue;
      if ((main & kDead) != 0) return false;
      if (swap(root, main, main | kDead)) return true;
    }
  }

  size_t capacity() const { return nodes_.capacity(); }
  const void* nodes() const { return nodes_.data(); }

 private:
  struct Node {
    std::atomic<uint64_t> main;  // parent + 1 in the upper half, or 0 for a root; status; workers
    std::atomic<uint32_t> next;  // in the cyclic list of the component, + 1; 0: alone
    std::atomic<Marks> marks;    // of roots
  };
  static_assert(sizeof(Node) == kNodeBytes);

  static constexpr uint64_t kWorkers = (uint64_t{1} << kMostWorkers) - 1;
  static constexpr uint64_t kTomb = uint64_t{1} << 28;      // explored
  static constexpr uint64_t kListLock = uint64_t{1} << 29;  // the neighbour in the list is being changed
  static constexpr uint64_t kDead = uint64_t{1} << 30;      // roots only
  static constexpr uint64_t kLock = uint64_t{1} << 31;      // a root that is being linked

  static bool has_parent(uint64_t main) { return main >> 32 != 0; }
  static StateId parent(uint64_t main) { return static_cast<StateId>(main >> 32) - 1; }

  uint64_t load(StateId state) const { return nodes_[state].main.load(std::memory_order_acquire); }
  bool swap(StateId state, uint64_t& expected, uint64_t wanted) {
    return nodes_[state].main.compare_exchange_strong(expected, wanted, std::memory_order_acq_rel,
                                                      std::memory_order_acquire);
  }

  // Path halving; a halving that fails since the word changed is left out.
  StateId root_of(StateId state) {
    for (;;) {
      uint64_t main = load(state);
      if (!has_parent(main)) return state;
      const uint64_t above = load(parent(main));
      if (!has_parent(above)) return parent(main);
      swap(state, main, (main & UINT32_MAX) | (above & ~uint64_t{UINT32_MAX}));
      state = parent(above);
    }
  }

  struct Pair {
    StateId below, above;
    bool has_list;  // the root below is locked as a part of its list, too
  };

  // The larger number goes below the smaller one: new states then hang directly below an old root, and trees
  // stay flat. Returns the same root twice where there is nothing to do.
  Pair lock_roots(StateId a, StateId b) {
    Patience patience;
    for (;;) {
      const StateId first = root_of(a), second = root_of(b);
      if (first == second) return {first, first, false};
      const StateId below = std::max(first, second);
      uint64_t main = load(below);
      const bool with_list = (main & (kTomb | kListLock)) == 0;
      const uint64_t locks = with_list ? kLock | kListLock : kLock;
      if (!has_parent(main) && (main & kLock) == 0 && swap(below, main, main | locks))
        return {below, std::min(first, second), with_list};
      patience.wait();
    }
  }

  // Marks go up before workers do: a worker that is taken for one of the component must not miss a mark. And
  // workers go up after the link, never before: else another would take a state for one of its own.
  void link(StateId below, StateId above, uint64_t locks) {
    uint64_t main = load(below);
    while (!nodes_[below].main.compare_exchange_weak(
        main, (main & UINT32_MAX & ~locks) | uint64_t{above + 1} << 32, std::memory_order_seq_cst)) {
    }
    add_marks(above, nodes_[below].marks.load(std::memory_order_seq_cst));
    const uint64_t workers = main & kWorkers;
    for (;;) {
      const StateId root = root_of(above);
      uint64_t there = load(root);
      if (has_parent(there)) continue;
      if ((workers & ~there) == 0 || swap(root, there, there | workers)) return;
    }
  }

  StateId lock_list(StateId state) {
    Patience patience;
    for (;;) {
      const auto alive = find_alive(state);
      if (!alive) throw std::logic_error("a component that is to be joined was complete");
      uint64_t main = load(*alive);
      if ((main & (kTomb | kListLock)) == 0 && swap(*alive, main, main | kListLock)) return *alive;
      patience.wait();
    }
  }
  void unlock_list(StateId state) { nodes_[state].main.fetch_and(~kListLock, std::memory_order_acq_rel); }

  // Walks through the list; of two buried states in a row the first is made to skip the second, which only
  // shortens the way: neighbours of buried states are never swapped.
  std::optional<StateId> find_alive(StateId state) {
    for (;;) {
      if (!is_buried(state)) return state;
      const uint32_t next = nodes_[state].next.load(std::memory_order_acquire);
      if (next == 0 || next == state + 1) return std::nullopt;
      if (!is_buried(next - 1)) return next - 1;
      const uint32_t after = nodes_[next - 1].next.load(std::memory_order_acquire);
      nodes_[state].next.store(after, std::memory_order_release);
      state = after - 1;
    }
  }

  SharedArray<Node> nodes_;
};

}  // namespace buchi
