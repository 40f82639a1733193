#include <algorithm>
#include <utility>

#include "core/error.h"
#include "fmt/format.h"
#include "hands/view.h"
#include "poker/spot.h"
#include "server/solutions.h"
#include "server/spot_form.h"

namespace cleave::server {
namespace {

using NodeKind = poker::BettingNode::Kind;

// What can be done at a node.
Json actions_json(const poker::BettingTree& tree, const poker::BettingNode& node) {
  Json out = Json::array();
  if (node.kind != NodeKind::kDecision) return out;
  for (uint32_t c = node.first_child; c < node.first_child + node.num_children; ++c) {
    const poker::BettingNode& child = tree.nodes[c];
    const std::string text = poker::to_text(child.action);
    out.push_back({{"text", text},
                   {"kind", text.substr(0, text.find(' '))},
                   {"to", child.action.to},
                   {"pot_share", tree.pot_share(child)}});
  }
  return out;
}
Json actions_json(const hands::Layout& layout, const hands::Address& at) {
  const hands::Node& node = layout.streets[static_cast<size_t>(at.street)].nodes[at.node];
  return actions_json(layout.setup.tree, layout.setup.tree.nodes[node.source]);
}

// The steps of a line from the root, with what else could have been done at each, and the board.
std::pair<Json, Json> describe_path(hands::Solution& solution, const std::string& line) {
  const hands::Problem& problem = solution.problem();
  const poker::BettingTree& tree = problem.setup.tree;
  Json steps = Json::array(), board = Json::array();
  for (const poker::Card card : problem.board) board.push_back(poker::to_text(card));
  for (const auto& step : hands::follow_line(solution.engine().layout(), line)) {
    const bool deal = step.node.kind == NodeKind::kDeal;
    steps.push_back({{"node", step.line},
                     {"kind", deal ? "deal" : "decision"},
                     {"player", step.node.player},
                     {"street", problem.street_names[static_cast<size_t>(step.address.street)]},
                     {"pot", tree.pot(step.node)},
                     {"actions", actions_json(tree, step.node)},
                     {"taken", step.text}});
    if (!deal) continue;
    for (const poker::Card card : poker::parse_cards(step.text, "node")) {
      board.push_back(poker::to_text(card));
    }
  }
  return {steps, board};
}

Json describe_cells(const hands::NodeView& view, size_t player) {
  Json out = Json::array();
  const hands::HandGrid grid = hands::make_hand_grid(view, player);
  for (size_t row = 0; row < grid.size(); ++row) {
    for (size_t column = 0; column < grid.size(); ++column) {
      const hands::GridCell& cell = grid[row][column];
      out.push_back({{"name", hands::kind_name(row, column)},
                     {"possible", cell.possible},
                     {"reach", cell.reach},
                     {"share", cell.share},
                     {"equity", cell.equity},
                     {"ev", cell.value},
                     {"realisation", cell.realisation},
                     {"mix", cell.mix}});
    }
  }
  return out;
}

Json describe_hands(const hands::NodeView& view, const hands::SideView& side) {
  std::vector<std::string> names;
  std::vector<size_t> cells;
  std::vector<std::vector<double>> columns(7);
  std::vector<std::vector<double>> strategy;
  for (const hands::HandView& hand : side.hands) {
    names.push_back(poker::to_text(hand.cards));
    const hands::GridPlace at = hands::place_in_grid(hand.cards);
    cells.push_back(at.row * poker::kNumRanks + at.column);
    const double numbers[] = {hand.range, hand.reach,       hand.weight, hand.equity,
                              hand.value, hand.realisation, hand.best};
    for (size_t i = 0; i < columns.size(); ++i) columns[i].push_back(numbers[i]);
    if (hand.strategy.empty()) continue;
    strategy.resize(view.actions.size());
    for (size_t a = 0; a < strategy.size(); ++a) strategy[a].push_back(hand.strategy[a]);
  }
  Json out = {{"hand", names}, {"cell", cells}};
  const char* keys[] = {"range", "reach", "weight", "equity", "ev", "realisation", "best_response"};
  for (size_t i = 0; i < columns.size(); ++i) out[keys[i]] = columns[i];
  out["strategy"] = strategy;
  return out;
}

Json describe_side(const hands::NodeView& view, size_t player) {
  const hands::SideView& side = view.side[player];
  return {{"name", player == 0 ? "OOP" : "IP"},
          {"combos", side.combos},
          {"equity", side.equity},
          {"ev", side.value},
          {"realisation", side.realisation},
          {"best_response", side.best},
          {"cells", describe_cells(view, player)},
          {"hands", describe_hands(view, side)}};
}

bool same_place(const hands::Address& a, const hands::Address& b) {
  return a.street == b.street && a.board == b.board && a.node == b.node;
}

}  // namespace

Json describe_solution(hands::Solution& solution, const std::string& file) {
  const hands::Problem& problem = solution.problem();
  if (problem.pot == 0) {
    throw core::InputError(fmt::format(
        "{}: the solution of a whole game; the explorer shows solved spots, `cleave show` this",
        file));
  }
  Json out;
  out["file"] = file;
  out["name"] = problem.name;
  out["bytes"] = solution.bytes();
  out["text"] = problem.text;
  out["spot"] = spot_form(poker::parse_spot(problem.text, problem.name));
  out["algorithm"] = solution.options().algorithm;
  out["storage"] = hands::to_string(solution.options().storage);
  const auto& history = solution.record().history;
  const solve::HistoryPoint end = history.empty() ? solve::HistoryPoint{} : history.back();
  out["iterations"] = end.iteration;
  out["exploitability"] = end.exploitability;
  out["exploitability_percent"] = 100 * end.exploitability / problem.pot;
  out["value"] = end.value;
  return out;
}

Json describe_node(OpenSolution& open, const std::string& line) {
  hands::Solution& solution = open.solution;
  const hands::NodeView view = hands::view_node(solution, line);
  const hands::Layout& layout = solution.engine().layout();
  const auto [path, board] = describe_path(solution, line);
  Json out;
  out["node"] = line;
  out["kind"] = poker::to_text(view.kind);
  out["street"] = solution.problem().street_names[static_cast<size_t>(view.address.street)];
  out["board"] = board;
  out["pot"] = view.pot;
  out["behind"] = view.behind;
  out["player"] = view.player;
  out["actions"] = actions_json(layout, view.address);
  out["frequencies"] = view.frequency;
  out["combos"] = view.combos;
  out["cards"] = Json::array();
  if (view.kind == NodeKind::kDeal) {
    for (const auto& alike : hands::next_cards(layout, view)) {
      Json& entry = out["cards"].emplace_back(Json::array());
      for (const poker::CardSet card : alike) entry.push_back(poker::to_text(card));
    }
  }
  out["path"] = path;
  out["locked"] = std::ranges::any_of(
      open.locked, [&](const hands::Address& at) { return same_place(at, view.address); });
  out["players"] = {describe_side(view, 0), describe_side(view, 1)};
  return out;
}

Json describe_runouts(OpenSolution& open, const std::string& line) {
  hands::Solution& solution = open.solution;
  const hands::Layout& layout = solution.engine().layout();
  const hands::Address at = hands::find_address(layout, line);
  if (layout.streets[static_cast<size_t>(at.street)].nodes[at.node].kind != NodeKind::kDeal) {
    throw core::InputError(fmt::format("node '{}': no card is dealt here", line));
  }
  hands::NodeView deal;
  deal.line = line;
  deal.address = at;
  const auto runouts = hands::runouts(solution, deal);
  Json out = {{"player", 0}, {"actions", Json::array()}, {"runouts", Json::array()}};
  if (runouts.empty()) return out;
  const hands::NodeView& first = runouts.front().view;
  out["player"] = first.player;
  out["actions"] = actions_json(layout, first.address);
  for (const hands::Runout& runout : runouts) {
    std::vector<std::string> cards;
    for (const poker::CardSet card : runout.cards) cards.push_back(poker::to_text(card));
    const auto& side = runout.view.side;
    out["runouts"].push_back({{"cards", cards},
                              {"equity", {side[0].equity, side[1].equity}},
                              {"ev", {side[0].value, side[1].value}},
                              {"frequencies", runout.view.frequency}});
  }
  return out;
}

}  // namespace cleave::server
