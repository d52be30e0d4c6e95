// Checks certificates (docs/certificates.md) at the speed of a search, and shares nothing with one: the set
// of states, the automaton, the letters, the numbers are its own. Only the successors come from a back-end,
// the other one than the search had.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "certify/expression.hpp"
#include "certify/pieces.hpp"
#include "certify/row_set.hpp"
#include "certify/steps.hpp"
#include "model.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace buchi {
namespace certify {
namespace {

constexpr int32_t kNothing = -1;  // in place of a command: the model stays where it is
constexpr size_t kBatch = 256;    // edges after which their targets are looked up together

// What is wrong with a certificate, and where.
struct Problem {
  std::string what;
  Row row = kNowhere;
  std::vector<uint8_t> other = {};  // the row that an edge leads to
  size_t numbering = 0;
};

enum class Letter : int32_t { kSource, kDestination, kChange };

class Certifier {
 public:
  Certifier(const Model& model, size_t rows, size_t automaton_bytes, int32_t letter, bool stutter)
      : model_(model),
        automaton_bytes_(automaton_bytes),
        letter_(static_cast<Letter>(letter)),
        stutter_(stutter),
        rows_(model.width() + automaton_bytes, rows) {}

  void set_propositions(std::vector<int32_t> tables, const std::vector<std::vector<int32_t>>& programs,
                        const std::vector<std::tuple<uint32_t, bool, bool, Flags>>& steps) {
    tables_ = std::move(tables);
    for (const auto& program : programs) programs_.emplace_back(program);
    for (const auto& [number, of_taken, negated, commands] : steps) {
      steps_.push_back({uint64_t{1} << number, of_taken, negated, commands});
      about_steps_ |= steps_.back().bit;
    }
  }

  void set_automaton(size_t states, const std::vector<std::tuple<uint64_t, uint64_t, uint32_t>>& initial,
                     const std::vector<std::tuple<uint32_t, uint64_t, uint64_t, uint32_t, uint32_t>>& edges) {
    outgoing_.resize(states);
    for (const auto& [yes, no, state] : initial) initial_.add({yes, no}, {state, 0});
    for (const auto& [source, yes, no, marks, target] : edges)
      outgoing_.at(source).add({yes, no}, {target, marks});
  }

  void set_fairness(const std::vector<std::tuple<bool, uint32_t, Flags>>& conditions) {
    for (const auto& [strong, mark, commands] : conditions) fair_.push_back({strong, mark, commands});
  }

  // The Fin marks of a numbering, and the Inf marks of its clauses.
  void add_numbering(uint32_t fin, std::vector<uint32_t> clauses, size_t numbers, size_t rows) {
    numberings_.emplace_back(fin, std::move(clauses), numbers, rows);
  }

  // Takes a piece of so many rows and their numbers, as CertificateRows writes it. Throws invalid_argument.
  void read(const nb::bytes& piece, size_t count) {
    Reader reader{reinterpret_cast<const uint8_t*>(piece.c_str()), piece.size(), rows_.count()};
    const nb::gil_scoped_release released;
    const auto first = static_cast<Row>(rows_.count());
    read_rows(reader, count);
    enter(first);
    for (Numbering& one : numberings_) read_numbers(reader, first, one);
    if (reader.left != 0) throw std::invalid_argument(reader.where() + "there is more than its rows");
  }

  // Takes marks for the next numbers of a numbering, one for each clause. Throws invalid_argument.
  void read_reasons(size_t numbering, const nb::bytes& piece) {
    Numbering& one = numberings_.at(numbering);
    if (one.clauses.empty() || piece.size() % one.clauses.size() != 0)
      throw std::invalid_argument("reasons that do not go with the clauses");
    const auto* marks = reinterpret_cast<const uint8_t*>(piece.c_str());
    for (size_t i = 0; i < piece.size(); i += one.clauses.size()) one.add_reason(marks + i);
  }

