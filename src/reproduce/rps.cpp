#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "decompose/leaves/solved_leaves.h"
#include "decompose/resolver.h"
#include "histories/gadget_game.h"
#include "histories/position_leaves.h"
#include "histories/tree_engine.h"
#include "reproduce/cut_tree.h"
#include "reproduce/target.h"
#include "solve/sequence_lp.h"

namespace cleave::reproduce {
namespace {

using decompose::Vectors;

constexpr double kRpsExact = 1e-9;
constexpr double kRpsIterated = 1e-4;
constexpr const char* kRpsAlgorithm = "cfr+";
constexpr std::array<const char*, 3> kThrowNames = {"rock", "paper", "scissors"};
using ThrowMix = std::array<double, 3>;
constexpr ThrowMix kThird = {1.0 / 3, 1.0 / 3, 1.0 / 3};

struct RpsGame : CutTree {
  RpsGame() : CutTree("rps", "depth:1") {}

  // Three slots of player one, then three of player two.
  static tree::Strategy profile(const ThrowMix& one, const ThrowMix& two) {
    return {one[0], one[1], one[2], two[0], two[1], two[2]};
  }
  static ThrowMix mix_of(const tree::Strategy& profile, size_t player) {
    return {profile[3 * player], profile[3 * player + 1], profile[3 * player + 2]};
  }
  // What the other player gets against this one's mix.
  double loss(const tree::Strategy& profile, size_t player) const {
    return solve::certify(problem, profile).best_response[1 - player];
  }
};

ThrowMix pure(size_t action) {
  ThrowMix mix{};
  mix[action] = 1;
  return mix;
}

// From the equilibrium's.
double off(const ThrowMix& mix) {
  double most = 0;
  for (const double probability : mix) most = std::max(most, std::abs(probability - kThird[0]));
  return most;
}

std::string text_of(const ThrowMix& mix) {
  return fmt::format("{:.4f} {:.4f} {:.4f}", mix[0], mix[1], mix[2]);
}

struct Report {
  void add(std::string what, const ThrowMix& answer, Cell looks, Cell best, Cell paper, Cell ours) {
    table.rows.push_back({std::move(what), text_of(answer), std::move(looks), std::move(best),
                          std::move(paper), std::move(ours)});
  }
  void check(std::string criterion, std::string measured, bool passed) {
    checks.push_back({std::move(criterion), std::move(measured), passed});
  }

