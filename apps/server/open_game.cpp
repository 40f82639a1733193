#include "core/error.h"
#include "fmt/format.h"
#include "server/game_cache.h"

namespace cleave::server {
namespace {

tree::Tree compile_small(const std::string& name, const games::Game& game) {
  try {
    return tree::compile(game, {.max_histories = OpenGame::kMostHistories});
  } catch (const tree::TooManyHistories&) {
    throw core::InputError(
        fmt::format("{} has more than a million histories, too many to show; use smaller "
                    "parameters, or the command line (`cleave solve`)",
                    name));
  }
}

// Messages of the library call a file's game by its path.
std::string with_name(std::string text, const std::string& path, const std::string& name) {
  for (size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
    text.replace(at, path.size(), name);
    at += name.size();
  }
  return text;
}

}  // namespace

OpenGame::OpenGame(std::string name, std::unique_ptr<games::Game> game)
    : name_(std::move(name)), game_(std::move(game)) {
  if (game_->num_players() != 2) {
    throw core::InputError(
        fmt::format("{} has {} players; only games of two can be shown and solved here", name_,
                    game_->num_players()));
  }
  tree::Tree tree = compile_small(name_, *game_);
  members_ = tree::Members(tree);
  try {
    tree::require_solvable(tree, *game_, "solving");
    problem_ = solve::make_problem(std::move(tree));
  } catch (const core::InputError& error) {
    refusal_ = with_name(error.what(), game_->name(), name_);
    problem_.tree = std::move(tree);
  }
}

const solve::Problem& OpenGame::problem() const {
  if (!solvable()) throw core::InputError(refusal_);
  return problem_;
}

const tree::Labels& OpenGame::labels() const {
  const std::lock_guard lock(mutex_);
  if (!labels_) labels_ = tree::make_labels(*game_, tree());
  return *labels_;
}

std::shared_ptr<const histories::Cut> OpenGame::cut(const std::string& spec) const {
  try {
    return cuts_.get(spec, [&] {
      return std::make_shared<const histories::Cut>(histories::make_cut(*game_, tree(), spec));
    });
  } catch (const core::InputError& error) {
    throw core::InputError(with_name(error.what(), game_->name(), name_));
  }
}

// Rounds as many as there are, and the first few depths, where somebody acts below the cut.
void OpenGame::list_cuts() const {
  constexpr int kMostDepth = 5;
  constexpr int kMostRounds = 16;
  cut_names_.emplace();
  const tree::Tree& t = tree();
  const auto consider = [&](const std::string& spec) {
    try {
      const histories::Cut found = histories::make_cut(*game_, t, spec);
      for (uint32_t h = 0; h < t.num_histories(); ++h) {
        if (t.actor[h] > 1 || found.subgame[h] == tree::kNone) continue;
        cut_names_->push_back(spec);
        break;
      }
    } catch (const core::InputError&) {
      return false;
    }
    return true;
  };
  for (int round = 1; round <= kMostRounds; ++round) {
    if (!consider(fmt::format("round:{}", round))) break;
  }
  for (int depth = 1; depth <= kMostDepth; ++depth) {
    if (!consider(fmt::format("depth:{}", depth))) break;
  }
}

const std::vector<std::string>& OpenGame::cuts() const {
  const std::lock_guard lock(mutex_);
  if (!cut_names_) list_cuts();
  return *cut_names_;
}

}  // namespace cleave::server
