#include "table.h"

#include <algorithm>

#include "fmt/format.h"
#include "terminal.h"

namespace cleave::cli {

void print_table(const std::vector<std::string>& header,
                 const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width;
  for (size_t c = 0; c < header.size(); ++c) {
    width.push_back(header[c].size());
    for (const auto& row : rows) width[c] = std::max(width[c], row[c].size());
  }
  for (size_t begin = 1, end = 1; begin < header.size(); begin = end) {
    size_t columns = width[0];
    while (end < header.size() && (end == begin || columns + 2 + width[end] <= kScreenColumns)) {
      columns += 2 + width[end++];
    }
    if (begin > 1) fmt::print("\n");
    const auto print = [&](const std::vector<std::string>& row) {
      std::string line = fmt::format("{:<{}}", row[0], width[0]);
      for (size_t c = begin; c < end; ++c) line += fmt::format("  {:>{}}", row[c], width[c]);
      fmt::print("{}\n", line);
    };
    print(header);
    for (const auto& row : rows) print(row);
  }
}

}  // namespace cleave::cli
