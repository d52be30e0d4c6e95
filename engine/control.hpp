// The limits of a search, its stop flag, and its progress: the part that another thread may touch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

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

  // Once so many states are met, it is asked whether there is something better to do.
  void ask_at(uint64_t count, std::function<bool()> is_to_end) {
    asks_at_ = count;
    is_to_end_ = std::move(is_to_end);
  }

  // To be called often; throws LimitReached.
  void check() {
    if (states.load(std::memory_order_relaxed) >= asks_at_ && !has_asked_.exchange(true) && is_to_end_())
      stop();
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
  std::atomic<bool> stopped_{false}, has_asked_{false};
  uint64_t asks_at_ = UINT64_MAX;
  std::function<bool()> is_to_end_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace buchi
