#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace cleave::core {

// Bad input or wrong use: one line that says what, where and what is allowed. The apps exit with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws InputError.
template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> what, Args&&... args) {
  throw InputError(fmt::format(what, std::forward<Args>(args)...));
}

// A run that failed although it was asked for correctly. The apps exit with 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cleave::core
