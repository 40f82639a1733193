#include "core/rational.h"

#include <gmpxx.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/number.h"

namespace cleave::core {

static_assert(sizeof(long) == sizeof(int64_t), "GMP's long must hold 64 bits");

struct Rational::Big {
  mpq_class value;  // canonical

  // The only way from GMP back: whatever fits is kept inline, so that equal numbers look equal.
  static Rational pack(mpq_class value) {
    Rational result;
    if (value.get_num().fits_slong_p() && value.get_den().fits_slong_p()) {
      result.num_ = value.get_num().get_si();
      result.den_ = value.get_den().get_si();
    } else {
      result.big_ = std::make_shared<const Big>(Big{std::move(value)});
    }
    return result;
  }

  static mpq_class unpack(const Rational& number) {
    if (number.big_) return number.big_->value;
    return mpq_class(mpz_class(long{number.num_}), mpz_class(long{number.den_}));
  }
};

namespace {

__extension__ using Int128 = __int128;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int kMaxExponent = 4096;

bool fits(Int128 value) { return value >= kMin && value <= kMax; }

// a/b + c/d in lowest terms without a 128-bit gcd (Knuth 4.5.1): only gcd(b, d) can cancel.
std::pair<Int128, Int128> add_small(int64_t a, int64_t b, int64_t c, int64_t d) {
  const int64_t g = std::gcd(b, d);
  const Int128 sum = Int128{a} * (d / g) + Int128{c} * (b / g);
  const int64_t h = std::gcd(static_cast<int64_t>(sum % g), g);
  return {sum / h, Int128{b / g} * (d / h)};
}

double big_to_double(const mpq_class& value) {
  const mpz_class num = abs(value.get_num());
  const mpz_class& den = value.get_den();
  const auto bits = [](const mpz_class& z) {
    return static_cast<int64_t>(mpz_sizeinbase(z.get_mpz_t(), 2));
  };
  const int64_t shift = 62 - (bits(num) - bits(den));  // quotient of 62 or 63 bits
  mpz_class top = num;
  mpz_class bottom = den;
  if (shift >= 0) {
    top <<= static_cast<unsigned long>(shift);
  } else {
    bottom <<= static_cast<unsigned long>(-shift);
  }
  mpz_class quotient;
  mpz_class remainder;
  mpz_fdiv_qr(quotient.get_mpz_t(), remainder.get_mpz_t(), top.get_mpz_t(), bottom.get_mpz_t());
  // The lowest bit stands for everything cut off below it; with more than 54 significant bits the
  // conversion therefore rounds once, to nearest even.
  const auto rounded = static_cast<double>(quotient.get_ui() | uint64_t{remainder != 0});
  // Any exponent beyond these gives 0 or infinity.
  const auto exponent = static_cast<int>(std::clamp<int64_t>(-shift, -5000, 5000));
  return std::ldexp(sgn(value) < 0 ? -rounded : rounded, exponent);
}

// Takes the digits at the front of `text`.
std::string_view take_digits(std::string_view& text) {
  const auto digits = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(digits.size());
  return digits;
}

// Takes a sign, if there is one; true: minus.
bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

[[noreturn]] void refuse(std::string_view text, const char* reason) {
  constexpr size_t kShown = 60;
  std::string shown(text.substr(0, kShown));
  if (text.size() > kShown) shown += "...";
  throw InputError("'" + shown + "' " + reason);
}

constexpr const char* kForms = "is not a number; allowed are forms like 3, -1.25, 2e-3 and -1/3";

mpz_class big_power_of_ten(uint64_t exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

int parse_exponent(std::string_view text, std::string_view rest) {
  const bool negative = take_sign(rest);
  const std::string_view digits = take_digits(rest);
  if (digits.empty() || !rest.empty()) refuse(text, kForms);
  const int exponent = parse_number<int>(digits).value_or(kMaxExponent + 1);
  if (exponent > kMaxExponent) {
    refuse(text, "has too large an exponent; allowed are exponents from -4096 to 4096");
  }
  return negative ? -exponent : exponent;
}

}  // namespace

Rational::Rational(int64_t num, int64_t den) {
  assert(den != 0);
  if (num == kMin || den == kMin) {  // their magnitudes do not fit
    mpq_class value(mpz_class(long{num}), mpz_class(long{den}));
    value.canonicalize();
    *this = Big::pack(std::move(value));
    return;
  }
  const int64_t g = std::gcd(num, den);
  num_ = (den < 0 ? -num : num) / g;
  den_ = (den < 0 ? -den : den) / g;
}

Rational Rational::from_double(double value) {
  assert(std::isfinite(value));
  return Big::pack(mpq_class(value));  // exact, and canonical
}

Rational Rational::parse(std::string_view text) {
  std::string_view rest = text;
  const bool negative = take_sign(rest);
  std::string digits(take_digits(rest));
  mpq_class value;
  if (!digits.empty() && rest.starts_with('/')) {
    rest.remove_prefix(1);
    const std::string_view below = take_digits(rest);
    if (below.empty() || !rest.empty()) refuse(text, kForms);
    if (below.find_first_not_of('0') == below.npos) {
      refuse(text, "divides by zero; allowed are denominators of at least 1");
    }
    value = mpq_class(mpz_class(digits, 10), mpz_class(std::string(below), 10));
  } else {
    int64_t scale = 0;  // the digits are worth 10^scale
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      const std::string_view fraction = take_digits(rest);
      digits += fraction;
      scale = -static_cast<int64_t>(fraction.size());
    }
    if (digits.empty()) refuse(text, kForms);
    if (!rest.empty()) {
      if (rest[0] != 'e' && rest[0] != 'E') refuse(text, kForms);
      scale += parse_exponent(text, rest.substr(1));
    }
    value = mpz_class(digits, 10);
    const mpz_class power = big_power_of_ten(static_cast<uint64_t>(std::abs(scale)));
    (scale >= 0 ? value.get_num() : value.get_den()) *= power;
  }
  value.canonicalize();
  return Big::pack(negative ? mpq_class(-value) : value);
}

double Rational::to_double() const {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (big_ || num_ > kExact || num_ < -kExact || den_ > kExact) {
    return big_to_double(Big::unpack(*this));
  }
  return static_cast<double>(num_) / static_cast<double>(den_);
}

std::string Rational::to_string() const {
  if (big_) return big_->value.get_str();
  std::string result = std::to_string(num_);
  if (den_ != 1) result.append(1, '/').append(std::to_string(den_));
  return result;
}

int Rational::sign() const {
  if (big_) return sgn(big_->value);
  return num_ < 0 ? -1 : (num_ > 0 ? 1 : 0);
}

Rational& Rational::operator+=(const Rational& other) {
  if (!big_ && !other.big_) {
    const auto [num, den] = add_small(num_, den_, other.num_, other.den_);
    if (fits(num) && fits(den)) {
      num_ = static_cast<int64_t>(num);
      den_ = static_cast<int64_t>(den);
      return *this;
    }
  }
  return *this = Big::pack(Big::unpack(*this) + Big::unpack(other));
}

Rational Rational::operator-() const {
  if (big_ || num_ == kMin) return Big::pack(-Big::unpack(*this));
  Rational result;
  result.num_ = -num_;
  result.den_ = den_;
  return result;
}

bool operator==(const Rational& a, const Rational& b) {
  if (a.big_ || b.big_) return a.big_ && b.big_ && a.big_->value == b.big_->value;
  return a.num_ == b.num_ && a.den_ == b.den_;
}

}  // namespace cleave::core