  // What is wrong with the initial states?
  std::optional<Problem> check_start() const {
    Work work(*this);
    std::vector<uint8_t> row(rows_.stride);
    memcpy(row.data(), model_.initial().data(), model_.width());
    uint64_t letter;
    if (!read_letter(row.data(), initial_.read, work, letter))
      return Problem{"a proposition fails in the initial state", kNowhere, row};
    initial_.find(letter, work.found);
    for (const Move& move : work.found) {
      memcpy(row.data() + model_.width(), &move.destination, automaton_bytes_);
      if (rows_.find(row.data(), rows_.hash(row.data())) == kNowhere)
        return Problem{"an initial state is missing", kNowhere, row};
    }
    return std::nullopt;
  }

  // What is wrong with the edges of these rows? May be called by several threads.
  std::optional<Problem> check(Row begin, Row end) const {
    const nb::gil_scoped_release released;
    Work work(*this);
    for (Row row = begin; row < end; ++row) {
      if (const char* what = add_edges(row, work)) return Problem{what, row, {}};
      if (work.problem) return std::move(work.problem);
    }
    look_up(work);
    return std::move(work.problem);
  }

  nb::bytes row(Row number) const {
    if (number >= rows_.count()) throw std::out_of_range("no such row");
    return nb::bytes(reinterpret_cast<const char*>(rows_.row(number)), model_.width() + automaton_bytes_);
  }
  size_t count() const { return rows_.count(); }

 private:
  struct Edge {
    Row source;
    uint32_t marks;
    uint64_t hash;  // of its target
  };

  // What one thread needs for itself.
  struct Work {
    explicit Work(const Certifier& c)
        : stride(c.rows_.stride),
          most_edges(kBatch + c.model_.most_successors() + 1),
          targets(most_edges * stride),
          successors((c.model_.most_successors() + 1) * stride),
          commands(c.model_.most_successors() + 1) {
      edges.reserve(most_edges);
    }
    uint8_t* target(size_t edge) { return targets.data() + edge * stride; }

    const size_t stride, most_edges;
    std::vector<Edge> edges;
    std::vector<uint8_t> targets, successors;
    std::vector<int32_t> commands, enabled, stack;
    std::vector<Move> found;
    std::optional<Problem> problem;
  };

  void read_rows(Reader& reader, size_t count) {
    std::vector<uint8_t> before(rows_.stride);
    const size_t bytes = model_.width() + automaton_bytes_;
    for (size_t i = 0; i < count; ++i, ++reader.row) {
      if (rows_.is_full()) throw std::invalid_argument(reader.where() + "there are more rows than announced");
      size_t at = 0;
      while (const uint64_t distance = reader.varint()) {
        if (distance > bytes - at) throw std::invalid_argument(reader.where() + "it is too long");
        at += distance;
        before[at - 1] = reader.byte();
      }
      memcpy(rows_.next(), before.data(), rows_.stride);
      check_automaton_state(before.data(), reader);
      rows_.keep();
    }
  }

  void check_automaton_state(const uint8_t* row, const Reader& reader) const {
    if (automaton_state(row) >= outgoing_.size())
      throw std::invalid_argument(reader.where() + "the automaton has no state " +
                                  std::to_string(automaton_state(row)));
  }

  void enter(Row first) {
    const auto end = static_cast<Row>(rows_.count());
    std::vector<uint64_t> hashes;
    for (Row row = first; row < end; ++row) hashes.push_back(rows_.hash(rows_.row(row)));
    for (Row row = first; row < end; ++row) {
      if (row + 16 < end) rows_.fetch_slot(hashes[row + 16 - first]);
      if (!rows_.enter(row, hashes[row - first]))
        throw std::invalid_argument("row " + std::to_string(row) + ": it is there twice");
    }
  }

  void read_numbers(Reader& reader, Row first, Numbering& one) {
    int64_t number = 0;
    reader.row = first;
    for (Row row = first; row < rows_.count(); ++row, ++reader.row) {
      const uint64_t change = reader.varint();
      number += static_cast<int64_t>(change >> 1) ^ -static_cast<int64_t>(change & 1);
      if (number < 0 || static_cast<size_t>(number) >= one.most)
        throw std::invalid_argument(reader.where() + "its number is none of those announced");
      one.number[row] = static_cast<uint32_t>(number);
    }
  }

