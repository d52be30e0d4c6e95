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
    const size_t width = product_.row_bytes();
    std::vector<uint64_t> before((width + 7) / 8);
    Out out(bytes);
    for (size_t i = begin; i < done_; ++i)
      add_row(product_.table.vector(static_cast<StateId>(i)), width, before, out);
    for (const Numbering& one : all_) add_numbers(one, begin, out);
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

  // Appends to bytes, after it was told how many come at most.
  class Out {
   public:
    explicit Out(std::vector<uint8_t>& bytes) : bytes_(bytes) { set_place(bytes.size()); }
    ~Out() { bytes_.resize(size()); }
    Out(const Out&) = delete;
    Out& operator=(const Out&) = delete;

    void expect(size_t most) {
      if (static_cast<size_t>(end_ - next_) >= most) return;
      const size_t before = size();
      bytes_.resize(2 * (before + most));
      set_place(before);
    }
    void byte(uint8_t value) { *next_++ = value; }
    void varint(uint64_t value) {
      for (; value >= 128; value >>= 7) byte(static_cast<uint8_t>(value | 128));
      byte(static_cast<uint8_t>(value));
    }

   private:
    size_t size() const { return static_cast<size_t>(next_ - bytes_.data()); }
    void set_place(size_t size) {
      next_ = bytes_.data() + size;
      end_ = bytes_.data() + bytes_.size();
    }

    std::vector<uint8_t>& bytes_;
    uint8_t *next_, *end_;
  };

  // The bytes that differ from the row before: how far from the last one, and the byte; 0 ends the row.
  static void add_row(const uint8_t* row, size_t width, std::vector<uint64_t>& before, Out& out) {
    size_t last = 0;
    out.expect(3 * width + 1);  // a distance takes more than a byte where it skips more than one
    for (size_t i = 0; i < before.size(); ++i) {
      uint64_t word = 0;
      memcpy(&word, row + 8 * i, std::min<size_t>(8, width - 8 * i));
      for (uint64_t changed = word ^ std::exchange(before[i], word); changed != 0;) {
        const int bit = __builtin_ctzll(changed) & ~7;
        changed &= ~(uint64_t{255} << bit);
        const size_t at = 8 * i + static_cast<size_t>(bit) / 8 + 1;
        out.varint(at - std::exchange(last, at));
        out.byte(static_cast<uint8_t>(word >> bit));
      }
    }
    out.byte(0);
  }

  void add_numbers(const Numbering& one, size_t begin, Out& out) const {
    out.expect(5 * (done_ - begin));
    int64_t before = 0;
    for (size_t i = begin; i < done_; ++i) {
      const int64_t number = one.of(static_cast<StateId>(i)), change = number - before;
      out.varint(static_cast<uint64_t>(change) << 1 ^ static_cast<uint64_t>(change >> 63));
      before = number;
    }
  }

  Product& product_;
  const std::deque<Numbering>& all_;
  size_t done_ = 0;
};

}  // namespace buchi
