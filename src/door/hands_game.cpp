#include "door/hands_game.h"

#include "core/error.h"
#include "core/file.h"
#include "fmt/format.h"
#include "games/poker_game.h"
#include "hands/piece.h"
#include "hands/plan.h"
#include "hands/problem.h"
#include "hands/profile.h"
#include "poker/spot.h"

namespace cleave::door {
namespace {

constexpr double kMostHistories = 5e7;  // that the tree engine takes: a few gigabytes
// The betting alone; more makes nothing that fits a machine once cards are dealt.
constexpr size_t kMostBettingNodes = 2'000'000;

}  // namespace

std::optional<hands::Problem> read_poker(const std::string& game) {
  if (game.ends_with(".toml")) {
    const std::string text = core::read_file(game);
    if (hands::is_game_text(text)) return hands::parse_game(text, game);
    return hands::make_problem(poker::read_spot(game));
  }
  if (!games::is_poker_spec(game)) return std::nullopt;
  const games::PokerParams params = games::parse_poker_spec(game);
  poker::BettingTree betting;
  try {
    betting = poker::build_betting_tree(poker::make_betting(params.definition, params.sizes),
                                        {.max_nodes = kMostBettingNodes});
  } catch (const core::InputError& error) {
    core::reject("{}: {}", game, error.what());
  }
  if (hands::tree_histories(params.definition, betting) <= kMostHistories) return std::nullopt;
  return hands::make_problem(params.definition, params.sizes);
}

HandsGame::HandsGame(std::string name, hands::Problem problem)
    : AnyGame({.name = std::move(name),
               .root_reach = problem.reach,
               .shift = problem.shift(),
               .pot = problem.pot,
               .default_algorithm = hands::kDefaultAlgorithm,
               .streams = true}),
      problem_(std::make_shared<const hands::Problem>(std::move(problem))) {}

void HandsGame::check_locks() const {
  if (problem_->locks.empty()) return;
  core::reject("{}: the spot has locked strategies and cannot be cut; take its [[lock]] blocks out",
               name());
}

std::shared_ptr<const decompose::Piece> HandsGame::steps(size_t player, int depth) const {
  check_locks();
  return std::make_shared<hands::HandsPiece>(problem_, hands::Storage::kF32,
                                             hands::Stops{player, depth > 0});
}

std::shared_ptr<const decompose::Piece> HandsGame::piece(std::string_view cut) const {
  check_locks();
  auto cuts = cut.empty() ? std::vector<hands::StreetCut>{} : hands::parse_cuts(*problem_, cut);
  return std::make_shared<hands::HandsPiece>(problem_, std::move(cuts));
}

std::vector<std::string> HandsGame::cuts(std::string_view spec) const {
  if (spec != "all") return {std::string(spec)};
  std::vector<std::string> names;
  for (size_t s = 1; s < problem_->street_names.size(); ++s) {
    names.push_back("street:" + problem_->street_names[s]);
  }
  return names;
}

std::string HandsGame::dealt(const std::string& cut) const {
  constexpr std::string_view kStreet = "street:";
  std::string text = cut;
  for (size_t at = text.find(kStreet); at != text.npos; at = text.find(kStreet)) {
    text.replace(at, kStreet.size(), "deal:");
  }
  return text;
}

std::string HandsGame::describe(std::string_view cut) const {
  const auto trunk = piece(cut);
  size_t subgames = 0;
  for (size_t leaf = 0; leaf < trunk->num_leaves(); ++leaf) subgames += trunk->num_below(leaf);
  return fmt::format("{} subgames", subgames);
}

size_t HandsGame::learning_bytes() const {
  if (problem_->pot == 0) {
    const hands::Counts counts = hands::estimate(problem_->setup);
    if (!hands::can_sketch(counts)) {
      return static_cast<size_t>(hands::least_bytes(counts, hands::Storage::kF32));
    }
  }
  return hands::plan_memory(hands::sketch_layout(problem_->setup), hands::Storage::kF32, 1)
      .learning;
}

hands::SpotSolver HandsGame::make_solver(const hands::SolverOptions& options) const {
  hands::plan_solve(*problem_, options);
  return {*problem_, options};
}

hands::SpotSolver HandsGame::solver_of(const decompose::Profile& profile, int threads) const {
  const auto* known = dynamic_cast<const hands::EngineProfile*>(&profile);
  if (known && known->is_whole()) {
    const auto& engine = known->share_engine();
    return {*problem_, {.storage = engine->storage(), .threads = threads}, engine};
  }
  hands::SpotSolver solver = make_solver({.threads = threads});
  profile.give(*piece(""), solver.engine());
  return solver;
}

std::shared_ptr<const decompose::Profile> HandsGame::read(const std::string& path,
                                                          int threads) const {
  const hands::PokerFile file(path);
  hands::SolverOptions options = file.options();
  options.threads = threads;
  hands::SpotSolver solver = make_solver(options);
  file.load(solver, false);
  return std::make_shared<hands::EngineProfile>(solver.share_engine());
}

std::shared_ptr<const decompose::Profile> HandsGame::solve(const std::string& algorithm,
                                                           int64_t iterations,
                                                           const Watch& watch) const {
  hands::SpotSolver solver = make_solver(
      {.algorithm = algorithm, .threads = watch.threads, .planned_iterations = iterations});
  watch.run(solver, iterations);
  return std::make_shared<hands::EngineProfile>(solver.share_engine());
}

std::unique_ptr<decompose::Recombined> HandsGame::recombine(
    const decompose::Profile& profile) const {
  hands::SpotSolver solver = make_solver({});
  profile.give(*piece(""), solver.engine());
  return std::make_unique<hands::EngineProfile>(solver.share_engine());
}

solve::Certificate HandsGame::certify(const decompose::Profile& profile, int threads) const {
  return solver_of(profile, threads).certify();
}

void HandsGame::check_out(const std::string& path) const {
  if (path.ends_with(".h5")) return;
  core::reject("{}: the strategy of a spot or whole game is written as .h5", path);
}

void HandsGame::write(const decompose::Profile& profile, const std::string& path) const {
  check_out(path);
  hands::SpotSolver solver = solver_of(profile, 1);
  solver.save_solution(path, solver.certify());
}

}  // namespace cleave::door
