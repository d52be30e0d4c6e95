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

  // None where it divides by zero or leaves an array. `stack` is for its own use, and grows.
  std::optional<int32_t> operator()(const uint8_t* state, const std::vector<int32_t>& tables,
                                    std::vector<int32_t>& stack) const {
    if (stack.size() < code_.size()) stack.resize(code_.size());
    int32_t* top = stack.data() - 1;
    const int32_t* const end = code_.data() + code_.size();
    for (const int32_t* at = code_.data(); at < end;) {
      const int32_t op = *at++;
      if (op <= kLookup) {
        if (!fetch(op, at, state, tables, top)) return std::nullopt;
        at += operands(op);
      } else if (op == kTruth) {
        *top = *top != 0;
      } else if (op >= kIfZero) {
        at += jump(op, *at, top);
      } else if (!combine(op, top)) {
        return std::nullopt;
      }
    }
    return *top;
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
                    int32_t*& top) {
    if (op == kConst) {
      *++top = with[0];
    } else if (op == kLoad) {
      *++top = load(state + with[2], with[0], with[1]);
    } else if (op == kBits) {
      *++top = state[with[0] / 8] >> with[0] % 8 & with[1];
    } else {
      const int32_t index = *top, length = op == kElement ? with[3] : with[1];
      if (index < 0 || index >= length) return false;
      *top = op == kElement ? load(state + with[2] + index * with[0], with[0], with[1])
                            : tables[static_cast<size_t>(with[0] + index)];
    }
    return true;
  }

  // Over the right side, where the left one decides: its truth is the value.
  static size_t jump(int32_t op, int32_t distance, int32_t*& top) {
    const bool left = *top != 0;
    if (left == (op == kIfNotZero)) {
      *top = left;
      return static_cast<size_t>(distance) + 1;
    }
    --top;
    return 1;
  }

  static bool combine(int32_t op, int32_t*& top) {
    const int64_t right = *top;
    if (op <= kNot) {
      *top = static_cast<int32_t>(op == kNegate ? -right : op == kComplement ? ~right : right == 0);
      return true;
    }
    const int64_t left = *--top;
    if ((op == kDivide || op == kRemainder) && right == 0) return false;
    *top = static_cast<int32_t>(of_two(op, left, right));
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
