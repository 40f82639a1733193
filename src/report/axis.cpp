#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace cleave::report {
namespace {

constexpr const char* kMinus = "\u2212";

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, kMinus);
  return text;
}

// Round numbers that are multiples of `step`, with as many decimals as it has.
Label number_label(double value, double step) {
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-3 && size < 1e6)) {
    int decimals = 0;
    while (decimals < 9 &&
           std::abs(std::remainder(step, std::pow(10.0, -decimals))) > 1e-6 * step) {
      ++decimals;
    }
    return {with_minus(fmt::format("{:.{}f}", value, decimals)), ""};
  }
  const std::string text = fmt::format("{:.5e}", value);
  const size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  mantissa.erase(mantissa.find_last_not_of('0') + 1);
  if (mantissa.ends_with('.')) mantissa.pop_back();
  const int power = std::stoi(text.substr(e + 1));
  return {with_minus(mantissa) + "\u00d710", with_minus(fmt::to_string(power))};
}

}  // namespace

Axis::Axis(bool logarithmic, std::span<const double> values) : log_(logarithmic) {
  const auto [low, high] = std::ranges::minmax(values);
  low_ = scaled(low);
  high_ = scaled(high);
  // Values that differ by rounding only are one value, for which the axis makes up a range.
  const double size = std::max(std::abs(low_), std::abs(high_));
  const bool flat = high_ - low_ <= 1e-9 * size;
  if (log_) {
    const double pad = flat ? 0.7 : 0.03 * (high_ - low_);
    low_ -= pad;
    high_ += pad;
    make_log_ticks();
  } else {
    const double pad = size == 0 ? 1 : flat ? 0.1 * size : 0.04 * (high_ - low_);
    // An axis that comes near zero begins there.
    low_ = size > 0 && low_ >= 0 && low_ <= 0.25 * high_ ? 0 : low_ - pad;
    high_ += pad;
    add_round_ticks(low_, high_);
  }
}

// Round values, about six of them, from `low` to `high` in plain numbers.
void Axis::add_round_ticks(double low, double high) {
  const double rough = (high - low) / 6;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.5, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  const double slack = 1e-9 * (high - low);
  const double last = std::floor((high + slack) / step);
  for (double k = std::ceil((low - slack) / step); k <= last; ++k) {
    const double value = k == 0 ? 0 : k * step;  // not -0
    if (shows(log_, value)) ticks_.push_back({scaled(value), number_label(value, step)});
  }
}

void Axis::make_log_ticks() {
  const int first = static_cast<int>(std::ceil(low_ - 1e-9));
  const int last = static_cast<int>(std::floor(high_ + 1e-9));
  const int step = std::max(1, (last - first + 10) / 10);
  const int digits = last - first <= 6 ? 9 : 1;  // more would run into each other
  for (int k = first - 1; k <= last; ++k) {
    const bool labelled = k % step == 0;
    if (k >= first && labelled) {
      ticks_.push_back({double(k), {"10", with_minus(fmt::to_string(k))}});
    }
    if (k >= first && !labelled) minor_.push_back(k);
    for (int digit = 2; digit <= digits; ++digit) {
      const double at = k + std::log10(digit);
      if (at >= low_ && at <= high_) minor_.push_back(at);
    }
  }
  if (ticks_.size() >= 2) return;
  // Less than two decades: round values instead of powers.
  ticks_.clear();
  for (int k = first - 1; k <= last; ++k) {
    for (const int digit : {1, 2, 5}) {
      const double at = k + std::log10(digit);
      const double value = digit * std::pow(10.0, k);
      if (at >= low_ && at <= high_) ticks_.push_back({at, number_label(value, value)});
    }
  }
  if (ticks_.size() >= 3) return;
  ticks_.clear();
  minor_.clear();
  add_round_ticks(std::pow(10.0, low_), std::pow(10.0, high_));
}

}  // namespace cleave::report
