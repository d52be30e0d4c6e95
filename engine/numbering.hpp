// A number for each state that no edge increases: the components in the order in which they are complete.
// A certificate (docs/certificates.md) is made of it, and of the marks within each number.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "automaton.hpp"
#include "memory.hpp"
#include "state_table.hpp"

namespace buchi {

// Of the product without the edges of some marks, which runs see only finitely often.
class Numbering {
 public:
  static constexpr uint32_t kAny = UINT32_MAX;  // the first of those that `add` returns

  Numbering(Meter& meter, Marks fin_) : fin(fin_), marks(meter), kept_(meter) {}

  // Takes the marks within the next component, and returns what a search keeps for its states.
  uint32_t add(Marks within) {
    marks.push(within);
    return kAny - static_cast<uint32_t>(marks.size() - 1);
  }
  // Takes what it kept for each state. All have the first number where nothing was kept.
  void take(Array<uint32_t> kept) { kept_ = std::move(kept); }

  uint32_t of(StateId state) const { return state < kept_.size() ? kAny - kept_[state] : 0; }

  const Marks fin;
  Array<Marks> marks;  // on edges within each number

 private:
  Array<uint32_t> kept_;
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
