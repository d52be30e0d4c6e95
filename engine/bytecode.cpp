#include "bytecode.hpp"

namespace buchi {
namespace {

// Arithmetic wraps around, which signed numbers in C++ do not.
int32_t wrap(uint32_t value) { return static_cast<int32_t>(value); }

int32_t arithmetic(Op op, int32_t a, int32_t b) {
  const auto x = static_cast<uint32_t>(a);
  const auto y = static_cast<uint32_t>(b);
  switch (op) {
    case Op::kAdd:
      return wrap(x + y);
    case Op::kSubtract:
      return wrap(x - y);
    case Op::kMultiply:
      return wrap(x * y);
    case Op::kDivide:
      return b == -1 ? wrap(0 - x) : a / b;
    case Op::kRemainder:
      return b == -1 ? 0 : a % b;
    case Op::kBitAnd:
      return a & b;
    case Op::kBitOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kShiftLeft:
      return wrap(x << (y & 31));
    case Op::kShiftRight:
      return a >> (y & 31);
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    case Op::kLess:
      return a < b;
    case Op::kLessEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterEqual:
      return a >= b;
    default:
      __builtin_unreachable();
  }
}

bool out_of_bounds(int32_t index, int32_t length) {
  return static_cast<uint32_t>(index) >= static_cast<uint32_t>(length);
}

}  // namespace

bool run(const int32_t* code, const uint8_t* from, uint8_t* to, const int32_t* tables, const int32_t* shared,
         int32_t* result, Fault* fault) {
  int32_t stack[kStackDepth + 1];  // the first is below the bottom
  int32_t* top = stack;
  const auto fail = [fault](Fault::Kind kind) {
    fault->kind = kind;
    return false;
  };
  for (;;) {
    const auto op = static_cast<Op>(*code++);
    switch (op) {
      case Op::kEnd:
        if (result != nullptr) *result = *top;
        return true;
      case Op::kConst:
        *++top = *code++;
        break;
      case Op::kLoad:
        *++top = load(code[0], from, code[1]);
        code += 2;
        break;
      case Op::kLoadElement:
        if (out_of_bounds(*top, code[2])) return fail(Fault::kIndexOutOfBounds);
        *top = load(code[0], from, code[1], *top);
        code += 3;
        break;
      case Op::kLookup:
        if (out_of_bounds(*top, code[1])) return fail(Fault::kIndexOutOfBounds);
        *top = tables[code[0] + *top];
        code += 2;
        break;
      case Op::kShared:
        *++top = shared[*code++];
        break;
      case Op::kStore:
        store(code[0], to, code[1], 0, *top--);
        code += 2;
        break;
      case Op::kStoreElement:
        if (out_of_bounds(top[-1], code[2])) return fail(Fault::kIndexOutOfBounds);
        store(code[0], to, code[1], top[-1], *top);
        top -= 2;
        code += 3;
        break;
      case Op::kRange:
        if (*top < code[0] || *top > code[1]) return fail(Fault::kOverflow);
        code += 2;
        break;
      case Op::kNegate:
        *top = wrap(0 - static_cast<uint32_t>(*top));
        break;
      case Op::kComplement:
        *top = ~*top;
        break;
      case Op::kNot:
        *top = *top == 0;
        break;
      case Op::kTruth:
        *top = *top != 0;
        break;
      case Op::kJumpIfZero:
        if (*top == 0) {
          code += *code;
        } else {
          --top;
        }
        ++code;
        break;
      case Op::kJumpIfNotZero:
        if (*top != 0) {
          *top = 1;
          code += *code;
        } else {
          --top;
        }
        ++code;
        break;
      case Op::kByteEquals:
        *++top = (from[code[0]] & code[1]) == code[2];
        code += 3;
        break;
      case Op::kDivide:
      case Op::kRemainder:
        if (*top == 0) return fail(Fault::kDivisionByZero);
        [[fallthrough]];
      default:
        --top;
        *top = arithmetic(op, top[0], top[1]);
    }
  }
}

}  // namespace buchi
