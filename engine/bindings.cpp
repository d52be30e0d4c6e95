// The Python face of the engine.
#include <dlfcn.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <new>

#include "assertions.hpp"
#include "certificate.hpp"
#include "explore.hpp"
#include "interpreter.hpp"
#include "kernel.hpp"
#include "parallel/explore_team.hpp"
#include "reduction.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace buchi {

void bind_certifier(nb::module_& m);  // certify.cpp

namespace {

using Masks = std::vector<std::pair<uint64_t, uint64_t>>;

nb::bytes to_bytes(const uint8_t* data, size_t size) {
  return nb::bytes(reinterpret_cast<const char*>(data), size);
}

std::vector<uint8_t> from_bytes(const nb::bytes& bytes) {
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.c_str());
  return {data, data + bytes.size()};
}

Model interpreted(
    const nb::bytes& initial, std::vector<int32_t> code, std::vector<int32_t> tables,
    std::vector<int32_t> shared, const std::vector<std::pair<std::vector<ValueTest>, int32_t>>& assertions,
    const std::vector<std::tuple<std::vector<ValueTest>, std::vector<ValueTest>, int32_t, int32_t, bool>>&
        commands) {
  std::vector<InterpretedAssertion> checks;
  for (const auto& [at, condition] : assertions) checks.push_back({at, condition});
  std::vector<InterpretedCommand> steps;
  for (const auto& [at, least, guard, assigns, reads_old] : commands)
    steps.push_back({at, least, guard, assigns, reads_old});
  auto program = std::make_shared<Interpreter>(initial.size(), std::move(code), std::move(tables),
                                               std::move(shared), std::move(checks), std::move(steps));
  return Model(Interpreter::post, std::move(program), from_bytes(initial), commands.size());
}

Model compiled(const nb::bytes& initial, const std::string& path, size_t commands) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  std::shared_ptr<const void> handle(library, [](void* open) { dlclose(open); });
  void* post = dlsym(library, "buchi_post");
  if (post == nullptr) throw std::runtime_error(dlerror());
  return Model(reinterpret_cast<PostFunction>(post), std::move(handle), from_bytes(initial), commands);
}

using Numbers = std::vector<std::vector<int32_t>>;

Model reduced(const Model& model, Numbers conjuncts, std::vector<int32_t> tables, Numbers tests,
              Numbers enablers, Numbers conflicts, const std::vector<std::array<int32_t, 4>>& leaving,
              Numbers leavers, std::vector<int32_t> visible, std::vector<int32_t> breaking) {
  std::vector<Independence::Leaving> changes;
  for (const auto& [type, offset, first, values] : leaving) changes.push_back({type, offset, first, values});
  return model.reduced(std::make_shared<Reduction>(Independence{
      std::move(conjuncts), std::move(tables), std::move(tests), std::move(enablers), std::move(conflicts),
      std::move(changes), std::move(leavers), std::move(visible), std::move(breaking)}));
}

std::vector<std::pair<int32_t, nb::bytes>> successors_of(const Model& model, const nb::bytes& state) {
  if (state.size() != model.width()) throw std::invalid_argument("a state vector of the wrong width");
  std::vector<uint8_t> rows(model.width() * (model.most_successors() + 1));
  std::vector<int32_t> commands(model.most_successors());
  const size_t count =
      model.post(reinterpret_cast<const uint8_t*>(state.c_str()), rows.data(), model.width(), commands.data())
          .count;
  std::vector<std::pair<int32_t, nb::bytes>> result;
  for (size_t i = 0; i < count; ++i)
    result.emplace_back(commands[i], to_bytes(rows.data() + i * model.width(), model.width()));
  return result;
}

Label to_label(const Masks& masks) {
  Label label;
  for (const auto& [true_mask, false_mask] : masks) label.push_back({true_mask, false_mask});
  return label;
}

using StepPropositions = std::vector<std::tuple<int32_t, bool, bool, std::vector<bool>>>;

std::vector<std::optional<StepTest>> step_tests(const StepPropositions& steps, size_t propositions) {
  std::vector<std::optional<StepTest>> tests(steps.empty() ? 0 : propositions);
  for (const auto& [number, of_taken, negated, commands] : steps)
    tests.at(static_cast<size_t>(number)) = StepTest{of_taken, negated, commands};
  return tests;
}

