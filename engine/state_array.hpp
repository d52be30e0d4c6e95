// Data that a search keeps for each state.
#pragma once

#include "search.hpp"

namespace buchi {

// A value for each state, zero until it is set.
template <class T>
class StateArray {
 public:
  explicit StateArray(Search& search) : table_(search.product.table), values_(search.meter()) {}

  // For the array that a search reads at each edge: its values come from memory together with the states.
  void fetch_with_states(size_t states_per_value = 1) {
    table_.fetch_beside(values_.data(), 8 * sizeof(T) / states_per_value);
  }

  T& operator[](StateId state) {
    if (state >= values_.size()) values_.extend(size_t{state} + 1);
    return values_[state];
  }
  // For one that outlives the search.
  Array<T> give() { return std::move(values_); }

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

}  // namespace buchi
