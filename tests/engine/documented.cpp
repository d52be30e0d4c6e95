// The kernel of CONTRIBUTING.md beside one of ours, on random products.
#include <cstdio>

#include "checkers/cvwy.hpp"
#include "random_product.hpp"
#include "way_back.hpp"

using namespace buchi;

int main() {
  std::mt19937_64 random(1);
  size_t found = 0;
  for (int round = 0; round < 500; ++round) {
    const RandomProduct made(random);
    const auto one = made.product(), other = made.product();
    Control control{Limits{}};
    Search ours(*one, control, {{0, 1}}), documented(*other, control, {{0, 1}});
    const Outcome expected = run_kernel<Cvwy>(ours), outcome = run_kernel<WayBack>(documented);
    if (outcome.end != expected.end) return 1;
    if (outcome.end == End::kFound && outcome.lasso.cycle.empty()) return 2;
    found += outcome.end == End::kFound;
  }
  printf("%zu\n", found);
}
