#pragma once

#include <stdexcept>
#include <string>

namespace cleave::core {

// Bad input or wrong use: one line that says what, where and what is allowed. The apps exit with 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A run that failed although it was asked for correctly. The apps exit with 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cleave::core
