#include "spot_results.h"

#include "fmt/format.h"
#include "poker_input.h"
#include "results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

constexpr double kWhole = 9007199254740992;  // 2^53: whole numbers are exact up to here

}  // namespace

std::string count_text(double count) {
  return count <= kWhole ? grouped(static_cast<int64_t>(count)) : fmt::format("{:.3g}", count);
}

nlohmann::ordered_json count_json(double count) {
  if (count <= kWhole) return static_cast<int64_t>(count);
  return count;
}

std::string board_text(const hands::Problem& problem) {
  if (problem.board.empty()) return "-";
  std::string text;
  for (size_t i = 0; i < problem.board.size(); ++i) {
    text += (i >= 3 ? " " : "") + poker::to_text(problem.board[i]);
  }
  return text;
}

std::string chips_text(const hands::Problem& problem, double chips) {
  if (problem.pot == 0) return fmt::format("{:.3g} chips", chips);
  return fmt::format("{:.3g} chips ({:.3g}% of the pot)", chips, 100 * chips / problem.pot);
}

void add_spot_json(nlohmann::ordered_json& out, const hands::Problem& problem,
                   const solve::Certificate& c, const hands::Counts& counts) {
  out["values"] = c.values();
  if (problem.pot > 0) {
    out["pot"] = problem.pot;
    out["exploitability_percent"] = 100 * c.exploitability / problem.pot;
  }
  out["infosets"] = count_json(counts.infosets[0] + counts.infosets[1]);
  out["histories"] = count_json(counts.histories);
}

void print_spot_certificate(const hands::Problem& problem, const solve::Certificate& c) {
  const auto values = c.values();
  const char* name = "value";
  for (size_t p = 0; p < 2; ++p) {
    const std::string share =
        problem.pot == 0 ? "" : fmt::format(" ({:.2f}% of the pot)", 100 * values[p] / problem.pot);
    print_row(name, fmt::format("{:.4f} chips to {}{}", values[p], player_name(problem, p), share));
    name = "";
  }
  name = "best response";
  for (size_t p = 0; p < 2; ++p) {
    print_row(name, fmt::format("{:.4f} chips to {} against this {}", c.best_response[p],
                                player_name(problem, p), player_name(problem, 1 - p)));
    name = "";
  }
  print_row("exploitability", chips_text(problem, c.exploitability) + ", mean over the two seats");
}

}  // namespace cleave::cli
