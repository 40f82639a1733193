#pragma once

#include <string>
#include <vector>

namespace cleave::cli {

// The first column on the left, the others right-aligned. Columns that do not fit the screen follow
// below, with the first one repeated.
void print_table(const std::vector<std::string>& header,
                 const std::vector<std::vector<std::string>>& rows);

}  // namespace cleave::cli