  uint32_t automaton_state(const uint8_t* row) const {
    uint32_t state = 0;
    memcpy(&state, row + model_.width(), automaton_bytes_);
    return state;
  }

  // Of these propositions, which hold in a state, but for those about steps. False where one fails.
  bool read_letter(const uint8_t* state, uint64_t read, Work& work, uint64_t& letter) const {
    letter = 0;
    for (uint64_t left = read & ~about_steps_; left != 0; left &= left - 1) {
      const auto value = programs_[static_cast<size_t>(__builtin_ctzll(left))](state, tables_, work.stack);
      if (!value) return false;
      if (*value != 0) letter |= left & -left;
    }
    return true;
  }
  uint64_t letter_of_step(Step step) const {
    uint64_t letter = 0;
    for (const StepProposition& one : steps_)
      if ((one.of_taken ? step.takes(one.commands) : step.enables(one.commands)) != one.negated)
        letter |= one.bit;
    return letter;
  }
  uint32_t marks_of_step(Step step) const {
    uint32_t marks = 0;
    for (const Fairness& one : fair_) {
      const bool moves = step.takes(one.commands), waits = step.enables(one.commands);
      if (one.strong) {
        marks |= (waits ? 1u << one.mark : 0) | (moves ? 2u << one.mark : 0);
      } else if (moves || !waits) {
        marks |= 1u << one.mark;
      }
    }
    return marks;
  }

  // Adds the edges of a row to those that are to be looked up. Returns what fails.
  const char* add_edges(Row row, Work& work) const {
    if (work.edges.size() >= kBatch) look_up(work);
    const uint8_t* source = rows_.row(row);
    const Outgoing& outgoing = outgoing_[automaton_state(source)];
    uint64_t here;
    if (!read_letter(source, outgoing.read, work, here)) return "a proposition fails in this state";
    const bool is_known = letter_ == Letter::kSource && steps_.empty();
    if (is_known) {
      outgoing.find(here, work.found);
      if (work.found.empty()) return nullptr;
    }
    // Where each step of the model is one edge, it is written where the target of that is looked for.
    const bool is_one = is_known && work.found.size() == 1;
    uint8_t* successors = is_one ? work.target(work.edges.size()) : work.successors.data();
    size_t count;
    try {
      count = model_.post(source, successors, work.stride, work.commands.data()).count;
    } catch (const ModelError&) {
      return "a step of the model fails in this state";
    }
    if (!steps_.empty() || !fair_.empty())
      work.enabled.assign(work.commands.begin(), work.commands.begin() + static_cast<ptrdiff_t>(count));
    if (count == 0 && stutter_) {
      memcpy(successors, source, model_.width());
      work.commands[count++] = kNothing;
    }
    for (size_t i = 0; i < count; ++i) {
      const uint8_t* target = successors + i * work.stride;
      const Step step{work.enabled, work.commands[i]};
      if (!is_known) {
        uint64_t there = 0;
        if (letter_ != Letter::kSource && !read_letter(target, outgoing.read, work, there))
          return "a proposition fails after a step from this state";
        const uint64_t letter = letter_ == Letter::kSource   ? here
                                : letter_ == Letter::kChange ? here ^ there
                                                             : there;
        outgoing.find(letter | letter_of_step(step), work.found);
      }
      const uint32_t marks = fair_.empty() ? 0 : marks_of_step(step);
      for (const Move& move : work.found) add_edge(row, target, {move.destination, move.marks | marks}, work);
    }
    return nullptr;
  }

  void add_edge(Row source, const uint8_t* successor, Move move, Work& work) const {
    if (work.edges.size() == work.most_edges) look_up(work);
    uint8_t* target = work.target(work.edges.size());
    if (target != successor) memcpy(target, successor, model_.width());
    for (size_t i = 0; i < automaton_bytes_; ++i)
      target[model_.width() + i] = static_cast<uint8_t>(move.destination >> 8 * i);
    work.edges.push_back({source, move.marks, 0});
  }

