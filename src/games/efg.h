#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "games/game.h"

namespace cleave::games {

// Gambit's `.efg` files, version 2. Numbers are exact in both directions.
//
// What is wrong with a file becomes a core::InputError `file:line:column: what is wrong; what is
// allowed`; lines and columns (characters) count from 1. Stricter than Gambit on purpose: text
// after the complete tree is an error, since it means that some node has too few actions. Looser
// than Gambit on purpose: node and outcome names are dropped unread, and may repeat or differ; no
// white space is needed between tokens that cannot run together.
//
// Strings: \" is a quote, \\ a backslash, a backslash before anything else is itself.
//
// Information-set labels that are empty or used by two sets of a player, and action labels that are
// empty or repeat within their set, get `#<number>` appended until they are unique.
//
// Limits: 8 GiB of text, 253 players, numbers as Rational::parse has them, 65,536 characters for
// a sum of payoffs along a path.
std::unique_ptr<Game> read_efg(std::string_view text, std::string_view file_name);
std::unique_ptr<Game> read_efg_file(const std::string& path);

// Any game, node by node in prefix order. Information sets are described at each of their nodes,
// as Gambit's own writer does, since not every reader remembers them. Throws core::RunError if
// `out` fails.
void write_efg(const Game& game, std::string_view title, std::ostream& out);

}  // namespace cleave::games
