// Random products for tests in C++: a graph as the model, and an automaton that reads nothing.
#pragma once

#include <memory>
#include <random>

#include "product.hpp"

namespace buchi {

class RandomProduct {
 public:
  explicit RandomProduct(std::mt19937_64& random) {
    const auto states = 1 + random() % 12, automaton_states = 1 + random() % 3, sparseness = 2 + random() % 5;
    auto graph = std::make_shared<Graph>(states);
    for (auto& targets : *graph)
      for (uint32_t target = 0; target < states; ++target)
        if (random() % sparseness == 0) targets.push_back(target);
    model_ = std::make_unique<Model>(post, graph, std::vector<uint8_t>(4), states);
    std::vector<LabelledEdge> edges;
    for (auto count = random() % (3 * automaton_states) + 1; count > 0; --count)
      edges.push_back({static_cast<int32_t>(random() % automaton_states), kAlways,
                       static_cast<Marks>(random() % 5 == 0 ? random() % 4 : 0),
                       static_cast<uint32_t>(random() % automaton_states)});
    const std::vector<std::pair<Label, uint32_t>> initial = {
        {kAlways, 0}, {kAlways, static_cast<uint32_t>(random() % automaton_states)}};
    automaton_ = std::make_unique<Automaton>(
        Letter::kSource, std::vector<int32_t>{}, std::vector<std::vector<int32_t>>{},
        std::vector<std::optional<StepTest>>{}, automaton_states, initial, edges);
  }

  std::unique_ptr<Product> product() const {
    return std::make_unique<Product>(*model_, *automaton_, ProductOptions{});
  }

 private:
  using Graph = std::vector<std::vector<uint32_t>>;
  static inline const Label kAlways = {{0, 0}};

  static int32_t post(const void* context, const uint8_t* state, uint8_t* rows, size_t stride,
                      int32_t* commands, Fault*) {
    uint32_t source;
    memcpy(&source, state, sizeof source);
    const auto& targets = (*static_cast<const Graph*>(context))[source];
    for (size_t i = 0; i < targets.size(); ++i) {
      memcpy(rows + i * stride, &targets[i], sizeof targets[i]);
      commands[i] = static_cast<int32_t>(targets[i]);
    }
    return static_cast<int32_t>(targets.size());
  }

  std::unique_ptr<Model> model_;
  std::unique_ptr<Automaton> automaton_;
};

}  // namespace buchi
