// A meeting of all threads, at which they do something together that none of them could do while others work.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace buchi {

// When all members have come, one of them calls `begin`, then all call `work`, then one calls `finish`.
// Nobody spins: threads may outnumber cores. The mutex orders all that is done before, during and after.
class Meeting {
 public:
  using Action = std::function<void()>;

  Meeting(Action begin, Action work, Action finish)
      : begin_(std::move(begin)), work_(std::move(work)), finish_(std::move(finish)) {}

  // A member comes to every meeting until it leaves.
  void join() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return working_ == 0; });
    ++members_;
  }

  void attend() {
    std::unique_lock lock(mutex_);
    const uint64_t round = opened_;
    if (++arrived_ == members_) open();
    changed_.wait(lock, [&] { return opened_ != round; });
    lock.unlock();
    work_();
    lock.lock();
    if (--working_ == 0) {
      finish_();
      ++closed_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return closed_ > round; });
  }

  // Whoever ends leaves, or the others would wait for ever.
  void leave() {
    const std::lock_guard lock(mutex_);
    --members_;
    if (arrived_ > 0 && arrived_ == members_) open();
  }

 private:
  void open() {
    begin_();
    working_ = std::exchange(arrived_, 0);
    ++opened_;
    changed_.notify_all();
  }

  const Action begin_, work_, finish_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned members_ = 0, arrived_ = 0, working_ = 0;
  uint64_t opened_ = 0, closed_ = 0;
};

}  // namespace buchi
