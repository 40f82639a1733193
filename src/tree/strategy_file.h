#pragma once

#include <cstdint>
#include <span>
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
//
// A strategy that plays alike throughout each cell of an abstraction has a form of its own.
//
// .csv: the same table, whole, and beside NAME.csv the abstraction as NAME.cells.csv: the header
// `player,infoset,cell`, then one row for each information set. Sets with the same cell, a number
// from 0, play alike.
//
// .h5, .hdf5: an Archive without labels, one set of rows for each cell. The information set in row
// s of NAME.cells.csv is in cell c = words/cell[s] and plays its k-th action, in the order of the
// table above, with reals/probability[words/row_begin[c] + k]. texts/game and words/fingerprint as
// before; texts/format tells the two archives apart.

// Throws InputError, listing what is allowed, for any other extension: to be called before a long
// run, not after it.
void check_strategy_path(const std::string& path);

void write_strategy(const games::Game& game, const Tree& tree, const Strategy& strategy,
                    const std::string& path);

// `cell`: [infoset], any numbers; cells of different players have nothing to do with each other.
// `strategy` must play alike throughout each cell: k-th actions have equal probabilities, whatever
// they are called.
void write_abstract_strategy(const games::Game& game, const Tree& tree,
                             std::span<const uint32_t> cell, const Strategy& strategy,
                             const std::string& path);
// What write_abstract_strategy() writes beside `path`; empty where that is nothing.
std::string cells_path(const std::string& path);

// Reads every form and expands what is abstract. Throws InputError unless the file has one
// probability for every action and those of each information set sum to 1 within 1e-6. Sums further
// off than rounding explains are scaled to 1, so what write_strategy() wrote comes back bit by bit.
Strategy read_strategy(const games::Game& game, const Tree& tree, const std::string& path);

}  // namespace cleave::tree
