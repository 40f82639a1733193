#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "poker/betting.h"
#include "poker/cards.h"

// The vector engine: community-card poker with one vector of private hands per player and public
// node.
namespace cleave::hands {

// A stretch of poker to learn in: what the engine is made from.
struct Setup {
  poker::BettingTree tree;
  poker::CardSet deck = 0;
  int hole_cards = 2;        // 1 or 2
  poker::CardSet board = 0;  // out at the root
  std::vector<int> deals;    // [street]: cards dealt as it begins; of street 0: none
  int last_street = 255;     // deals that end this street are leaves
  // The private states at the root, in this order.
  std::array<std::vector<poker::CardSet>, 2> hands;
  double pair_weight = 1;  // chance's reach of any two hands without a common card
  // Renamings of suits that change nothing: board, hands, and every reach that will be sent. Deals
  // are merged by them. A group; the identity alone merges nothing.
  std::vector<poker::SuitMap> symmetry = {poker::kSameSuits};
  // Also merge hands that such renamings make of each other on boards that they keep. Not done
  // where hands are all in before the last street. States of leaves are then rows: values of one
  // hand.
  bool merge_hands = false;
  // Of the first deal only these boards, each standing for its class; chance deals them that much
  // more often (keep_deals). Empty: all.
  std::vector<poker::CardSet> only;
  double only_scale = 1;
  // [node of `tree`]: in the tree of the game that this is a piece of; empty: the same.
  std::vector<uint32_t> origin = {};

  // [player][node]: the least that can follow, where the tree does not show all of it; empty: it
  // does.
  std::array<std::vector<double>, 2> least = {};

  uint32_t origin_of(uint32_t node) const { return origin.empty() ? node : origin[node]; }
};

struct TreeCopy {
  poker::BettingTree tree;
  std::vector<uint32_t> source;  // [node]: in the tree it was copied from
};
// What follows a node, as a tree of its own; of the moves below only those that are kept.
TreeCopy copy_tree(const poker::BettingTree& tree, uint32_t root,
                   const std::function<bool(uint32_t node)>& keeps);

double choose(int n, int k);  // sets of k out of n

// One of each class of the first deal.
std::vector<poker::Deal> first_deals(const Setup& setup);
// Leaves some of these out: an estimate of the whole game by a smaller one.
void keep_deals(Setup& setup, const std::vector<poker::Deal>& some);

// A game from its beginning, nothing merged. Throws InputError where hands have more than two
// cards.
Setup make_setup(const poker::Definition& definition,
                 const std::optional<poker::Sizes>& sizes = {});
// What follows at a betting node, all hands: `board` are the cards that are out there.
Setup below(const Setup& setup, uint32_t node, poker::CardSet board);

// [own hand]: reach of all hands of the other that go with it: without a card in common.
std::vector<double> reach_met(const std::vector<poker::CardSet>& own,
                              const std::vector<poker::CardSet>& other,
                              std::span<const double> other_reach);

// [node of the betting]: the smallest payoff to the player that can follow; not by moves into nodes
// that are `off`.
std::vector<double> least_payoffs(const poker::BettingTree& tree, size_t player,
                                  const std::vector<bool>& off = {});

}  // namespace cleave::hands
