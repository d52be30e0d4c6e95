// What workers share, under contention and by steps. Each part is compared with a sequential reference.
//   teams table|components|partition|steps|searches ROUNDS SEED
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <unordered_map>

#include "checkers/tfla.hpp"
#include "checkers/tgrp.hpp"
#include "checkers/tgrp_team.hpp"
#include "parallel/partition.hpp"
#include "random_product.hpp"

namespace buchi {
namespace {

using Random = std::mt19937_64;

void require(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what);
  std::abort();
}

// Threads that begin at the same moment.
template <class Work>
void together(unsigned count, Work work) {
  std::atomic<unsigned> ready{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      for (++ready; ready < count;) sched_yield();
      work(i);
    });
  for (auto& thread : threads) thread.join();
}

// Rows that many threads insert at the same time have one number each, whatever grows meanwhile.
void table(Random& random) {
  const unsigned threads = 2 + random() % 7;
  const uint64_t different = random() % 4 == 0 ? 400'000 : 1 + random() % 50'000, seed = random();
  Meter meter;
  SharedTable shared(meter, sizeof(uint64_t), 0, threads);
  std::vector<std::unordered_map<uint64_t, StateId>> seen(threads);
  std::atomic<uint64_t> inserted{0};
  together(threads, [&](unsigned index) {
    SharedTable::Handle handle(shared);
    Random own(seed + index % 2);  // half of the threads insert the same rows in the same order
    for (uint64_t i = 0; i < different * 2; ++i) {
      const uint64_t value = own() % different;
      const auto* row = reinterpret_cast<const uint8_t*>(&value);
      handle.make_room(1);
      const uint64_t hash = handle.hash(row);
      handle.prefetch_slot(hash);
      const StateId id = handle.insert(row, hash, handle.prefetch_vector(hash)).id;
      require(seen[index].emplace(value, id).first->second == id, "a row has two numbers for one thread");
    }
    inserted += handle.inserted();
  });
  std::unordered_map<uint64_t, StateId> all;
  std::unordered_map<StateId, uint64_t> rows;
  for (const auto& one : seen)
    for (const auto& [value, id] : one) {
      require(all.emplace(value, id).first->second == id, "a row has two numbers");
      require(rows.emplace(id, value).first->second == value, "two rows have one number");
      require(memcmp(shared.vector(id), &value, sizeof value) == 0, "a row is not what was inserted");
    }
  require(inserted == all.size(), "rows were counted twice, or not at all");
}

struct Reference {
  explicit Reference(StateId states) : parent(states), marks(states) {
    std::iota(parent.begin(), parent.end(), 0);
  }
  StateId root(StateId state) {
    while (parent[state] != state) state = parent[state] = parent[parent[state]];
    return state;
  }
  void unite(StateId a, StateId b, Marks added) {
    const StateId above = root(a), below = root(b);
    parent[below] = above;
    marks[above] |= marks[below] | added;
    if (above == below) return;
    marks[below] = 0;
  }
  std::vector<StateId> parent;
  std::vector<Marks> marks;
};

struct Union {
  StateId a, b;
  Marks marks;
};

// The unions of each thread, many of them with few states.
std::vector<std::vector<Union>> unions(Random& random, unsigned threads, StateId states) {
  std::vector<std::vector<Union>> result(threads);
  for (auto& own : result)
    for (StateId i = 0; i < states; ++i) {
      const StateId hot = std::max<StateId>(1, states / 50);
      const auto a = static_cast<StateId>(random() % states);
      const auto b = static_cast<StateId>(random() % (random() % 2 == 0 ? hot : states));
      if (random() % 4 != 0) own.push_back({a, b, Marks{1} << (random() % 16)});
    }
  return result;
}

// Returns how many sets there are.
template <class Sets>
size_t compare(Sets& sets, const std::vector<std::vector<Union>>& made, StateId states) {
  Reference reference(states);
  for (const auto& own : made)
    for (const Union& one : own) reference.unite(one.a, one.b, one.marks);
  std::vector<StateId> first(states, states);
  for (StateId state = 0; state < states; ++state) {
    const StateId root = reference.root(state);
    require(sets.marks_of(state) == reference.marks[root], "marks of a set are lost, or are too many");
    if (first[root] == states) first[root] = state;
    require(sets.same(first[root], state), "a set is in two parts");
    for (StateId other = state % 7; other < states; other += 1 + states / 5)
      require(sets.same(state, other) == (reference.root(other) == root), "sets are not those united");
  }
  return states - static_cast<size_t>(std::count(first.begin(), first.end(), states));
}

