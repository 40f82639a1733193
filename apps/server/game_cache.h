#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "games/game.h"
#include "histories/cut.h"
#include "server/kept.h"
#include "server/workspace.h"
#include "solve/evaluate.h"
#include "tree/sight.h"

// Games and strategies that are open: compiled and worked out once, kept for the next question.
namespace cleave::server {

// A game, compiled. Everything in it can be asked by several threads.
class OpenGame {
 public:
  static constexpr size_t kMostHistories = 1'000'000;

  // `name`: the game as the page calls it, files below the workspace. Throws InputError unless it
  // is a game of two players that is small enough to be shown.
  OpenGame(std::string name, std::unique_ptr<games::Game> game);

  const std::string& name() const { return name_; }
  const games::Game& game() const { return *game_; }
  const tree::Tree& tree() const { return problem_.tree; }
  // Throws InputError where the game cannot be solved: not of constant sum, no perfect recall.
  const solve::Problem& problem() const;
  bool solvable() const { return refusal_.empty(); }

  const tree::Labels& labels() const;
  const tree::Members& members() const { return members_; }
  // Throws InputError as make_cut() does.
  std::shared_ptr<const histories::Cut> cut(const std::string& spec) const;
  const std::vector<std::string>& cuts() const;  // that make sense here

 private:
  void list_cuts() const;

  std::string name_;
  std::unique_ptr<games::Game> game_;
  solve::Problem problem_;  // only its tree where there is a refusal
  std::string refusal_;
  tree::Members members_;

  mutable std::mutex mutex_;  // of what is made when it is first asked for
  mutable std::optional<tree::Labels> labels_;
  mutable std::optional<std::vector<std::string>> cut_names_;
  mutable Kept<const histories::Cut> cuts_{8};
};

// A strategy of an open game.
struct OpenStrategy {
  std::shared_ptr<const OpenGame> game;
  std::string text;  // what it is, in one line
  tree::Strategy strategy;
  std::optional<solve::Certificate> certificate;  // of games that can be solved
  solve::Worth worth;
};

class GameCache {
 public:
  explicit GameCache(const Workspace& workspace) : workspace_(workspace) {}

  // A built-in game, or an .efg or .game file below the workspace: "small.game(sizes=50%:a)".
  std::shared_ptr<const OpenGame> game(const std::string& spec);
  // With a strategy's file below the workspace.
  std::shared_ptr<const OpenStrategy> strategy(const std::string& spec, const std::string& file);
  // Solved on the spot, in a few seconds.
  std::shared_ptr<const OpenStrategy> solved(const std::string& spec);

 private:
  struct Located;
  Located locate(const std::string& spec) const;
  using Played = std::pair<std::string, tree::Strategy>;  // what it is, and the strategy
  std::shared_ptr<const OpenStrategy> keep(const std::string& spec, const std::string& key,
                                           const std::function<Played(const OpenGame&)>& make);

  const Workspace& workspace_;
  // Weights are numbers of histories.
  Kept<const OpenGame> games_{12, 3 * OpenGame::kMostHistories};
  Kept<const OpenStrategy> strategies_{12, 4 * OpenGame::kMostHistories};
};

// The path of a strategy's file; throws as Workspace::existing() does.
std::string strategy_path(const Workspace& workspace, const std::string& file);

}  // namespace cleave::server
