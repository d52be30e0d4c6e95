// Fuzzes the engine under sanitizers: bytes become a model, an automaton and a search, such as Python hands
// over.
//
// What models/bytecode.py and the schemas never write is not written here either: the engine trusts them, so
// that a search pays for no check. All kernels that take an automaton must agree. `make fuzz` builds and runs
// it with clang, which nothing else needs.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "explore.hpp"
#include "interpreter.hpp"
#include "kernels.hpp"
#include "parallel/explore_team.hpp"

namespace buchi {
namespace {

using Code = std::vector<int32_t>;

struct Place {
  int32_t type, offset, length;  // no length: a scalar
};

// Writes a model as models/bytecode.py does.
class ModelWriter {
 public:
  explicit ModelWriter(FuzzedDataProvider& data) : data_(data), may_fail_(data.ConsumeBool()) {
    const int count = data.ConsumeIntegralInRange(1, 5);
    for (int i = 0; i < count; ++i) add_variable();
    for (int i = data.ConsumeIntegralInRange(0, 2); i > 0; --i) add_table();
  }

  Model model() {
    const int shared = data_.ConsumeIntegralInRange(0, 2);
    for (int i = 0; i < shared; ++i) shared_.push_back(place(expression()));
    std::vector<InterpretedAssertion> assertions;
    for (int i = data_.ConsumeIntegralInRange(0, may_fail_ ? 1 : 0); i > 0; --i)
      assertions.push_back({tests(), place(expression())});
    std::vector<InterpretedCommand> commands;
    for (int i = data_.ConsumeIntegralInRange(0, 5); i > 0; --i) commands.push_back(command());
    const size_t count = commands.size();
    auto program = std::make_shared<Interpreter>(initial_.size(), code_, tables, shared_,
                                                 std::move(assertions), std::move(commands));
    return Model(Interpreter::post, std::move(program), initial_, count);
  }

  // A proposition knows nothing of what is shared.
  Code proposition() {
    shared_.clear();
    return expression();
  }

  Code tables;

 private:
  static constexpr int kDeepest = 5;

  void add_variable() {
    static constexpr int32_t kSizes[] = {1, 2, 2, 4};
    const auto type = data_.ConsumeIntegralInRange<int32_t>(0, kSmall);
    if (type == kSmall) return add_small();
    const auto length = data_.ConsumeIntegralInRange<int32_t>(0, 3);
    places_.push_back({type, static_cast<int32_t>(initial_.size()), length});
    for (int32_t i = 0; i < std::max(length, 1) * kSizes[type]; ++i)
      initial_.push_back(data_.ConsumeIntegral<uint8_t>());
  }

  // In a byte of its own, or in the last one, which another variable may have: both agree on what is there.
  void add_small() {
    const int32_t bits = data_.PickValueInArray({1, 2, 4});
    if (initial_.empty() || data_.ConsumeBool()) initial_.push_back(data_.ConsumeIntegral<uint8_t>());
    const auto place = data_.ConsumeIntegralInRange<int32_t>(0, 8 / bits - 1) * bits;
    places_.push_back({kSmall + (1 << bits) - 1, static_cast<int32_t>(initial_.size() - 1) * 8 + place, 0});
  }

  void add_table() {
    table_starts_.push_back(static_cast<int32_t>(tables.size()));
    table_lengths_.push_back(data_.ConsumeIntegralInRange<int32_t>(1, 3));
    for (int32_t i = 0; i < table_lengths_.back(); ++i) tables.push_back(number());
  }

  int32_t number() {
    static constexpr int32_t kExtremes[] = {INT32_MIN, INT32_MAX, -1, 31, 32, 255, 65536};
    if (data_.ConsumeBool()) return data_.ConsumeIntegralInRange<int32_t>(0, 3);
    return data_.PickValueInArray(kExtremes);
  }

  const Place& variable() { return places_[data_.ConsumeIntegralInRange<size_t>(0, places_.size() - 1)]; }

