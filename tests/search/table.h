#pragma once

#include <string>

#include "games/registry.h"
#include "search/agent.h"
#include "solve/evaluate.h"

namespace cleave {

// A game with everything that agents need around it.
struct GameTable {
  explicit GameTable(std::unique_ptr<games::Game> the_game)
      : game(std::move(the_game)), problem(solve::make_problem(*game)), setting{*game, problem} {}
  explicit GameTable(const std::string& name) : GameTable(games::make_game(name)) {}

  GameTable(const GameTable&) = delete;  // the setting refers to its neighbours
  GameTable& operator=(const GameTable&) = delete;

  std::unique_ptr<search::Agent> agent(const std::string& spec) const {
    return search::make_agent(spec, setting);
  }
  tree::Strategy strategy(const std::string& spec) const {
    return search::complete_strategy(problem.tree, *agent(spec));
  }
  double exploitability(const std::string& spec) const {
    return solve::certify(problem, strategy(spec)).exploitability;
  }

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  search::Setting setting;
};

}  // namespace cleave
