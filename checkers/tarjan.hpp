// Tarjan's strongly connected components (1972), as described in Schwoon & Esparza, "A Note on On-the-Fly
// Verification Algorithms" (2005), section 4: a component is looked at when it is complete.
//
// Requires: Inf sets only, any number.  Memory: eight bytes a state, eight more on the path and
// four more in an open component.
// Differs from the paper: acceptance is read on edges; the marks of a component's edges are gathered with the
// lowlinks.
#pragma once

#include "search.hpp"
#include "walk.hpp"

namespace buchi {

class Tarjan {
 public:
  explicit Tarjan(Search& search)
      : search_(search),
        wanted_(search.acceptance.at(0).inf),
        states_(search),
        path_(search),
        parts_(search.meter()),
        current_(search.meter()) {
    states_.fetch_with_states();
  }

  bool explore(StateId start) {
    if (states_[start].number != 0) return false;
    enter(start, 0);
    while (!path_.empty()) {
      if (const auto edge = path_.next_edge()) {
        if (states_[edge->target].number == 0) {
          enter(edge->target, edge->marks);
        } else if (states_[edge->target].number != kComplete) {
          join(states_[edge->target].lowlink, edge->marks);
        }
      } else if (leave()) {
        return true;
      }
    }
    return false;
  }

 private:
  struct Numbers {
    uint32_t number, lowlink;
  };
  // What is known of the component of a state of the path from the edges explored below it.
  struct Part {
    Marks marks;
    uint32_t has_cycle;
  };
  static constexpr uint32_t kComplete = UINT32_MAX;

  void enter(StateId state, Marks marks) {
    ++count_;
    states_[state] = {count_, count_};
    parts_.push({0, 0});
    current_.push(state);
    search_.note_stack(current_.size());
    path_.enter(state, marks);
  }

  // The top of the path belongs to the component of a state with this lowlink.
  void join(uint32_t lowlink, Marks marks) {
    uint32_t& own = states_[path_.top().state].lowlink;
    own = std::min(own, lowlink);
    parts_.back().marks |= marks;
    parts_.back().has_cycle = 1;
  }

  bool leave() {
    const auto [state, incoming, _] = path_.top();
    const Part part = parts_.back();
    const bool is_root = states_[state].lowlink == states_[state].number;
    if (is_root && part.has_cycle != 0 && (part.marks & wanted_) == wanted_) return report(state);
    parts_.pop();
    path_.leave();
    if (is_root) {
      complete(state);
    } else {
      join(states_[state].lowlink, incoming | part.marks);
    }
    return false;
  }

  void complete(StateId root) {
    StateId state;
    do {
      state = current_.pop();
      states_[state].number = kComplete;
    } while (state != root);
  }

  bool report(StateId root) {
    search_.finish();
    const auto inside = [&](Edge edge) {
      const uint32_t number = states_[edge.target].number;
      return number >= states_[root].number && number != kComplete;
    };
    for (size_t i = 0; i + 1 < path_.size(); ++i) search_.lasso.prefix.push_back(path_[i].state);
    search_.lasso.cycle = cycle_through(search_, root, wanted_, inside);
    return true;
  }

  Search& search_;
  const Marks wanted_;
  uint32_t count_ = 0;
  StateArray<Numbers> states_;
  Path path_;
  Array<Part> parts_;
  Array<StateId> current_;
};

inline bool tarjan(Search& search) {
  Tarjan check(search);
  return search.any_start([&](StateId start) { return check.explore(start); });
}
inline const KernelRegistration tarjan_kernel("tarjan", tarjan);

}  // namespace buchi
