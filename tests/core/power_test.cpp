#include "core/power.h"

#include <gtest/gtest.h>

namespace cleave::core {
namespace {

TEST(Power, EqualsPow) {
  for (const double x : {0.0, 0.3, 0.999, 1.0, 7.0, 12345.0}) {
    for (double e = -3; e <= 40; e += 0.25) {
      if (x == 0 && e < 0) continue;
      const double expected = std::pow(x, e);
      EXPECT_NEAR(power(x, e), expected, 1e-14 * expected) << x << "^" << e;
    }
  }
  EXPECT_EQ(power(3, 0), 1);
  EXPECT_EQ(power(3, 2), 9);
  EXPECT_EQ(power(0, 1.5), 0);
  EXPECT_EQ(power(4, -0.5), 0.5);
}

}  // namespace
}  // namespace cleave::core
