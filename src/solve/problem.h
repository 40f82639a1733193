#pragma once

#include <utility>

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

// Of a tree that is already there, a derived one: it is taken to be solvable.
inline Problem make_problem(tree::Tree tree) {
  tree::SequenceForm form = tree::make_sequence_form(tree);
  return {std::move(tree), std::move(form)};
}

// Compiles; throws InputError (see tree::require_solvable) for games that no solver takes.
inline Problem make_problem(const games::Game& game, const tree::CompileOptions& options = {}) {
  tree::Tree tree = tree::compile(game, options);
  tree::require_solvable(tree, game, "solving");
  return make_problem(std::move(tree));
}

}  // namespace cleave::solve
