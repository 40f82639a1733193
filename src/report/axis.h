#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace cleave::report {

// A number as people write it: text, or text and a power ("2×10" and "-5").
struct Label {
  std::string text;
  std::string power;
};

struct Tick {
  double at;  // in the axis' own scale: log10 of the value on a logarithmic axis
  Label label;
};

// One axis of a chart: which values it spans, where its ticks stand, and which pixel a value has.
class Axis {
 public:
  // Spans `values`, of which there is at least one and all of which it shows.
  Axis(bool logarithmic, std::span<const double> values);

  static bool shows(bool logarithmic, double value) {
    // Beyond 1e300 the arithmetic of an axis would overflow.
    return std::abs(value) <= 1e300 && (!logarithmic || value > 0);
  }

  const std::vector<Tick>& ticks() const { return ticks_; }
  const std::vector<double>& minor_ticks() const { return minor_; }

  double scaled(double value) const { return log_ ? std::log10(value) : value; }
  void place(double first, double last) {
    first_ = first;
    last_ = last;
  }
  // Of a number in the axis' own scale.
  double pixel(double at) const { return first_ + (at - low_) / (high_ - low_) * (last_ - first_); }

 private:
  void add_round_ticks(double low, double high);
  void make_log_ticks();

  bool log_;
  double low_ = 0;  // low_ to high_ in the axis' own scale stand at pixels first_ to last_
  double high_ = 1;
  double first_ = 0;
  double last_ = 1;
  std::vector<Tick> ticks_;
  std::vector<double> minor_;
};

}  // namespace cleave::report
