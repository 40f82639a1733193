#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "commands.h"
#include "core/error.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "hand_grid.h"
#include "hands/view.h"
#include "parameters.h"
#include "poker_input.h"
#include "results.h"
#include "runouts.h"
#include "spot_results.h"
#include "table.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

using NodeKind = poker::BettingNode::Kind;
using hands::HandView;
using hands::NodeView;

struct ShowArguments {
  std::string file;
  std::string node;
  std::string hand;
  std::string player;
  bool json = false;
};

// The player's hands in short: kinds of which the board leaves some. What it blocks counts as
// there, or the text would be all exceptions.
std::string hands_text(const hands::SideView& side, poker::CardSet board) {
  const auto kind = [](poker::CardSet hand) {
    const auto cards = poker::cards_in(hand);
    return std::tuple(poker::rank_of(cards[0]), poker::rank_of(cards[1]),
                      poker::suit_of(cards[0]) == poker::suit_of(cards[1]));
  };
  poker::Range range;
  for (size_t combo = 0; combo < poker::kNumCombos; ++combo) {
    const poker::CardSet cards = poker::combo_cards(combo);
    const bool there = std::ranges::any_of(side.hands, [&](const HandView& hand) {
      return (cards & board) != 0 ? kind(hand.cards) == kind(cards) : hand.cards == cards;
    });
    range.weight[combo] = there ? 1 : 0;
  }
  return clipped(poker::to_text(range), 200);
}

// The hands that --hand names: one, or as many as a range says.
std::vector<HandView> named_hands(const NodeView& view, const ShowArguments& args, size_t player,
                                  const hands::Problem& problem) {
  const hands::SideView& side = view.side[player];
  std::vector<HandView> found;
  std::string allowed;
  if (problem.setup.hole_cards == 2) {
    const poker::Range wanted = poker::parse_range(args.hand, "--hand");
    for (const HandView& hand : side.hands) {
      const auto cards = poker::cards_in(hand.cards);
      if (wanted.weight[poker::combo_index(cards[0], cards[1])] > 0) found.push_back(hand);
    }
    if (found.empty()) allowed = hands_text(side, view.address.cards);
  } else {
    const auto wanted = poker::parse_cards(args.hand, "--hand");
    for (const HandView& hand : side.hands) {
      if (poker::cards_in(hand.cards) == wanted) found.push_back(hand);
      allowed += (allowed.empty() ? "" : ", ") + poker::to_text(hand.cards);
    }
  }
  if (found.empty()) {
    throw core::InputError(
        fmt::format("--hand {}: {} has no such hand on this board; allowed are {}", args.hand,
                    player_name(problem, player), allowed));
  }
  return found;
}

nlohmann::ordered_json hand_json(const HandView& hand, const NodeView& view) {
  nlohmann::ordered_json out = {{"hand", poker::to_text(hand.cards)},
                                {"range", hand.range},
                                {"reach", hand.reach},
                                {"weight", hand.weight},
                                {"equity", hand.equity},
                                {"ev", hand.value},
                                {"realisation", hand.realisation},
                                {"best_response", hand.best}};
  for (size_t a = 0; a < hand.strategy.size(); ++a) {
    out["strategy"][poker::to_text(view.actions[a])] = hand.strategy[a];
  }
  return out;
}

void show_json(hands::Solution& solution, const NodeView& view, const ShowArguments& args,
               size_t player) {
  const hands::Problem& problem = solution.problem();
  nlohmann::ordered_json out;
  out["game"] = problem.name;
  out["node"] = view.line;
  out["kind"] = poker::to_text(view.kind);
  out["board"] = poker::to_text(view.address.cards);
  out["pot"] = view.pot;
  out["behind"] = view.behind;
  if (view.kind == NodeKind::kDecision) out["player"] = player_name(problem, view.player);
  for (size_t a = 0; a < view.actions.size(); ++a) {
    out["frequencies"][poker::to_text(view.actions[a])] = view.frequency[a];
  }
  out["players"] = nlohmann::json::array();
  for (size_t p = 0; p < 2; ++p) {
    const hands::SideView& side = view.side[p];
    nlohmann::ordered_json entry = {
        {"name", player_name(problem, p)}, {"combos", side.combos},
        {"equity", side.equity},           {"ev", side.value},
        {"realisation", side.realisation}, {"best_response", side.best}};
    entry["hands"] = nlohmann::json::array();
    if (args.hand.empty()) {
      for (const HandView& hand : side.hands) entry["hands"].push_back(hand_json(hand, view));
    } else if (p == player) {
      for (const HandView& hand : named_hands(view, args, p, problem)) {
        entry["hands"].push_back(hand_json(hand, view));
      }
    }
    out["players"].push_back(entry);
  }
  if (view.kind == NodeKind::kDeal) add_runouts(out, solution, view);
  print_object(out);
}

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string combos_text(double combos) {
  return combos < 1 ? fmt::format("{:.3f}", combos) : fmt::format("{:.1f}", combos);
}

