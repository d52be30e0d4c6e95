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

#include "certify/pieces.hpp"
#include "certify/product.hpp"
#include "certify/row_set.hpp"
#include "certify/stubborn.hpp"
#include "model.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace buchi {
namespace certify {
namespace {

// What is wrong with a certificate, and where.
struct Problem {
  std::string what;
  Row row = kNowhere;
  std::vector<uint8_t> other = {};  // the row that an edge leads to
  size_t numbering = 0;
};

using Edge = Edges::Edge;

// Of a conjunct: its program, its enablers, the program of its variable, the leavers.
using Part = std::tuple<std::vector<int32_t>, std::vector<int32_t>, std::vector<int32_t>,
                        std::vector<std::vector<int32_t>>>;

class Certifier {
 public:
  Certifier(const Model& model, size_t rows, size_t automaton_bytes, int32_t letter, bool stutter)
      : product_(model, automaton_bytes, letter, stutter), rows_(product_.row_bytes(), rows) {}

  Product& product() { return product_; }

  // From here on, commands may be left out where there is a stubborn set without them.
  void set_stubborn(const std::vector<std::vector<int32_t>>& tests,
                    const std::vector<std::vector<int32_t>>& conflicts, const std::vector<Part>& conjuncts,
                    const std::vector<int32_t>& visible, const std::vector<int32_t>& careful) {
    const size_t count = product_.model.most_successors();
    if (tests.size() != count || conflicts.size() != count) throw std::invalid_argument("other commands");
    const auto sets = [count](const std::vector<std::vector<int32_t>>& lists) {
      std::vector<Commands> all;
      for (const auto& list : lists) all.emplace_back(count, list);
      return all;
    };
    stubborn_.emplace(Stubborn{tests, sets(conflicts), {}, {count, visible}, {count, careful}});
    for (const auto& [condition, enablers, place, leavers] : conjuncts)
      stubborn_->conjuncts.push_back(
          {Expression(condition), {count, enablers}, Expression(place), sets(leavers)});
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
    Edges edges(rows_.stride, 0);
    std::vector<uint8_t> row(rows_.stride);
    memcpy(row.data(), product_.model.initial().data(), product_.model.width());
    if (!product_.begin(row.data(), edges))
      return Problem{"a proposition fails in the initial state", kNowhere, row};
    for (const Move& move : edges.found) {
      product_.set_automaton_state(row.data(), move.destination);
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
      const char* what = product_.add_edges(row, rows_.row(row), work.edges, [&] { look_up(work); });
      if (what != nullptr) return Problem{what, row, {}};
      if (work.problem) return std::move(work.problem);
    }
    look_up(work);
    return std::move(work.problem);
  }

  nb::bytes row(Row number) const {
    if (number >= rows_.count()) throw std::out_of_range("no such row");
    return nb::bytes(reinterpret_cast<const char*>(rows_.row(number)), product_.row_bytes());
  }
  size_t count() const { return rows_.count(); }

 private:
  // What one thread needs for itself.
  struct Work {
    explicit Work(const Certifier& c) : edges(c.rows_.stride, c.product_.model.most_successors()) {}
    Edges edges;
    std::optional<Problem> problem;
    // Where commands are left out: the last row of which that is right, and what is needed to tell.
    Row judged = kNowhere;
    std::optional<Edges> others;
  };

