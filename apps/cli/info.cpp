#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "info_spot.h"
#include "interrupt.h"
#include "parameters.h"
#include "poker_input.h"
#include "terminal.h"
#include "tree/tree.h"

namespace cleave::cli {
namespace {

struct InfoArguments {
  std::string game;
  bool json = false;
};

size_t count_actors(const tree::Tree& tree, tree::Actor actor) {
  return static_cast<size_t>(std::count(tree.actor.begin(), tree.actor.end(), actor));
}

void print_json(const tree::Tree& tree) {
  nlohmann::ordered_json out;
  out["game"] = tree.name;
  out["players"] = tree.num_players;
  out["histories"] = tree.num_histories();
  out["terminal_histories"] = tree.payoff.size();
  out["chance_histories"] = count_actors(tree, tree::kChance);
  out["infosets"] = tree.num_infosets();
  auto& per_player = out["infosets_per_player"] = nlohmann::json::array();
  for (size_t p = 0; p + 1 < tree.infoset_begin.size(); ++p) {
    per_player.push_back(tree.infoset_begin[p + 1] - tree.infoset_begin[p]);
  }
  out["infoset_actions"] = tree.num_slots();
  if (tree.num_players == 2) {
    out["public_states"] = tree.num_public_states;
  } else {
    out["public_states"] = nullptr;
  }
  out["depth"] = tree.num_levels() - 1;
  out["perfect_recall"] = tree.perfect_recall();
  out["perfect_information"] = tree.perfect_information;
  out["zero_sum"] = tree.zero_sum();
  out["constant_sum"] = tree.constant_sum();
  out["memory_bytes"] = tree.bytes();
  print_object(out);
}

void row(const char* name, const std::string& value) { fmt::print("{:<22}{}\n", name, value); }

void print_text(const tree::Tree& tree) {
  row("game", tree.name);
  row("players", std::to_string(tree.num_players));
  row("histories", fmt::format("{}  ({} terminal, {} chance)",
                               grouped(static_cast<int64_t>(tree.num_histories())),
                               grouped(static_cast<int64_t>(tree.payoff.size())),
                               grouped(static_cast<int64_t>(count_actors(tree, tree::kChance)))));
  std::string per_player;
  for (size_t p = 0; p + 1 < tree.infoset_begin.size(); ++p) {
    per_player += fmt::format("{}player {}: {}", p == 0 ? "" : ", ", p + 1,
                              grouped(tree.infoset_begin[p + 1] - tree.infoset_begin[p]));
  }
  row("information sets",
      fmt::format("{}  ({})", grouped(static_cast<int64_t>(tree.num_infosets())), per_player));
  row("actions in them", grouped(static_cast<int64_t>(tree.num_slots())));
  row("public states", tree.num_players == 2 ? grouped(tree.num_public_states)
                                             : "only defined here for two players");
  row("longest history", fmt::format("{} moves", tree.num_levels() - 1));
  row("perfect recall", tree.perfect_recall() ? "yes" : "no");
  row("perfect information", tree.perfect_information ? "yes" : "no");
  row("zero-sum", tree.zero_sum() ? "yes"
                  : tree.constant_sum()
                      ? fmt::format("constant-sum: payoffs sum to {:g}", tree.payoff_sum_low)
                      : fmt::format("no: payoffs sum to {:g} up to {:g}", tree.payoff_sum_low,
                                    tree.payoff_sum_high));
  row("memory of the tree",
      fmt::format("{}  ({:.1f} bytes per history)", bytes_text(tree.bytes()),
                  static_cast<double>(tree.bytes()) / static_cast<double>(tree.num_histories())));
}

}  // namespace

void add_info(CLI::App& app) {
  auto* command = app.add_subcommand("info", "Describe a game: counts, recall, sum");
  auto args = std::make_shared<InfoArguments>();
  command->add_option("GAME", args->game, kGameHelp)->required();
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->callback([args] {
    catch_interrupts();
    if (const auto problem = read_poker(args->game)) {
      describe_spot(args->game, *problem, args->json);
      return;
    }
    const auto game = games::make_game(args->game);
    Progress progress(args->json);
    const tree::Tree tree = tree::compile(*game, compile_options(progress));
    progress.clear();
    args->json ? print_json(tree) : print_text(tree);
  });
}

}  // namespace cleave::cli