  // Program counters are scalars of values that are not negative.
  std::vector<ValueTest> tests() {
    std::vector<ValueTest> result;
    for (int i = data_.ConsumeIntegralInRange(0, 2); i > 0; --i)
      if (const Place& place = variable(); place.length == 0 && (place.type < 2 || place.type > kSmall))
        result.push_back({place.type, place.offset,
                          data_.ConsumeIntegralInRange<int32_t>(0, place.type == 1 ? 300 : 255)});
    return result;
  }

  // Counts are scalars, too; what they need is above zero.
  std::vector<ValueTest> counts() {
    std::vector<ValueTest> result;
    for (int i = data_.ConsumeIntegralInRange(0, 2); i > 0; --i)
      if (const Place& place = variable(); place.length == 0)
        result.push_back({place.type, place.offset, data_.ConsumeIntegralInRange<int32_t>(1, 3)});
    return result;
  }

  InterpretedCommand command() {
    InterpretedCommand result{tests(), counts(), -1, -1, false};
    if (data_.ConsumeBool()) result.guard = place(guard());
    if (data_.ConsumeBool()) {
      result.reads_old = data_.ConsumeBool();
      result.assigns = place(assignments(result.reads_old));
    }
    return result;
  }

  // A conjunction: each part but the last one ends the program with zero.
  Code guard() {
    Code code;
    for (int i = data_.ConsumeIntegralInRange(0, 2); i > 0; --i) {
      if (const auto byte = byte_of(variable()); byte && data_.ConsumeBool()) {
        add(code, data_.PickValueInArray({Op::kRequireByte, Op::kRequireNotByte}),
            {*byte, number(), number()});
      } else {
        write(code, 1);
        add(code, Op::kRequire, {});
      }
    }
    if (data_.ConsumeBool()) write(code, 1);
    code.push_back(static_cast<int32_t>(Op::kEnd));
    return code;
  }

  Code assignments(bool reads_old) {
    Code code;
    for (int i = data_.ConsumeIntegralInRange(1, 3); i > 0; --i) assign(code);
    if (reads_old && data_.ConsumeBool()) {
      add(code, Op::kReadWritten, {});
      assign(code);
    }
    code.push_back(static_cast<int32_t>(Op::kEnd));
    return code;
  }

  static std::optional<int32_t> byte_of(const Place& place) {
    return place.type == 0 && place.length == 0 ? std::optional(place.offset) : std::nullopt;
  }

  void assign(Code& code) {
    const Place place = variable();
    if (const auto byte = byte_of(place); byte && data_.ConsumeBool()) {
      const auto from = byte_of(variable());
      if (from) return add(code, Op::kCopyByte, {*from, *byte});
      return add(code, Op::kStoreConst, {*byte, 255, data_.ConsumeIntegralInRange<int32_t>(0, 255)});
    }
    if (place.length != 0) index(code, kDeepest - 1);
    write(code, 1);
    if (may_fail_ && data_.ConsumeBool())
      add(code, Op::kRange, {-data_.ConsumeIntegralInRange<int32_t>(0, 9), 255});
    if (place.length == 0) {
      add(code, Op::kStore, {place.type, place.offset});
    } else {
      add(code, Op::kStoreElement, {place.type, place.offset, place.length});
    }
  }

  Code expression() {
    Code code;
    if (data_.ConsumeIntegralInRange(0, 15) == 0) {
      nest(code);
    } else {
      write(code, 0);
    }
    code.push_back(static_cast<int32_t>(Op::kEnd));
    return code;
  }

  // As deep as models/bytecode.py allows.
  void nest(Code& code) {
    const int depth = data_.ConsumeIntegralInRange(1, kStackDepth);
    for (int i = 0; i < depth; ++i) add(code, Op::kConst, {i});
    for (int i = 1; i < depth; ++i) add(code, Op::kAdd, {});
  }

  void write(Code& code, int depth) {
    switch (data_.ConsumeIntegralInRange(0, depth < kDeepest ? 9 : 2)) {
      case 0:
        return add(code, Op::kConst, {number()});
      case 1:
      case 2:
        return leaf(code);
      case 3:
        return element(code, depth);
      case 4:
        return lookup(code, depth);
      case 5:
        write(code, depth + 1);
        return add(code, data_.PickValueInArray({Op::kNegate, Op::kComplement, Op::kNot, Op::kTruth}), {});
      case 6:
        return lazy(code, depth);
      default:
        return binary(code, depth);
    }
  }

