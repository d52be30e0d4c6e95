// What a certificate (docs/certificates.md) tells of a product that was searched: its states, their numbers,
// and for each number the marks that no edge within it carries. Piece by piece, for a file.
#pragma once

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "numbering.hpp"
#include "product.hpp"

namespace buchi {

class CertificateRows {
 public:
  CertificateRows(Product& product, const Numberings& numberings) : product_(product), all_(numberings.all) {}

  // The Fin marks and the count of each.
  std::vector<std::pair<Marks, size_t>> numberings() const {
    std::vector<std::pair<Marks, size_t>> result;
    for (const Numbering& one : all_) result.emplace_back(one.fin, one.marks.size());
    return result;
  }

  // Appends the next rows, then their numbers. Returns how many there are, at the end none.
  size_t next(std::vector<uint8_t>& bytes) {
    const size_t begin = done_;
    done_ = std::min(begin + kRowsOfPiece, size_t{product_.table.size()});
    std::vector<uint8_t> before(product_.row_bytes());
    for (size_t i = begin; i < done_; ++i)
      add_row(product_.table.vector(static_cast<StateId>(i)), before, bytes);
    for (const Numbering& one : all_) add_numbers(one, begin, bytes);
    return done_ - begin;
  }

  // For numbers from `begin` on, and for each set of wanted marks: one of them that the number does not have.
  std::vector<uint8_t> reasons(size_t numbering, size_t begin, std::span<const Marks> wanted) const {
    const Array<Marks>& marks = all_.at(numbering).marks;
    std::vector<uint8_t> bytes;
    for (size_t i = begin; i < std::min(begin + kRowsOfPiece, marks.size()); ++i)
      for (const Marks inf : wanted) {
        const Marks missing = inf & ~marks[i];
        bytes.push_back(missing == 0 ? kNoEdge : static_cast<uint8_t>(__builtin_ctz(missing)));
      }
    return bytes;
  }

 private:
  static constexpr size_t kRowsOfPiece = 1 << 16;
  static constexpr uint8_t kNoEdge = 255;  // in place of a mark

  static void add_varint(uint64_t value, std::vector<uint8_t>& bytes) {
    for (; value >= 128; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 128));
    bytes.push_back(static_cast<uint8_t>(value));
  }

  // The bytes that differ from the row before: how far from the last one, and the byte; 0 ends the row.
  static void add_row(const uint8_t* row, std::vector<uint8_t>& before, std::vector<uint8_t>& bytes) {
    size_t last = 0;
    for (size_t i = 0; i < before.size(); ++i) {
      while (i + 8 <= before.size() && memcmp(row + i, before.data() + i, 8) == 0) i += 8;
      if (i == before.size() || row[i] == before[i]) continue;
      add_varint(i + 1 - last, bytes);
      bytes.push_back(row[i]);
      before[i] = row[i];
      last = i + 1;
    }
    bytes.push_back(0);
  }

  void add_numbers(const Numbering& one, size_t begin, std::vector<uint8_t>& bytes) const {
    int64_t before = 0;
    for (size_t i = begin; i < done_; ++i) {
      const int64_t number = one.of(static_cast<StateId>(i)), change = number - before;
      add_varint(static_cast<uint64_t>(change) << 1 ^ static_cast<uint64_t>(change >> 63), bytes);
      before = number;
    }
  }

  Product& product_;
  const std::deque<Numbering>& all_;
  size_t done_ = 0;
};

}  // namespace buchi