void make_automaton(Automaton* self, int32_t letter, std::vector<int32_t> tables,
                    std::vector<std::vector<int32_t>> propositions, size_t states,
                    const std::vector<std::pair<Masks, uint32_t>>& initial,
                    const std::vector<std::tuple<int32_t, Masks, Marks, uint32_t>>& edges,
                    const StepPropositions& steps) {
  std::vector<std::pair<Label, uint32_t>> starts;
  for (const auto& [label, state] : initial) starts.emplace_back(to_label(label), state);
  std::vector<LabelledEdge> labelled;
  for (const auto& [source, label, marks, destination] : edges)
    labelled.push_back({source, to_label(label), marks, destination});
  auto tests = step_tests(steps, propositions.size());
  new (self) Automaton(static_cast<Letter>(letter), std::move(tables), std::move(propositions),
                       std::move(tests), states, starts, labelled);
}

// For each command the marks where it is taken, enabled, disabled.
StepMarks marks_of_steps(const std::vector<std::array<Marks, 3>>& commands, const Model& model) {
  StepMarks marks;
  for (const auto& [taken, enabled, disabled] : commands) {
    marks.commands.push_back({taken, enabled, disabled});
    marks.idle |= disabled;
  }
  if (!commands.empty() && commands.size() != model.most_successors())
    throw std::invalid_argument("marks of steps are for each command");
  return marks;
}

// The product as a checker written in Python sees it.
class ProductView {
 public:
  ProductView(const Model& model, const Automaton& automaton, bool stutter_deadlocks,
              std::optional<uint64_t> seed, const std::vector<std::array<Marks, 3>>& step_marks)
      : product(model, automaton, {stutter_deadlocks, seed, marks_of_steps(step_marks, model)}),
        successors_(product),
        edges_(product.meter),
        commands_(product.meter) {}

  std::vector<std::pair<StateId, Marks>> initial() {
    edges_.shrink(0);
    successors_.initial(edges_);
    return listed();
  }
  std::vector<std::pair<StateId, Marks>> post(StateId state) {
    check(state);
    edges_.shrink(0);
    successors_.post(state, edges_);
    return listed();
  }
  std::vector<int32_t> commands(StateId state) {
    check(state);
    edges_.shrink(0);
    commands_.shrink(0);
    successors_.post(state, edges_, &commands_);
    return {commands_.begin(), commands_.end()};
  }
  nb::bytes model_state(StateId state) const {
    check(state);
    return to_bytes(product.table.vector(state), product.model.width());
  }
  uint32_t automaton_state(StateId state) const {
    check(state);
    return product.automaton_state(product.table.vector(state));
  }

  Product product;
  Numberings numberings{product.meter};

 private:
  void check(StateId state) const {
    if (state >= product.table.size()) throw std::out_of_range("no such product state");
  }
  std::vector<std::pair<StateId, Marks>> listed() {
    std::vector<std::pair<StateId, Marks>> result;
    for (const Edge edge : edges_) result.emplace_back(edge.target, edge.marks);
    return result;
  }

  Successors successors_;
  Array<Edge> edges_;
  Array<int32_t> commands_;
};

Outcome explore(const Model& model, Control& control, unsigned workers,
                std::vector<std::vector<int32_t>> measured, std::vector<int32_t> tables,
                const std::optional<std::vector<std::tuple<int32_t, int32_t, int32_t>>>& watched) {
  Measures measures{std::move(measured), std::move(tables)};
  if (watched) {
    measures.watched.emplace();
    for (const auto& [type, offset, values] : *watched) measures.watched->push_back({type, offset, values});
  }
  if (workers > 1) return TeamExploration(model, measures, control, workers).run();
  Outcome outcome;
  Exploration exploration(model, measures, control);
  try {
    exploration.run();
  } catch (const LimitReached& limit) {
    outcome.end = limit.end;
  } catch (const std::bad_alloc&) {
    outcome.end = End::kMemory;
  }
  outcome.counters = exploration.finish();
  outcome.largest = exploration.largest();
  if (!exploration.deadlock().empty()) outcome.path.push_back(exploration.deadlock());
  outcome.seen = exploration.seen();
  outcome.levels = exploration.levels();
  return outcome;
}

Outcome find_failed_assertion(const Model& model, Control& control) {
  Outcome outcome;
  AssertionSearch search(model, control);
  try {
    if (search.run()) {
      outcome.path = search.path();
      outcome.end = End::kFound;
    }
  } catch (const LimitReached& limit) {
    outcome.end = limit.end;
  } catch (const std::bad_alloc&) {
    outcome.end = End::kMemory;
  }
  outcome.counters = search.finish();
  return outcome;
}