  // With both operands on the stack, or with one or both of them in the instruction.
  void binary(Code& code, int depth) {
    const auto last = static_cast<int32_t>(Op::kGreaterEqual);
    auto op = static_cast<Op::Code>(data_.ConsumeIntegralInRange(static_cast<int32_t>(Op::kAdd), last));
    if (fails(op) && !may_fail_) op = Op::kSubtract;
    const auto left = byte_of(variable()), right = byte_of(variable());
    const bool both = left && data_.ConsumeBool();
    if (!both) write(code, depth + 1);
    if (right && data_.ConsumeBool()) {
      code.push_back(both ? Op::byte_with_byte(op) : Op::with_byte(op));
      if (both) code.push_back(*left);
      code.push_back(*right);
    } else if (both || data_.ConsumeBool()) {
      code.push_back(both ? Op::byte_with_const(op) : Op::with_const(op));
      if (both) code.push_back(*left);
      const int32_t constant = number();
      code.push_back(fails(op) && constant == 0 ? 1 : constant);
    } else {
      write(code, depth + 1);
      add(code, op, {});
    }
  }
  static bool fails(Op::Code op) { return op == Op::kDivide || op == Op::kRemainder; }

  void leaf(Code& code) {
    const Place place = variable();
    if (!shared_.empty() && data_.ConsumeIntegralInRange(0, 3) == 0)
      return add(code, Op::kShared, {data_.ConsumeIntegralInRange<int32_t>(0, last_shared())});
    if (place.length != 0) return add(code, Op::kConst, {place.length});
    if (place.type != 0 || data_.ConsumeBool()) return add(code, Op::kLoad, {place.type, place.offset});
    add(code, Op::kByteEquals, {place.offset, number(), number()});
  }
  int32_t last_shared() const { return static_cast<int32_t>(shared_.size()) - 1; }

  void element(Code& code, int depth) {
    const Place place = variable();
    if (place.length == 0) return leaf(code);
    index(code, depth + 1);
    add(code, Op::kLoadElement, {place.type, place.offset, place.length});
  }

  void index(Code& code, int depth) {
    if (may_fail_) return write(code, depth);
    add(code, Op::kConst, {0});
  }

  void lookup(Code& code, int depth) {
    if (table_starts_.empty()) return leaf(code);
    const auto table = data_.ConsumeIntegralInRange<size_t>(0, table_starts_.size() - 1);
    index(code, depth + 1);
    add(code, Op::kLookup, {table_starts_[table], table_lengths_[table]});
  }

  void lazy(Code& code, int depth) {
    write(code, depth + 1);
    add(code, data_.PickValueInArray({Op::kJumpIfZero, Op::kJumpIfNotZero}), {0});
    const size_t distance = code.size() - 1;
    write(code, depth + 1);
    add(code, Op::kTruth, {});
    code[distance] = static_cast<int32_t>(code.size() - distance - 1);
  }

  static void add(Code& code, Op::Code op, std::initializer_list<int32_t> operands) {
    code.push_back(static_cast<int32_t>(op));
    code.insert(code.end(), operands);
  }

  int32_t place(const Code& program) {
    code_.insert(code_.end(), program.begin(), program.end());
    return static_cast<int32_t>(code_.size() - program.size());
  }

  FuzzedDataProvider& data_;
  const bool may_fail_;  // else searches go on to their ends
  std::vector<uint8_t> initial_;
  std::vector<Place> places_;
  Code code_, shared_, table_starts_, table_lengths_;
};

// An automaton and the kernels that decide it.
struct Property {
  Letter letter = Letter::kSource;
  size_t states = 1;
  std::vector<std::pair<Label, uint32_t>> initial;
  std::vector<LabelledEdge> edges;
  std::vector<Clause> acceptance;
  std::vector<std::string> kernels = {"shortest", "look", "tgrp"};
};

class PropertyWriter {
 public:
  PropertyWriter(FuzzedDataProvider& data, int propositions) : data_(data), propositions_(propositions) {}

