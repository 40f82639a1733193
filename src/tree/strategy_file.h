#pragma once

#include <string>

#include "games/game.h"
#include "tree/strategy.h"
#include "tree/tree.h"

namespace cleave::tree {

// Strategies on disk, by the extension of `path`.
//
// .csv: the header `player,infoset,action,probability`, then one row for each action of each
// information set: player 1 or 2, the labels of make_labels() (quoted as RFC 4180 has it where they
// need it) and the shortest decimal that is the same double. Read in any order of rows, with LF or
// CRLF.
//
// .h5, .hdf5: an Archive (tree/archive.h). Row i of the same table is
//   reals/probability[i], and with s the information set whose range words/row_begin[s] to
//   words/row_begin[s + 1] holds i: player words/player[s], the s-th line of texts/infosets, and
//   line words/action[i] (from 0) of texts/actions.
// In the two texts, lines end with \n; a backslash, \n and \r inside a label are \\, \n and \r in
// the manner of C. texts/game is the game's name, and words/fingerprint binds the file to its tree.

// Throws InputError, listing what is allowed, for any other extension: to be called before a long
// run, not after it.
void check_strategy_path(const std::string& path);

void write_strategy(const games::Game& game, const Tree& tree, const Strategy& strategy,
                    const std::string& path);

// Throws InputError unless the file has one probability for every action and those of each
// information set sum to 1 within 1e-6. Sums further off than rounding explains are scaled to 1, so
// what write_strategy() wrote comes back bit by bit.
Strategy read_strategy(const games::Game& game, const Tree& tree, const std::string& path);

}  // namespace cleave::tree
