#include "decompose/leaves/function_leaves.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace cleave::decompose {
namespace {

// What the public state is worth to a player, where everybody plays every action alike, is the
// worth of every private state in it.
class PublicWorth {
 public:
  void operator()(std::span<LeafState> leaves, Players wanted) {
    for (size_t i = 0; i < leaves.size(); ++i) {
      // Nothing is learnt in it: every action alike.
      if (i == engines_.size()) engines_.push_back(engine_to_the_end(*leaves[i].piece));
      for (size_t p = 0; p < 2; ++p) {
        if (has(wanted, p)) evaluate(*engines_[i], leaves[i], p);
      }
    }
  }

 private:
  static void evaluate(Engine& engine, LeafState& leaf, size_t player) {
    const std::vector<double>&own = leaf.reach[player], &other = leaf.reach[1 - player];
    std::vector<double>& values = leaf.values[player];
    std::vector<double> rho(values.size());
    engine.values(player, Follow::kAverage, other, values);
    engine.counterfactual_reach(player, other, rho);
    const auto sum = [&](const std::vector<double>& x) {
      return std::inner_product(x.begin(), x.end(), own.begin(), 0.0);
    };
    const double all = sum(rho), worth = all > 0 ? sum(values) / all : 0;
    for (size_t s = 0; s < values.size(); ++s) values[s] = rho[s] * worth;
  }

  std::vector<std::shared_ptr<Engine>> engines_;  // [leaf]
};

std::vector<FunctionInfo>& functions() {
  static std::vector<FunctionInfo> all = {
      {"public",
       "every private state is worth what the public state is, all actions played alike: what a "
       "search that does not tell them apart sees",
       {},
       [](core::Params&) -> ValueFunction { return PublicWorth(); }}};
  return all;
}

}  // namespace

void add_function(FunctionInfo info) {
  if (std::ranges::count(functions(), info.name, &FunctionInfo::name) > 0) {
    core::reject("there is a value function '{}' already", info.name);
  }
  functions().push_back(std::move(info));
}

const FunctionInfo& find_function(std::string_view name) {
  const auto found = std::ranges::find(functions(), name, &FunctionInfo::name);
  if (found != functions().end()) return *found;
  core::reject("there is no value function '{}'; there are {}", name, core::names_of(functions()));
}

}  // namespace cleave::decompose
