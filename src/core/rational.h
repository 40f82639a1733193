#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace cleave::core {

// An exact rational number in lowest terms, denominator positive. Numbers that fit two 64-bit
// integers stay inline; larger ones use GMP.
class Rational {
 public:
  Rational(int64_t value = 0) : num_(value) {}  // NOLINT: implicit on purpose
  Rational(int64_t num, int64_t den);           // den must not be 0

  // The exact (dyadic) value of a finite double.
  static Rational from_double(double value);
  // [sign] digits | digits.digits | .digits | digits. , each with an optional exponent (e or E), or
  // digits/digits. Throws InputError with the reason when `text` is none of these, divides by zero
  // or has an exponent beyond +-4096.
  static Rational parse(std::string_view text);

  double to_double() const;       // correctly rounded to within one ulp
  std::string to_string() const;  // "3", "-1/3"
  int sign() const;

  Rational& operator+=(const Rational& other);
  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  Rational operator-() const;
  friend bool operator==(const Rational& a, const Rational& b);

 private:
  struct Big;  // mpq_class behind a wall, so that no header of ours includes GMP
  int64_t num_ = 0;
  int64_t den_ = 1;
  std::shared_ptr<const Big> big_;  // set only where num_ / den_ cannot hold the value
};

}  // namespace cleave::core
