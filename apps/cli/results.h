#pragma once

#include <string>

#include "games/game.h"
#include "solve/evaluate.h"
#include "tree/strategy.h"

// What solve and evaluate print alike.
namespace cleave::cli {

void print_row(const char* name, const std::string& value);
void print_lines(const char* name, std::string text);  // one row each, the name at the first
void print_certificate(const solve::Certificate& certificate);

// A table of the first `rows` information sets, player one's and player two's in turn: what each
// player does at its first decisions.
void print_strategy(const games::Game& game, const tree::Tree& tree, const tree::Strategy& strategy,
                    int rows);

}  // namespace cleave::cli
