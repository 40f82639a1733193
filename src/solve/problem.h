#pragma once

#include "games/game.h"
#include "tree/sequence_form.h"
#include "tree/strategy.h"
#include "tree/tree.h"

namespace cleave::solve {

// A game made ready for solving: compiled once, shared by everything, changed by nothing.
struct Problem {
  tree::Tree tree;
  tree::SequenceForm form;
};

// Compiles; throws InputError (see tree::require_solvable) for games that no solver takes.
Problem make_problem(const games::Game& game, const tree::CompileOptions& options = {});

// Of a tree that is already there, a derived one: it is taken to be solvable.
Problem make_problem(tree::Tree tree);

}  // namespace cleave::solve