  Property property() {
    Property result;
    result.states = data_.ConsumeIntegralInRange<size_t>(1, 5);
    switch (data_.ConsumeIntegralInRange(0, 3)) {
      case 0:
        testing(result);
        break;
      case 1:
        on_states(result);
        break;
      default:
        general(result);
    }
    return result;
  }

 private:
  uint32_t state(const Property& of) { return data_.ConsumeIntegralInRange<uint32_t>(0, last(of)); }
  static uint32_t last(const Property& of) { return static_cast<uint32_t>(of.states - 1); }
  uint64_t every() const { return (uint64_t{1} << propositions_) - 1; }
  uint64_t letter() { return data_.ConsumeIntegralInRange<uint64_t>(0, every()); }
  Label exactly(uint64_t letter) const { return {{letter, every() & ~letter}}; }

  Label label() {
    Label result;
    const int cubes = data_.ConsumeIntegralInRange(0, 4);
    if (cubes == 0) return {{0, 0}};
    for (int i = cubes; i < 4; ++i) {
      const uint64_t tested = letter();
      const uint64_t high = letter() & tested;
      result.push_back({high, tested & ~high});
    }
    return result;
  }

  void start(Property& result) {
    if (data_.ConsumeBool()) result.letter = Letter::kDestination;
    for (int i = data_.ConsumeIntegralInRange(1, 2); i > 0; --i)
      result.initial.emplace_back(data_.ConsumeBool() ? Label{{0, 0}} : label(), state(result));
  }

  // Any edges; Inf only for the checks that take nothing else.
  void general(Property& result) {
    start(result);
    const auto sets = 3 - data_.ConsumeIntegralInRange(0, 3);
    const Marks marks = (Marks{1} << sets) - 1;
    const bool fin = data_.ConsumeBool();
    for (int i = data_.ConsumeIntegralInRange(1, 3); i > 0; --i) {
      const Marks wanted = data_.ConsumeIntegral<Marks>() & marks;
      result.acceptance.push_back({fin ? data_.ConsumeIntegral<Marks>() & marks : 0, wanted});
    }
    for (int i = data_.ConsumeIntegralInRange(0, 9); i > 0; --i) {
      const auto source = static_cast<int32_t>(state(result));
      result.edges.push_back({source, label(), data_.ConsumeIntegral<Marks>() & marks, state(result)});
    }
    if (fin) return;
    result.kernels.insert(result.kernels.end(),
                          {"tfla", "ufscc", "renault-tarjan", "renault-dijkstra", "renault-mixed"});
    if (result.acceptance.size() > 1) return;
    result.kernels.insert(result.kernels.end(), {"ascc", "c99", "tarjan"});
    if (__builtin_popcount(result.acceptance[0].inf) <= 1) result.kernels.push_back("gv");
  }

  // One set, on states; where edges never lead back to a state before, the automaton is weak.
  void on_states(Property& result) {
    start(result);
    result.acceptance = {{0, 1}};
    const bool weak = data_.ConsumeBool();
    const auto accepting = data_.ConsumeIntegral<uint8_t>();
    for (int i = data_.ConsumeIntegralInRange(0, 9); i > 0; --i) {
      const uint32_t source = state(result);
      const uint32_t least = weak ? source : 0;
      const auto target = data_.ConsumeIntegralInRange<uint32_t>(least, last(result));
      const Marks marks = accepting >> source & 1;
      result.edges.push_back({static_cast<int32_t>(source), label(), marks, target});
    }
    result.kernels.insert(result.kernels.end(),
                          {"tfla", "ufscc", "renault-tarjan", "renault-dijkstra", "renault-mixed", "cndfs",
                           "ascc", "c99", "tarjan", "gv", "cvwy", "hpy", "gmz", "se", "and"});
    if (weak) result.kernels.push_back("sd");
  }

