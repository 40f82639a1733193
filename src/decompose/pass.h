#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "decompose/method.h"

namespace cleave::decompose {

// A way to play below a cut, by name: one of the methods (method.h), or to leave it as the profile
// has it ("blueprint").
struct Pass {
  std::string name;  // as written
  std::string summary;
  bool safe = false;
  std::string condition;
  std::optional<Method> method;  // none: nothing is re-solved
};

// Throws InputError saying what is allowed; `also` is what the caller knows beyond.
Pass make_pass(std::string_view spec, std::string_view also = "");

}  // namespace cleave::decompose
