// An automaton as the table (state, letter) -> {(destination, marks)}. A row is a decision diagram over the
// propositions, so that a state evaluates only the propositions it depends on, and many propositions need no
// 2^n entries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bytecode.hpp"

namespace buchi {

using Marks = uint32_t;

// What a letter says about a step: the propositions in its source, in its destination, or which of them
// change.
enum class Letter : int32_t { kSource, kDestination, kChange };

struct Cube {
  uint64_t true_mask, false_mask;
  auto operator<=>(const Cube&) const = default;
};
using Label = std::vector<Cube>;

struct LabelledEdge {
  int32_t source;
  Label label;
  Marks marks;
  uint32_t destination;
};

// An edge of the automaton, once a letter has been chosen.
struct Move {
  uint32_t destination;
  Marks marks;
};

// What a proposition may say of a step: that one of some commands is enabled in the state it leaves, or that
// one of them takes it; or that this is not so.
struct StepTest {
  bool of_taken;
  bool negated;
  std::vector<bool> commands;

  bool names(int32_t command) const { return command >= 0 && commands[static_cast<size_t>(command)]; }
  bool operator()(std::span<const int32_t> enabled, int32_t taken) const {
    const bool found = of_taken
                           ? names(taken)
                           : std::ranges::any_of(enabled, [this](int32_t command) { return names(command); });
    return found != negated;
  }
};

class Automaton {
 public:
  // A proposition is a program, or a test of steps under the same number; `steps` is empty where none is.
  Automaton(Letter letter, std::vector<int32_t> tables, std::vector<std::vector<int32_t>> propositions,
            std::vector<std::optional<StepTest>> steps, size_t states,
            const std::vector<std::pair<Label, uint32_t>>& initial, const std::vector<LabelledEdge>& edges)
      : letter_(letter),
        tables_(std::move(tables)),
        propositions_(std::move(propositions)),
        steps_(std::move(steps)),
        state_marks_(states, ~Marks{0}) {
    std::vector<std::vector<Pending>> outgoing(states);
    for (const auto& edge : edges) {
      const auto source = static_cast<size_t>(edge.source);
      outgoing.at(source).push_back({edge.label, {edge.destination, edge.marks}});
      state_marks_[source] &= edge.marks;
    }
    for (auto& row : outgoing) roots_.push_back(build(std::move(row)));
    std::vector<Pending> start;
    for (const auto& [label, state] : initial) start.push_back({label, {state, 0}});
    initial_ = build(std::move(start));
  }

  Letter letter() const { return letter_; }
  size_t states() const { return roots_.size(); }
  // Does a letter depend on the commands, too?
  bool reads_steps() const { return !steps_.empty(); }
  // On the one that takes a step?
  bool reads_taken() const {
    return std::ranges::any_of(steps_, [](const auto& test) { return test && test->of_taken; });
  }
  const StepTest* step_test(int32_t proposition) const {
    if (steps_.empty() || !steps_[static_cast<size_t>(proposition)]) return nullptr;
    return &*steps_[static_cast<size_t>(proposition)];
  }
  // The marks that all edges of a state carry: with acceptance on states, the sets the state belongs to.
  Marks state_marks(uint32_t state) const { return state_marks_[state]; }

  // Does a state have, for every letter, a move to one of the wanted states?
  template <class Wanted>
  bool always_leads_to(uint32_t state, Wanted wanted) const {
    std::vector<int32_t> pending{roots_[state]};
    std::set<int32_t> seen;
    while (!pending.empty()) {
      const int32_t node = pending.back();
      pending.pop_back();
      if (!seen.insert(node).second) continue;
      if (node >= 0) {
        const auto& child = nodes_[static_cast<size_t>(node)].child;
        pending.insert(pending.end(), std::begin(child), std::end(child));
      } else if (std::ranges::none_of(moves_of(node), wanted, &Move::destination)) {
        return false;
      }
    }
    return true;
  }

  bool test(int32_t proposition, const uint8_t* state, size_t width) const {
    Fault fault{0, Fault::kProposition, proposition};
    int32_t value;
    const auto& code = propositions_[static_cast<size_t>(proposition)];
    if (!run(code.data(), state, nullptr, tables_.data(), nullptr, &value, &fault))
      throw ModelError(fault, {state, state + width});
    return value != 0;
  }

