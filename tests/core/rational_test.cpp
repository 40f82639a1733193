#include "core/rational.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "core/error.h"

namespace cleave::core {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::string parsed(std::string_view text) { return Rational::parse(text).to_string(); }

std::string reason(std::string_view text) {
  try {
    Rational::parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Rational, LowestTermsAndPositiveDenominator) {
  EXPECT_EQ(Rational(6, 4).to_string(), "3/2");
  EXPECT_EQ(Rational(6, -4).to_string(), "-3/2");
  EXPECT_EQ(Rational(-6, -3).to_string(), "2");
  EXPECT_EQ(Rational(0, -7).to_string(), "0");
  EXPECT_EQ(Rational().to_string(), "0");
  EXPECT_EQ(Rational(kMin).to_string(), "-9223372036854775808");
  EXPECT_EQ(Rational(kMin, kMin), Rational(1));
  EXPECT_EQ(Rational(kMin, -1).to_string(), "9223372036854775808");
  EXPECT_EQ(Rational(1, kMin).to_string(), "-1/9223372036854775808");
  EXPECT_EQ(Rational(2, kMin).to_string(), "-1/4611686018427387904");
}

TEST(Rational, ParsesEveryForm) {
  EXPECT_EQ(parsed("3"), "3");
  EXPECT_EQ(parsed("+3"), "3");
  EXPECT_EQ(parsed("-3"), "-3");
  EXPECT_EQ(parsed("007"), "7");
  EXPECT_EQ(parsed("0.1"), "1/10");
  EXPECT_EQ(parsed("-0.125"), "-1/8");
  EXPECT_EQ(parsed(".5"), "1/2");
  EXPECT_EQ(parsed("5."), "5");
  EXPECT_EQ(parsed("-.5e1"), "-5");
  EXPECT_EQ(parsed("1e3"), "1000");
  EXPECT_EQ(parsed("1.5E+2"), "150");
  EXPECT_EQ(parsed("25e-2"), "1/4");
  EXPECT_EQ(parsed("-6/4"), "-3/2");
  EXPECT_EQ(parsed("0/5"), "0");
  EXPECT_EQ(parsed("-0"), "0");
  EXPECT_EQ(parsed("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(parsed("-9223372036854775808"), "-9223372036854775808");
}

TEST(Rational, ParsesAnyLengthExactly) {
  EXPECT_EQ(parsed("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(parsed("0.1000000000000000000000000000000000000000"), "1/10");
  EXPECT_EQ(parsed("0.3333333333333333333333"), "3333333333333333333333/10000000000000000000000");
  EXPECT_EQ(parsed("100000000000000000000000/300000000000000000000000"), "1/3");
  EXPECT_EQ(parsed("-100000000000000000000000/7"), "-100000000000000000000000/7");
  EXPECT_EQ(parsed("1e30"), "1" + std::string(30, '0'));
  EXPECT_EQ(parsed("1e-30"), "1/1" + std::string(30, '0'));
  EXPECT_EQ(parsed("1e4096").size(), 4097U);
  EXPECT_EQ(parsed("1e-4096").size(), 4099U);
  EXPECT_EQ(parsed("0." + std::string(10000, '0') + "1e4096").size(), 10001U - 4096U + 3U);
  EXPECT_EQ(parsed("1" + std::string(5000, '0') + "e-4096"), "1" + std::string(904, '0'));
}

TEST(Rational, RefusesWhatIsNotANumber) {
  for (const char* text : {"",      "+",    "-",   ".",   "e5",   ".e5",  "1e",    "1e+",   "1e5.5",
                           "--1",   "1 ",   " 1",  "1/",  "/2",   "1/-2", "1/2/3", "1.5/2", "1/2.5",
                           "1/2e3", "0x10", "nan", "inf", "1..2", "1,5",  "1e5e5"}) {
    EXPECT_EQ(reason(text),
              "'" + std::string(text) +
                  "' is not a number; allowed are forms like 3, -1.25, 2e-3 and -1/3");
  }
  EXPECT_EQ(reason("1/000"), "'1/000' divides by zero; allowed are denominators of at least 1");
  EXPECT_EQ(reason("1e4097"),
            "'1e4097' has too large an exponent; allowed are exponents from -4096 to 4096");
  EXPECT_EQ(reason("0e-99999999999999999999"),
            "'0e-99999999999999999999' has too large an exponent; allowed are exponents from -4096 "
            "to 4096");
  EXPECT_LT(reason(std::string(1000, 'x')).size(), 200U);
}

TEST(Rational, AddsExactly) {
  EXPECT_EQ(Rational(1, 3) + Rational(1, 6), Rational(1, 2));
  EXPECT_EQ(Rational::parse("0.1") + Rational::parse("0.2"), Rational::parse("0.3"));
  EXPECT_EQ((Rational(1, 2) + Rational(-1, 2)).sign(), 0);
  EXPECT_EQ((Rational(kMax) + Rational(1)).to_string(), "9223372036854775808");
  EXPECT_EQ((Rational(kMin) + Rational(kMin)).to_string(), "-18446744073709551616");
  EXPECT_EQ((Rational(kMax, kMax - 1) + Rational(kMin, 3)).to_string(),
            (Rational(kMin, 3) + Rational(kMax, kMax - 1)).to_string());
}

TEST(Rational, WhatFitsAgainIsInlineAgain) {
  Rational sum = Rational(kMax) + Rational(kMax);
  sum += -Rational(kMax);
  EXPECT_EQ(sum, Rational(kMax));
  EXPECT_EQ(Rational::parse("1e40") + Rational::parse("-1e40"), Rational(0));
  EXPECT_EQ(Rational::parse("1e40"), Rational::parse("10e39"));
  EXPECT_FALSE(Rational::parse("1e40") == Rational::parse("1e41"));
  EXPECT_FALSE(Rational::parse("1e40") == Rational(0));
  EXPECT_EQ(-(-Rational(kMin)), Rational(kMin));
}

TEST(Rational, SumsOfManyFractionsAgreeWithTheirCommonDenominator) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const int64_t b = 1 + static_cast<int64_t>(random() % 1000);
    const int64_t d = 1 + static_cast<int64_t>(random() % 1000);
    const int64_t a = static_cast<int64_t>(random() % 2001) - 1000;
    const int64_t c = static_cast<int64_t>(random() % 2001) - 1000;
    EXPECT_EQ(Rational(a, b) + Rational(c, d), Rational(a * d + c * b, b * d));
  }
}

TEST(Rational, LargeFractionsCancel) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    const auto draw = [&] { return static_cast<int64_t>(random() >> (random() % 63)); };
    const Rational a(draw(), std::max<int64_t>(1, draw() & kMax));
    const Rational b(draw(), std::max<int64_t>(1, draw() & kMax));
    const Rational sum = a + b;
    EXPECT_EQ(sum + -a, b);
    EXPECT_EQ(sum + -b, a);
    EXPECT_EQ(Rational::parse(sum.to_string()), sum);
  }
}

TEST(Rational, CopiesAndMoves) {
  Rational big = Rational::parse("1e50");
  Rational copy = big;
  EXPECT_EQ(copy, big);
  Rational moved = std::move(copy);
  EXPECT_EQ(moved, big);
  Rational assigned(3, 4);
  assigned = moved;
  EXPECT_EQ(assigned, big);
  const Rational& alias = assigned;
  assigned = alias;
  EXPECT_EQ(assigned, big);
  assigned += assigned;
  EXPECT_EQ(assigned, Rational::parse("2e50"));
  moved = Rational(1, 2);
  EXPECT_EQ(moved.to_string(), "1/2");
}

TEST(Rational, FromDoubleIsTheDyadicValue) {
  EXPECT_EQ(Rational::from_double(0.5), Rational(1, 2));
  EXPECT_EQ(Rational::from_double(-3.0), Rational(-3));
  EXPECT_EQ(Rational::from_double(-0.0), Rational(0));
  EXPECT_EQ(Rational::from_double(0.1).to_string(), "3602879701896397/36028797018963968");
  for (const double value : {0.1, 1e300, -1e-300, DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1.0 / 3}) {
    EXPECT_EQ(Rational::from_double(value).to_double(), value);
  }
}

TEST(Rational, ToDoubleIsTheNearest) {
  EXPECT_EQ(Rational(1, 3).to_double(), 1.0 / 3);
  EXPECT_EQ(Rational(kMax).to_double(), 0x1p63);
  EXPECT_EQ(Rational(kMin).to_double(), -0x1p63);
  EXPECT_EQ(Rational((int64_t{1} << 53) + 1).to_double(), 0x1p53);  // halfway goes to even
  EXPECT_EQ(Rational((int64_t{1} << 54) + 3).to_double(), 0x1p54 + 4);
  EXPECT_EQ(Rational(kMax, 3).to_double(), 3074457345618258602.0);
  EXPECT_EQ(Rational(1, kMax).to_double(), 0x1p-63);
  EXPECT_EQ(Rational::parse("0.3333333333333333333333333333333").to_double(), 1.0 / 3);
  EXPECT_EQ(Rational::parse("1e400").to_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Rational::parse("-1e-400").to_double(), 0.0);
  std::mt19937_64 random(5);
  for (int round = 0; round < 5000; ++round) {
    // The C library rounds decimals correctly, so it is the reference.
    std::string digits = "0.";
    const int length = 1 + static_cast<int>(random() % 40);
    for (int i = 0; i < length; ++i) digits += static_cast<char>('0' + random() % 10);
    EXPECT_EQ(Rational::parse(digits).to_double(), std::stod(digits)) << digits;
    const auto whole = std::to_string(static_cast<int64_t>(random() >> (1 + random() % 40)));
    EXPECT_EQ(Rational::parse(whole).to_double(), std::stod(whole)) << whole;
  }
}

}  // namespace
}  // namespace cleave::core
