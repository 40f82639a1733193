#include "door/game.h"

#include "door/hands_game.h"
#include "door/tree_game.h"
#include "games/registry.h"

namespace cleave::door {

std::unique_ptr<AnyGame> open_game(const std::string& spec, const tree::CompileOptions& options) {
  if (auto problem = read_poker(spec))
    return std::make_unique<HandsGame>(spec, std::move(*problem));
  auto game = games::make_game(spec);
  auto problem = std::make_shared<const solve::Problem>(solve::make_problem(*game, options));
  return std::make_unique<TreeGame>(std::move(game), std::move(problem));
}

}  // namespace cleave::door
