#include "reproduce/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"

namespace cleave::reproduce {
namespace {

constexpr size_t kGap = 2;         // between columns
constexpr size_t kNarrowest = 6;   // a column is not squeezed further
constexpr size_t kShortText = 14;  // may stand among numbers, to the right: "not given"

using Lines = std::vector<std::string>;

// Characters, not bytes: in UTF-8 a character goes on with bytes of the form 10xxxxxx.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The words of a text in lines of at most `width`; a longer word has a line of its own.
Lines lines_of(std::string_view text, size_t width) {
  Lines lines(1);
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (width_of(line) + 1 + width_of(word) <= width) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

// A line for each word.
size_t longest_word(const std::string& text) {
  return width_of(std::ranges::max(lines_of(text, 0), {}, width_of));
}

std::string padded(const std::string& text, size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

std::string grouped(double whole) {
  std::string digits = fmt::format("{:.0f}", std::abs(whole));
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return (whole < 0 ? "-" : "") + digits;
}

bool is_number(const Cell& cell) { return std::holds_alternative<double>(cell); }

// A table as texts, with each column's width and side.
struct Layout {
  std::vector<size_t> width;                   // [column]
  std::vector<bool> right;                     // [column]
  std::vector<std::vector<std::string>> rows;  // the header first
};

Layout lay_out(const Table& table) {
  const size_t n = table.columns.size();
  Layout layout{std::vector<size_t>(n, 0), std::vector<bool>(n, false), {table.columns}};
  for (const auto& row : table.rows) {
    auto& texts = layout.rows.emplace_back(n);
    for (size_t c = 0; c < std::min(n, row.size()); ++c) texts[c] = cell_text(row[c]);
  }
  for (size_t c = 0; c < n; ++c) {
    bool numbers = false;
    bool texts = false;
    for (const auto& row : table.rows) {
      if (c >= row.size()) continue;
      numbers |= is_number(row[c]);
      texts |= !is_number(row[c]) && width_of(cell_text(row[c])) > kShortText;
    }
    layout.right[c] = numbers && !texts;
    for (const auto& row : layout.rows)
      layout.width[c] = std::max(layout.width[c], width_of(row[c]));
  }
  return layout;
}

// Takes from the widest column as long as the table is too wide.
void squeeze(Layout& layout, size_t columns) {
  const size_t n = layout.width.size();
  std::vector<size_t> least(n, kNarrowest);
  for (const auto& row : layout.rows) {
    for (size_t c = 0; c < n; ++c) least[c] = std::max(least[c], longest_word(row[c]));
  }
  const auto total = [&] {
    return std::accumulate(layout.width.begin(), layout.width.end(), n == 0 ? 0 : kGap * (n - 1));
  };
  while (total() > columns) {
    size_t widest = n;
    for (size_t c = 0; c < n; ++c) {
      if (layout.width[c] <= least[c]) continue;
      if (widest == n || layout.width[c] > layout.width[widest]) widest = c;
    }
    if (widest == n) return;  // single words that long: better wide than lost
    --layout.width[widest];
  }
}

std::string text_row(const Layout& layout, const std::vector<std::string>& row) {
  std::vector<Lines> cells;
  size_t height = 1;
  for (size_t c = 0; c < row.size(); ++c) {
    cells.push_back(lines_of(row[c], layout.width[c]));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (size_t i = 0; i < height; ++i) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line.append(kGap, ' ');
      line += padded(i < cells[c].size() ? cells[c][i] : "", layout.width[c], layout.right[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

// What Markdown would take for the end of a cell or of a row.
std::string markdown_cell(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::string exact_text(const Cell& cell) {
  return is_number(cell) ? fmt::format("{}", std::get<double>(cell)) : cell_text(cell);
}

void write_text(const std::string& path, const std::string& text) {
  core::write_file_atomically(path, [&](std::ostream& out) { out << text; });
}

}  // namespace

std::string cell_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (!is_number(cell)) return "";
  const double value = std::get<double>(cell);
  if (value == std::floor(value) && std::abs(value) < 1e15) return grouped(value);
  return fmt::format("{:.4g}", value);
}

std::string wrapped(std::string_view text, size_t columns, size_t indent) {
  std::string out;
  for (const std::string& line : lines_of(text, columns - indent)) {
    out += (out.empty() ? "" : "\n" + std::string(indent, ' ')) + line;
  }
  return out;
}

std::string text_table(const Table& table, size_t columns) {
  Layout layout = lay_out(table);
  squeeze(layout, columns);
  std::string out;
  for (size_t r = 0; r < layout.rows.size(); ++r) {
    out += text_row(layout, layout.rows[r]);
    if (r > 0) continue;
    std::vector<std::string> rule;
    for (const size_t w : layout.width) rule.emplace_back(w, '-');
    out += text_row(layout, rule);
  }
  return out;
}

std::string markdown_table(const Table& table) {
  const Layout layout = lay_out(table);
  std::string out;
  for (size_t r = 0; r < layout.rows.size(); ++r) {
    for (const std::string& cell : layout.rows[r]) out += "| " + markdown_cell(cell) + " ";
    out += "|\n";
    if (r > 0) continue;
    for (const bool right : layout.right) out += right ? "|---:" : "|---";
    out += "|\n";
  }
  return out;
}

std::string csv_table(const Table& table) {
  std::string out;
  const auto add = [&](const std::vector<std::string>& fields) {
    for (size_t c = 0; c < fields.size(); ++c) {
      if (c > 0) out += ',';
      core::append_csv_field(out, fields[c]);
    }
    out += '\n';
  };
  add(table.columns);
  for (const auto& row : table.rows) {
    std::vector<std::string> fields(row.size());
    std::ranges::transform(row, fields.begin(), exact_text);
    add(fields);
  }
  return out;
}

std::string text_checks(const std::vector<Check>& checks, size_t columns) {
  constexpr size_t kIndent = 6;
  std::string out;
  for (const Check& check : checks) {
    out += check.passed ? "PASS  " : "MISS  ";
    out += wrapped(check.criterion, columns, kIndent) + "\n" + std::string(kIndent, ' ');
    out += wrapped("measured: " + check.measured, columns, kIndent) + "\n";
  }
  return out;
}

size_t num_missed(const Outcome& outcome) {
  return static_cast<size_t>(
      std::ranges::count_if(outcome.checks, [](const Check& check) { return !check.passed; }));
}

bool passed(const Outcome& outcome) { return !outcome.checks.empty() && num_missed(outcome) == 0; }

std::string report_markdown(const TargetInfo& target, const Run& run, const Outcome& outcome) {
  std::string out =
      fmt::format("# {}\n\n{}. From: {}.\n\n", target.name, target.summary, target.source);
  out += fmt::format("```\n{}\n```\n\nTook {:.3g} s with up to {} thread{}. ", run.command,
                     run.seconds, run.threads, run.threads == 1 ? "" : "s");
  out += fmt::format("{} of {} criteria met.\n", outcome.checks.size() - num_missed(outcome),
                     outcome.checks.size());
  for (const Table& table : outcome.tables) {
    out += fmt::format("\n## {}\n\n{}\nIn full: [{}.csv]({}.csv)\n", table.title,
                       markdown_table(table), table.name, table.name);
  }
  Table checks{"", "", {"", "criterion", "measured"}, {}};
  for (const Check& check : outcome.checks) {
    checks.rows.push_back({check.passed ? "PASS" : "**MISS**", check.criterion, check.measured});
  }
  out += "\n## Criteria\n\n" + markdown_table(checks);
  if (!outcome.charts.empty()) out += "\n## Charts\n";
  for (const NamedChart& chart : outcome.charts) {
    out += fmt::format("\n![{}]({}.svg)\n", chart.chart.title, chart.name);
  }
  if (!outcome.notes.empty()) out += "\n## Notes\n\n";
  for (const std::string& note : outcome.notes) out += "- " + note + "\n";
  return out;
}

std::vector<std::string> write_outcome(const TargetInfo& target, const Run& run,
                                       const Outcome& outcome, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw core::RunError(fmt::format("{}: the folder cannot be made: {}", folder, error.message()));
  }
  std::vector<std::string> names = {target.name + ".md"};
  const auto path = [&](const std::string& name) {
    return (std::filesystem::path(folder) / name).string();
  };
  for (const Table& table : outcome.tables) {
    names.push_back(table.name + ".csv");
    write_text(path(names.back()), csv_table(table));
  }
  for (const NamedChart& chart : outcome.charts) {
    names.push_back(chart.name + ".svg");
    report::draw_chart(chart.chart, path(names.back()));
  }
  // Last: where the report stands, everything it links to does.
  write_text(path(names.front()), report_markdown(target, run, outcome));
  return names;
}

}  // namespace cleave::reproduce