// A check may have a kernel for one worker and another for a team.
const RegisteredKernel& find_kernel(const std::string& name, bool is_team) {
  const RegisteredKernel* found = nullptr;
  for (const auto& kernel : kernels())
    if (name == kernel.name && (found == nullptr || kernel.takes_workers == is_team)) found = &kernel;
  if (found == nullptr) throw std::invalid_argument("no kernel named " + name);
  if (is_team && !found->takes_workers) throw std::invalid_argument(name + " is for one worker");
  return *found;
}

using Clauses = std::vector<std::pair<Marks, Marks>>;

std::vector<Clause> to_clauses(const Clauses& pairs) {
  std::vector<Clause> clauses;
  for (const auto& [fin, inf] : pairs) clauses.push_back({fin, inf});
  return clauses;
}

Outcome check(const std::string& name, ProductView& view, const Clauses& clauses, Control& control,
              unsigned workers, bool pairs_together, const std::vector<Clauses>& further, bool numbered) {
  std::vector<std::vector<Clause>> others;
  for (const Clauses& condition : further) others.push_back(to_clauses(condition));
  Search search(view.product, control, to_clauses(clauses), std::move(others), workers, pairs_together);
  if (numbered) search.numberings = &view.numberings;
  const RegisteredKernel& kernel = find_kernel(name, workers > 1);
  if (!further.empty() && !kernel.takes_further) throw std::invalid_argument(name + " takes one condition");
  return kernel.run(search);
}

// The rows and numbers of a product that was searched, piece by piece.
class CertificateView {
 public:
  explicit CertificateView(ProductView& view) : rows_(view.product, view.numberings) {}

  std::vector<std::pair<Marks, size_t>> numberings() const { return rows_.numberings(); }
  std::pair<size_t, nb::bytes> next() {
    std::vector<uint8_t> bytes;
    const size_t count = rows_.next(bytes);
    return {count, to_bytes(bytes.data(), bytes.size())};
  }
  nb::bytes reasons(size_t numbering, size_t begin, const std::vector<Marks>& wanted) const {
    const auto bytes = rows_.reasons(numbering, begin, wanted);
    return to_bytes(bytes.data(), bytes.size());
  }

 private:
  CertificateRows rows_;
};

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& kernel : kernels()) names.emplace_back(kernel.name);
  return names;
}

void raise_model_error(const std::exception_ptr& pointer, void* type) {
  static constexpr const char* kKinds[] = {"division by zero", "index out of bounds", "overflow",
                                           "assertion"};
  static constexpr const char* kParts[] = {"command", "shared", "assertion", "proposition"};
  try {
    std::rethrow_exception(pointer);
  } catch (const ModelError& error) {
    const nb::object arguments =
        nb::make_tuple(kKinds[error.fault.kind], kParts[error.fault.part], error.fault.index,
                       to_bytes(error.state.data(), error.state.size()));
    PyErr_SetObject(static_cast<PyObject*>(type), arguments.ptr());
  }
}

void bind_results(nb::module_& m) {
  nb::enum_<End>(m, "End")
      .value("DONE", End::kDone)
      .value("FOUND", End::kFound)
      .value("INTERRUPTED", End::kInterrupted)
      .value("TIME", End::kTime)
      .value("STATES", End::kStates)
      .value("MEMORY", End::kMemory);
  nb::class_<Counters>(m, "Counters")
      .def_ro("states", &Counters::states)
      .def_ro("transitions", &Counters::transitions)
      .def_ro("post_calls", &Counters::post_calls)
      .def_ro("reduced_posts", &Counters::reduced_posts)
      .def_ro("left_out", &Counters::left_out)
      .def_ro("max_depth", &Counters::max_depth)
      .def_ro("max_stack", &Counters::max_stack)
      .def_ro("components", &Counters::components)
      .def_ro("passes", &Counters::passes)
      .def_ro("deadlocks", &Counters::deadlocks)
      .def_ro("bytes", &Counters::bytes)
      .def_ro("seconds", &Counters::seconds);
  nb::class_<Outcome>(m, "Outcome")
      .def_ro("end", &Outcome::end)
      .def_prop_ro("accepting", [](const Outcome& outcome) { return outcome.end == End::kFound; })
      .def_ro("counters", &Outcome::counters)
      .def_prop_ro("prefix", [](const Outcome& outcome) { return outcome.lasso.prefix; })
      .def_prop_ro("cycle", [](const Outcome& outcome) { return outcome.lasso.cycle; })
      .def_ro("largest", &Outcome::largest)
      .def_ro("seen", &Outcome::seen)
      .def_ro("levels", &Outcome::levels)
      .def_prop_ro("path", [](const Outcome& outcome) {
        std::vector<nb::bytes> states;
        for (const auto& state : outcome.path) states.push_back(to_bytes(state.data(), state.size()));
        return states;
      });
}