  // The moves of a state; `bit` says whether a proposition is in the letter.
  template <class Bit>
  std::span<const Move> moves(uint32_t state, Bit bit) const {
    return decide(roots_[state], bit);
  }
  template <class Bit>
  std::span<const Move> initial(Bit bit) const {
    return decide(initial_, bit);
  }

 private:
  struct Node {
    int32_t proposition;
    int32_t child[2];  // a node, or ~leaf
  };
  struct Leaf {
    uint32_t begin, count;
  };
  // An edge whose label is decided as far as the propositions already tested go.
  struct Pending {
    Label label;
    Move move;
  };

  template <class Bit>
  std::span<const Move> decide(int32_t node, Bit bit) const {
    while (node >= 0)
      node = nodes_[static_cast<size_t>(node)].child[bit(nodes_[static_cast<size_t>(node)].proposition)];
    return moves_of(node);
  }

  std::span<const Move> moves_of(int32_t node) const {
    const Leaf leaf = leaves_[static_cast<size_t>(~node)];
    return {moves_.data() + leaf.begin, leaf.count};
  }

  using Key = std::vector<std::pair<Label, uint64_t>>;

  int32_t build(std::vector<Pending> edges) {
    std::map<Key, int32_t> known;
    return build(std::move(edges), known);
  }

  int32_t build(std::vector<Pending> edges, std::map<Key, int32_t>& known) {
    simplify(edges);
    Key key;
    for (const auto& [label, move] : edges)
      key.push_back({label, uint64_t{move.destination} << 32 | move.marks});
    if (const auto found = known.find(key); found != known.end()) return found->second;
    uint64_t tested = 0;
    for (const auto& edge : edges)
      for (const Cube& cube : edge.label) tested |= cube.true_mask | cube.false_mask;
    const int32_t result = tested == 0 ? add_leaf(edges) : add_node(edges, __builtin_ctzll(tested), known);
    known.emplace(std::move(key), result);
    return result;
  }

  // Drops impossible edges; a cube without tests makes a label true.
  static void simplify(std::vector<Pending>& edges) {
    std::erase_if(edges, [](const Pending& edge) { return edge.label.empty(); });
    for (auto& edge : edges)
      for (const Cube& cube : edge.label)
        if (cube == Cube{0, 0}) {
          edge.label = {Cube{0, 0}};
          break;
        }
  }

  int32_t add_leaf(const std::vector<Pending>& edges) {
    leaves_.push_back({static_cast<uint32_t>(moves_.size()), static_cast<uint32_t>(edges.size())});
    for (const auto& edge : edges) moves_.push_back(edge.move);
    return ~static_cast<int32_t>(leaves_.size() - 1);
  }

  int32_t add_node(const std::vector<Pending>& edges, int proposition, std::map<Key, int32_t>& known) {
    if (static_cast<size_t>(proposition) >= propositions_.size())
      throw std::invalid_argument("a label uses an unknown proposition");
    const int32_t low = build(cofactor(edges, proposition, false), known);
    const int32_t high = build(cofactor(edges, proposition, true), known);
    if (low == high) return low;
    nodes_.push_back({proposition, {low, high}});
    return static_cast<int32_t>(nodes_.size() - 1);
  }

  static std::vector<Pending> cofactor(const std::vector<Pending>& edges, int proposition, bool value) {
    const uint64_t bit = uint64_t{1} << proposition;
    std::vector<Pending> result;
    for (const auto& edge : edges) {
      Pending rest{{}, edge.move};
      for (const Cube& cube : edge.label)
        if (((value ? cube.false_mask : cube.true_mask) & bit) == 0)
          rest.label.push_back({cube.true_mask & ~bit, cube.false_mask & ~bit});
      result.push_back(std::move(rest));
    }
    return result;
  }

  Letter letter_;
  std::vector<int32_t> tables_;
  std::vector<std::vector<int32_t>> propositions_;
  std::vector<std::optional<StepTest>> steps_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<Move> moves_;
  std::vector<int32_t> roots_;
  std::vector<Marks> state_marks_;
  int32_t initial_ = 0;
};

}  // namespace buchi
