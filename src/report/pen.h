#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "report/axis.h"

typedef struct _cairo cairo_t;  // NOLINT: cairo's own name; no header of ours includes cairo's

namespace cleave::report {

struct Colour {
  double red, green, blue;
};
constexpr Colour rgb(int code) {
  return {(code >> 16) / 255.0, (code >> 8 & 255) / 255.0, (code & 255) / 255.0};
}

struct Dash {
  std::array<double, 4> lengths;
  int count;
};

struct Point {
  double x, y;
};

inline constexpr double kTickSize = 13;  // of the letters at ticks

// Cairo stops at text that is not UTF-8, and SVG allows no control characters: both become '?'.
std::string clean(std::string_view text);

// Text, lines and dots on a cairo context, which must outlive the pen.
class Pen {
 public:
  explicit Pen(cairo_t* context);

  void fill_page(const Colour& c);
  void colour(const Colour& c);
  void font(double size, bool bold = false);

  double width(const std::string& text);
  // Cut to `room` with an ellipsis.
  std::string fitted(std::string text, double room);
  // From (x, y) on the base line; `align` is the part of the width that stands left of x.
  void text(double x, double y, const std::string& text, double align = 0);
  // Upwards, with its middle at (x, y).
  void upright_text(double x, double y, const std::string& text);

  double width(const Label& label);
  void label(double x, double y, const Label& label, double align);

  void line(double x0, double y0, double x1, double y1, double width);
  void dot(Point p, double radius, const Colour& fill);
  void path(std::span<const Point> points, const Colour& stroke, const Dash& dash);

 private:
  cairo_t* cr_;
};

}  // namespace cleave::report
