#include "reproduce/fpira_games.h"

#include <fmt/format.h>

#include <cmath>
#include <mutex>

#include "games/registry.h"
#include "solve/run.h"

namespace cleave::reproduce {

constexpr double kSaySeconds = 0.5;

std::string CermakRow::name() const { return fmt::format("k={}, r={}", sizes, raises); }

std::string CermakRow::game() const {
  std::string bets = "1";
  for (int chips = 2; chips <= sizes; ++chips) bets += fmt::format(":{}", chips);
  return fmt::format("leduc(ranks=4,suits=3,distinct=false,bets={},max_raises={})", bets, raises);
}

std::string cermak_random_game(int depth, int seed) {
  return fmt::format("random(depth={},branching=5,observations=4,seed={})", depth, seed);
}

std::string fpira_spec(const std::string& cells) {
  return fmt::format("fpira(cells={},ties=last)", cells);
}

std::unique_ptr<CountedGame> make_counted_game(const Context& context, const std::string& spec) {
  context.check_stop();
  context.say("compiling " + spec);
  const auto game = games::make_game(spec);
  auto counted = std::make_unique<CountedGame>();
  counted->problem = solve::make_problem(*game, {.stop = context.stop, .progress = {}});
  const tree::Tree& tree = counted->problem.tree;
  counted->acting = static_cast<double>(tree.num_infosets());
  counted->with_ends = counted->acting + static_cast<double>(tree::num_ended_slots(tree));
  return counted;
}

double RunFigures::bytes() const {
  return static_cast<double>(abstraction.strategy_bytes + abstraction.partition_bytes +
                             abstraction.response_bytes);
}

RunFigures run_to(const Context& context, const CountedGame& game, const RunTo& how) {
  return run_through(context, game, how, {&how.target, 1})[0];
}

std::vector<RunFigures> run_through(const Context& context, const CountedGame& game, RunTo how,
                                    std::span<const double> targets) {
  const auto solver =
      solve::make_solver(how.algorithm, game.problem, {.threads = 1, .seed = context.seed});
  solve::Record record;
  solve::Hooks hooks;
  hooks.stop = context.stop;
  double said = 0;
  if (!how.label.empty()) {
    hooks.progress = [&](int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
      if (seconds < said + kSaySeconds) return;
      said = seconds;
      context.say(fmt::format("{}: {} iterations, exploitability {:.3g} of {:.3g}", how.label,
                              iteration, latest.exploitability, how.target));
    };
  }
  std::vector<RunFigures> stages;
  for (const double target : targets) {
    how.target = target;
    const solve::RunResult result = solve::run(
        game.problem, *solver, {.iterations = kMostIterations, .target = target, .seconds = {}}, 1,
        hooks, record);
    context.check_stop();
    stages.push_back({.iterations = solver->iterations(),
                      .seconds = record.seconds,
                      .exploitability = result.certificate.exploitability,
                      .reached = result.certificate.exploitability <= target});
    auto abstraction = solver->abstraction();
    if (!abstraction) continue;
    stages.back().abstraction = std::move(*abstraction);
    std::vector<uint32_t>().swap(stages.back().abstraction.cell);
  }
  return stages;
}

Context for_threads(const Context& context) {
  Context locked = context;
  if (!context.progress) return locked;
  locked.progress = [mutex = std::make_shared<std::mutex>(),
                     progress = context.progress](const std::string& line) {
    const std::scoped_lock lock(*mutex);
    progress(line);
  };
  return locked;
}

double one_decimal(double percent) { return std::round(percent * 10) / 10; }

std::vector<std::string> cermak_notes(const std::vector<std::string>& more) {
  std::vector<std::string> notes = {
      "Information sets are counted both ways. With ends, as the paper counts: sets at which "
      "somebody acts, and what the player whose move ended the game knows then. Cells of an "
      "abstraction hold only sets at which somebody acts, in both percentages.",
      "Ties among best actions go to the last action, in fictitious play and FPIRA alike "
      "(ties=last): on the Leduc games about half as many iterations as with the first.",
      "The paper's gap of 0.01 between what the best responses win is exploitability 0.005, the "
      "mean loss over the two seats. An iteration here updates both players, one after the other; "
      "the paper counts each update as an iteration."};
  notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

}  // namespace cleave::reproduce