void components(Random& random) {
  const unsigned threads = 2 + random() % 7;
  const auto states = static_cast<StateId>(2 + random() % 3000);
  const auto made = unions(random, threads, states);
  Components sets;
  for (StateId state = 0; state < states; ++state) sets.claim(state, 0);
  together(threads, [&](unsigned index) {
    for (const Union& one : made[index]) {
      sets.unite(one.a, one.b);
      sets.add_marks(one.a, one.marks);
    }
  });
  compare(sets, made, states);
  // Who has a state on the path of its own comes to it again as to one that was found.
  for (StateId state = 0; state < states; ++state)
    require(sets.claim(state, 0) == Components::Claim::kFound, "a worker was forgotten");
  for (StateId state = 0; state < states; ++state)
    require(sets.claim(state, 1, true) == Components::Claim::kOthers, "a worker did not wait");
  std::atomic<size_t> deaths{0};
  std::vector<std::atomic<int>> buried(states);
  together(threads, [&](unsigned index) {
    for (StateId i = 0; i < states; ++i) {
      const StateId start = (i + index * states / threads) % states;
      while (const auto picked = sets.pick(start)) {
        buried[*picked] = 1;
        sets.bury(*picked);
      }
      deaths += sets.kill(start);
    }
  });
  for (StateId state = 0; state < states; ++state)
    require(buried[state] == 1 && sets.is_dead(state), "a component died before all of it was picked");
  require(deaths == compare(sets, made, states), "a component died twice, or not at all");
}

void partition(Random& random) {
  const unsigned threads = 2 + random() % 7;
  const auto states = static_cast<StateId>(2 + random() % 3000);
  const auto made = unions(random, threads, states);
  Partition sets;
  together(threads, [&](unsigned index) {
    for (StateId state = 0; state < states; ++state) sets.make_set((state + index * 97) % states);
  });
  together(threads, [&](unsigned index) {
    for (const Union& one : made[index])
      require(!sets.unite(one.a, one.b, one.marks).is_dead, "a set died by itself");
  });
  compare(sets, made, states);
}

std::vector<Clause> some_clauses(Random& random, bool with_fin) {
  std::vector<Clause> clauses(1 + random() % 2);
  for (Clause& clause : clauses)
    clause = {with_fin ? static_cast<Marks>(random() % 4) : 0, static_cast<Marks>(random() % 4)};
  return clauses;
}

// Workers that take their steps in one thread, in a random order which can be repeated.
void steps(Random& random) {
  const RandomProduct made(random);
  const std::vector<Clause> clauses = some_clauses(random, false);
  Control control{Limits{}};
  const auto alone = made.product();
  Search reference(*alone, control, clauses);
  const bool expected = run_kernel<Tfla>(reference).end == End::kFound;

  const unsigned workers = 2 + random() % 3;
  const auto product = made.product();
  Search search(*product, control, clauses, {}, workers);
  Team team(search, Ufscc::Shared::bytes_a_state(search));
  Ufscc::Shared shared(team);
  struct Player {
    Player(Team& team, Ufscc::Shared& shared, unsigned index)
        : worker(team, index), starts(worker.meter()), search(shared, worker) {
      worker.successors.initial(starts);
    }
    TeamWorker worker;
    Array<Edge> starts;
    UfsccSearch<Ufscc::Shared> search;
    size_t next = 0;
  };
  std::vector<std::unique_ptr<Player>> players;
  for (unsigned i = 0; i < workers; ++i) players.push_back(std::make_unique<Player>(team, shared, i));
  for (bool found = false;;) {
    Player& player = *players[random() % workers];
    if (!player.search.is_done()) {
      found = player.search.step();
    } else if (player.next < player.starts.size()) {
      player.search.begin(player.starts[player.next++].target);
    } else {
      require(!expected, "a run was missed");
      return;
    }
    if (!found) continue;
    require(expected, "a run was found where there is none");
    Lasso lasso;
    shared.extract(players[0]->worker, lasso);
    return;
  }
}

// Whole searches of pairs by threads.
void searches(Random& random) {
  const RandomProduct made(random);
  const std::vector<Clause> clauses = some_clauses(random, true);
  Control control{Limits{}};
  const auto alone = made.product(), product = made.product();
  Search reference(*alone, control, clauses);
  const Outcome expected = run_kernel<Tgrp>(reference);
  Search search(*product, control, clauses, {}, 2 + random() % 4, random() % 2 == 0);
  const Outcome outcome = run_team<TgrpTeam>(search);
  require(outcome.end == expected.end, "the verdict is another");
  if (outcome.end == End::kFound) return;
  require(outcome.counters.states == expected.counters.states, "the states are others");
  require(outcome.counters.transitions == expected.counters.transitions, "the transitions are others");
}

}  // namespace
}  // namespace buchi

int main(int count, char** words) {
  using namespace buchi;
  if (count != 4) return 2;
  const std::string part = words[1];
  Random random(std::stoull(words[3]));
  void (*const run)(Random&) = part == "table"        ? table
                               : part == "components" ? components
                               : part == "partition"  ? partition
                               : part == "steps"      ? steps
                               : part == "searches"   ? searches
                                                      : nullptr;
  if (run == nullptr) return 2;
  for (long round = std::stol(words[2]); round > 0; --round) run(random);
}