  Table table = {
      "answers",
      "Rock-paper-scissors: probabilities of rock, paper and scissors, and values in chips",
      {"search or re-solving", "answer", "how it looks there", "best there", "loss: paper",
       "loss: ours"}};
  std::vector<Check> checks = {};
};

// Kroer: cut at depth 1 with v(h) = 0, what h is worth in equilibrium. To the search every pure
// strategy is as good as the best.
void search_with_position_values(const RpsGame& rps, Report& report) {
  const histories::TreePiece& trunk = *rps.trunk;
  double worst_gap = 0;
  double least_loss = INFINITY;
  for (size_t a = 0; a < 3; ++a) {
    const tree::Strategy profile = RpsGame::profile(pure(a), kThird);
    histories::TreeEngine engine(trunk);
    histories::PositionLeaves leaves(
        histories::make_positions(rps.problem.tree, trunk, [](uint32_t) { return 0.0; }));
    engine.set_strategy(profile);
    const Vectors entry = {std::vector<double>{1}, std::vector<double>{1}};
    for (size_t p = 0; p < 2; ++p) engine.descend(p, entry[p], 0);
    decompose::Leaves(trunk, engine).evaluate(engine, leaves, decompose::Players::kBoth);
    Vectors value = {std::vector<double>{0}, std::vector<double>{0}};
    engine.evaluate(entry, value);
    std::vector<double> best = {0};
    engine.best_response(0, entry[1], best);
    const double loss = rps.loss(profile, 0);
    worst_gap = std::max(worst_gap, best[0] - value[0][0]);
    least_loss = std::min(least_loss, loss);
    report.add(fmt::format("depth 1, v(h) = 0: always {}", kThrowNames[a]), pure(a), value[0][0],
               best[0], 1.0, loss);
  }
  report.check(
      "depth 1 with v(h) = 0: every pure strategy looks optimal and loses 1 to a best response",
      fmt::format("gap to the best as the search sees it {:.1e}, smallest loss {:.9f}", worst_gap,
                  least_loss),
      worst_gap <= kRpsExact && std::abs(least_loss - 1) <= kRpsExact);
}

// v(h | p): the subgame below solved for the reach that the search sends there.
void search_with_solved_leaves(const RpsGame& rps, int64_t iterations, Report& report) {
  const histories::TreePiece& trunk = *rps.trunk;
  decompose::SolvedLeaves leaves(
      {.schedule = solve::make_schedule(kRpsAlgorithm), .iterations = 100});
  histories::TreeEngine engine(trunk);
  // Player two enters as it must.
  const auto gadget =
      decompose::make_gadget(decompose::make_method("unsafe"), {{1}, {1}, {{0}, {0}}});
  // Away from the answer, which is uniform, as uniform regret matching would begin.
  engine.set_strategy(RpsGame::profile(pure(0), kThird));
  decompose::Resolver resolver(engine, *gadget, 0, {1}, solve::make_schedule(kRpsAlgorithm), trunk,
                               leaves);
  while (resolver.iterations() < iterations) resolver.iterate();
  tree::Strategy profile = RpsGame::profile(kThird, kThird);
  engine.copy_strategy(0, profile);
  const ThrowMix mix = RpsGame::mix_of(profile, 0);
  const double loss = rps.loss(profile, 0);
  report.add("depth 1, v(h | p): the subgame solved", mix, Cell{}, Cell{}, 0.0, loss);
  report.check(fmt::format("depth 1 with v(h | p): the search returns 1/3, 1/3, 1/3 to {}, from a "
                           "start at always rock",
                           kRpsIterated),
               fmt::format("{}, off by {:.1e}", text_of(mix), off(mix)), off(mix) <= kRpsIterated);
}

struct Resolving {
  histories::GadgetGame game;
  tree::Strategy exact;  // player two's node re-solved
  double value = 0;      // of the gadget's game, to player one
};

Resolving resolve_exactly(const RpsGame& rps, const Summaries& summaries,
                          const tree::Strategy& trunk, const char* name) {
  const decompose::Method method = decompose::make_method(name);
  const auto gadget =
      decompose::make_gadget(method, rps.gadget_input(method, trunk, summaries, 0, 1));
  Resolving result{histories::make_gadget_game(rps.problem.tree, rps.subgame(0), 1,
                                               summaries[0].reach[1], gadget->form()),
                   trunk, 0};
  result.value = histories::solve_gadget_game(result.game, 1, result.exact);
  return result;
}

// What player one gets in the gadget's game against player two's mix in it.
double value_against(const histories::GadgetGame& game, const tree::Strategy& profile) {
  tree::Strategy strategy = tree::uniform_strategy(game.problem.tree);
  for (size_t slot = 0; slot < strategy.size(); ++slot) {
    if (game.source_slot[slot] != tree::kNone) strategy[slot] = profile[game.source_slot[slot]];
  }
  return solve::certify(game.problem, strategy).best_response[0];
}

// Burch: player two's node dropped from an equilibrium and re-solved. Against player one's even mix
// everything is worth 0, so unsafe re-solving may return anything.
void resolve_unsafely(const RpsGame& rps, const Summaries& summaries,
                      const tree::Strategy& equilibrium, Report& report) {
  const Resolving unsafe = resolve_exactly(rps, summaries, equilibrium, "unsafe");
  const tree::Strategy rock = RpsGame::profile(kThird, pure(0));
  const double rock_value = value_against(unsafe.game, rock);
  const double rock_loss = rps.loss(rock, 1);
  report.add("unsafe: always rock", pure(0), -rock_value, -unsafe.value, 1.0, rock_loss);
  report.add("unsafe: linear program", RpsGame::mix_of(unsafe.exact, 1),
             -value_against(unsafe.game, unsafe.exact), -unsafe.value, Cell{},
             rps.loss(unsafe.exact, 1));
  report.check(
      "unsafe re-solving: always rock is a solution and loses 1 to a best response",
      fmt::format("{:.1e} short of the best in the unsafe game, loss {:.9f}",
                  rock_value - unsafe.value, rock_loss),
      std::abs(rock_value - unsafe.value) <= kRpsExact && std::abs(rock_loss - 1) <= kRpsExact);
}

void resolve_safely(const RpsGame& rps, const Summaries& summaries,
                    const tree::Strategy& equilibrium, int64_t iterations, Report& report) {
  const double largest = std::abs(std::ranges::max(summaries[0].best_response[0], {},
                                                   [](double value) { return std::abs(value); }));
  report.check("the stored values of player one are (0, 0, 0)",
               fmt::format("largest {:.1e}", largest), largest <= kRpsExact);
  const Resolving safe = resolve_exactly(rps, summaries, equilibrium, "resolve");
  const ThrowMix exact = RpsGame::mix_of(safe.exact, 1);
  report.add("safe: linear program", exact, -value_against(safe.game, safe.exact), -safe.value, 0.0,
             rps.loss(safe.exact, 1));
  const tree::Strategy rock = RpsGame::profile(kThird, pure(0));
  const double rock_value = value_against(safe.game, rock);
  report.add("safe: always rock", pure(0), -rock_value, -safe.value, Cell{}, rps.loss(rock, 1));
  report.check(
      "safe re-solving: always rock is no solution",
      fmt::format("{:.3f} short of the best in the re-solving game", rock_value - safe.value),
      rock_value - safe.value > kRpsIterated);

  const tree::Strategy iterated =
      rps.resolve("resolve", equilibrium, summaries,
                  {.algorithm = kRpsAlgorithm, .iterations = iterations, .hero = 1});
  const ThrowMix mix = RpsGame::mix_of(iterated, 1);
  report.add(fmt::format("safe: {}", kRpsAlgorithm), mix, -value_against(safe.game, iterated),
             -safe.value, 0.0, rps.loss(iterated, 1));
  report.check(fmt::format("safe re-solving returns the equilibrium, by linear program to {} and "
                           "by {} to {}",
                           kRpsExact, kRpsAlgorithm, kRpsIterated),
               fmt::format("off by {:.1e} and {:.1e}", off(exact), off(mix)),
               off(exact) <= kRpsExact && off(mix) <= kRpsIterated);
}

Outcome run_rps(const Context& context) {
  const int64_t iterations = context.quick ? 20'000 : 100'000;
  const RpsGame rps;
  const tree::Strategy equilibrium = solve::solve_lp(rps.problem).strategy;
  const Summaries summaries = rps.summarise(equilibrium);
  Report report;
  search_with_position_values(rps, report);
  context.say("search with solved leaves");
  search_with_solved_leaves(rps, iterations, report);
  context.check_stop();
  resolve_unsafely(rps, summaries, equilibrium, report);
  resolve_safely(rps, summaries, equilibrium, iterations, report);
  return {
      .tables = {report.table},
      .checks = report.checks,
      .notes = {
          "The game is cut after player one's choice. Search is player one's, with what stands "
          "below the cut seen through v; re-solving is player two's, from the summary of an "
          "equilibrium.",
          "\"How it looks there\" is the answer's value to the player who looks for it in the game "
          "that is searched or re-solved, \"best there\" that game's value; \"loss\" is what a "
          "best response in the real game takes from it.",
          fmt::format("{} ran for {} iterations, with 100 per subgame and iteration below the cut.",
                      kRpsAlgorithm, iterations)}};
}

}  // namespace

TargetInfo rps() {
  return {
      "rps", "Kroer 2020, lecture note 7 (search); Burch, Johanson, Bowling 2014 (re-solving)",
      "Rock-paper-scissors cut after the first choice: v(h) fails, v(h | p) and safe re-solving "
      "do not",
      run_rps};
}

}  // namespace cleave::reproduce