  // In three rounds, so that waits for memory overlap.
  void look_up(Work& work) const {
    for (size_t i = 0; i < work.edges.size(); ++i) {
      work.edges[i].hash = rows_.hash(work.target(i));
      rows_.fetch_slot(work.edges[i].hash);
    }
    for (const Edge& edge : work.edges) {
      const Row likely = rows_.likely(edge.hash);
      if (likely == kNowhere) continue;
      __builtin_prefetch(rows_.row(likely));
      for (const Numbering& one : numberings_) __builtin_prefetch(one.number.at(likely));
    }
    for (size_t i = 0; i < work.edges.size() && !work.problem; ++i) {
      const uint8_t* target = work.target(i);
      work.problem = check_edge(work.edges[i], rows_.find(target, work.edges[i].hash));
      if (work.problem) work.problem->other.assign(target, target + model_.width() + automaton_bytes_);
    }
    work.edges.clear();
  }

  std::optional<Problem> check_edge(const Edge& edge, Row target) const {
    if (target == kNowhere) return Problem{"a successor is missing", edge.source, {}};
    for (size_t i = 0; i < numberings_.size(); ++i) {
      const Numbering& one = numberings_[i];
      if ((edge.marks & one.fin) != 0 || one.clauses.empty()) continue;
      const uint32_t before = one.number[edge.source], after = one.number[target];
      if (after > before) return Problem{"an edge increases the number", edge.source, {}, i};
      if (after < before) continue;
      if (before >= one.count) return Problem{"its number has no reason", edge.source, {}, i};
      const uint64_t forbidden = one.masks[one.reasons[before]];
      if ((forbidden & Numbering::kAnyEdge) != 0)
        return Problem{"there is an edge within its number", edge.source, {}, i};
      if ((forbidden & edge.marks) != 0)
        return Problem{"an edge within its number carries the mark", edge.source, {}, i};
    }
    return std::nullopt;
  }

  const Model& model_;
  const size_t automaton_bytes_;
  const Letter letter_;
  const bool stutter_;
  RowSet rows_;
  std::vector<int32_t> tables_;
  std::vector<Expression> programs_;
  std::vector<StepProposition> steps_;
  uint64_t about_steps_ = 0;  // their bits
  Outgoing initial_;
  std::vector<Outgoing> outgoing_;  // of each state of the automaton
  std::vector<Fairness> fair_;
  std::vector<Numbering> numberings_;
};

}  // namespace
}  // namespace certify

void bind_certifier(nb::module_& m) {
  using namespace certify;
  nb::class_<Problem>(m, "Problem")
      .def_ro("what", &Problem::what)
      .def_ro("numbering", &Problem::numbering)
      .def_prop_ro("row",
                   [](const Problem& problem) -> std::optional<Row> {
                     return problem.row == kNowhere ? std::nullopt : std::optional(problem.row);
                   })
      .def_prop_ro("other", [](const Problem& problem) {
        return nb::bytes(reinterpret_cast<const char*>(problem.other.data()), problem.other.size());
      });
  nb::class_<Certifier>(m, "Certifier")
      .def(nb::init<const Model&, size_t, size_t, int32_t, bool>(), "model"_a, "rows"_a, "automaton_bytes"_a,
           "letter"_a, "stutter"_a, nb::keep_alive<1, 2>())
      .def("set_propositions", &Certifier::set_propositions, "tables"_a, "programs"_a, "steps"_a)
      .def("set_automaton", &Certifier::set_automaton, "states"_a, "initial"_a, "edges"_a)
      .def("set_fairness", &Certifier::set_fairness, "conditions"_a)
      .def("add_numbering", &Certifier::add_numbering, "fin"_a, "clauses"_a, "numbers"_a, "rows"_a)
      .def("read", &Certifier::read, "piece"_a, "count"_a)
      .def("read_reasons", &Certifier::read_reasons, "numbering"_a, "piece"_a)
      .def("check_start", &Certifier::check_start)
      .def("check", &Certifier::check, "begin"_a, "end"_a)
      .def("row", &Certifier::row, "number"_a)
      .def_prop_ro("count", &Certifier::count);
}

}  // namespace buchi
