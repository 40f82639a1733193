#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "decompose/cut.h"
#include "games/game.h"
#include "server/services.h"
#include "solve/evaluate.h"
#include "solve/worth.h"
#include "tree/lines.h"

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
  std::shared_ptr<const decompose::Cut> cut(const std::string& spec) const;
  const std::vector<std::string>& cuts() const;  // that make sense here

 private:
  static constexpr size_t kMostCuts = 8;

  void list_cuts() const;

  std::string name_;
  std::unique_ptr<games::Game> game_;
  solve::Problem problem_;  // only its tree where there is a refusal
  std::string refusal_;
  tree::Members members_;

  mutable std::mutex mutex_;  // of what is made when it is first asked for
  mutable std::optional<tree::Labels> labels_;
  mutable std::optional<std::vector<std::string>> cut_names_;
  mutable std::list<std::pair<std::string, std::shared_ptr<const decompose::Cut>>> cuts_;
};

// A strategy of an open game.
struct OpenStrategy {
  std::shared_ptr<const OpenGame> game;
  std::string text;  // what it is, in one line
  tree::Strategy strategy;
  std::optional<solve::Certificate> certificate;  // of games that can be solved
  solve::Worth worth;
};

// What was used last, as much as fits. Weights are numbers of histories.
template <class T>
class Kept {
 public:
  Kept(size_t most, size_t most_weight) : most_(most), most_weight_(most_weight) {}

  std::shared_ptr<const T> find(const std::string& key) {
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      if (at->key != key) continue;
      entries_.splice(entries_.begin(), entries_, at);
      return at->value;
    }
    return nullptr;
  }
  void add(const std::string& key, std::shared_ptr<const T> value, size_t weight) {
    entries_.push_front({key, std::move(value), weight});
    size_t total = 0;
    size_t number = 0;
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      total += at->weight;
      if (++number == 1 || (number <= most_ && total <= most_weight_)) continue;
      entries_.erase(at, entries_.end());
      return;
    }
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const T> value;
    size_t weight;
  };
  std::list<Entry> entries_;  // newest first
  size_t most_, most_weight_;
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
  std::shared_ptr<const OpenStrategy> keep(const std::string& key, OpenStrategy strategy);

  const Workspace& workspace_;
  std::mutex mutex_;    // of what is kept
  std::mutex loading_;  // one at a time: two that are asked for at once are not both made twice
  Kept<OpenGame> games_{12, 3 * OpenGame::kMostHistories};
  Kept<OpenStrategy> strategies_{12, 4 * OpenGame::kMostHistories};
};

// The one of these services.
std::shared_ptr<GameCache> game_cache(Services& services);

// The path of a strategy's file; throws as Workspace::existing() does.
std::string strategy_path(const Workspace& workspace, const std::string& file);

}  // namespace cleave::server