  // The table of a testing automaton, as pipeline/table.py makes it.
  void testing(Property& result) {
    constexpr Marks kBuchi = 1, kLivelock = 2, kStutter = 4, kChange = 8;
    result.letter = Letter::kChange;
    result.acceptance = {{0, kBuchi}, {kChange, kLivelock}};
    const auto accepting = data_.ConsumeIntegral<uint8_t>(), livelock = data_.ConsumeIntegral<uint8_t>();
    for (int i = data_.ConsumeIntegralInRange(1, 3); i > 0; --i)
      result.initial.emplace_back(exactly(letter()), state(result));
    for (int i = data_.ConsumeIntegralInRange(0, 9); i > 0; --i) {
      const uint32_t source = state(result);
      const uint64_t change = letter();
      if (change == 0) continue;
      const Marks marks = kChange | (accepting >> source & 1 ? kBuchi : 0);
      result.edges.push_back({static_cast<int32_t>(source), exactly(change), marks, state(result)});
    }
    for (uint32_t s = 0; s < result.states; ++s) {
      const Marks marks = kStutter | (livelock >> s & 1 ? kLivelock : 0);
      result.edges.push_back({static_cast<int32_t>(s), exactly(0), marks, s});
    }
    result.kernels.insert(result.kernels.end(), {"ta-scc", "tarjan+"});
  }

  FuzzedDataProvider& data_;
  const int propositions_;
};

constexpr Limits kLimits = {0, 200, size_t{32} << 20};

void require(bool condition, const std::string& what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

// Are the states of a lasso successors of each other?
void follow(Product& product, const Lasso& lasso, const std::string& name) {
  require(!lasso.cycle.empty(), name + ": no cycle");
  std::vector<StateId> run = lasso.prefix;
  run.insert(run.end(), lasso.cycle.begin(), lasso.cycle.end());
  run.push_back(lasso.cycle.front());
  Successors successors(product);
  Array<Edge> edges(product.meter);
  successors.initial(edges);
  for (const StateId state : run) {
    require(std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.target == state; }),
            name + ": a step of the lasso is none");
    edges.shrink(0);
    successors.post(state, edges);
  }
}

// What a kernel says; nothing where a limit or a fault of the model ended it.
std::optional<bool> verdict(const RegisteredKernel& kernel, const Model& model, const Automaton& automaton,
                            const Property& property, const ProductOptions& options) {
  Product product(model, automaton, options);
  Control control(kLimits);
  try {
    Search search(product, control, property.acceptance, {}, kernel.takes_workers ? 3 : 1);
    const Outcome outcome = kernel.run(search);
    if (outcome.end == End::kFound) follow(product, outcome.lasso, kernel.name);
    if (outcome.end == End::kFound || outcome.end == End::kDone) return outcome.end == End::kFound;
  } catch (const ModelError&) {
  }
  return std::nullopt;
}

void explore(const Model& model) {
  Control control(kLimits);
  const Measures none;
  Exploration exploration(model, none, control);
  try {
    exploration.run();
  } catch (const LimitReached&) {
  } catch (const ModelError&) {
  }
  const uint64_t states = exploration.finish().states;
  try {
    const Outcome outcome = TeamExploration(model, none, control, 3).run();
    require(outcome.end != End::kDone || outcome.counters.states == states, "several workers found others");
  } catch (const ModelError&) {
  }
}

void one_input(FuzzedDataProvider& data) {
  ModelWriter writer(data);
  const Model model = writer.model();
  explore(model);
  const int count = data.ConsumeIntegralInRange(1, 3);
  std::vector<Code> propositions;
  for (int i = 0; i < count; ++i) propositions.push_back(writer.proposition());
  const Property property = PropertyWriter(data, count).property();
  ProductOptions options{data.ConsumeBool(), std::nullopt};
  if (data.ConsumeBool()) options.shuffle_seed = data.ConsumeIntegral<uint64_t>();
  const Automaton automaton(property.letter, writer.tables, std::move(propositions), {}, property.states,
                            property.initial, property.edges);
  std::optional<bool> known;
  for (const auto& kernel : kernels()) {
    if (std::ranges::find(property.kernels, kernel.name) == property.kernels.end()) continue;
    const auto found = verdict(kernel, model, automaton, property, options);
    if (!found) continue;
    require(!known || *known == *found, std::string(kernel.name) + " disagrees");
    known = found;
  }
}

}  // namespace
}  // namespace buchi

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider data(bytes, size);
  buchi::one_input(data);
  return 0;
}
