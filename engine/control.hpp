// The limits of a search, its stop flag, and its progress: the part that another thread may touch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "end.hpp"

namespace buchi {

struct Limits {  // zero is no limit
  double seconds = 0;
  uint64_t states = 0;
  uint64_t bytes = 0;
};

class Control {
 public:
  explicit Control(Limits limits_) : limits(limits_) {}

  void start() { start_ = Clock::now(); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // From outside: the user asks the search to end. That workers end because one of them is done is the affair
  // of their team (parallel/team.hpp), so that what was found can still be extracted.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }

  // To be called often; throws LimitReached.
  void check() const {
    if (stopped_.load(std::memory_order_relaxed)) throw LimitReached{End::kInterrupted};
    if (limits.seconds > 0 && seconds() > limits.seconds) throw LimitReached{End::kTime};
  }
  void check_states(uint64_t count) const {
    if (limits.states != 0 && count > limits.states) throw LimitReached{End::kStates};
  }

  const Limits limits;
  std::atomic<uint64_t> states{0}, transitions{0}, depth{0}, bytes{0};

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> stopped_{false};
  Clock::time_point start_ = Clock::now();
};

}  // namespace buchi
