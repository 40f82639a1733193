#pragma once

#include <string>
#include <string_view>

#include "core/params.h"

namespace cleave::search {

// Takes an argument out of a call, for values that are not numbers or choices: file names, cuts,
// other calls. `fallback` where it is missing.
std::string take_text(core::Call& call, std::string_view name, std::string_view fallback);

}  // namespace cleave::search
