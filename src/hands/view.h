#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hands/solution.h"

// Everything a player reads off a solution at one node.
namespace cleave::hands {

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

}  // namespace cleave::hands
