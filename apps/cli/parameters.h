#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/params.h"

namespace cleave::cli {

nlohmann::ordered_json to_json(const std::vector<core::ParamInfo>& params);
// One indented line per parameter: name, default, meaning; wrapped at 100 columns.
void print_params(const std::vector<core::ParamInfo>& params);

}  // namespace cleave::cli
