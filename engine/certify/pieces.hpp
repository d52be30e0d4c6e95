// The pieces of a certificate: how rows and numbers are read, and what is told of each number.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "row_set.hpp"

namespace buchi::certify {

inline constexpr uint8_t kNoEdge = 255;  // in place of a mark

// A number for each row, over the edges without the Fin marks, and a reason for each number.
struct Numbering {
  Numbering(uint32_t fin_, std::vector<uint32_t> clauses_, size_t numbers, size_t rows)
      : fin(fin_), clauses(std::move(clauses_)), reasons(numbers), number(rows), most(numbers) {}

  void add_reason(const uint8_t* marks) {
    if (count == most) throw std::invalid_argument("more reasons than numbers");
    uint64_t forbidden = 0;
    for (size_t i = 0; i < clauses.size(); ++i) {
      if (marks[i] != kNoEdge && (marks[i] >= 32 || (clauses[i] >> marks[i] & 1) == 0))
        throw std::invalid_argument("number " + std::to_string(count) + ": mark " + std::to_string(marks[i]) +
                                    " is none that the acceptance asks for");
      forbidden |= marks[i] == kNoEdge ? kAnyEdge : uint64_t{1} << marks[i];
    }
    const auto known = masks_known.try_emplace(forbidden, static_cast<uint16_t>(masks.size()));
    if (known.second) masks.push_back(forbidden);
    if (masks.size() > UINT16_MAX) throw std::invalid_argument("too many different reasons");
    reasons[count++] = known.first->second;
  }

  static constexpr uint64_t kAnyEdge = uint64_t{1} << 32;
  uint32_t fin;
  std::vector<uint32_t> clauses;
  std::vector<uint64_t> masks;  // of marks that no edge carries
  std::map<uint64_t, uint16_t> masks_known;
  Zeroes<uint16_t> reasons;  // of each number, one of the masks
  Zeroes<uint32_t> number;   // of each row
  size_t most, count = 0;
};

// Reads a piece; throws invalid_argument.
struct Reader {
  const uint8_t* data;
  size_t left, row;

  std::string where() const { return "row " + std::to_string(row) + ": "; }
  uint8_t byte() {
    if (left == 0) throw std::invalid_argument(where() + "it ends too early");
    --left;
    return *data++;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 42; shift += 7) {
      const uint8_t next = byte();
      value |= uint64_t{next & 127u} << shift;
      if (next < 128) return value;
    }
    throw std::invalid_argument(where() + "a number is too large");
  }
};

}  // namespace buchi::certify
