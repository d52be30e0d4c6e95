// All reachable states of a model, by a team: who stores a state expands it, or gives it to one who has none.
#pragma once

#include <chrono>
#include <deque>

#include "explore.hpp"
#include "team.hpp"

namespace buchi {

// Numbers of states that are to be expanded. A worker's numbers are dense, so few of these hold many states.
struct Numbers {
  StateId begin, end;
};

// What workers without states wait for. At first it is where the search begins.
class Offers {
 public:
  // Before a worker asks for the first time. One that comes late may find that all is done.
  void join() {
    const std::lock_guard lock(mutex_);
    ++members_;
  }

  // Relaxed: an offer more or less.
  bool are_wanted() const { return waiting_.load(std::memory_order_relaxed) > 0; }

  void give(Numbers numbers) {
    const std::lock_guard lock(mutex_);
    offers_.push_back(numbers);
  }

  enum class Taken { kSome, kNone, kAllDone };

  // When all members ask and there is nothing, there will never be anything.
  Taken take(std::deque<Numbers>& to, bool& is_waiting) {
    const std::lock_guard lock(mutex_);
    if (!offers_.empty()) {
      to.push_back(offers_.back());
      offers_.pop_back();
      if (std::exchange(is_waiting, false)) --waiting_;
      return Taken::kSome;
    }
    if (!std::exchange(is_waiting, true)) ++waiting_;
    return waiting_ == members_ ? Taken::kAllDone : Taken::kNone;
  }

 private:
  std::mutex mutex_;
  std::vector<Numbers> offers_;
  unsigned members_ = 0;
  std::atomic<unsigned> waiting_{0};  // of the members
};

class TeamExploration {
 public:
  TeamExploration(const Model& model, const Measures& measures, Control& control, unsigned workers)
      : model_(model),
        measures_(measures),
        control_(control),
        crew_(workers),
        table_(meter_, model.width(), 0, workers),
        largest_(measures),
        seen_(measures, model.most_successors()) {}

  Outcome run() {
    meter_.set_limit(control_.limits.bytes);
    control_.start();
    Outcome outcome;
    try {
      Explorer(*this).begin();
      outcome.end = crew_.run([this](unsigned) { Explorer(*this).run(); });
    } catch (const LimitReached& limit) {
      outcome.end = limit.end;
    } catch (const std::bad_alloc&) {
      outcome.end = End::kMemory;
    }
    outcome.counters = crew_.counters;
    outcome.counters.seconds = control_.seconds();
    outcome.counters.bytes = meter_.peak();
    outcome.largest = largest_.values;
    if (!deadlock_.empty()) outcome.path.push_back(std::move(deadlock_));
    outcome.seen = seen_.rows;
    return outcome;
  }

 private:
  class Explorer {
   public:
    explicit Explorer(TeamExploration& shared)
        : shared_(shared),
          table_(shared.table_),
          expansion_(shared.model_, shared.measures_, shared.meter_, table_) {}
    ~Explorer() {
      tell();
      shared_.crew_.add(counters_);
      const std::lock_guard lock(shared_.ending_);
      shared_.largest_.join(expansion_.largest);
      if (shared_.deadlock_.empty()) shared_.deadlock_ = std::move(expansion_.deadlock);
      shared_.seen_.join(expansion_.seen);
    }
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;

    void begin() {
      expansion_.add_initial();
      intern();
      shared_.offers_.give(pending_.front());
    }

    void run() {
      shared_.offers_.join();
      while (has_some()) {
        while (!pending_.empty() && !expansion_.is_full()) expansion_.post(next(), counters_);
        intern();
        if (shared_.offers_.are_wanted()) offer();
        poll();
      }
      shared_.crew_.finish(End::kDone);
    }

   private:
    static constexpr std::chrono::microseconds kNap{50};

    // Waits until there is something to do; false where all is done, or over. Comes to meetings meanwhile.
    bool has_some() {
      bool is_waiting = false;
      while (pending_.empty()) {
        const auto taken = shared_.offers_.take(pending_, is_waiting);
        if (taken == Offers::Taken::kAllDone || shared_.crew_.is_over()) return false;
        if (taken == Offers::Taken::kSome) break;
        table_.make_room(0);
        std::this_thread::sleep_for(kNap);
      }
      return !shared_.crew_.is_over();
    }

    StateId next() {
      Numbers& first = pending_.front();
      const StateId state = first.begin++;
      if (first.begin == first.end) pending_.pop_front();
      return state;
    }

    void intern() {
      expansion_.intern([this](StateId id) {
        if (!pending_.empty() && pending_.back().end == id) {
          ++pending_.back().end;
        } else {
          pending_.push_back({id, id + 1});
        }
      });
    }

    // Half of the oldest numbers, which lead to the most that is new.
    void offer() {
      if (pending_.empty()) return;
      Numbers& first = pending_.front();
      const StateId half = (first.end - first.begin + 1) / 2;
      if (pending_.size() == 1 && half < 2) return;
      shared_.offers_.give({first.begin, first.begin + half});
      first.begin += half;
      if (first.begin == first.end) pending_.pop_front();
    }

    void poll() {
      Control& control = shared_.control_;
      const bool is_time = ++polls_ % 64 == 0;
      if (!is_time && control.limits.states == 0) return;
      tell();
      control.check_states(control.states.load(std::memory_order_relaxed));
      if (is_time) control.check();
    }

    void tell() {
      counters_.states = table_.inserted();
      progress_.tell(shared_.control_, shared_.meter_, counters_);
    }

    TeamExploration& shared_;
    SharedTable::Handle table_;
    Expansion<SharedTable::Handle> expansion_;
    std::deque<Numbers> pending_;
    Counters counters_;
    ProgressOfOne progress_;
    uint64_t polls_ = 0;
  };

  const Model& model_;
  const Measures& measures_;
  Control& control_;
  Meter meter_;
  Crew crew_;
  SharedTable table_;
  Offers offers_;
  std::mutex ending_;
  Largest largest_;  // of the explorers that have ended
  std::vector<uint8_t> deadlock_;
  Seen seen_;  // likewise
};

}  // namespace buchi
