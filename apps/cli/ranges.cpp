#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "core/error.h"
#include "fmt/format.h"
#include "poker/range.h"
#include "results.h"

namespace cleave::cli {
namespace {

using poker::Card;
using poker::kNumRanks;

constexpr size_t kLineColumns = 100;
constexpr size_t kNameColumns = 16;  // of print_row

// [row][column] from the ace down; suited hands above the diagonal, offsuit ones below it.
struct RangeGrid {
  // The mean weight of the hands that the board leaves; none if it leaves none.
  std::array<std::array<std::optional<double>, kNumRanks>, kNumRanks> weight;
  double hands = 0;  // sum of weights
  int possible = 0;
};

RangeGrid make_grid(const poker::Range& range, poker::CardSet board) {
  RangeGrid grid;
  std::array<std::array<int, kNumRanks>, kNumRanks> count{};
  for (size_t combo = 0; combo < poker::kNumCombos; ++combo) {
    const poker::CardSet cards = poker::combo_cards(combo);
    if ((cards & board) != 0) continue;
    const Card low = poker::lowest(cards);
    const Card high = poker::lowest(cards & (cards - 1));
    auto row = static_cast<size_t>(kNumRanks - 1 - poker::rank_of(high));
    auto column = static_cast<size_t>(kNumRanks - 1 - poker::rank_of(low));
    if (poker::suit_of(high) != poker::suit_of(low)) std::swap(row, column);
    const auto weight = static_cast<double>(range.weight[combo]);
    grid.weight[row][column] = grid.weight[row][column].value_or(0) + weight;
    ++count[row][column];
    grid.hands += weight;
    ++grid.possible;
  }
  for (size_t row = 0; row < kNumRanks; ++row) {
    for (size_t column = 0; column < kNumRanks; ++column) {
      if (count[row][column] > 0) *grid.weight[row][column] /= count[row][column];
    }
  }
  return grid;
}

char rank_letter(size_t row) { return "AKQJT98765432"[row]; }

std::string class_name(size_t row, size_t column) {
  return fmt::format("{}{}{}", rank_letter(std::min(row, column)),
                     rank_letter(std::max(row, column)),
                     row == column  ? ""
                     : row < column ? "s"
                                    : "o");
}

// Breaks at commas; a reader takes the lines together as one range.
void print_range_text(const std::string& text) {
  const char* name = "range";
  if (text.empty()) print_row(name, "(no hands)");
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.size();
    if (end - begin > kLineColumns - kNameColumns) {
      end = text.rfind(',', begin + kLineColumns - kNameColumns - 1) + 1;
    }
    print_row(name, text.substr(begin, end - begin));
    name = "";
    begin = end;
  }
}

std::string percent_text(std::optional<double> weight) {
  if (!weight) return "-";
  if (*weight == 0) return ".";
  const double percent = *weight * 100;
  const std::string text = fmt::format("{:.1f}", percent);
  if (text == "0.0") return "<0.1";
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

void print_text(const poker::Range& range, const RangeGrid& grid, const std::string& board) {
  print_range_text(poker::to_text(range));
  print_row("hands", fmt::format("{:.10g} of {}{} ({:.1f}%)", grid.hands, grid.possible,
                                 board.empty() ? "" : " that the board " + board + " leaves",
                                 100 * grid.hands / grid.possible));
  fmt::print("\nPercent of each hand; suited above the diagonal, offsuit below\n\n   ");
  for (size_t column = 0; column < kNumRanks; ++column) {
    fmt::print("{:>6}", rank_letter(column));
  }
  fmt::print("\n");
  for (size_t row = 0; row < kNumRanks; ++row) {
    fmt::print("  {}", rank_letter(row));
    for (const auto& weight : grid.weight[row]) fmt::print("{:>6}", percent_text(weight));
    fmt::print("\n");
  }
}

void print_json(const poker::Range& range, const RangeGrid& grid, const std::string& board) {
  nlohmann::ordered_json classes;
  for (size_t row = 0; row < kNumRanks; ++row) {
    for (size_t column = 0; column < kNumRanks; ++column) {
      const auto& weight = grid.weight[row][column];
      classes[class_name(row, column)] = weight ? nlohmann::ordered_json(*weight) : nullptr;
    }
  }
  nlohmann::ordered_json out = {{"range", poker::to_text(range)},
                                {"board", board},
                                {"hands", grid.hands},
                                {"possible", grid.possible},
                                {"percent", 100 * grid.hands / grid.possible},
                                {"weights", classes}};
  fmt::print("{}\n", out.dump(2));
}

}  // namespace

void add_ranges(CLI::App& app) {
  struct Options {
    std::string text, board;
    bool json = false;
  };
  auto* command =
      app.add_subcommand("ranges", "Read a hand range and print its shortest notation and grid");
  auto options = std::make_shared<Options>();
  command->add_option("TEXT", options->text, "A range such as 66+,A8s+,KQo,QTs+:0.5,AhKh")
      ->required();
  command->add_option("--board", options->board, "Cards that no hand can have, such as Td9d6h");
  command->add_flag("--json", options->json, "One JSON object on standard output");
  command->callback([options] {
    const poker::Range range = poker::parse_range(options->text, "range");
    std::string board;
    poker::CardSet dead = 0;
    for (const Card card : poker::parse_cards(options->board, "--board")) {
      dead |= poker::set_of(card);
      board += poker::to_text(card);
    }
    if (std::popcount(dead) > 5) {
      throw core::InputError(
          fmt::format("--board: {} has {} cards; allowed are up to 5", board, std::popcount(dead)));
    }
    const RangeGrid grid = make_grid(range, dead);
    options->json ? print_json(range, grid, board) : print_text(range, grid, board);
  });
}

}  // namespace cleave::cli
