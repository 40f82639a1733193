#include "report/pen.h"

#include <cairo.h>

#include <cmath>
#include <memory>

namespace cleave::report {
namespace {

constexpr const char* kFont = "DejaVu Sans";
constexpr double kLineWidth = 2;
constexpr double kPowerScale = 0.74;  // of the letters of a power

}  // namespace

std::string clean(std::string_view text) {
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

Pen::Pen(cairo_t* context) : cr_(context) {
  // Without hints a text has the same width on every surface, and so the layout.
  const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
      cairo_font_options_create(), cairo_font_options_destroy);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cr_, options.get());
  cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
}

void Pen::fill_page(const Colour& c) {
  colour(c);
  cairo_paint(cr_);
}

void Pen::colour(const Colour& c) { cairo_set_source_rgb(cr_, c.red, c.green, c.blue); }

void Pen::font(double size, bool bold) {
  cairo_select_font_face(cr_, kFont, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr_, size);
}

double Pen::width(const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cr_, text.c_str(), &extents);
  return extents.x_advance;
}

std::string Pen::fitted(std::string text, double room) {
  if (width(text) <= room) return text;
  const std::string ellipsis = "\u2026";
  while (!text.empty() && width(text + ellipsis) > room) {
    do {
      const bool inside = (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80;
      text.pop_back();
      if (!inside) break;
    } while (!text.empty());
  }
  return text + ellipsis;
}

void Pen::text(double x, double y, const std::string& text, double align) {
  cairo_move_to(cr_, x - align * width(text), y);
  cairo_show_text(cr_, text.c_str());
}

void Pen::upright_text(double x, double y, const std::string& text) {
  cairo_save(cr_);
  cairo_translate(cr_, x, y);
  cairo_rotate(cr_, -M_PI / 2);
  this->text(0, 0, text, 0.5);
  cairo_restore(cr_);
}

double Pen::width(const Label& label) {
  font(kTickSize);
  const double whole = width(label.text);
  font(kTickSize * kPowerScale);
  return whole + width(label.power);
}

void Pen::label(double x, double y, const Label& label, double align) {
  x -= align * width(label);
  font(kTickSize);
  text(x, y, label.text);
  x += width(label.text);
  font(kTickSize * kPowerScale);
  text(x, y - 0.42 * kTickSize, label.power);
}

void Pen::line(double x0, double y0, double x1, double y1, double width) {
  cairo_set_line_width(cr_, width);
  cairo_move_to(cr_, x0, y0);
  cairo_line_to(cr_, x1, y1);
  cairo_stroke(cr_);
}

void Pen::dot(Point p, double radius, const Colour& fill) {
  cairo_new_path(cr_);
  cairo_arc(cr_, p.x, p.y, radius, 0, 2 * M_PI);
  colour(rgb(0xffffff));
  cairo_set_line_width(cr_, 2);
  cairo_stroke_preserve(cr_);
  colour(fill);
  cairo_fill(cr_);
}

void Pen::path(std::span<const Point> points, const Colour& stroke, const Dash& dash) {
  colour(stroke);
  cairo_set_line_width(cr_, kLineWidth);
  cairo_set_dash(cr_, dash.lengths.data(), dash.count, 0);
  cairo_new_path(cr_);  // text leaves a current point behind
  for (const Point& p : points) cairo_line_to(cr_, p.x, p.y);
  cairo_stroke(cr_);
  cairo_set_dash(cr_, nullptr, 0, 0);
}

}  // namespace cleave::report