void print_place(hands::Solution& solution, const NodeView& view) {
  const hands::Problem& problem = solution.problem();
  print_row("spot", problem.name);
  if (!solution.record().history.empty()) {
    const solve::HistoryPoint& end = solution.record().history.back();
    print_row("exploitability",
              fmt::format("{} after {} iterations", chips_text(problem, end.exploitability),
                          grouped(end.iteration)));
  }
  print_row("node", view.line.empty() ? "the first decision" : view.line);
  const std::string cards = poker::to_text(view.address.cards);
  if (!cards.empty()) print_row("board", board_at(solution, view));
  std::string behind;
  if (view.behind[0] < 1e9) {  // limit games know no stacks
    behind = fmt::format("; behind: {} {:g}, {} {:g}", player_name(problem, 0), view.behind[0],
                         player_name(problem, 1), view.behind[1]);
  }
  print_row("pot", fmt::format("{:g} chips{}", view.pot, behind));
  fmt::print("\n");
}

void print_sides(const NodeView& view, const hands::Problem& problem) {
  std::vector<std::vector<std::string>> rows;
  for (size_t p = 0; p < 2; ++p) {
    const hands::SideView& side = view.side[p];
    const bool acts = view.kind == NodeKind::kDecision && static_cast<size_t>(view.player) == p;
    rows.push_back({fmt::format("{}{}", player_name(problem, p), acts ? " (to act)" : ""),
                    combos_text(side.combos), percent(side.equity),
                    fmt::format("{:.2f}", side.value), percent(side.value / view.pot),
                    percent(side.realisation), fmt::format("{:.2f}", side.best)});
  }
  print_table({"", "combos", "equity", "EV", "of the pot", "realised", "best response"}, rows);
  fmt::print("\n");
}

void print_legend(const NodeView& view, Colours colours) {
  for (size_t a = 0; a < view.actions.size(); ++a) {
    fmt::print("{} {:<14}{:>7}{:>9} combos\n", action_sign(view.actions, a, colours),
               poker::to_text(view.actions[a]), percent(view.frequency[a]),
               combos_text(view.combos[a]));
  }
  fmt::print("\n");
}

void print_hands(const std::vector<HandView>& hands, const NodeView& view) {
  std::vector<std::string> header = {"hand", "range",    "reach",        "equity",
                                     "EV",   "realised", "best response"};
  if (!hands.front().strategy.empty()) {
    for (const poker::Action& action : view.actions) header.push_back(poker::to_text(action));
  }
  std::vector<std::vector<std::string>> rows;
  for (const HandView& hand : hands) {
    std::vector<std::string> row = {
        poker::to_text(hand.cards),        fmt::format("{:.3f}", hand.range),
        fmt::format("{:.3f}", hand.reach), percent(hand.equity),
        fmt::format("{:.2f}", hand.value), percent(hand.realisation),
        fmt::format("{:.2f}", hand.best)};
    for (const double share : hand.strategy) row.push_back(percent(share));
    rows.push_back(std::move(row));
  }
  print_table(header, rows);
}

void print_range(const NodeView& view, size_t player, const hands::Problem& problem,
                 Colours colours) {
  const bool acts = view.kind == NodeKind::kDecision && static_cast<size_t>(view.player) == player;
  if (problem.setup.hole_cards != 2) {
    print_hands(view.side[player].hands, view);
    return;
  }
  const hands::HandGrid grid = hands::make_hand_grid(view, player);
  if (acts) {
    fmt::print("{}\n", colours == Colours::kNone
                           ? "Each sixth of what is done with a hand; suited hands above the "
                             "diagonal"
                           : "What is done with each hand; the fainter, the fewer of it get here");
    print_mix_grid(grid, view.actions, colours);
  } else {
    fmt::print("Equity of {}'s hands\n", player_name(problem, player));
    print_equity_grid(grid, colours);
  }
}

void show_text(hands::Solution& solution, const NodeView& view, const ShowArguments& args,
               size_t player) {
  const hands::Problem& problem = solution.problem();
  const Colours colours = colours_of_output();
  std::vector<HandView> hands;
  if (!args.hand.empty()) hands = named_hands(view, args, player, problem);
  print_place(solution, view);
  print_sides(view, problem);
  if (view.kind == NodeKind::kDecision && static_cast<size_t>(view.player) == player) {
    print_legend(view, colours);
  }
  if (!hands.empty()) {
    print_hands(hands, view);
  } else if (view.kind == NodeKind::kDeal && args.player.empty()) {
    print_runouts(solution, view);
  } else {
    print_range(view, player, problem, colours);
  }
}

void show(const ShowArguments& args) {
  hands::Solution solution(args.file, core::hardware_threads());
  NodeView view;
  try {
    view = hands::view_node(solution, args.node);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("--node: {}", error.what()));
  }
  const auto player = args.player.empty() ? static_cast<size_t>(view.player)
                                          : static_cast<size_t>(args.player == "ip");
  args.json ? show_json(solution, view, args, player) : show_text(solution, view, args, player);
}

}  // namespace

void add_show(CLI::App& app) {
  auto* command = app.add_subcommand("show", "Look at a solved spot: strategy, equity and EV");
  auto args = std::make_shared<ShowArguments>();
  command->add_option("FILE", args->file, "What `cleave solve SPOT.toml --out FILE.h5` wrote")
      ->required();
  command->add_option("--node", args->node,
                      "Actions and cards from the start on, 'bet 100/call/Qc'.\n"
                      "Default: the first decision");
  command->add_option("--hand", args->hand, "One hand or several in detail: AhKh, AKs, 77-55");
  command->add_option("--player", args->player, "Whose hands. Default: whoever acts")
      ->check(CLI::IsMember({"oop", "ip"}));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->callback([args] { show(*args); });
}

}  // namespace cleave::cli
