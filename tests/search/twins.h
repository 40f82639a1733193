#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "door/hands_game.h"
#include "door/tree_game.h"
#include "games/poker_game.h"
#include "hands/vector_games.h"

namespace cleave::search {

// A game of poker on both engines, from a file.
struct Twins {
  Twins(const poker::Definition& definition, std::string sizes) {
    const std::string file = fmt::format("{}twins{}.game", testing::TempDir(), getpid());
    std::ofstream(file) << poker::to_text(definition);
    std::ranges::replace(sizes, ',', ':');
    const games::PokerParams params = games::parse_poker_spec(file + "(sizes=" + sizes + ")");
    const std::shared_ptr<const games::Game> rules = games::make_poker_game(params);
    tree = std::make_shared<door::TreeGame>(
        rules, std::make_shared<const solve::Problem>(solve::make_problem(*rules)));
    hands = std::make_shared<door::HandsGame>("twins",
                                              hands::make_problem(params.definition, params.sizes));
    tree->sight();  // reads the file
    std::remove(file.c_str());
  }

  std::shared_ptr<const door::TreeGame> tree;
  std::shared_ptr<const door::HandsGame> hands;
};

}  // namespace cleave::search
