#include "hand_grid.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "fmt/format.h"

namespace cleave::cli {
namespace {

constexpr size_t kBarColumns = 6;
constexpr size_t kSize = poker::kNumRanks;
constexpr std::string_view kRanks = "AKQJT98765432";

struct Rgb {
  double red, green, blue;
};
constexpr Rgb kFoldBlue{70, 120, 190}, kGreen{95, 180, 105}, kSmallRed{240, 150, 130},
    kLargeRed{200, 55, 55}, kAllInRed{125, 25, 35}, kDark{34, 34, 38}, kGrey{130, 130, 130};

Rgb blend(const Rgb& from, const Rgb& to, double t) {
  return {from.red + t * (to.red - from.red), from.green + t * (to.green - from.green),
          from.blue + t * (to.blue - from.blue)};
}

// "2;R;G;B", or the nearest of the 216 colours that older terminals have.
std::string code(const Rgb& c, Colours colours) {
  if (colours == Colours::k24Bit) {
    return fmt::format("2;{};{};{}", std::lround(c.red), std::lround(c.green), std::lround(c.blue));
  }
  const auto level = [](double x) {
    return x < 48 ? 0L : x < 115 ? 1L : std::lround((x - 55) / 40);
  };
  return fmt::format("5;{}", 16 + 36 * level(c.red) + 6 * level(c.green) + level(c.blue));
}

std::string painted(std::string_view text, const Rgb& ink, const Rgb& paper, Colours colours) {
  return fmt::format("\033[38;{};48;{}m{}", code(ink, colours), code(paper, colours), text);
}

Rgb ink_on(const Rgb& paper) {
  const double light = 0.3 * paper.red + 0.59 * paper.green + 0.11 * paper.blue;
  return light > 110 ? Rgb{15, 15, 15} : Rgb{235, 235, 235};
}

bool is_bet(const poker::Action& action) {
  return action.kind == poker::Action::Kind::kBet || action.kind == poker::Action::Kind::kRaise;
}

size_t bets_before(const std::vector<poker::Action>& actions, size_t action) {
  return static_cast<size_t>(std::count_if(
      actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(action), is_bet));
}

Rgb action_colour(const std::vector<poker::Action>& actions, size_t action) {
  switch (actions[action].kind) {
    case poker::Action::Kind::kFold:
      return kFoldBlue;
    case poker::Action::Kind::kCheck:
    case poker::Action::Kind::kCall:
    case poker::Action::Kind::kDeal:
      return kGreen;
    case poker::Action::Kind::kAllIn:
      return kAllInRed;
    case poker::Action::Kind::kBet:
    case poker::Action::Kind::kRaise:
      break;
  }
  const size_t all = bets_before(actions, actions.size());
  const auto steps = static_cast<double>(std::max<size_t>(all, 2) - 1);
  return blend(kSmallRed, kLargeRed,
               all == 1 ? 0.5 : static_cast<double>(bets_before(actions, action)) / steps);
}

char action_letter(const std::vector<poker::Action>& actions, size_t action) {
  switch (actions[action].kind) {
    case poker::Action::Kind::kFold:
      return 'f';
    case poker::Action::Kind::kCheck:
      return 'x';
    case poker::Action::Kind::kCall:
    case poker::Action::Kind::kDeal:
      return 'c';
    case poker::Action::Kind::kAllIn:
      return 'a';
    case poker::Action::Kind::kBet:
    case poker::Action::Kind::kRaise:
      break;
  }
  constexpr std::string_view kSigns = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return kSigns[std::min(bets_before(actions, action), kSigns.size() - 1)];
}

// Which action each of `count` places shows: shares by the largest remainders, the last action
// (the largest bet) first.
std::vector<size_t> shared_out(const std::vector<double>& mix, size_t count) {
  std::vector<size_t> places(mix.size());
  std::vector<std::pair<double, size_t>> rest;
  size_t given = 0;
  for (size_t a = 0; a < mix.size(); ++a) {
    const double share = mix[a] * static_cast<double>(count);
    places[a] = static_cast<size_t>(share);
    given += places[a];
    rest.emplace_back(share - static_cast<double>(places[a]), a);
  }
  std::ranges::stable_sort(rest, [](const auto& x, const auto& y) { return x.first > y.first; });
  for (size_t i = 0; given < count; ++i, ++given) ++places[rest[i % rest.size()].second];
  std::vector<size_t> out;
  for (size_t a = mix.size(); a-- > 0;) out.insert(out.end(), places[a], a);
  out.resize(count);
  return out;
}

// From faint to full.
double brightness(const hands::GridCell& cell) { return 0.3 + 0.7 * cell.share; }

std::string painted_mix(const hands::GridCell& cell, const std::string& name,
                        const std::vector<poker::Action>& actions, Colours colours) {
  const auto halves = shared_out(cell.mix, 2 * kBarColumns);
  const auto colour = [&](size_t half) {
    return blend(kDark, action_colour(actions, halves[half]), brightness(cell));
  };
  std::string out;
  for (size_t c = 0; c < kBarColumns; ++c) {
    const Rgb left = colour(2 * c), right = colour(2 * c + 1);
    if (c < name.size()) {
      out += painted(std::string_view(name).substr(c, 1), ink_on(left), left, colours);
    } else if (halves[2 * c] == halves[2 * c + 1]) {
      out += painted(" ", left, left, colours);
    } else {
      out += painted("\u258c", left, right, colours);  // the left half of the column
    }
  }
  return out + "\033[0m ";
}

std::string lettered_mix(const hands::GridCell& cell, const std::vector<poker::Action>& actions) {
  std::string out;
  for (const size_t a : shared_out(cell.mix, kBarColumns)) out += action_letter(actions, a);
  return out;
}

// Red, yellow, green.
Rgb equity_colour(double equity) {
  const Rgb low{200, 70, 60}, middle{215, 190, 90}, high{80, 170, 95};
  return equity < 0.5 ? blend(low, middle, 2 * equity) : blend(middle, high, 2 * equity - 1);
}

// `cell` of every hand in the grid; without colours with the ranks around it.
template <class Cell>
void print_grid(const hands::HandGrid& grid, Colours colours, const Cell& cell) {
  if (colours == Colours::kNone) {
    std::string line = "  ";
    for (const char rank : kRanks) line += fmt::format("{:>5}  ", rank);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
  for (size_t row = 0; row < kSize; ++row) {
    std::string line = colours == Colours::kNone ? fmt::format("{}  ", kRanks[row]) : "";
    for (size_t column = 0; column < kSize; ++column) line += cell(grid[row][column], row, column);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

std::string blank(Colours colours) {
  const std::string bar(kBarColumns, ' ');
  return colours == Colours::kNone ? bar + ' ' : painted(bar, kGrey, kDark, colours) + "\033[0m ";
}

}  // namespace

Colours colours_of_output() {
  const auto variable = [](const char* name) -> std::string_view {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (isatty(STDOUT_FILENO) == 0 || !variable("NO_COLOR").empty() || variable("TERM") == "dumb") {
    return Colours::kNone;
  }
  const std::string_view depth = variable("COLORTERM");
  return depth == "truecolor" || depth == "24bit" ? Colours::k24Bit : Colours::k256;
}

std::string action_sign(const std::vector<poker::Action>& actions, size_t action, Colours colours) {
  if (colours == Colours::kNone) return {action_letter(actions, action)};
  const Rgb colour = action_colour(actions, action);
  return painted("  ", colour, colour, colours) + "\033[0m";
}

void print_mix_grid(const hands::HandGrid& grid, const std::vector<poker::Action>& actions,
                    Colours colours) {
  print_grid(grid, colours, [&](const hands::GridCell& cell, size_t row, size_t column) {
    if (cell.empty()) return blank(colours);
    if (colours == Colours::kNone) return lettered_mix(cell, actions) + ' ';
    return painted_mix(cell, hands::kind_name(row, column), actions, colours);
  });
}

void print_equity_grid(const hands::HandGrid& grid, Colours colours) {
  print_grid(grid, colours, [&](const hands::GridCell& cell, size_t row, size_t column) {
    if (cell.empty()) return blank(colours);
    const auto percent = std::lround(100 * cell.equity);
    if (colours == Colours::kNone) return fmt::format("{:>5}% ", percent);
    const Rgb paper = blend(kDark, equity_colour(cell.equity), brightness(cell));
    const std::string text = fmt::format("{:<3}{:>3}", hands::kind_name(row, column), percent);
    return painted(text, ink_on(paper), paper, colours) + "\033[0m ";
  });
}

}  // namespace cleave::cli
