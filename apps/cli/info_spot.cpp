#include "info_spot.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/threads.h"
#include "fmt/format.h"
#include "hands/plan.h"
#include "parameters.h"
#include "poker_input.h"
#include "spot_results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

constexpr poker::Chips kNoStack = 2147483647;  // what limit games have

double combos(const hands::Problem& problem, size_t player) {
  return std::accumulate(problem.reach[player].begin(), problem.reach[player].end(), 0.0);
}

void print_spot_json(const std::string& game, const hands::Problem& problem,
                     const hands::ProblemSize& size) {
  const hands::Counts& c = size.counts;
  const poker::Betting& betting = problem.setup.tree.betting;
  nlohmann::ordered_json out;
  out["game"] = game;
  out["players"] = 2;
  out["exact"] = c.exact;
  out["histories"] = count_json(c.histories);
  out["terminal_histories"] = count_json(c.terminal_histories);
  out["infosets"] = count_json(c.infosets[0] + c.infosets[1]);
  out["infosets_per_player"] = {count_json(c.infosets[0]), count_json(c.infosets[1])};
  out["infoset_actions"] = count_json(c.rows);
  out["public_states"] = count_json(c.public_states);
  out["perfect_recall"] = true;
  out["zero_sum"] = betting.rake == 0 && betting.pot == 0;
  out["constant_sum"] = betting.rake == 0;
  out["board"] = board_text(problem);
  out["pot"] = problem.pot;
  out["stacks"] = betting.stack;
  out["hands"] = {problem.setup.hands[0].size(), problem.setup.hands[1].size()};
  out["combos"] = {combos(problem, 0), combos(problem, 1)};
  out["suit_symmetries"] = problem.setup.symmetry.size();
  out["streets"] = nlohmann::json::array();
  for (size_t s = 0; s < c.streets.size(); ++s) {
    const hands::StreetCounts& street = c.streets[s];
    out["streets"].push_back({{"name", problem.street_names[s]},
                              {"boards", count_json(street.boards)},
                              {"boards_dealt", count_json(street.dealt)},
                              {"nodes", street.nodes()},
                              {"decisions", street.decisions},
                              {"folds", street.folds},
                              {"showdowns", street.showdowns},
                              {"deals", street.deals}});
  }
  out["cells"] = count_json(c.cells);
  for (const hands::Storage storage : hands::kStorages) {
    out["memory"][hands::to_string(storage)] = count_json(size.bytes(storage));
  }
  const double least = size.bytes(hands::Storage::kF32);
  out["memory_bytes"] = count_json(least);
  out["available_bytes"] = size.available;
  out["fits"] = least <= static_cast<double>(size.available);
  print_object(out);
}

void spot_row(const char* name, const std::string& value) { fmt::print("{:<22}{}\n", name, value); }

void print_streets(const hands::Problem& problem, const hands::Counts& c) {
  fmt::print("\n{:<10}{:>12}{:>14}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "street", "boards",
             "stand for", "nodes", "decisions", "folds", "showdowns", "deals");
  for (size_t s = 0; s < c.streets.size(); ++s) {
    const hands::StreetCounts& street = c.streets[s];
    fmt::print("{:<10}{:>12}{:>14}{:>12}{:>12}{:>12}{:>12}{:>10}\n", problem.street_names[s],
               count_text(street.boards), count_text(street.dealt),
               count_text(static_cast<double>(street.nodes())),
               count_text(static_cast<double>(street.decisions)),
               count_text(static_cast<double>(street.folds)),
               count_text(static_cast<double>(street.showdowns)),
               count_text(static_cast<double>(street.deals)));
  }
  fmt::print("\n");
}

std::string memory_text(const hands::ProblemSize& size, hands::Storage storage) {
  const bool fits = size.bytes(storage) <= static_cast<double>(size.available);
  return fmt::format("{}: {}{}{}", hands::to_string(storage), size.counts.exact ? "" : "at least ",
                     bytes_text(size.bytes(storage)), fits ? "" : "  (does not fit)");
}

void print_spot_text(const std::string& game, const hands::Problem& problem,
                     const hands::ProblemSize& size) {
  const hands::Counts& c = size.counts;
  const poker::Betting& betting = problem.setup.tree.betting;
  const char* least = c.exact ? "" : "at least ";
  spot_row("game", game);
  if (problem.pot > 0) {
    spot_row("board", board_text(problem));
    spot_row("pot", fmt::format("{:g} chips", problem.pot));
  }
  for (size_t p = 0; p < 2; ++p) {
    const auto& stack = betting.stack[p];
    spot_row(
        player_name(problem, p),
        fmt::format("{} hands ({:g} combos){}", problem.setup.hands[p].size(), combos(problem, p),
                    // Limit games know no stacks.
                    stack >= kNoStack ? "" : fmt::format(", {} behind", stack)));
  }
  if (betting.rake > 0) {
    spot_row("rake",
             fmt::format(
                 "{:g}%{}", 100 * betting.rake,
                 betting.rake_cap > 0 ? fmt::format(", at most {} chips", betting.rake_cap) : ""));
  }
  print_streets(problem, c);
  spot_row("public states", least + count_text(c.public_states));
  spot_row("information sets", fmt::format("{}{}  (decision, board and hand)", least,
                                           count_text(c.infosets[0] + c.infosets[1])));
  for (size_t p = 0; p < 2; ++p) {
    spot_row("", fmt::format("{}: {}", player_name(problem, p), count_text(c.infosets[p])));
  }
  spot_row("histories", fmt::format("{}{}  (node, board and both hands; {} terminal)", least,
                                    count_text(c.histories), count_text(c.terminal_histories)));
  spot_row("cells", fmt::format("{}{}  (numbers to learn)", least, count_text(c.cells)));
  fmt::print("\n");
  const char* name = "memory to solve";
  for (const hands::Storage storage : hands::kStorages) {
    spot_row(std::exchange(name, ""), memory_text(size, storage));
  }
  spot_row("free on this machine", bytes_text(size.available));
}

}  // namespace

void describe_spot(const std::string& game, const hands::Problem& problem, bool json) {
  const hands::ProblemSize size = hands::measure(problem, {.threads = core::hardware_threads()});
  json ? print_spot_json(game, problem, size) : print_spot_text(game, problem, size);
}

}  // namespace cleave::cli
