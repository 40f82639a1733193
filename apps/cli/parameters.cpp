#include "parameters.h"

#include <algorithm>
#include <sstream>

#include "fmt/format.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

// Words of `text` from `column` on, continued at the same column.
std::string wrap(const std::string& text, size_t column) {
  std::istringstream words(text);
  std::string out;
  std::string word;
  size_t at = column;
  while (words >> word) {
    if (at > column && at + 1 + word.size() > kScreenColumns) {
      out += "\n" + std::string(column, ' ');
      at = column;
    } else if (at > column) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
  }
  return out;
}

}  // namespace

nlohmann::ordered_json to_json(const std::vector<core::ParamInfo>& params) {
  nlohmann::ordered_json out = nlohmann::json::array();
  for (const core::ParamInfo& p : params) {
    out.push_back({{"name", p.name}, {"default", p.default_value}, {"help", p.help}});
  }
  return out;
}

void print_object(const nlohmann::ordered_json& object) {
  fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_params(const std::vector<core::ParamInfo>& params) {
  size_t width = 0;
  for (const core::ParamInfo& p : params) {
    width = std::max(width, p.name.size() + p.default_value.size() + 1);
  }
  for (const core::ParamInfo& p : params) {
    fmt::print("      {:<{}}  {}\n", p.name + "=" + p.default_value, width,
               wrap(p.help, width + 8));
  }
}

}  // namespace cleave::cli
