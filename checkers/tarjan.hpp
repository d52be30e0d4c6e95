// Tarjan's strongly connected components (1972), as described in Schwoon & Esparza, "A Note on On-the-Fly
// Verification Algorithms" (2005), section 4: a component is looked at when it is complete.
//
// Requires: Inf sets only, any number.  Memory: eight bytes a state, eight more on the path and
// four more in an open component.
// Differs from the paper: acceptance is read on edges; the marks of a component's edges are gathered with the
// lowlinks.
#pragma once

#include "kernel.hpp"
#include "walk.hpp"

namespace buchi {

class Tarjan {
 public:
  explicit Tarjan(Worker& worker)
      : worker_(worker),
        wanted_(worker.search.inf()),
        states_(worker.search),
        path_(worker),
        parts_(worker.search.meter()),
        current_(worker.search.meter()) {
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

  // The top of the path is the root of the accepting component.
  void extract(Lasso& lasso) {
    const StateId root = path_.top().state;
    const auto inside = [&](Edge edge) {
      const uint32_t number = states_[edge.target].number;
      return number >= states_[root].number && number != kComplete;
    };
    ProductGround ground(worker_.search);
    lasso = {path_.states(path_.size() - 1), cycle_through(*ground, root, wanted_, inside)};
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
    worker_.note_stack(current_.size());
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
    if (is_root && part.has_cycle != 0 && (part.marks & wanted_) == wanted_) return true;
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
    ++worker_.counters.components;
    StateId state;
    do {
      state = current_.pop();
      states_[state].number = kComplete;
    } while (state != root);
  }

  Worker& worker_;
  const Marks wanted_;
  uint32_t count_ = 0;
  StateArray<Numbers> states_;
  Path path_;
  Array<Part> parts_;
  Array<StateId> current_;
};

inline const Registration<Tarjan> tarjan_kernel("tarjan");

}  // namespace buchi
