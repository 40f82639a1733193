#include "results.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"
#include "terminal.h"

namespace cleave::cli {

void print_row(const char* name, const std::string& value) {
  fmt::print("{:<16}{}\n", name, value);
}

void print_lines(const char* name, std::string text) {
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    print_row(name, text.substr(0, end));
    text.erase(0, end + 1);
    name = "";
  }
  print_row(name, text);
}

void print_certificate(const solve::Certificate& c) {
  print_row("value", fmt::format("{} chips to player 1", signed_text(c.value)));
  print_row("best response", fmt::format("{} chips to player 1 against this player 2",
                                         signed_text(c.best_response[0])));
  print_row("", fmt::format("{} chips to player 2 against this player 1",
                            signed_text(c.best_response[1])));
  print_row("exploitability",
            fmt::format("{:.3g} chips (mean over the two seats)", c.exploitability));
}

void print_strategy(const games::Game& game, const tree::Tree& tree, const tree::Strategy& strategy,
                    int rows) {
  // Information sets stand by level within each player: take from both players in turn.
  std::vector<uint32_t> sets;
  for (size_t p = 0; p < 2; ++p) {
    const auto count =
        std::min<uint32_t>(tree.infoset_begin[p + 1] - tree.infoset_begin[p],
                           static_cast<uint32_t>(rows + 1 - static_cast<int>(p)) / 2);
    for (uint32_t i = 0; i < count; ++i) sets.push_back(tree.infoset_begin[p] + i);
  }
  std::vector<uint32_t> histories;
  for (const uint32_t set : sets) histories.push_back(tree.first_history[set]);
  fmt::print("{:<8}{:<20}{}\n", "player", "information set", "what it does");
  tree::replay(game, tree, histories, [&](uint32_t h, const std::byte* state) {
    const uint32_t set = tree.infoset[h];
    std::string line =
        fmt::format("{:<8}{:<20}", tree.player(set) + 1, clipped(game.infoset_label(state), 40));
    for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
      const double probability = strategy[tree.slot_begin[set] + a];
      const std::string cell =
          fmt::format("{:>7} {:5.1f}%", clipped(game.action_label(state, static_cast<int>(a)), 20),
                      100 * probability);
      if (line.size() + cell.size() + 5 > 100) {  // the rest stands in the files
        line += "...";
        break;
      }
      line += cell + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  });
  fmt::print("\n");
}

}  // namespace cleave::cli
