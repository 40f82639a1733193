#pragma once

#include <cairo.h>

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "report/axis.h"

namespace cleave::report {

inline constexpr double kTickSize = 13;  // of the letters at ticks

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

// Cairo stops at text that is not UTF-8, and SVG allows no control characters: both become '?'.
inline std::string clean(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const size_t length = byte < 0x80                   ? 1
                          : byte >= 0xc2 && byte < 0xe0 ? 2
                          : byte >= 0xe0 && byte < 0xf0 ? 3
                          : byte >= 0xf0 && byte < 0xf5 ? 4
                                                        : 0;
    bool good = length > 0 && i + length <= text.size() && byte >= 0x20 && byte != 0x7f;
    for (size_t k = 1; good && k < length; ++k) {
      good = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
    }
    // Overlong forms, surrogates and what is beyond Unicode.
    if (good && length >= 3) {
      const auto second = static_cast<unsigned char>(text[i + 1]);
      good = !((byte == 0xe0 && second < 0xa0) || (byte == 0xed && second >= 0xa0) ||
               (byte == 0xf0 && second < 0x90) || (byte == 0xf4 && second >= 0x90));
    }
    out += good ? text.substr(i, length) : std::string_view("?");
    i += good ? length : 1;
  }
  return out;
}

// Text, lines and dots on a cairo context, which must outlive the pen.
class Pen {
 public:
  explicit Pen(cairo_t* context) : cr_(context) {
    // Without hints a text has the same width on every surface, and so the layout.
    const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
        cairo_font_options_create(), cairo_font_options_destroy);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr_, options.get());
    cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
  }

  void fill_page(const Colour& c) {
    colour(c);
    cairo_paint(cr_);
  }
  void colour(const Colour& c) { cairo_set_source_rgb(cr_, c.red, c.green, c.blue); }
  void font(double size, bool bold = false) {
    cairo_select_font_face(cr_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr_, size);
  }

  double width(const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cr_, text.c_str(), &extents);
    return extents.x_advance;
  }

  // Cut to `room` with an ellipsis, between characters: in UTF-8 they go on with 10xxxxxx.
  std::string fitted(std::string text, double room) {
    if (width(text) <= room) return text;
    const std::string ellipsis = "\u2026";
    const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    while (!text.empty() && width(text + ellipsis) > room) {
      while (!text.empty() && is_inside(text.back())) text.pop_back();
      if (!text.empty()) text.pop_back();
    }
    return text + ellipsis;
  }

  // From (x, y) on the base line; `align` is the part of the width that stands left of x.
  void text(double x, double y, const std::string& text, double align = 0) {
    cairo_move_to(cr_, x - align * width(text), y);
    cairo_show_text(cr_, text.c_str());
  }
  // Upwards, with its middle at (x, y).
  void upright_text(double x, double y, const std::string& text) {
    cairo_save(cr_);
    cairo_translate(cr_, x, y);
    cairo_rotate(cr_, -M_PI / 2);
    this->text(0, 0, text, 0.5);
    cairo_restore(cr_);
  }

  double width(const Label& label) {
    font(kTickSize);
    const double whole = width(label.text);
    font(kTickSize * kPowerScale);
    return whole + width(label.power);
  }
  void label(double x, double y, const Label& label, double align) {
    x -= align * width(label);
    font(kTickSize);
    text(x, y, label.text);
    x += width(label.text);
    font(kTickSize * kPowerScale);
    text(x, y - 0.42 * kTickSize, label.power);
  }

  void line(double x0, double y0, double x1, double y1) {
    cairo_set_line_width(cr_, 1);
    cairo_move_to(cr_, x0, y0);
    cairo_line_to(cr_, x1, y1);
    cairo_stroke(cr_);
  }
  void dot(Point p, double radius, const Colour& fill) {
    cairo_new_path(cr_);
    cairo_arc(cr_, p.x, p.y, radius, 0, 2 * M_PI);
    colour(rgb(0xffffff));
    cairo_set_line_width(cr_, 2);
    cairo_stroke_preserve(cr_);
    colour(fill);
    cairo_fill(cr_);
  }
  void path(std::span<const Point> points, const Colour& stroke, const Dash& dash) {
    colour(stroke);
    cairo_set_line_width(cr_, 2);
    cairo_set_dash(cr_, dash.lengths.data(), dash.count, 0);
    cairo_new_path(cr_);  // text leaves a current point behind
    for (const Point& p : points) cairo_line_to(cr_, p.x, p.y);
    cairo_stroke(cr_);
    cairo_set_dash(cr_, nullptr, 0, 0);
  }

 private:
  static constexpr double kPowerScale = 0.74;  // of the letters of a power

  cairo_t* cr_;
};

}  // namespace cleave::report
