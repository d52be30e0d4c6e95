#include "bytecode.hpp"

namespace buchi {
namespace {

// Arithmetic wraps around, which signed numbers in C++ do not.
int32_t wrap(uint32_t value) { return static_cast<int32_t>(value); }

template <int32_t op>
int32_t arithmetic(int32_t a, int32_t b) {
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
    default:
      return a >= b;
  }
}

bool out_of_bounds(int32_t index, int32_t length) {
  return static_cast<uint32_t>(index) >= static_cast<uint32_t>(length);
}

}  // namespace

// Has the operation no value for this right operand?
template <int32_t op>
bool divides_by_zero(int32_t right) {
  return (op == Op::kDivide || op == Op::kRemainder) && right == 0;
}

// An operation in its variants.
#define BUCHI_VARIANTS(op)                                                       \
  case op:                                                                       \
    if (divides_by_zero<op>(top)) return fail(Fault::kDivisionByZero);           \
    top = arithmetic<op>(*below--, top);                                         \
    break;                                                                       \
  case Op::with_byte(op):                                                        \
    if (divides_by_zero<op>(from[*code])) return fail(Fault::kDivisionByZero);   \
    top = arithmetic<op>(top, from[*code++]);                                    \
    break;                                                                       \
  case Op::with_const(op):                                                       \
    top = arithmetic<op>(top, *code++);                                          \
    break;                                                                       \
  case Op::byte_with_byte(op):                                                   \
    if (divides_by_zero<op>(from[code[1]])) return fail(Fault::kDivisionByZero); \
    push(arithmetic<op>(from[code[0]], from[code[1]]));                          \
    code += 2;                                                                   \
    break;                                                                       \
  case Op::byte_with_const(op):                                                  \
    push(arithmetic<op>(from[code[0]], code[1]));                                \
    code += 2;                                                                   \
    break

bool run(const int32_t* code, const uint8_t* from, uint8_t* to, const int32_t* tables, const int32_t* shared,
         int32_t* result, Fault* fault) {
  int32_t stack[kStackDepth + 1];  // the first is below the bottom
  int32_t* below = stack;
  int32_t top = 1;
  const auto fail = [fault](Fault::Kind kind) {
    fault->kind = kind;
    return false;
  };
  const auto push = [&](int32_t value) {
    *++below = top;
    top = value;
  };
  const auto has_bits = [&] { return (from[code[0]] & code[1]) == code[2]; };
  for (;;) {
    switch (*code++) {
      case Op::kEnd:
        if (result != nullptr) *result = top;
        return true;
      case Op::kConst:
        push(*code++);
        break;
      case Op::kLoad:
        push(load(code[0], from, code[1]));
        code += 2;
        break;
      case Op::kLoadByte:
        push(from[*code++]);
        break;
      case Op::kLoadElement:
        if (out_of_bounds(top, code[2])) return fail(Fault::kIndexOutOfBounds);
        top = load(code[0], from, code[1], top);
        code += 3;
        break;
      case Op::kLookup:
        if (out_of_bounds(top, code[1])) return fail(Fault::kIndexOutOfBounds);
        top = tables[code[0] + top];
        code += 2;
        break;
      case Op::kShared:
        push(shared[*code++]);
        break;
      case Op::kStore:
        store(code[0], to, code[1], 0, top);
        top = *below--;
        code += 2;
        break;
      case Op::kStoreElement:
        if (out_of_bounds(*below, code[2])) return fail(Fault::kIndexOutOfBounds);
        store(code[0], to, code[1], *below--, top);
        top = *below--;
        code += 3;
        break;
      case Op::kStoreConst:
        to[code[0]] = static_cast<uint8_t>((to[code[0]] & ~code[1]) | code[2]);
        code += 3;
        break;
      case Op::kCopyByte:
        to[code[1]] = from[code[0]];
        code += 2;
        break;
      case Op::kRange:
        if (top < code[0] || top > code[1]) return fail(Fault::kOverflow);
        code += 2;
        break;
      case Op::kReadWritten:
        from = to;
        break;
      case Op::kRequire:
        if (top == 0) {
          *result = 0;
          return true;
        }
        top = *below--;
        break;
      case Op::kRequireByte:
      case Op::kRequireNotByte:
        if (has_bits() != (code[-1] == Op::kRequireByte)) {
          *result = 0;
          return true;
        }
        code += 3;
        break;
      case Op::kJumpIfZero:
        if (top == 0) {
          code += *code;
        } else {
          top = *below--;
        }
        ++code;
        break;
      case Op::kJumpIfNotZero:
        if (top != 0) {
          top = 1;
          code += *code;
        } else {
          top = *below--;
        }
        ++code;
        break;
      case Op::kByteEquals:
        push(has_bits());
        code += 3;
        break;
      case Op::kNegate:
        top = wrap(0 - static_cast<uint32_t>(top));
        break;
      case Op::kComplement:
        top = ~top;
        break;
      case Op::kNot:
        top = top == 0;
        break;
      case Op::kTruth:
        top = top != 0;
        break;
        BUCHI_VARIANTS(Op::kAdd);
        BUCHI_VARIANTS(Op::kSubtract);
        BUCHI_VARIANTS(Op::kMultiply);
        BUCHI_VARIANTS(Op::kDivide);
        BUCHI_VARIANTS(Op::kRemainder);
        BUCHI_VARIANTS(Op::kBitAnd);
        BUCHI_VARIANTS(Op::kBitOr);
        BUCHI_VARIANTS(Op::kBitXor);
        BUCHI_VARIANTS(Op::kShiftLeft);
        BUCHI_VARIANTS(Op::kShiftRight);
        BUCHI_VARIANTS(Op::kEqual);
        BUCHI_VARIANTS(Op::kNotEqual);
        BUCHI_VARIANTS(Op::kLess);
        BUCHI_VARIANTS(Op::kLessEqual);
        BUCHI_VARIANTS(Op::kGreater);
        BUCHI_VARIANTS(Op::kGreaterEqual);
      default:
        __builtin_unreachable();
    }
  }
}

}  // namespace buchi
