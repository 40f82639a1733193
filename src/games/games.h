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

}  // namespace cleave::games
