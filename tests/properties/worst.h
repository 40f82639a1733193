#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace cleave {

// The worst of many cases of a theorem, and how many there were: random games may be cut where
// nothing is left to test, and a test of nothing passes. Prints both at its end.
class Worst {
 public:
  explicit Worst(std::string what) : what_(std::move(what)) {}
  ~Worst() {
    fmt::print("  {}: worst {:.3g} over {} cases, {} of them telling{}\n", what_, worst_, count_,
               telling_, where_.empty() ? "" : " (" + where_ + ")");
  }
  // Telling: the two sides that are compared could have differed.
  void see(double excess, const std::string& where, bool telling) {
    ++count_;
    telling_ += telling ? 1 : 0;
    if (count_ > 1 && excess <= worst_) return;
    worst_ = excess;
    where_ = where;
  }
  double worst() const { return worst_; }

  // At least so many for each of the combinations that were drawn. (Written down are four fifths or
  // more of what was seen.)
  void expect_cases(int combinations, double cases, double telling) const {
    EXPECT_GE(static_cast<double>(count_), cases * combinations)
        << what_ << ": " << count_ << " cases of " << combinations << " combinations";
    EXPECT_GE(static_cast<double>(telling_), telling * combinations)
        << what_ << ": " << telling_ << " telling cases of " << combinations << " combinations";
  }

 private:
  std::string what_, where_;
  double worst_ = 0;
  int64_t count_ = 0, telling_ = 0;
};

inline constexpr double kTelling = 1e-6;  // differences that are no rounding

}  // namespace cleave
