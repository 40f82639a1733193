#pragma once

#include "hands/nested/nested_job.h"
#include "hands/vector_games.h"

// The game of table 4 with few cards, for tests of nested solving.
namespace cleave::hands {

// One bet before the flop of one card, `bets` on it.
inline poker::Definition miniature(int ranks, int suits, int hole_cards, int bets) {
  poker::Definition d;
  d.name = "miniature";
  d.stack = {20000, 20000};
  d.blind = {100, 50};
  d.ranks = ranks;
  d.suits = suits;
  d.hole_cards = hole_cards;
  d.rounds = {{0, 1, 1, 0}, {1, 0, bets, 0}};
  return d;
}

inline const poker::Sizes kSmall = poker::parse_sizes("50%,100%", "small");
inline const poker::Sizes kLarge = poker::parse_sizes("50%,75%,100%", "large");

// `odd`: seed of odd stakes; 0: as they are by the rules.
inline hands::Setup make(const poker::Definition& d, const poker::Sizes& sizes, bool merge,
                         uint64_t odd = 0) {
  hands::Setup setup = hands::make_setup(d, sizes);
  if (odd > 0) hands::make_stakes_odd(setup.tree, odd);
  if (merge) {
    setup.symmetry = poker::all_suit_maps(d.suits);
    setup.merge_hands = true;
  }
  return setup;
}

inline NestedOptions options_for(std::vector<std::string> methods, int64_t iterations = 30) {
  NestedOptions options;
  options.methods = std::move(methods);
  options.small_iterations = iterations;
  options.preflop_iterations = iterations;
  options.subgame_iterations = iterations;
  options.storage = hands::Storage::kF64;
  return options;
}

}  // namespace cleave::hands
