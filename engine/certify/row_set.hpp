// The rows of a certificate, and where each of them is.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace buchi::certify {

using Row = uint32_t;
inline constexpr Row kNowhere = UINT32_MAX;

// Zeroed memory that the system gives when it is touched, in large pages: it is read in no order.
template <class T>
class Zeroes {
 public:
  explicit Zeroes(size_t count) : data_(mapped((count + 1) * sizeof(T)), {(count + 1) * sizeof(T)}) {}
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }
  T* at(size_t i) { return data_.get() + i; }
  const T* at(size_t i) const { return data_.get() + i; }

 private:
  struct Unmap {
    size_t bytes;
    void operator()(T* data) const { munmap(data, bytes); }
  };
  static T* mapped(size_t bytes) {
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    madvise(data, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(data);
  }

  std::unique_ptr<T, Unmap> data_;
};

// The rows of a certificate in their order, and where each is: slots with half of the hash above the number
// of the row plus one. The other half says where a slot is, or after which full ones; two in three are full.
class RowSet {
 public:
  RowSet(size_t row_bytes, size_t most)
      : stride((row_bytes + 3) / 4 * 4),
        most_(most),
        slots_count_(most + most / 2 + 16),
        rows_(most * stride),
        slots_(slots_count_) {}

  size_t count() const { return count_; }
  bool is_full() const { return count_ == most_; }
  const uint8_t* row(Row i) const { return rows_.at(size_t{i} * stride); }
  uint8_t* next() { return rows_.at(count_ * stride); }
  void keep() { ++count_; }

  // Two halves that do not wait for each other.
  uint64_t hash(const uint8_t* row) const {
    uint64_t h = 0x2545f4914f6cdd1dull, g = 0x9e3779b97f4a7c15ull;
    size_t i = 0;
    for (; i + 16 <= stride; i += 16) {
      h = mixed(h ^ word(row + i));
      g = mixed(g ^ word(row + i + 8));
    }
    if (i + 8 <= stride) {
      h = mixed(h ^ word(row + i));
      i += 8;
    }
    if (i < stride) {
      uint32_t half;
      memcpy(&half, row + i, 4);
      g = mixed(g ^ half);
    }
    return mixed(h ^ (g << 27 | g >> 37)) * 0xd6e8feb86659fd93ull;
  }
  void fetch_slot(uint64_t hash) const { __builtin_prefetch(slots_.at(place(hash))); }
  void fetch(Row i) const {
    for (size_t at = 0; at < stride; at += 64) __builtin_prefetch(row(i) + at);
  }

  // The row that is looked at first.
  Row likely(uint64_t hash) const { return static_cast<Row>(slots_[place(hash)]) - 1; }

  Row find(const uint8_t* wanted, uint64_t hash) const {
    for (size_t i = place(hash); slots_[i] != 0; i = after(i))
      if (slots_[i] >> 32 == (hash & UINT32_MAX) && equal(row(static_cast<Row>(slots_[i]) - 1), wanted))
        return static_cast<Row>(slots_[i]) - 1;
    return kNowhere;
  }
  // Enters a row that is kept. False where the same one is there.
  bool enter(Row number, uint64_t hash) {
    if (find(row(number), hash) != kNowhere) return false;
    size_t i = place(hash);
    while (slots_[i] != 0) i = after(i);
    slots_[i] = hash << 32 | (number + 1);
    return true;
  }

  const size_t stride;

 private:
  static uint64_t word(const uint8_t* from) {
    uint64_t value;
    memcpy(&value, from, 8);
    return value;
  }
  static uint64_t mixed(uint64_t value) {
    value *= 0x9fb21c651e98df25ull;
    return value ^ value >> 32;
  }
  bool equal(const uint8_t* a, const uint8_t* b) const {
    uint32_t differs = 0;
    for (size_t i = 0; i < stride; i += 4) {
      uint32_t one, other;
      memcpy(&one, a + i, 4);
      memcpy(&other, b + i, 4);
      differs |= one ^ other;
    }
    return differs == 0;
  }
  size_t place(uint64_t hash) const { return (hash >> 32) * slots_count_ >> 32; }
  size_t after(size_t i) const { return i + 1 == slots_count_ ? 0 : i + 1; }

  const size_t most_, slots_count_;
  size_t count_ = 0;
  Zeroes<uint8_t> rows_;
  Zeroes<uint64_t> slots_;
};

}  // namespace buchi::certify
