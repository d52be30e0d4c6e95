// A number for each state that no edge increases: the components in the order in which they are complete.
// A certificate (docs/certificates.md) is made of it, and of the marks within each number.
#pragma once

#include <algorithm>
#include <deque>
#include <span>

#include "automaton.hpp"
#include "memory.hpp"
#include "state_table.hpp"

namespace buchi {

// Of the product without the edges of some marks, which runs see only finitely often.
struct Numbering {
  Numbering(Meter& meter, Marks fin_) : fin(fin_), number(meter), marks(meter) {}

  void add(std::span<const StateId> component, Marks within) {
    const auto next = static_cast<uint32_t>(marks.size());
    for (const StateId state : component) {
      if (state >= number.size()) number.extend(size_t{state} + 1);
      number[state] = next;
    }
    marks.push(within);
  }

  Marks fin;
  Array<uint32_t> number;  // of each state
  Array<Marks> marks;      // on edges within each number
};

// What a search that was asked for them leaves; none where its check does not tell components apart.
struct Numberings {
  explicit Numberings(Meter& meter_) : meter(meter_) {}

  bool has(Marks fin) const {
    return std::ranges::any_of(all, [fin](const Numbering& one) { return one.fin == fin; });
  }
  // A reference to it stays valid.
  Numbering& begin(Marks fin) { return all.emplace_back(meter, fin); }

  Meter& meter;
  std::deque<Numbering> all;
};

}  // namespace buchi
