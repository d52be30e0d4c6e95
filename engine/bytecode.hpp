// Expressions and assignments as programs for a stack machine. models/bytecode.py writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "model.hpp"

namespace buchi {

// An instruction is an operation and its operands, each one number. `type` operands number the storage types.
// The top of the stack is what the last instruction computed; before the first one it is 1.
struct Op {
  enum Code : int32_t {
    kEnd,             //                      end of a program; the top is its value, if it has one
    kConst,           // value
    kLoad,            // type, offset
    kLoadByte,        // offset
    kLoadElement,     // type, offset, length (index on the stack)
    kLookup,          // start, length        element of a constant table (index on the stack)
    kShared,          // index
    kStore,           // type, offset         (value on the stack)
    kStoreElement,    // type, offset, length (index, then value on the stack)
    kStoreConst,      // offset, mask, bits   those bits of a byte that the mask has
    kCopyByte,        // offset, offset       from the first to the second
    kRange,           // low, high            overflow unless the value on the stack is between them
    kReadWritten,     //                      from here on, variables are read as they were written
    kRequire,         //                      a zero ends the program and is its value, else it is dropped
    kRequireByte,     // offset, mask, bits   ends the program with zero unless a byte has these bits
    kRequireNotByte,  // offset, mask, bits   likewise, if it has them
    kJumpIfZero,      // distance             lazy `and`: a zero stays and is the result, else it is dropped
    kJumpIfNotZero,   // distance             lazy `or`: a non-zero becomes 1 and is the result, else it is
                      // dropped
    kByteEquals,      // offset, mask, bits
    kNegate,
    kComplement,
    kNot,
    kTruth,  //                      1 unless zero
    // Those of two operands, which are on the stack; their variants have the right one, or both, in the
    // instruction.
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kBitAnd,
    kBitOr,
    kBitXor,
    kShiftLeft,
    kShiftRight,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kBinaries
  };
  // The right operand is a number, for a division none that is zero; or a byte, of which the offset is given.
  // The left one is on the stack, or a byte, too.
  static constexpr int32_t with_const(Code op) { return op + (kBinaries - kAdd); }
  static constexpr int32_t with_byte(Code op) { return op + 2 * (kBinaries - kAdd); }
  static constexpr int32_t byte_with_const(Code op) { return op + 3 * (kBinaries - kAdd); }
  static constexpr int32_t byte_with_byte(Code op) { return op + 4 * (kBinaries - kAdd); }
};

// Those of less than a byte follow: kSmall and their largest value make their number. Their offset is in
// bits, and there are no arrays of them.
enum class StorageType : int32_t { kByte, kWord, kInt16, kInt32 };
constexpr int32_t kSmall = 4;

constexpr int kStackDepth = 1024;  // models/bytecode.py refuses expressions that need more

template <class T>
inline int32_t load_as(const uint8_t* p) {
  T value;
  memcpy(&value, p, sizeof value);
  return static_cast<int32_t>(value);
}

inline int32_t load_bits(const uint8_t* base, int32_t bit, int32_t most) {
  return base[bit >> 3] >> (bit & 7) & most;
}

inline void store_bits(uint8_t* base, int32_t bit, int32_t most, int32_t value) {
  uint8_t& byte = base[bit >> 3];
  byte = static_cast<uint8_t>((byte & ~(most << (bit & 7))) | (value & most) << (bit & 7));
}

// The most frequent types come first.
inline int32_t load(int32_t type, const uint8_t* base, int32_t offset, int32_t index = 0) {
  const auto kind = static_cast<StorageType>(type);
  if (kind == StorageType::kByte) return base[offset + index];
  if (type > kSmall) return load_bits(base, offset, type - kSmall);
  if (kind == StorageType::kWord) return load_as<uint16_t>(base + offset + 2 * index);
  if (kind == StorageType::kInt16) return load_as<int16_t>(base + offset + 2 * index);
  return load_as<int32_t>(base + offset + 4 * index);
}

inline void store(int32_t type, uint8_t* base, int32_t offset, int32_t index, int32_t value) {
  switch (static_cast<StorageType>(type)) {
    case StorageType::kByte:
      base[offset + index] = static_cast<uint8_t>(value);
      return;
    case StorageType::kWord:
    case StorageType::kInt16: {
      const auto narrow = static_cast<uint16_t>(value);
      memcpy(base + offset + 2 * index, &narrow, sizeof narrow);
      return;
    }
    case StorageType::kInt32:
      memcpy(base + offset + 4 * index, &value, sizeof value);
      return;
    default:
      return store_bits(base, offset, type - kSmall, value);
  }
}

// Runs the program at `code`, reading variables from `from` and writing them to `to` (null for an
// expression). Returns false with the fault's kind when it fails; the value of an expression goes to
// `result`.
bool run(const int32_t* code, const uint8_t* from, uint8_t* to, const int32_t* tables, const int32_t* shared,
         int32_t* result, Fault* fault);

}  // namespace buchi
