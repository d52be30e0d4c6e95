// The set of states met so far: packed vectors of one width, numbered 0, 1, 2, … in the order of their
// insertion.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace buchi {

using StateId = uint32_t;

// Rows that hold a packed vector, zero after it: their hash and when they are equal.
class Rows {
 public:
  explicit Rows(size_t vector_bytes) : width_((vector_bytes + 3) / 4 * 4) {}

  size_t width() const { return width_; }

  uint64_t hash(const uint8_t* row) const {
    uint64_t h = width_ * 0x9e3779b97f4a7c15ull;
    size_t i = 0;
    for (; i + 16 <= width_; i += 16) h = mix(word(row + i) ^ h, word(row + i + 8) ^ 0xa0761d6478bd642full);
    if (i + 8 <= width_) {
      h = mix(word(row + i) ^ h, 0xe7037ed1a0b428dbull);
      i += 8;
    }
    if (i < width_) h = mix(half_word(row + i) ^ h, 0x8ebc6af09c88c6e3ull);
    return mix(h, 0x589965cc75374cc3ull);
  }

  bool equal(const uint8_t* a, const uint8_t* b) const {
    size_t i = 0;
    for (; i + 8 <= width_; i += 8)
      if (word(a + i) != word(b + i)) return false;
    return i == width_ || half_word(a + i) == half_word(b + i);
  }

 private:
  static uint64_t word(const uint8_t* p) {
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return value;
  }
  static uint64_t half_word(const uint8_t* p) {
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return value;
  }
  __extension__ using Wide = unsigned __int128;
  static uint64_t mix(uint64_t a, uint64_t b) {
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }

  const size_t width_;
};

// A slot of a table holds 32 bits of the hash above the number of the state plus one; zero is an empty slot.
// The position is the upper bits of those 32, so that growing keeps the order of the slots and reads no
// vector.
struct Slot {
  static uint64_t of(uint64_t hash, StateId id) { return tag(hash) << 32 | (id + 1); }
  static uint64_t tag(uint64_t hash_or_slot) { return hash_or_slot >> 32; }
  static StateId id(uint64_t slot) { return static_cast<StateId>(slot) - 1; }
};

inline constexpr size_t kMostStates = size_t{3} << 30;  // three quarters of 2^32 slots

class StateTable : public Rows {
 public:
  StateTable(Meter& meter, size_t vector_bytes)
      : Rows(vector_bytes), vectors_(meter, kMostStates * width()), slots_(meter) {
    slots_.extend(size_t{1} << kFirstBits);
    fetch_beside(vectors_.data(), 0);
  }

  StateId size() const { return count_; }
  const uint8_t* vector(StateId id) const { return vectors_.data() + size_t{id} * width(); }

  // The two steps that hide the memory's latency when several states are looked up together: the second gives
  // the place where `insert` goes on, the first slot that is empty or seems to hold the state.
  void prefetch_slot(uint64_t hash) const { __builtin_prefetch(&slots_[position(hash)]); }
  size_t prefetch_vector(uint64_t hash) const {
    size_t i = position(hash);
    while (slots_[i] != 0 && Slot::tag(slots_[i]) != Slot::tag(hash)) i = after(i);
    if (slots_[i] != 0) {
      const StateId id = Slot::id(slots_[i]);
      __builtin_prefetch(vector(id));
      __builtin_prefetch(beside_ + size_t{id} * beside_bits_ / 8);
    }
    return i;
  }

  bool is_free(size_t place) const { return slots_[place] == 0; }

  // Values of so many bits a state that are read after each lookup, fetched together with the vectors.
  void fetch_beside(const void* values, size_t bits) {
    beside_ = static_cast<const uint8_t*>(values);
    beside_bits_ = bits;
  }

  // Makes room for `states` more insertions; `insert` itself never moves anything.
  void make_room(size_t states) {
    if (count_ + states > kMostStates) throw LimitReached{End::kStates};
    while ((count_ + states) * 4 > slots_.size() * 3) double_slots();
  }

  struct Insertion {
    StateId id;
    bool fresh;
  };

  Insertion insert(const uint8_t* row, uint64_t hash, size_t place) {
    for (size_t i = place;; i = after(i)) {
      const uint64_t slot = slots_[i];
      if (slot == 0) {
        const StateId id = append(row);
        slots_[i] = Slot::of(hash, id);
        return {id, true};
      }
      if (Slot::tag(slot) == Slot::tag(hash) && equal(vector(Slot::id(slot)), row))
        return {Slot::id(slot), false};
    }
  }

 private:
  static constexpr int kFirstBits = 10;

  size_t position(uint64_t hash) const { return hash >> (64 - bits_); }
  size_t after(size_t place) const { return (place + 1) & (slots_.size() - 1); }

  StateId append(const uint8_t* row) {
    const size_t start = size_t{count_} * width();
    vectors_.extend(start + width());
    memcpy(vectors_.data() + start, row, width());
    return count_++;
  }

  // In place, from the last slot down: a slot moves to about twice its position, where everything has moved
  // already. The few for which that is not so, at the two ends, wait for the others.
  __attribute__((noinline)) void double_slots() {
    const size_t before = slots_.size();
    slots_.extend(before * 2);
    ++bits_;
    std::vector<uint64_t> waiting;
    for (size_t i = before; i-- > 0;) {
      const uint64_t slot = std::exchange(slots_[i], 0);
      if (slot == 0) continue;
      size_t to = position(slot);
      while (to >= i && to < slots_.size() && slots_[to] != 0) ++to;
      if (to >= i && to < slots_.size()) {
        slots_[to] = slot;
      } else {
        waiting.push_back(slot);
      }
    }
    for (const uint64_t slot : waiting) {
      size_t to = position(slot);
      while (slots_[to] != 0) to = after(to);
      slots_[to] = slot;
    }
  }

  const uint8_t* beside_;
  size_t beside_bits_;
  StateId count_ = 0;
  int bits_ = kFirstBits;
  Array<uint8_t> vectors_;
  Array<uint64_t> slots_;
};

}  // namespace buchi
