#pragma once

#include <string>
#include <string_view>

#include "core/params.h"

namespace cleave::search {

// Like core::parse_call, but a value may itself be a call:
// "resolve(blueprint=solve(iterations=9))". Values are handed on as they stand.
core::Call parse_nested_call(std::string_view text);

// Takes an argument out of a call, for values that are not numbers or choices: file names, cuts,
// other calls. `fallback` where it is missing.
std::string take_text(core::Call& call, std::string_view name, std::string_view fallback);

}  // namespace cleave::search
