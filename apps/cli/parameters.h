#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/params.h"

namespace cleave::cli {

nlohmann::ordered_json to_json(const std::vector<core::ParamInfo>& params);
// One JSON object on standard output. Names of files may hold any bytes: what is not UTF-8 is
// replaced.
void print_object(const nlohmann::ordered_json& object);
// One indented line per parameter: name, default, meaning; wrapped at 100 columns.
void print_params(const std::vector<core::ParamInfo>& params);

}  // namespace cleave::cli
