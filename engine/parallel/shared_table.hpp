// The set of states that many threads insert into. It grows at a meeting of all of them.
//
// Orders: the compare-and-swap that fills a slot is a release, and whoever reads a slot whose tag fits
// acquires it, so that a vector is visible before its number. Where a load only guesses (prefetching), it is
// relaxed. All that changes in a meeting is ordered by its mutex.
#pragma once

#include <atomic>
#include <new>
#include <optional>

#include "control.hpp"
#include "meeting.hpp"
#include "state_table.hpp"

namespace buchi {

// An array of zeroes that threads share. All of its addresses are there from the start, memory comes when it
// is touched; who uses a part of it charges the meter.
template <class T>
class SharedArray {
 public:
  explicit SharedArray(size_t most) : range_(AddressRange::fair(most * sizeof(T))) {
    char* base = static_cast<char*>(range_.base());
    if (range_.bytes() > AddressRange::kHugePage)  // small searches need no huge pages
      madvise(base + AddressRange::kHugePage, range_.bytes() - AddressRange::kHugePage, MADV_HUGEPAGE);
  }

  T* data() { return static_cast<T*>(range_.base()); }
  const T* data() const { return static_cast<const T*>(range_.base()); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  size_t capacity() const { return range_.bytes() / sizeof(T); }

 private:
  AddressRange range_;
};

class SharedTable : public Rows {
 public:
  // Each state also takes `beside` bytes of other arrays, which are charged together with its vector.
  SharedTable(Meter& meter, size_t vector_bytes, size_t beside, unsigned threads)
      : Rows(vector_bytes),
        meter_(meter),
        bytes_a_state_(width() + beside),
        threads_(threads),
        vectors_(kMostStates * width()),
        most_(vectors_.capacity() / width()),
        bits_(first_bits(threads)),
        slots_(size_t{1} << bits_),
        meeting_([this] { begin_growth(); }, [this] { move_pieces(); }, [this] { end_growth(); }) {
    charge(slot_bytes(bits_));
  }
  ~SharedTable() { meter_.refund(charged_.load(std::memory_order_relaxed)); }
  SharedTable(const SharedTable&) = delete;
  SharedTable& operator=(const SharedTable&) = delete;

  // An array beside the table has room for so many states. Sequentially consistent, as is the taking of
  // numbers: either a thread sees the bound, or the bound sees its numbers.
  void bound(uint64_t states) {
    uint64_t most = most_.load();
    while (states < most && !most_.compare_exchange_weak(most, states)) {
    }
    if (next_number_.load() > states) throw LimitReached{End::kMemory};
  }

  const uint8_t* vector(StateId id) const { return vectors_.data() + size_t{id} * width(); }

  class Handle;

 private:
  using AtomicSlot = std::atomic<uint64_t>;
  static constexpr int kFirstBits = 17;
  // Numbers are given out in blocks, which also keeps two threads off the same cache line.
  static constexpr StateId kBlock = 1024;
  static constexpr size_t kPiece = 8192;

  static size_t slot_bytes(int bits) { return sizeof(AtomicSlot) << bits; }
  // Between the wish to grow and the meeting every thread may fill one more block, and what it has in hand,
  // up to a block: all that must fit into the last third of the slots.
  static int first_bits(unsigned threads) {
    int bits = kFirstBits;
    while ((size_t{1} << bits) / 3 < size_t{threads} * kBlock * 2) ++bits;
    return bits;
  }

  void charge(size_t bytes) {
    meter_.charge(bytes);
    charged_.fetch_add(bytes, std::memory_order_relaxed);
  }

  // Returns the first number of a block.
  StateId take_block() {
    const uint64_t first = next_number_.fetch_add(kBlock);
    const uint64_t end = first + kBlock;
    if (end > kMostStates) throw LimitReached{End::kStates};
    if (end > most_.load()) throw LimitReached{End::kMemory};
    charge(kBlock * bytes_a_state_);
    if (end * 3 > (size_t{2} << bits_)) must_grow_.store(true, std::memory_order_relaxed);
    return static_cast<StateId>(first);
  }

  // For a thread that has more in hand than a block.
  bool is_tight(size_t states) {
    const uint64_t numbers = next_number_.load(std::memory_order_relaxed) + threads_ * (states + kBlock);
    if (numbers * 3 <= (size_t{2} << bits_)) return false;
    must_grow_.store(true, std::memory_order_relaxed);
    return true;
  }

  void attend() {
    meeting_.attend();
    if (no_memory_) throw LimitReached{End::kMemory};
  }

  void begin_growth() {
    try {
      charge(slot_bytes(bits_ + 1));
      grown_.emplace(size_t{2} << bits_);
    } catch (const LimitReached&) {
      no_memory_ = true;
    } catch (const std::bad_alloc&) {
      no_memory_ = true;
    }
    next_piece_.store(0, std::memory_order_relaxed);
  }

  // All threads take pieces of the slots and move them. A piece begins after its first empty slot and runs on
  // to the first empty slot after its end. Entries between two empty slots have their homes there and land
  // between twice these positions, so no two threads write to the same part, and no vector is read.
  void move_pieces() {
    if (no_memory_) return;
    const size_t size = size_t{1} << bits_, piece = std::min(kPiece, size);
    for (;;) {
      const size_t start = next_piece_.fetch_add(piece, std::memory_order_relaxed);
      if (start >= size) return;
      move_piece(start, start + piece, size);
    }
  }

