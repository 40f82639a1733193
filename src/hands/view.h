#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "core/file.h"
#include "hands/spot_solver.h"

// Solutions, and everything a player reads off them at one node.
namespace cleave::hands {

// A solved spot to be looked at (view.h). Strategies stay in the file: what a node needs is read
// when it is asked for. Not for two threads at a time.
class Solution {
 public:
  // Throws InputError as PokerFile does.
  Solution(const std::string& path, int threads);

  const Problem& problem() const { return problem_; }
  const SolverOptions& options() const { return options_; }
  const solve::Record& record() const { return record_; }
  VectorEngine& engine() { return *engine_; }
  uint64_t bytes() const { return mapped_.bytes().size(); }  // of the file

 private:
  Solution(const PokerFile& file, const std::string& path, int threads);

  Problem problem_;
  SolverOptions options_;
  solve::Record record_;
  core::MappedFile mapped_;
  std::vector<core::AlignedVector<std::byte>> read_;  // small arrays, and those of old files
  std::unique_ptr<VectorEngine> engine_;
};

struct HandView {
  poker::CardSet cards = 0;
  double range = 0;   // weight of the hand at the root
  double reach = 0;   // of the hand at this node: range times the player's own actions on the way
  double weight = 0;  // reach times the other's hands that go with it: what averages are taken with
  // All of the following are 0 where the other has no hand left that goes with it.
  double equity = 0;  // share of the pot if everything were checked from here on
  double value = 0;   // chips expected from the pot here on, of those already in it: 0 for a fold
  double best = 0;    // the same for a best response
  double realisation = 0;        // value / (equity * pot)
  std::vector<double> strategy;  // [action]; the acting player's only
};

struct SideView {
  std::vector<HandView> hands;  // of the root that the board leaves, in the root's order
  double combos = 0;            // sum of reach
  double equity = 0, value = 0, best = 0, realisation = 0;  // over the range, by weight
};

struct NodeView {
  Address address;
  std::string line;
  poker::BettingNode::Kind kind = poker::BettingNode::Kind::kDecision;
  size_t player = 0;                  // who acts (or folded)
  double pot = 0;                     // in the middle here
  std::array<double, 2> behind = {};  // chips left
  std::vector<poker::Action> actions;
  std::vector<double> frequency;  // [action], over the range
  std::vector<double> combos;     // [action]: reach of the hands that take it
  std::array<SideView, 2> side;
};

NodeView view_node(Solution& solution, std::string_view line);

// A step of a line, an action or the cards of a deal, and the node at which it is made.
struct LineStep {
  std::string text;
  std::string line;  // the steps before
  Address address;
  const poker::BettingNode& node;
};
std::vector<LineStep> follow_line(const Layout& layout, std::string_view line);

// What whoever acts at a node does with a hand: [action].
std::vector<double> strategy_at(Solution& solution, std::string_view line, poker::CardSet hand);
// HandView::value; not a number where the player has no such hand.
double value_at(Solution& solution, std::string_view line, size_t player, poker::CardSet hand);

// Cards that may be dealt at a node: those of one entry play the same, highest first.
std::vector<std::vector<poker::CardSet>> next_cards(const Layout& layout, const NodeView& view);

// What a card makes of the game.
struct Runout {
  std::vector<poker::CardSet> cards;  // that share what follows
  NodeView view;                      // after the first of them
};
// Empty where more than a deck's cards can come (flops), which nobody reads.
std::vector<Runout> runouts(Solution& solution, const NodeView& view);

// The 13 by 13 grid of hands: aces first, suited hands above the diagonal, offsuit ones below it.
struct GridCell {
  int possible = 0;  // hands that the board leaves
  double reach = 0;  // summed over them
  double share = 0;  // of the hands that get here, against the kind of which most do
  double equity = 0, value = 0, realisation = 0;  // means by reach
  std::vector<double> mix;  // [action], by reach; empty where the player does not act
  bool empty() const { return share < 1e-3; }
};
using HandGrid = std::array<std::array<GridCell, poker::kNumRanks>, poker::kNumRanks>;

HandGrid make_hand_grid(const NodeView& view, size_t player);

struct GridPlace {
  size_t row = 0, column = 0;
};
GridPlace place_in_grid(poker::CardSet hand);
std::string kind_name(size_t row, size_t column);  // "AKs"

}  // namespace cleave::hands