  void read_rows(Reader& reader, size_t count) {
    std::vector<uint8_t> before(rows_.stride);
    const size_t bytes = product_.row_bytes();
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
    const uint32_t state = product_.automaton_state(row);
    if (state >= product_.automaton_states())
      throw std::invalid_argument(reader.where() + "the automaton has no state " + std::to_string(state));
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

  // In three rounds, so that waits for memory overlap.
  void look_up(Work& work) const {
    Edges& edges = work.edges;
    for (size_t i = 0; i < edges.all.size(); ++i) {
      edges.all[i].hash = rows_.hash(edges.target(i));
      rows_.fetch_slot(edges.all[i].hash);
    }
    for (const Edge& edge : edges.all) {
      const Row likely = rows_.likely(edge.hash);
      if (likely == kNowhere) continue;
      rows_.fetch(likely);
      for (const Numbering& one : numberings_) __builtin_prefetch(one.number.at(likely));
    }
    for (size_t i = 0; i < edges.all.size() && !work.problem; ++i) {
      const uint8_t* target = edges.target(i);
      auto problem = check_edge(edges.all[i], rows_.find(target, edges.all[i].hash));
      if (!problem || may_be_left_out(edges.all[i], work)) continue;
      problem->other.assign(target, target + product_.row_bytes());
      work.problem = std::move(problem);
    }
    edges.all.clear();
  }

  // The set of commands that is taken depends on the state of the model alone: what fails in any row of that
  // state is left out of it.
  bool may_be_left_out(const Edge& edge, Work& work) const {
    if (!stubborn_ || edge.command == kNothing) return false;
    if (work.judged == edge.source) return true;
    const size_t commands = product_.model.most_successors();
    if (!work.others) work.others.emplace(rows_.stride, commands);
    Edges& others = *work.others;
    Commands left_out(commands, {});
    const auto collect = [&] {
      for (size_t i = 0; i < others.all.size(); ++i) {
        const uint8_t* target = others.target(i);
        const bool fails = check_edge(others.all[i], rows_.find(target, rows_.hash(target))).has_value();
        if (fails && others.all[i].command != kNothing) left_out.set(others.all[i].command);
      }
      others.all.clear();
    };
    const uint8_t* state = rows_.row(edge.source);
    std::vector<uint8_t> row(state, state + rows_.stride);
    for (uint32_t i = 0; i < product_.automaton_states(); ++i) {
      product_.set_automaton_state(row.data(), i);
      const Row other = rows_.find(row.data(), rows_.hash(row.data()));
      if (other == kNowhere) continue;
      if (product_.add_edges(other, rows_.row(other), others, collect) != nullptr) return false;
      collect();
    }
    const size_t enabled =
        product_.model.post(state, others.successors.data(), others.stride, others.commands.data()).count;
    if (!stubborn_->has_set_without(left_out, {others.commands.data(), enabled}, state, product_.tables(),
                                    others.stack))
      return false;
    work.judged = edge.source;
    return true;
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

  Product product_;
  RowSet rows_;
  std::vector<Numbering> numberings_;
  std::optional<Stubborn> stubborn_;
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
  nb::class_<Product>(m, "CertifiedProduct")
      .def("set_propositions", &Product::set_propositions, "tables"_a, "programs"_a, "steps"_a)
      .def("set_automaton", &Product::set_automaton, "states"_a, "initial"_a, "edges"_a)
      .def("set_fairness", &Product::set_fairness, "conditions"_a);
  nb::class_<Certifier>(m, "Certifier")
      .def(nb::init<const Model&, size_t, size_t, int32_t, bool>(), "model"_a, "rows"_a, "automaton_bytes"_a,
           "letter"_a, "stutter"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("product", &Certifier::product, nb::rv_policy::reference_internal)
      .def("set_stubborn", &Certifier::set_stubborn, "tests"_a, "conflicts"_a, "conjuncts"_a, "visible"_a,
           "careful"_a)
      .def("add_numbering", &Certifier::add_numbering, "fin"_a, "clauses"_a, "numbers"_a, "rows"_a)
      .def("read", &Certifier::read, "piece"_a, "count"_a)
      .def("read_reasons", &Certifier::read_reasons, "numbering"_a, "piece"_a)
      .def("check_start", &Certifier::check_start)
      .def("check", &Certifier::check, "begin"_a, "end"_a)
      .def("row", &Certifier::row, "number"_a)
      .def_prop_ro("count", &Certifier::count);
}

}  // namespace buchi
