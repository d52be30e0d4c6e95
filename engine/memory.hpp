// Growing arrays whose elements never move, and the meter that keeps them within a limit.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "end.hpp"

namespace buchi {

// Counts the bytes of all arrays of one product and its search. Shared by threads.
class Meter {
 public:
  void set_limit(size_t bytes) { limit_ = bytes; }
  size_t used() const { return used_.load(std::memory_order_relaxed); }
  size_t peak() const { return peak_.load(std::memory_order_relaxed); }

  void charge(size_t bytes) {
    if (limit_ != 0 && used() + bytes > limit_) throw LimitReached{End::kMemory};
    const size_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (now > peak()) peak_.store(now, std::memory_order_relaxed);
  }
  void refund(size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  size_t limit_ = 0;
  std::atomic<size_t> used_{0}, peak_{0};
};

// Reserved addresses whose memory is taken page by page as it is touched, and reads as zero before. Ranges of
// which little was used are kept for the next array: small searches come by the thousand, and the system is
// slow to map and unmap.
class AddressRange {
 public:
  static constexpr size_t kPage = 4096;
  static constexpr size_t kHugePage = size_t{2} << 20;

  AddressRange() = default;
  explicit AddressRange(size_t most) {
    bytes_ = most;
    auto& idle = idle_ranges();
    for (auto range = idle.rbegin(); range != idle.rend(); ++range) {
      if (range->bytes_ != most) continue;
      std::swap(*this, *range);
      std::swap(*range, idle.back());
      idle.pop_back();
      return;
    }
    map();
  }
  AddressRange(AddressRange&& other) noexcept { *this = std::move(other); }
  AddressRange& operator=(AddressRange&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;
  ~AddressRange() {
    if (base_ != nullptr) munmap(base_, bytes_);
  }

  void* base() const { return base_; }
  size_t bytes() const { return bytes_; }

  // Where the system limits the addresses of a process, an array leaves some for others.
  static size_t fair(size_t bytes) {
    rlimit addresses{};
    getrlimit(RLIMIT_AS, &addresses);
    const size_t share = addresses.rlim_cur == RLIM_INFINITY ? SIZE_MAX : addresses.rlim_cur / 16;
    return round_up(std::min(bytes, share), kHugePage);
  }
  static size_t round_up(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

  // Gives the range up after the first `used` bytes of it may have been written.
  void release(size_t used) {
    if (base_ == nullptr || used > kMostKept || idle_ranges().size() >= kMostIdle) return;
    memset(base_, 0, used);
    idle_ranges().push_back(std::move(*this));
  }

 private:
  static constexpr size_t kMostKept = 8 * kPage;
  static constexpr size_t kMostIdle = 32;

  static std::vector<AddressRange>& idle_ranges() {
    static thread_local std::vector<AddressRange> ranges;
    return ranges;
  }

  // Where the system limits the addresses of a process, a smaller range must do.
  void map() {
    for (; bytes_ >= kPage; bytes_ /= 2) {
      void* range =
          mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (range != MAP_FAILED) {
        base_ = range;
        return;
      }
    }
    throw std::bad_alloc();
  }

  void* base_ = nullptr;
  size_t bytes_ = 0;
};

// An array of zeroes: growing copies nothing, and a pointer to an element stays valid. T must be trivial.
template <class T>
class Array {
 public:
  explicit Array(Meter& meter, size_t most = size_t{1} << 32)
      : range_(AddressRange::fair(most * sizeof(T))), data_(static_cast<T*>(range_.base())), meter_(&meter) {}
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() {
    if (data_ == nullptr) return;
    range_.release(charged_);
    meter_->refund(charged_);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }

  void push(const T& value) {
    extend(size_ + 1);
    data_[size_ - 1] = value;
  }
  T pop() { return data_[--size_]; }

  // New elements are zero where the array was never that large before.
  void extend(size_t size) {
    if (size * sizeof(T) > charged_) charge_for(size * sizeof(T));
    size_ = size;
  }
  // Keeps the memory: a search stack shrinks and grows all the time.
  void shrink(size_t size) { size_ = size; }

 private:
  void swap(Array& other) {
    std::swap(range_, other.range_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(charged_, other.charged_);
    std::swap(meter_, other.meter_);
  }

  // Charges in steps, so that the meter is rarely asked; from 2 MiB on the pages are huge ones.
  __attribute__((noinline)) void charge_for(size_t bytes) {
    if (bytes > range_.bytes()) throw LimitReached{End::kMemory};
    const size_t step = charged_ < AddressRange::kHugePage ? AddressRange::kPage : AddressRange::kHugePage;
    const size_t wanted =
        std::min(AddressRange::round_up(std::max(bytes, charged_ + charged_ / 8), step), range_.bytes());
    meter_->charge(wanted - charged_);
    if (wanted >= AddressRange::kHugePage && charged_ < AddressRange::kHugePage)
      madvise(data_, range_.bytes(), MADV_HUGEPAGE);
    charged_ = wanted;
  }

  AddressRange range_;
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t charged_ = 0;
  Meter* meter_ = nullptr;
};

}  // namespace buchi
