#include "poker_input.h"

#include "core/error.h"
#include "core/file.h"
#include "fmt/format.h"
#include "games/poker_game.h"
#include "hands/counts.h"
#include "hands/game_file.h"
#include "poker/spot.h"

namespace cleave::cli {
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
    throw core::InputError(fmt::format("{}: {}", game, error.what()));
  }
  if (hands::tree_histories(params.definition, betting) <= kMostHistories) return std::nullopt;
  return hands::make_problem(params.definition, params.sizes);
}

const char* player_name(const hands::Problem& problem, size_t player) {
  if (problem.pot == 0) return player == 0 ? "player 1" : "player 2";
  return player == 0 ? "OOP" : "IP";
}

}  // namespace cleave::cli
