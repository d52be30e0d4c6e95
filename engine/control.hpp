// The limits of a search, its stop flag, and its progress: the part that another thread may touch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "memory.hpp"

namespace buchi {

struct Limits {  // zero is no limit
  double seconds = 0;
  uint64_t states = 0;
  uint64_t bytes = 0;
};

class Control {
 public:
  explicit Control(Limits limits_) : limits(limits_) {}

  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void start() { start_ = Clock::now(); }

  // To be called often; throws LimitReached.
  void check() const {
    if (stopped_.load(std::memory_order_relaxed)) throw LimitReached{"interrupted"};
    if (limits.seconds > 0 && seconds() > limits.seconds) throw LimitReached{"time"};
  }

  const Limits limits;
  std::atomic<uint64_t> states{0}, transitions{0}, depth{0}, bytes{0};

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> stopped_{false};
  Clock::time_point start_ = Clock::now();
};

}  // namespace buchi
