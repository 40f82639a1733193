#include "door/tree_game.h"

#include "core/error.h"
#include "histories/places.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"
#include "solve/run.h"
#include "solve/solver.h"
#include "tree/strategy_file.h"

namespace cleave::door {

using decompose::Profile;

TreeGame::TreeGame(std::shared_ptr<const games::Game> game,
                   std::shared_ptr<const solve::Problem> problem)
    : AnyGame({.name = game->name(),
               .root_reach = {std::vector<double>{1.0}, std::vector<double>{1.0}},
               .shift = problem->tree.shift,
               .default_algorithm = solve::kDefaultAlgorithm}),
      game_(std::move(game)),
      problem_(std::move(problem)) {}

std::shared_ptr<const decompose::Piece> TreeGame::piece(std::string_view cut) const {
  if (cut.empty()) {
    return std::make_shared<histories::TreePiece>(histories::make_piece(problem_->tree, {0}));
  }
  return std::make_shared<histories::TreePiece>(
      histories::make_trunk(problem_->tree, histories::make_cut(*game_, problem_->tree, cut)));
}

std::shared_ptr<const decompose::Piece> TreeGame::steps(size_t player, int depth) const {
  return std::make_shared<histories::PlacePiece>(
      problem_->tree, std::make_shared<const histories::Places>(
                          histories::find_places(problem_->tree, player, depth)));
}

std::vector<std::string> TreeGame::cuts(std::string_view spec) const {
  std::vector<std::string> names;
  for (const auto& cut : histories::make_cuts(*game_, problem_->tree, spec)) {
    names.push_back(cut.name);
  }
  return names;
}

std::string TreeGame::describe(std::string_view cut) const {
  const histories::Cut made = histories::make_cut(*game_, problem_->tree, cut);
  const std::string remark = histories::remark(problem_->tree, made);
  return histories::describe(problem_->tree, made) + (remark.empty() ? "" : "\n" + remark);
}

size_t TreeGame::learning_bytes() const { return histories::whole_game_learning_bytes(*problem_); }

tree::Strategy TreeGame::strategy(const Profile& profile) const {
  tree::Strategy strategy = tree::uniform_strategy(problem_->tree);
  const auto* known = dynamic_cast<const histories::TreeProfile*>(&profile);
  if (known) {
    for (size_t slot = 0; slot < strategy.size(); ++slot) {
      if (known->strategy()[slot] >= 0) strategy[slot] = known->strategy()[slot];
    }
    return strategy;
  }
  const auto whole = piece("");
  const auto engine = whole->engine();
  profile.give(*whole, *engine);
  for (size_t p = 0; p < 2; ++p) histories::copy_strategy(*whole, *engine, p, strategy);
  return strategy;
}

std::shared_ptr<const Profile> TreeGame::read(const std::string& path, int) const {
  return std::make_shared<histories::TreeProfile>(
      tree::read_strategy(*game_, problem_->tree, path));
}

tree::Strategy solve_tree(const solve::Problem& problem, const std::string& algorithm,
                          int64_t iterations, const Watch& watch) {
  const auto solver = solve::make_solver(
      algorithm, problem,
      {.threads = watch.threads, .seed = watch.seed, .planned_iterations = iterations});
  watch.run(*solver, iterations);
  return solver->strategy();
}

std::shared_ptr<const Profile> TreeGame::solve(const std::string& algorithm, int64_t iterations,
                                               const Watch& watch) const {
  return std::make_shared<histories::TreeProfile>(
      solve_tree(*problem_, algorithm, iterations, watch));
}

std::unique_ptr<decompose::Recombined> TreeGame::recombine(const Profile& profile) const {
  return std::make_unique<histories::TreeProfile>(strategy(profile));
}

solve::Certificate TreeGame::certify(const Profile& profile, int) const {
  return solve::certify(*problem_, strategy(profile));
}

void TreeGame::check_out(const std::string& path) const { tree::check_strategy_path(path); }

void TreeGame::write(const Profile& profile, const std::string& path) const {
  tree::write_strategy(*game_, problem_->tree, strategy(profile), path);
}

const TreeSight& TreeGame::sight() const {
  std::call_once(looked_, [&] { sight_ = std::make_unique<TreeSight>(*game_, problem_->tree); });
  return *sight_;
}

std::unique_ptr<Hand> TreeGame::begin_hand() const {
  return std::make_unique<TreeHand>(problem_->tree, &sight());
}

Standing TreeGame::find(const Question& question, const decompose::Piece& any_piece,
                        const decompose::Engine&) const {
  Standing at;
  const uint32_t set = sight().find(question, at);
  if (set == tree::kNone) return at;
  const auto& piece = dynamic_cast<const histories::TreePiece&>(any_piece);
  const Question& here = sight().question(set);
  const tree::Tree& tree = *piece.game;
  for (uint32_t h = tree.first_history[set]; h != tree::kNone; h = tree.parent[h]) {
    if (const std::optional<size_t> leaf = piece.leaf_at(h)) {
      return {
          .kind = Standing::Kind::kBelow, .leaf = *leaf, .moves = here.moves, .call = here.call};
    }
  }
  const std::optional<size_t> decision = piece.decision_at(set);
  if (!decision) throw core::RunError("asked in another piece of the game");
  return {
      .kind = Standing::Kind::kHere, .decision = *decision, .moves = here.moves, .call = here.call};
}

}  // namespace cleave::door
