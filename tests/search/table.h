#pragma once

#include <string>

#include "door/tree_game.h"
#include "games/registry.h"
#include "search/agent.h"
#include "solve/evaluate.h"

namespace cleave {

// A game with everything that agents need around it.
struct GameTable {
  explicit GameTable(std::shared_ptr<const games::Game> the_game)
      : any(the_game, std::make_shared<const solve::Problem>(solve::make_problem(*the_game))),
        game(&any.game()),
        problem(any.problem()),
        setting{any} {}
  explicit GameTable(const std::string& name)
      : GameTable(std::shared_ptr<const games::Game>(games::make_game(name))) {}

  GameTable(const GameTable&) = delete;  // the setting refers to its neighbours
  GameTable& operator=(const GameTable&) = delete;

  std::unique_ptr<search::Agent> agent(const std::string& spec) const {
    return search::make_agent(spec, setting);
  }
  tree::Strategy strategy(const std::string& spec) const {
    return any.strategy(*agent(spec)->complete());
  }
  double exploitability(const std::string& spec) const {
    return solve::certify(problem, strategy(spec)).exploitability;
  }
  // What the agent answers at an information set, asked as at a table.
  std::vector<double> ask(search::Agent& agent, uint32_t infoset) const {
    const door::Question& question = any.sight().question(infoset);
    std::vector<double> probabilities(question.moves.size());
    agent.act(question, probabilities);
    return probabilities;
  }
  // And at all of them, last to first.
  tree::Strategy ask_backwards(search::Agent& agent) const {
    tree::Strategy strategy(problem.tree.num_slots());
    for (auto set = static_cast<uint32_t>(problem.tree.num_infosets()); set-- > 0;) {
      std::ranges::copy(ask(agent, set), strategy.begin() + problem.tree.slot_begin[set]);
    }
    return strategy;
  }

  door::TreeGame any;
  const games::Game* game;
  const solve::Problem& problem;
  search::Setting setting;
};

}  // namespace cleave
