// Propositions of a certificate: expressions over the state of a model.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace buchi::certify {

// An expression in postfix form. Numbers are of 32 bits and wrap around.
class Expression {
 public:
  enum Op : int32_t {
    kConst,
    kLoad,
    kBits,
    kElement,
    kLookup,
    kNegate,
    kComplement,
    kNot,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kAnd,
    kOr,
    kXor,
    kLeft,
    kRight,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kIfZero,
    kIfNotZero,
    kTruth
  };

  explicit Expression(std::vector<int32_t> code) : code_(std::move(code)) {}

  bool is_none() const { return code_.empty(); }

  // None where it divides by zero or leaves an array.
  std::optional<int32_t> operator()(const uint8_t* state, const std::vector<int32_t>& tables,
                                    std::vector<int32_t>& stack) const {
    stack.clear();
    for (size_t at = 0; at < code_.size();) {
      const int32_t op = code_[at];
      if (op <= kLookup) {
        if (!fetch(op, &code_[at + 1], state, tables, stack)) return std::nullopt;
        at += 1 + operands(op);
      } else if (op >= kIfZero) {
        at += op == kTruth ? 1 : jump(op, code_[at + 1], stack);
        if (op == kTruth) stack.back() = stack.back() != 0;
      } else {
        if (!combine(op, stack)) return std::nullopt;
        ++at;
      }
    }
    return stack.back();
  }

 private:
  static size_t operands(int32_t op) {
    static constexpr size_t kCount[] = {1, 3, 2, 4, 2};
    return kCount[op];
  }

  static int32_t load(const uint8_t* from, int32_t size, int32_t is_signed) {
    if (size == 1) return *from;
    if (size == 4) {
      int32_t value;
      memcpy(&value, from, 4);
      return value;
    }
    uint16_t value;
    memcpy(&value, from, 2);
    return is_signed != 0 ? static_cast<int16_t>(value) : value;
  }

  static bool fetch(int32_t op, const int32_t* with, const uint8_t* state, const std::vector<int32_t>& tables,
                    std::vector<int32_t>& stack) {
    if (op == kConst) {
      stack.push_back(with[0]);
    } else if (op == kLoad) {
      stack.push_back(load(state + with[2], with[0], with[1]));
    } else if (op == kBits) {
      stack.push_back(state[with[0] / 8] >> with[0] % 8 & with[1]);
    } else {
      const int32_t index = stack.back(), length = op == kElement ? with[3] : with[1];
      if (index < 0 || index >= length) return false;
      stack.back() = op == kElement ? load(state + with[2] + index * with[0], with[0], with[1])
                                    : tables[static_cast<size_t>(with[0] + index)];
    }
    return true;
  }

  // Over the right side, where the left one decides: its truth is the value.
  static size_t jump(int32_t op, int32_t distance, std::vector<int32_t>& stack) {
    const bool left = stack.back() != 0;
    if (left == (op == kIfNotZero)) {
      stack.back() = left;
      return static_cast<size_t>(distance) + 2;
    }
    stack.pop_back();
    return 2;
  }

  static bool combine(int32_t op, std::vector<int32_t>& stack) {
    const int64_t right = stack.back();
    if (op <= kNot) {
      stack.back() = static_cast<int32_t>(op == kNegate ? -right : op == kComplement ? ~right : right == 0);
      return true;
    }
    stack.pop_back();
    const int64_t left = stack.back();
    if ((op == kDivide || op == kRemainder) && right == 0) return false;
    stack.back() = static_cast<int32_t>(of_two(op, left, right));
    return true;
  }

  static int64_t of_two(int32_t op, int64_t left, int64_t right) {
    switch (op) {
      case kAdd:
        return left + right;
      case kSubtract:
        return left - right;
      case kMultiply:
        return left * right;
      case kDivide:
        return left / right;
      case kRemainder:
        return left % right;
      case kAnd:
        return left & right;
      case kOr:
        return left | right;
      case kXor:
        return left ^ right;
      case kLeft:
        return left * (int64_t{1} << (right & 31));
      case kRight:
        return left >> (right & 31);
      case kEqual:
        return left == right;
      case kNotEqual:
        return left != right;
      case kLess:
        return left < right;
      case kLessEqual:
        return left <= right;
      case kGreater:
        return left > right;
      default:
        return left >= right;
    }
  }

  std::vector<int32_t> code_;
};

}  // namespace buchi::certify