  void move_piece(size_t start, size_t end, size_t size) {
    const auto slot = [&](size_t i) { return slots_[i & (size - 1)].load(std::memory_order_relaxed); };
    size_t i = start;
    while (i < end && slot(i) != 0) ++i;
    if (i == end) return;
    for (; i < end || slot(i) != 0; ++i)
      if (const uint64_t moved = slot(i); moved != 0) place_grown(moved, size * 2);
  }

  void place_grown(uint64_t moved, size_t size) {
    size_t to = moved >> (64 - (bits_ + 1));
    while ((*grown_)[to].load(std::memory_order_relaxed) != 0) to = (to + 1) & (size - 1);
    (*grown_)[to].store(moved, std::memory_order_relaxed);
  }

  void end_growth() {
    must_grow_.store(false, std::memory_order_relaxed);
    if (no_memory_) return;
    std::swap(slots_, *grown_);
    grown_.reset();
    meter_.refund(slot_bytes(bits_));
    charged_.fetch_sub(slot_bytes(bits_), std::memory_order_relaxed);
    ++bits_;
    must_grow_.store(next_number_.load(std::memory_order_relaxed) * 3 > (size_t{2} << bits_),
                     std::memory_order_relaxed);
  }

  Meter& meter_;
  const size_t bytes_a_state_;
  const unsigned threads_;
  SharedArray<uint8_t> vectors_;
  std::atomic<uint64_t> most_;  // states that all arrays have room for
  int bits_;
  SharedArray<AtomicSlot> slots_;
  std::optional<SharedArray<AtomicSlot>> grown_;
  bool no_memory_ = false;
  std::atomic<size_t> charged_{0}, next_piece_{0};
  alignas(64) std::atomic<uint64_t> next_number_{0};
  alignas(64) std::atomic<bool> must_grow_{false};
  Meeting meeting_;
};

// What one thread needs of the table, with the face of `StateTable`.
class SharedTable::Handle {
 public:
  explicit Handle(SharedTable& table) : table_(&table) {
    table_->meeting_.join();
    read_slots();
  }
  ~Handle() { table_->meeting_.leave(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  size_t width() const { return table_->width(); }
  uint64_t hash(const uint8_t* row) const { return table_->hash(row); }
  const uint8_t* vector(StateId id) const { return table_->vector(id); }
  uint64_t inserted() const { return inserted_; }

  void fetch_beside(const void* values, size_t bytes) {
    beside_ = static_cast<const uint8_t*>(values);
    beside_bytes_ = bytes;
  }

  void prefetch_slot(uint64_t hash) const { __builtin_prefetch(&slots_[position(hash)]); }
  size_t prefetch_vector(uint64_t hash) const {
    size_t i = position(hash);
    uint64_t slot = slots_[i].load(std::memory_order_relaxed);
    while (slot != 0 && Slot::tag(slot) != Slot::tag(hash)) {
      i = after(i);
      slot = slots_[i].load(std::memory_order_relaxed);
    }
    if (slot != 0) {
      const StateId id = Slot::id(slot);
      __builtin_prefetch(vector(id));
      __builtin_prefetch(beside_ + size_t{id} * beside_bytes_);
    }
    return i;
  }
  bool is_free(size_t place) const { return slots_[place].load(std::memory_order_relaxed) == 0; }

  // To be called often, and with no lock in hand: comes to the meeting when there is one.
  void make_room(size_t states) {
    while (table_->must_grow_.load(std::memory_order_relaxed) ||
           (states > kBlock && table_->is_tight(states))) {
      table_->attend();
      read_slots();
    }
  }

  // The vector is written at this thread's next number, which is spent only if the slot was still empty then.
  // Slots before `place` stay as they are: nothing is ever removed.
  StateTable::Insertion insert(const uint8_t* row, uint64_t hash, size_t place) {
    bool written = false;
    for (size_t i = place;; i = after(i)) {
      uint64_t slot = slots_[i].load(std::memory_order_acquire);
      if (slot == 0) {
        if (!std::exchange(written, true)) write(row);
        const uint64_t fresh = Slot::of(hash, next_);
        if (slots_[i].compare_exchange_strong(slot, fresh, std::memory_order_release,
                                              std::memory_order_acquire)) {
          ++inserted_;
          return {next_++, true};
        }
      }
      if (Slot::tag(slot) == Slot::tag(hash) && table_->equal(vector(Slot::id(slot)), row))
        return {Slot::id(slot), false};
    }
  }

 private:
  void read_slots() {
    slots_ = table_->slots_.data();
    bits_ = table_->bits_;
  }
  size_t position(uint64_t hash) const { return hash >> (64 - bits_); }
  size_t after(size_t place) const { return (place + 1) & ((size_t{1} << bits_) - 1); }

  void write(const uint8_t* row) {
    if (next_ == end_) {
      next_ = table_->take_block();
      end_ = next_ + kBlock;
    }
    memcpy(table_->vectors_.data() + size_t{next_} * width(), row, width());
  }

  SharedTable* table_;
  AtomicSlot* slots_;
  int bits_;
  StateId next_ = 0, end_ = 0;
  uint64_t inserted_ = 0;
  const uint8_t* beside_ = nullptr;
  size_t beside_bytes_ = 0;
};

}  // namespace buchi
