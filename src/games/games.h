#pragma once

#include "games/registry.h"

// The built-in games, each in the source of its name; registry.cpp lists them.
namespace cleave::games {

GameInfo kuhn_info();
GameInfo leduc_info();
GameInfo liars_dice_info();
GameInfo goofspiel_info();
GameInfo coin_toss_info();
GameInfo rps_info();
GameInfo nim_info();
GameInfo random_game_info();

// What a built-in game derives from. GameParams has the game's kName and kSummary and lists its
// parameters (see core::read_params).
template <class State, class GameParams>
class NamedGame : public TypedGame<State> {
 public:
  using Params = GameParams;
  explicit NamedGame(GameParams params) : params_(std::move(params)) {}
  std::string name() const final { return core::write_call(GameParams::kName, params_); }

 protected:
  GameParams params_;
};

template <class Made>
GameInfo game_info() {
  using Params = typename Made::Params;
  return {Params::kName, Params::kSummary, core::describe_params(Params{}),
          [](core::Params& params) -> std::unique_ptr<Game> {
            return std::make_unique<Made>(core::read_params<Params>(params));
          }};
}

}  // namespace cleave::games
