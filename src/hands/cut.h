#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hands/bet_map.h"
#include "hands/problem.h"

namespace cleave::hands {

// Where poker is cut: as a street ends. Subgames begin before the cards of the next one are dealt,
// all deals in one, or after, one for each deal.
struct StreetCut {
  int street = 0;  // of the game: the last one above the cut
  bool dealt = false;
  // At a node of that street instead, under the boards that the line names (find_addresses). Where
  // play goes another way the trunk ends with the street all the same, with leaves that are not
  // wanted.
  std::string line = {};
};

// "street:turn" (before the turn is dealt) or "deal:turn" (after it); several, separated by commas,
// cut the trunk too: "deal:flop,deal:turn". Streets by name, or by number from 1. Or one line of
// play, "line:check/bet 50/call/Qc/check", where * stands for all cards and _ for a space. Throws
// InputError saying what is allowed.
std::vector<StreetCut> parse_cuts(const Problem& problem, std::string_view spec);

// Bets outside an abstraction, as they meet a hero who keeps to it (decompose/nested.h).
struct Outside {
  BetMap bets;  // of the game's betting tree
  size_t hero = 0;
};

// Where a player stops to think: at its decisions, and where a street begins.
struct Stops {
  size_t player = 0;
  bool to_street_end = false;  // how far it looks ahead; else to the end of the game
};

std::vector<StreetCut> cut_every_deal(const Setup& setup);

// As keys of pieces have them: parse_cuts reads the one back; of moves outside,
// "outside:HERO:3,7-9", the nodes of the betting that they lead to; of stops, "stops:PLAYER:street"
// or "stops:PLAYER:end".
std::string to_text(const std::vector<StreetCut>& cuts);
std::string to_text(const Outside& outside);
std::string to_text(const Stops& stops);
bool is_outside_text(std::string_view text);
bool is_stops_text(std::string_view text);
Stops parse_stops(std::string_view text);
std::shared_ptr<const Outside> parse_outside(const Problem& problem, std::string_view text);

}  // namespace cleave::hands
