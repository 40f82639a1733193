#include "runouts.h"

#include "fmt/format.h"
#include "poker_input.h"
#include "spot_results.h"
#include "table.h"

namespace cleave::cli {
namespace {

std::string share(double x) { return fmt::format("{:.1f}%", 100 * x); }

}  // namespace

std::string board_at(hands::Solution& solution, const hands::NodeView& view) {
  std::string text = solution.problem().board.empty() ? "" : board_text(solution.problem());
  for (const auto& step : hands::follow_line(solution.engine().layout(), view.line)) {
    if (step.node.kind != poker::BettingNode::Kind::kDeal) continue;
    text += (text.empty() ? "" : " ") + step.text;
  }
  return text;
}

void print_runouts(hands::Solution& solution, const hands::NodeView& view) {
  const hands::Problem& problem = solution.problem();
  const auto all = hands::runouts(solution, view);
  if (all.empty()) {
    fmt::print("Cards are dealt here. Name them to go on, as in --node '{}/Td9d6h'\n", view.line);
    return;
  }
  std::vector<std::string> header = {"card"};
  for (size_t p = 0; p < 2; ++p) {
    for (const char* what : {"equity", "EV"}) {
      header.push_back(fmt::format("{} {}", player_name(problem, p), what));
    }
  }
  const hands::NodeView& first = all.front().view;
  for (const poker::Action& action : first.actions) header.push_back(poker::to_text(action));
  std::vector<std::vector<std::string>> rows;
  for (const hands::Runout& runout : all) {
    std::string cards;
    for (const poker::CardSet c : runout.cards) {
      cards += (cards.empty() ? "" : " ") + poker::to_text(c);
    }
    auto& row = rows.emplace_back(1, std::move(cards));
    for (const hands::SideView& side : runout.view.side) {
      row.push_back(share(side.equity));
      row.push_back(fmt::format("{:.2f}", side.value));
    }
    for (const double f : runout.view.frequency) row.push_back(share(f));
  }
  fmt::print("A card is dealt here; {} acts next. To go on with one: --node '{}/{}'\n\n",
             player_name(problem, static_cast<size_t>(first.player)), view.line,
             poker::to_text(all.front().cards.front()));
  print_table(header, rows);
}

void add_runouts(nlohmann::ordered_json& out, hands::Solution& solution,
                 const hands::NodeView& view) {
  out["runouts"] = nlohmann::json::array();
  for (const hands::Runout& runout : hands::runouts(solution, view)) {
    nlohmann::ordered_json entry;
    for (const poker::CardSet c : runout.cards) entry["cards"].push_back(poker::to_text(c));
    const auto& side = runout.view.side;
    entry["equity"] = {side[0].equity, side[1].equity};
    entry["ev"] = {side[0].value, side[1].value};
    for (size_t a = 0; a < runout.view.actions.size(); ++a) {
      entry["frequencies"][poker::to_text(runout.view.actions[a])] = runout.view.frequency[a];
    }
    out["runouts"].push_back(entry);
  }
}

}  // namespace cleave::cli
