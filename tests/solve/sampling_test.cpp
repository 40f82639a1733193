#include "solve/sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "games/efg.h"
#include "games/registry.h"
#include "reference.h"
#include "solve/evaluate.h"
#include "solve/sampling.h"
#include "solve/sequence_lp.h"
#include "solve/solvers.h"

namespace cleave::solve {
namespace {

Problem problem_of(const std::string& name) { return make_problem(*games::make_game(name)); }

// One sampler with options, by the names a user gives.
struct Sampler {
  SolverInfo (*info)();
  std::vector<std::pair<std::string, std::string>> options;

  std::unique_ptr<Solver> make(const Problem& problem, uint64_t seed) const {
    core::Params params("algorithm", options);
    RunOptions run;
    run.seed = seed;
    auto solver = info().make(problem, params, run);
    params.finish(info().params);
    return solver;
  }
  std::string name() const {
    std::string text = info().name;
    for (const auto& [key, value] : options) text += " " + key + "=" + value;
    return text;
  }
};

const std::vector<Sampler>& all_samplers() {
  static const std::vector<Sampler> samplers = {
      {external_sampling_info, {}},
      {external_sampling_info, {{"plus", "true"}}},
      {external_sampling_info, {{"weights", "linear"}}},
      {external_sampling_info, {{"plus", "true"}, {"weights", "linear"}}},
      {chance_sampling_info, {}},
      {chance_sampling_info, {{"plus", "true"}, {"weights", "linear"}}},
      {pure_cfr_info, {}},
      {pure_cfr_info, {{"plus", "true"}}}};
  return samplers;
}

double exploitability_after(const Sampler& sampler, const Problem& problem, int iterations) {
  const auto solver = sampler.make(problem, 7);
  for (int i = 0; i < iterations; ++i) solver->iterate();
  EXPECT_EQ(solver->iterations(), iterations);
  EXPECT_FALSE(solver->finished());
  return certify(problem, solver->strategy()).exploitability;
}

TEST(SamplingTest, Kuhn) {
  const Problem problem = problem_of("kuhn");
  for (const Sampler& sampler : all_samplers()) {
    EXPECT_LT(exploitability_after(sampler, problem, 50'000), 0.02) << sampler.name();
  }
}

TEST(SamplingTest, Leduc) {
  const Problem problem = problem_of("leduc");
  for (const Sampler& sampler : all_samplers()) {
    EXPECT_LT(exploitability_after(sampler, problem, 200'000), 0.12) << sampler.name();
  }
  EXPECT_LT(exploitability_after({external_sampling_info, {}}, problem, 400'000), 0.05);
}

// Hidden moves put several histories of one set into a sample of chance; chance is not uniform
// here.
TEST(SamplingTest, HiddenMovesAndUnevenChance) {
  for (const char* name : {"rps", "goofspiel(cards=3)", "random(depth=5,chance=0.5,seed=2)"}) {
    const Problem problem = problem_of(name);
    const double value = solve_lp(problem).value;
    for (const Sampler& sampler : all_samplers()) {
      const auto solver = sampler.make(problem, 3);
      for (int i = 0; i < 100'000; ++i) solver->iterate();
      const Certificate certificate = certify(problem, solver->strategy());
      EXPECT_LT(certificate.exploitability, 0.04) << name << " " << sampler.name();
      EXPECT_NEAR(certificate.value, value, 0.08) << name << " " << sampler.name();
    }
  }
}

TEST(SamplingTest, SameSeedSameBits) {
  const Problem problem = problem_of("leduc");
  for (const Sampler& sampler : all_samplers()) {
    const auto one = sampler.make(problem, 5), two = sampler.make(problem, 5),
               other = sampler.make(problem, 6);
    for (int i = 0; i < 500; ++i) {
      for (Solver* solver : {one.get(), two.get(), other.get()}) solver->iterate();
    }
    EXPECT_EQ(one->strategy(), two->strategy()) << sampler.name();
    EXPECT_NE(one->strategy(), other->strategy()) << sampler.name();
  }
}

TEST(SamplingTest, ContinuesFromACheckpointWithTheSameBits) {
  const Problem problem = problem_of("leduc");
  for (const Sampler& sampler : all_samplers()) {
    const auto solver = sampler.make(problem, 5);
    for (int i = 0; i < 700; ++i) solver->iterate();
    tree::Archive archive;
    solver->save(archive);
    const auto resumed = sampler.make(problem, 99);
    resumed->iterate();  // leaves traces that load() must remove
    resumed->load(archive);
    for (int i = 0; i < 700; ++i) {
      solver->iterate();
      resumed->iterate();
    }
    tree::Archive a, b;
    solver->save(a);
    resumed->save(b);
    EXPECT_EQ(solver->iterations(), resumed->iterations());
    EXPECT_EQ(a.reals, b.reals) << sampler.name();
    EXPECT_EQ(a.words, b.words) << sampler.name();
    EXPECT_EQ(solver->strategy(), resumed->strategy()) << sampler.name();
  }
}

TEST(SamplingTest, RefusesAnotherGamesCheckpoint) {
  const Problem kuhn = problem_of("kuhn"), leduc = problem_of("leduc");
  for (const Sampler& sampler : all_samplers()) {
    tree::Archive archive;
    sampler.make(kuhn, 1)->save(archive);
    EXPECT_THROW(sampler.make(leduc, 1)->load(archive), core::InputError) << sampler.name();
  }
}

// Before the first iteration, and where nothing was sampled: uniform.
TEST(SamplingTest, BeginsUniform) {
  const Problem problem = problem_of("leduc");
  for (const Sampler& sampler : all_samplers()) {
    EXPECT_EQ(sampler.make(problem, 1)->strategy(), tree::uniform_strategy(problem.tree));
  }
}

// ---- Expectations of one update.

constexpr double kRegretScale = 1e6;  // so large that one update does not change the strategy

// Regrets in whole numbers, all positive, and the strategy they stand for.
struct FixedStrategy {
  explicit FixedStrategy(const tree::Tree& tree) : regret(tree.num_slots()) {
    core::Random random(11);
    strategy.resize(tree.num_slots());
    for (double& r : regret) r = std::round(kRegretScale * (0.2 + random.uniform()));
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      double sum = 0;
      for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) sum += regret[s];
      for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) {
        strategy[s] = regret[s] / sum;
      }
    }
  }
  std::vector<double> regret;
  tree::Strategy strategy;
};

// One update's expectation by slot: counterfactual regrets, and own reach * chance reach *
// strategy.
struct Expectation {
  Expectation(const tree::Tree& tree, const tree::Strategy& strategy)
      : regret(tree.num_slots(), 0.0), average(tree.num_slots(), 0.0) {
    const auto value = reference::values(tree, strategy);
    const auto chance = reference::reach(tree, strategy, tree::kChance);
    const std::vector<double> reach[2] = {reference::reach(tree, strategy, 0),
                                          reference::reach(tree, strategy, 1)};
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      const tree::Actor actor = tree.actor[h];
      if (actor > 1) continue;
      for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
        const uint32_t slot = tree.slot_begin[tree.infoset[h]] + tree.action(c);
        const double sign = actor == 0 ? 1 : -1;
        regret[slot] += chance[h] * reach[1 - actor][h] * sign * (value[c] - value[h]);
        average[slot] += chance[h] * reach[actor][h] * strategy[slot];
      }
    }
  }
  std::vector<double> regret, average;
};

// A checkpoint with these regrets and nothing in the average; the random state is kept.
void set_regrets(tree::Archive& archive, const std::vector<double>& regret) {
  if (archive.words.contains("cells")) {
    for (size_t i = 0; i < regret.size(); ++i) {
      archive.words["cells"][i] = static_cast<uint64_t>(regret[i]);
    }
  } else {
    archive.reals["regret"] = regret;
    archive.reals["average"].assign(regret.size(), 0.0);
  }
}

std::pair<double, double> cell_of(const tree::Archive& archive, size_t slot) {
  if (!archive.words.contains("cells")) {
    return {archive.reals.at("regret")[slot], archive.reals.at("average")[slot]};
  }
  const uint64_t word = archive.words.at("cells")[slot];
  return {static_cast<int32_t>(static_cast<uint32_t>(word)), static_cast<double>(word >> 32)};
}

struct Mean {
  void add(double x) {
    sum += x;
    squares += x * x;
    ++count;
  }
  double mean() const { return sum / count; }
  double error() const {
    return std::sqrt(std::max(squares / count - mean() * mean(), 0.0) / count);
  }
  double sum = 0, squares = 0, count = 0;
};

void expect_unbiased(const Sampler& sampler, const Problem& problem, int samples) {
  const FixedStrategy fixed(problem.tree);
  const Expectation expected(problem.tree, fixed.strategy);
  const double scale = sampler.info().name == "pure-cfr" ? whole_number_scale(problem.tree) : 1;
  const size_t n = problem.tree.num_slots();
  std::vector<Mean> regret(n), average(n);
  const auto solver = sampler.make(problem, 2);
  for (int i = 0; i < samples; ++i) {
    tree::Archive archive;
    solver->save(archive);
    set_regrets(archive, fixed.regret);
    solver->load(archive);
    solver->iterate();
    solver->save(archive);
    for (size_t slot = 0; slot < n; ++slot) {
      const auto [r, a] = cell_of(archive, slot);
      regret[slot].add((r - fixed.regret[slot]) / scale);
      average[slot].add(a);
    }
  }
  // The first player's update moves the strategy by less than this before the second's.
  constexpr double kDrift = 2e-5;
  for (size_t slot = 0; slot < n; ++slot) {
    EXPECT_NEAR(regret[slot].mean(), expected.regret[slot], 5 * regret[slot].error() + kDrift)
        << sampler.name() << " slot " << slot;
    EXPECT_NEAR(average[slot].mean(), expected.average[slot], 5 * average[slot].error() + kDrift)
        << sampler.name() << " slot " << slot;
  }
}

TEST(SamplingTest, UpdatesAreUnbiased) {
  for (const char* name : {"kuhn", "rps", "random(depth=3,branching=2,chance=0.5,seed=2)"}) {
    const Problem problem = problem_of(name);
    expect_unbiased({external_sampling_info, {}}, problem, 50'000);
    expect_unbiased({chance_sampling_info, {}}, problem, 50'000);
    expect_unbiased({pure_cfr_info, {}}, problem, 50'000);
  }
}

// ---- Parts.

TEST(SamplingTest, NeverDrawsWhatHasNoProbability) {
  const auto game = games::read_efg(R"(EFG 2 R "test" { "1" "2" } ""
    c "" 1 "" { "a" 0 "b" 1/4 "c" 3/4 "d" 0 } 0
      t "" 1 "" { 1 -1 }
      t "" 2 "" { 2 -2 }
      t "" 3 "" { 3 -3 }
      t "" 4 "" { 4 -4 })",
                                    "test");
  const tree::Tree tree = tree::compile(*game);
  const std::vector<Step> steps = make_steps(tree);
  core::Random random(1);
  std::vector<int> drawn(steps[0].num_actions, 0);
  for (int i = 0; i < 100'000; ++i) ++drawn[draw_chance(tree, steps[0], random)];
  for (uint32_t a = 0; a < drawn.size(); ++a) {
    const double probability = tree.probability[tree.child_begin[0] + a];
    EXPECT_NEAR(drawn[a] / 1e5, probability, probability == 0 ? 0 : 0.01);
  }
}

TEST(SamplingTest, WholeNumberScales) {
  const auto scale = [](std::vector<double> payoffs) {
    tree::Tree tree;
    tree.payoff = std::move(payoffs);
    return whole_number_scale(tree);
  };
  EXPECT_EQ(scale({1, -2, 13}), 1);
  EXPECT_EQ(scale({0.5, -1.0 / 3}), 6);
  EXPECT_EQ(scale({0, 0}), 1);
  EXPECT_EQ(scale({0.001}), 1000);
  EXPECT_EQ(scale({3.14159265358979}), 65536 / 3.14159265358979);
  EXPECT_EQ(scale({1e6}), 0.065536);
}

// Four-byte counters and regrets at their ends keep their ratios.
TEST(SamplingTest, PureCfrSurvivesFullCells) {
  const Problem problem = problem_of("kuhn");
  const auto solver = make_solver("pure-cfr", problem);
  tree::Archive archive;
  solver->save(archive);
  for (uint64_t& word : archive.words["cells"]) word = uint64_t{UINT32_MAX} << 32 | (1u << 30);
  solver->load(archive);
  for (int i = 0; i < 100'000; ++i) solver->iterate();
  for (const double probability : solver->strategy()) EXPECT_NEAR(probability, 0.5, 0.001);
}

}  // namespace
}  // namespace cleave::solve
