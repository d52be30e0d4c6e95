// Sets of states known to lie in one component, as a union-find that threads share: Renault, Duret-Lutz,
// Kordon & Poitrenaud, "Parallel Explicit Model Checking for Generalized Büchi Automata" (2015), section 3.1,
// without locks after Anderson & Woll (1994). For each state one word of 8 bytes: its parent, or the status
// of a root; and the marks of a set, at its root. Zero is a state that was never met.
//
// Differs from the paper: dead is a status of the root, not a set that all dead states are moved to.
//
// The marks of a root are added to its parent before it is linked, and it is linked only if no more marks
// have come meanwhile. So at each moment a root has all marks of its set; it may have some of a set that is
// about to be joined to it, which lies in the same component. The other order would lose runs: marks on their
// way from one root to the other are seen by nobody, and the set may die meanwhile.
//
// Orders: loads acquire, changes acquire and release. A root is linked after its marks went to the parent, so
// who sees the link sees the marks.
#pragma once

#include <atomic>
#include <optional>

#include "automaton.hpp"
#include "shared_table.hpp"

namespace buchi {

class Partition {
 public:
  static constexpr size_t kNodeBytes = 8;

  Partition() : nodes_(kMostStates) {}

  // A set of its own for a state; tells whether the state was never met before.
  bool make_set(StateId state) {
    Word none{0};
    return load(state) == none && swap(state, none, kAlive);
  }
  bool is_met(StateId state) const { return load(state) != 0; }
  bool is_dead(StateId state) { return status(load(root_of(state))) == kDead; }

  struct United {
    bool is_dead;
    Marks marks;  // of the set, if it is not dead
  };

  // Joins the sets of two states of one component, and adds marks. By one compare-and-swap.
  United unite(StateId a, StateId b, Marks marks) {
    for (;;) {
      const StateId first = root_of(a), second = root_of(b);
      // The larger number goes below the smaller one: trees stay flat, and there is never a circle.
      const StateId above = std::min(first, second), below = std::max(first, second);
      Word word = load(below);
      if (status(word) == kDead) return {true, 0};
      if (status(word) != kAlive) continue;
      const auto united = add(above, marks | marks_in(word));
      if (!united) continue;
      if (united->is_dead || above == below || swap(below, word, linked(above))) return *united;
    }
  }

  // No accepting cycle goes through the component of the state; the set has all of it. Tells whether it was
  // alive.
  bool kill(StateId state) {
    for (;;) {
      const StateId root = root_of(state);
      Word word = load(root);
      if (status(word) == kDead) return false;
      if (status(word) == kAlive && swap(root, word, kDead)) return true;
    }
  }

  // When nobody else works.
  bool same(StateId a, StateId b) { return root_of(a) == root_of(b); }
  Marks marks_of(StateId state) { return marks_in(load(root_of(state))); }

  size_t capacity() const { return nodes_.capacity(); }
  const void* nodes() const { return nodes_.data(); }

 private:
  // The lower half: never met, a root that is alive or dead, or the parent. The upper half: the marks of a
  // root.
  using Word = uint64_t;
  static constexpr Word kAlive = 1, kDead = 2, kFirstParent = 3;
  static_assert(kMostStates + kFirstParent <= UINT32_MAX);

  static Word status(Word word) { return word & UINT32_MAX; }
  static Marks marks_in(Word word) { return static_cast<Marks>(word >> 32); }
  static bool has_parent(Word word) { return status(word) >= kFirstParent; }
  static StateId parent(Word word) { return static_cast<StateId>(status(word) - kFirstParent); }
  static Word linked(StateId parent) { return parent + kFirstParent; }

  Word load(StateId state) const { return nodes_[state].load(std::memory_order_acquire); }
  bool swap(StateId state, Word& expected, Word wanted) {
    return nodes_[state].compare_exchange_strong(expected, wanted, std::memory_order_acq_rel,
                                                 std::memory_order_acquire);
  }

  // Path halving; a halving that fails since somebody else did it is left out.
  StateId root_of(StateId state) {
    for (;;) {
      Word word = load(state);
      if (!has_parent(word)) return state;
      const Word above = load(parent(word));
      if (!has_parent(above)) return parent(word);
      swap(state, word, above & UINT32_MAX);
      state = parent(above);
    }
  }

  // Adds marks to a root, or returns nothing where it is a root no more.
  std::optional<United> add(StateId root, Marks marks) {
    Word word = load(root);
    for (;;) {
      if (status(word) == kDead) return United{true, 0};
      if (status(word) != kAlive) return std::nullopt;
      const Word wanted = word | Word{marks} << 32;
      if (wanted == word || swap(root, word, wanted)) return United{false, marks_in(wanted)};
    }
  }

  SharedArray<std::atomic<Word>> nodes_;
};

}  // namespace buchi
