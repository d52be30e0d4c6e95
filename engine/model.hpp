// A model that can be executed: an initial state vector and a function that writes the successors of a state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace buchi {

// What went wrong in which part of a model. Generated C code knows this layout and these numbers.
struct Fault {
  enum Kind : int32_t { kDivisionByZero, kIndexOutOfBounds, kOverflow, kAssertion };
  enum Part : int32_t { kCommand, kShared, kAssertionPart, kProposition };
  int32_t kind;
  int32_t part;
  int32_t index;
};

struct ModelError : std::exception {
  ModelError(Fault fault_, std::vector<uint8_t> state_) : fault(fault_), state(std::move(state_)) {}
  const char* what() const noexcept override { return "a step of the model failed"; }
  Fault fault;
  std::vector<uint8_t> state;
};

// Leaves of the successors of a state some that are enough.
class Reducer {
 public:
  virtual ~Reducer() = default;
  // Keeps some of them, in their order. Returns how many.
  virtual size_t reduce(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands,
                        size_t count) const = 0;
};

// Writes the successors of `state` into rows that are `stride` bytes apart, and the number of the command
// that leads to each into `commands`. Returns how many there are, or -1 and the fault. `context` is the
// interpreter's program; compiled code needs none. Safe to call from several threads.
using PostFunction = int32_t (*)(const void* context, const uint8_t* state, uint8_t* rows, size_t stride,
                                 int32_t* commands, Fault* fault);

struct Posted {
  size_t count;     // of the successors that were written
  size_t left_out;  // of those that there are besides
};

class Model {
 public:
  Model(PostFunction post, std::shared_ptr<const void> context, std::vector<uint8_t> initial, size_t commands)
      : post_(post), context_(std::move(context)), initial_(std::move(initial)), commands_(commands) {}

  size_t width() const { return initial_.size(); }
  const std::vector<uint8_t>& initial() const { return initial_; }
  // No state has more successors than there are commands.
  size_t most_successors() const { return commands_; }

  Posted post(const uint8_t* state, uint8_t* rows, size_t stride, int32_t* commands) const {
    Fault fault;
    const int32_t count = post_(context_.get(), state, rows, stride, commands, &fault);
    if (count < 0) throw ModelError(fault, {state, state + width()});
    const auto all = static_cast<size_t>(count);
    if (reducer_ == nullptr) return {all, 0};
    const size_t kept = reducer_->reduce(state, rows, stride, commands, all);
    return {kept, all - kept};
  }

  Model reduced(std::shared_ptr<const Reducer> reducer) const {
    Model copy = *this;
    copy.reducer_ = std::move(reducer);
    return copy;
  }

 private:
  PostFunction post_;
  std::shared_ptr<const void> context_;
  std::vector<uint8_t> initial_;
  size_t commands_;
  std::shared_ptr<const Reducer> reducer_;
};

}  // namespace buchi