void bind_control(nb::module_& m) {
  nb::class_<Control>(m, "Control")
      .def(
          "__init__",
          [](Control* self, double seconds, uint64_t states, uint64_t bytes) {
            new (self) Control({seconds, states, bytes});
          },
          "seconds"_a = 0.0, "states"_a = 0, "bytes"_a = 0)
      .def("stop", &Control::stop)
      .def(
          "ask_at",
          [](Control& self, uint64_t states, nb::object is_to_end) {
            self.ask_at(states, [is_to_end = std::move(is_to_end)] {
              const nb::gil_scoped_acquire held;
              return nb::cast<bool>(is_to_end());
            });
          },
          "states"_a, "is_to_end"_a)
      .def_prop_ro("states", [](const Control& control) { return control.states.load(); })
      .def_prop_ro("transitions", [](const Control& control) { return control.transitions.load(); })
      .def_prop_ro("depth", [](const Control& control) { return control.depth.load(); })
      .def_prop_ro("bytes", [](const Control& control) { return control.bytes.load(); });
}

NB_MODULE(_engine, m) {
  nb::set_leak_warnings(false);  // a search that is abandoned at exit is no leak
  nb::object error = nb::steal(PyErr_NewException("buchi._engine.ModelError", PyExc_Exception, nullptr));
  m.attr("ModelError") = error;
  nb::register_exception_translator(raise_model_error, error.ptr());

  nb::class_<Model>(m, "Model")
      .def_static("interpreted", &interpreted, "initial"_a, "code"_a, "tables"_a, "shared"_a, "assertions"_a,
                  "commands"_a)
      .def_static("compiled", &compiled, "initial"_a, "path"_a, "commands"_a)
      .def_prop_ro("width", &Model::width)
      .def_prop_ro("initial",
                   [](const Model& model) { return to_bytes(model.initial().data(), model.width()); })
      .def("reduced", &reduced, "conjuncts"_a, "tables"_a, "tests"_a, "enablers"_a, "conflicts"_a,
           "leaving"_a, "leavers"_a, "visible"_a = std::vector<int32_t>(),
           "breaking"_a = std::vector<int32_t>())
      .def("successors", &successors_of, "state"_a);
  nb::class_<Automaton>(m, "Automaton")
      .def("__init__", &make_automaton, "letter"_a, "tables"_a, "propositions"_a, "states"_a, "initial"_a,
           "edges"_a, "steps"_a = StepPropositions());
  nb::class_<ProductView>(m, "Product")
      .def(nb::init<const Model&, const Automaton&, bool, std::optional<uint64_t>,
                    const std::vector<std::array<Marks, 3>>&>(),
           "model"_a, "automaton"_a, "stutter_deadlocks"_a, "seed"_a = nb::none(),
           "step_marks"_a = std::vector<std::array<Marks, 3>>(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def("initial", &ProductView::initial)
      .def("post", &ProductView::post, "state"_a)
      .def("commands", &ProductView::commands, "state"_a)
      .def("model_state", &ProductView::model_state, "state"_a)
      .def("automaton_state", &ProductView::automaton_state, "state"_a)
      .def_prop_ro("states", [](const ProductView& view) { return view.product.table.size(); })
      .def_prop_ro("bytes", [](const ProductView& view) { return view.product.meter.used(); });
  nb::class_<CertificateView>(m, "CertificateRows")
      .def(nb::init<ProductView&>(), "product"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("numberings", &CertificateView::numberings)
      .def("next", &CertificateView::next)
      .def("reasons", &CertificateView::reasons, "numbering"_a, "begin"_a, "wanted"_a);
  bind_certifier(m);
  bind_results(m);
  bind_control(m);
  m.def("explore", &explore, "model"_a, "control"_a, "workers"_a = 1,
        "measured"_a = std::vector<std::vector<int32_t>>(), "tables"_a = std::vector<int32_t>(),
        "watched"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>());
  m.def("find_failed_assertion", &find_failed_assertion, "model"_a, "control"_a,
        nb::call_guard<nb::gil_scoped_release>());
  m.def("check", &check, "kernel"_a, "product"_a, "clauses"_a, "control"_a, "workers"_a = 1,
        "pairs_together"_a = false, "further"_a = std::vector<Clauses>(), "numbered"_a = false,
        nb::call_guard<nb::gil_scoped_release>());
  m.def("kernels", &kernel_names);
}

}  // namespace
}  // namespace buchi
