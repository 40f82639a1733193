#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "decompose/method.h"

namespace cleave::decompose {

// A way to play below a cut, by name: one of the methods (method.h), to leave it as the profile has
// it ("blueprint"), or to learn it with the trunk fixed ("graft").
struct Pass {
  std::string name;  // as written
  std::string summary;
  bool safe = false;
  std::string condition;
  std::optional<Method> method = {};  // none: nothing is re-solved
  bool grafts = false;
};

// Throws InputError saying what is allowed.
Pass make_pass(std::string_view spec);
// One of each that changes something, for help texts and `--method all`.
const std::vector<std::string>& all_passes();

}  // namespace cleave::decompose
