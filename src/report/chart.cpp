#include "report/chart.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/file.h"

namespace cleave::report {
namespace {

constexpr double kWidth = 960;
constexpr double kHeight = 600;
constexpr int kPngScale = 2;
constexpr double kMargin = 28;
constexpr double kLineWidth = 2;
constexpr double kLegendGap = 22;    // between the plot and the legend
constexpr double kSampleWidth = 30;  // of a line in the legend
constexpr double kLegendText = 40;   // from the legend's left edge to the names
constexpr double kLegendLine = 22;   // from one name to the next
constexpr double kMaxNameWidth = 240;
constexpr double kTickLength = 6;
constexpr const char* kFont = "DejaVu Sans";
constexpr double kTitleSize = 18;
constexpr double kLabelSize = 14;
constexpr double kTickSize = 13;
constexpr const char* kMinus = "\u2212";

struct Colour {
  double red, green, blue;
};
constexpr Colour rgb(int code) {
  return {(code >> 16) / 255.0, (code >> 8 & 255) / 255.0, (code & 255) / 255.0};
}
constexpr Colour kText = rgb(0x222222);
constexpr Colour kFaintText = rgb(0x8a8a8a);
constexpr Colour kAxis = rgb(0x4d4d4d);
constexpr Colour kGrid = rgb(0xe6e6e6);

// Okabe and Ito's colours, which colour-blind readers can tell apart, without the yellow that is
// too light for a line on white. Seven colours and four dashes have no common factor: 28 series
// all look different, also in grey.
constexpr std::array<Colour, 7> kColours{rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7),
                                         rgb(0xe69f00), rgb(0x56b4e9), rgb(0x333333)};
struct Dash {
  std::array<double, 4> lengths;
  int count;
};
constexpr std::array<Dash, 4> kDashes{Dash{{}, 0}, Dash{{9, 3.5}, 2}, Dash{{2.5, 2.5}, 2},
                                      Dash{{10, 3, 2.5, 3}, 4}};

struct Point {
  double x, y;
};

// ---- axes ----

// A number as people write it: text, or text and a power ("2×10" and "-5").
struct Label {
  std::string text;
  std::string power;
};

struct Tick {
  double at;  // in the axis' own scale: log10 of the value on a logarithmic axis
  Label label;
};

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

class Axis {
 public:
  Axis(bool logarithmic, std::span<const double> values) : log_(logarithmic) {
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

  const std::vector<Tick>& ticks() const { return ticks_; }
  const std::vector<double>& minor_ticks() const { return minor_; }
  bool shows(double value) const { return shows(log_, value); }
  static bool shows(bool logarithmic, double value) {
    // Beyond 1e300 the arithmetic of an axis would overflow.
    return std::abs(value) <= 1e300 && (!logarithmic || value > 0);
  }

  double scaled(double value) const { return log_ ? std::log10(value) : value; }
  void place(double first, double last) {
    first_ = first;
    last_ = last;
  }
  // Of a number in the axis' own scale.
  double pixel(double at) const { return first_ + (at - low_) / (high_ - low_) * (last_ - first_); }

 private:
  // Round values, about six of them, from `low` to `high` in plain numbers.
  void add_round_ticks(double low, double high) {
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
      if (shows(value)) ticks_.push_back({scaled(value), number_label(value, step)});
    }
  }

  void make_log_ticks() {
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
      for (int digit = 2; digit <= digits; ++digit) add_minor(k + std::log10(digit));
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

  void add_minor(double at) {
    if (at >= low_ && at <= high_) minor_.push_back(at);
  }

  bool log_;
  double low_ = 0;  // low_ to high_ in the axis' own scale stand at pixels first_ to last_
  double high_ = 1;
  double first_ = 0;
  double last_ = 1;
  std::vector<Tick> ticks_;
  std::vector<double> minor_;
};

// ---- text ----

// Cairo stops at text that is not UTF-8, and SVG allows no control characters: both become '?'.
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

  cairo_t* context() const { return cr_; }

  void colour(const Colour& c) { cairo_set_source_rgb(cr_, c.red, c.green, c.blue); }

  void font(double size, bool bold = false) {
    cairo_select_font_face(cr_, kFont, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr_, size);
  }

  double width(const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cr_, text.c_str(), &extents);
    return extents.x_advance;
  }

  // Cut to `room` with an ellipsis.
  std::string fitted(std::string text, double room) {
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

  // From (x, y) on the base line; `align` is the part of the width that stands left of x.
  void text(double x, double y, const std::string& text, double align = 0) {
    cairo_move_to(cr_, x - align * width(text), y);
    cairo_show_text(cr_, text.c_str());
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

  void line(double x0, double y0, double x1, double y1, double width) {
    cairo_set_line_width(cr_, width);
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
    cairo_set_line_width(cr_, kLineWidth);
    cairo_set_dash(cr_, dash.lengths.data(), dash.count, 0);
    cairo_new_path(cr_);  // text leaves a current point behind
    for (const Point& p : points) cairo_line_to(cr_, p.x, p.y);
    cairo_stroke(cr_);
    cairo_set_dash(cr_, nullptr, 0, 0);
  }

 private:
  static constexpr double kPowerScale = 0.74;
  cairo_t* cr_;
};

// ---- the chart ----

// Lines of one pixel are sharp in the middle between two whole coordinates.
double sharp(double at) { return std::floor(at) + 0.5; }

// The same picture from fewer points: of those in one half pixel column, the first, the last and
// the two extremes. Keeps a history of a million points from making a file of a million points.
std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> result;
  for (size_t i = 0; i < points.size();) {
    const double column = std::floor(2 * points[i].x);
    size_t end = i;
    while (end < points.size() && std::floor(2 * points[end].x) == column) ++end;
    const auto [low, high] = std::minmax_element(
        points.begin() + static_cast<ptrdiff_t>(i), points.begin() + static_cast<ptrdiff_t>(end),
        [](const Point& a, const Point& b) { return a.y < b.y; });
    std::array<size_t, 4> keep{i, static_cast<size_t>(low - points.begin()),
                               static_cast<size_t>(high - points.begin()), end - 1};
    std::ranges::sort(keep);
    const auto repeated = std::unique(keep.begin(), keep.end());
    for (auto k = keep.begin(); k != repeated; ++k) result.push_back(points[*k]);
    i = end;
  }
  return result;
}

// Nearest places to the wanted ones (in increasing order) with at least `gap` between neighbours,
// all from `low` to `high`: least squares by pooling neighbours that collide.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
  struct Pool {
    double sum;
    size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (size_t i = 0; i < wanted.size(); ++i) {
    pools.push_back({wanted[i] - gap * static_cast<double>(i), 1});
    while (pools.size() > 1 && pools.back().mean() < pools[pools.size() - 2].mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double highest = high - gap * static_cast<double>(wanted.size() - 1);
  std::vector<double> result;
  for (const Pool& pool : pools) {
    for (size_t k = 0; k < pool.count; ++k) {
      const double start = std::max(low, std::min(pool.mean(), highest));
      result.push_back(start + gap * static_cast<double>(result.size()));
    }
  }
  return result;
}

class Drawing {
 public:
  Drawing(const Chart& chart, cairo_t* context)
      : chart_(chart),
        pen_(context),
        x_axis_(chart.log_x, values(chart, true)),
        y_axis_(chart.log_y, values(chart, false)) {}

  void draw() {
    pen_.colour(rgb(0xffffff));
    cairo_paint(pen_.context());
    lay_out();
    draw_axes();
    // The first series is the one that the reader is to see: it lies on top.
    for (size_t i = lines_.size(); i-- > 0;) draw_line(i);
    draw_legend();
  }

  // The values of one axis of all points that both axes can show.
  static std::vector<double> values(const Chart& chart, bool x) {
    std::vector<double> result;
    for (const Series& series : chart.series) {
      for (size_t i = 0; i < series.x.size(); ++i) {
        if (shown(chart, series, i)) result.push_back(x ? series.x[i] : series.y[i]);
      }
    }
    return result;
  }

 private:
  static bool shown(const Chart& chart, const Series& series, size_t i) {
    return Axis::shows(chart.log_x, series.x[i]) && Axis::shows(chart.log_y, series.y[i]);
  }

  bool any_shown(const Series& series) const {
    for (size_t i = 0; i < series.x.size(); ++i) {
      if (shown(chart_, series, i)) return true;
    }
    return false;
  }

  void lay_out() {
    pen_.font(kLabelSize);
    double name_width = 0;
    for (const Series& series : chart_.series) {
      std::string name = pen_.fitted(clean(series.name), kMaxNameWidth);
      if (!name.empty() && !any_shown(series)) name += " (no point)";
      name_width = std::max(name_width, pen_.width(name));
      names_.push_back(std::move(name));
    }
    double tick_width = 0;
    for (const Tick& tick : y_axis_.ticks())
      tick_width = std::max(tick_width, pen_.width(tick.label));
    y_label_x_ = kMargin + kLabelSize * 0.4;
    left_ = sharp(kMargin + (chart_.y_label.empty() ? 0 : kLabelSize + 12) + tick_width +
                  kTickLength + 6);
    right_ = kWidth - kMargin - kLegendGap - kLegendText - name_width;
    if (name_width == 0) right_ = kWidth - kMargin;
    right_ = sharp(right_);
    top_ = sharp(chart_.title.empty() ? kMargin : kMargin + kTitleSize + 20);
    bottom_ = sharp(kHeight - kMargin - kTickLength - kTickSize - 8 -
                    (chart_.x_label.empty() ? 0 : kLabelSize + 12));
    x_axis_.place(left_, right_);
    y_axis_.place(bottom_, top_);
    for (const Series& series : chart_.series) {
      std::vector<Point>& line = lines_.emplace_back();
      for (size_t i = 0; i < series.x.size(); ++i) {
        if (!shown(chart_, series, i)) continue;
        line.push_back({x_axis_.pixel(x_axis_.scaled(series.x[i])),
                        y_axis_.pixel(y_axis_.scaled(series.y[i]))});
      }
      line = thinned(line);
    }
  }

  void draw_axes() {
    pen_.colour(kGrid);
    for (const Tick& t : x_axis_.ticks()) {
      const double x = sharp(x_axis_.pixel(t.at));
      pen_.line(x, top_, x, bottom_, 1);
    }
    for (const Tick& t : y_axis_.ticks()) {
      const double y = sharp(y_axis_.pixel(t.at));
      pen_.line(left_, y, right_, y, 1);
    }
    pen_.colour(kAxis);
    pen_.line(left_, top_, left_, bottom_ + 0.5, 1);
    pen_.line(left_ - 0.5, bottom_, right_, bottom_, 1);
    for (const double at : x_axis_.minor_ticks()) {
      const double x = sharp(x_axis_.pixel(at));
      pen_.line(x, bottom_, x, bottom_ + kTickLength / 2, 1);
    }
    for (const double at : y_axis_.minor_ticks()) {
      const double y = sharp(y_axis_.pixel(at));
      pen_.line(left_, y, left_ - kTickLength / 2, y, 1);
    }
    for (const Tick& t : x_axis_.ticks()) {
      const double x = sharp(x_axis_.pixel(t.at));
      pen_.line(x, bottom_, x, bottom_ + kTickLength, 1);
      pen_.label(x, bottom_ + kTickLength + 6 + kTickSize, t.label, 0.5);
    }
    for (const Tick& t : y_axis_.ticks()) {
      const double y = sharp(y_axis_.pixel(t.at));
      pen_.line(left_, y, left_ - kTickLength, y, 1);
      pen_.label(left_ - kTickLength - 5, y + 0.36 * kTickSize, t.label, 1);
    }
    draw_captions();
  }

  void draw_captions() {
    pen_.colour(kText);
    pen_.font(kTitleSize, true);
    pen_.text(left_, kMargin + kTitleSize * 0.8,
              pen_.fitted(clean(chart_.title), kWidth - left_ - kMargin));
    pen_.font(kLabelSize);
    pen_.text((left_ + right_) / 2, kHeight - kMargin,
              pen_.fitted(clean(chart_.x_label), right_ - left_), 0.5);
    cairo_save(pen_.context());
    cairo_translate(pen_.context(), y_label_x_, (top_ + bottom_) / 2);
    cairo_rotate(pen_.context(), -M_PI / 2);
    pen_.text(0, 0, pen_.fitted(clean(chart_.y_label), bottom_ - top_), 0.5);
    cairo_restore(pen_.context());
  }

  static const Colour& colour_of(size_t series) { return kColours[series % kColours.size()]; }
  static const Dash& dash_of(size_t series) { return kDashes[series % kDashes.size()]; }

  void draw_line(size_t i) {
    const std::vector<Point>& line = lines_[i];
    if (line.empty()) return;
    if (line.size() > 1) pen_.path(line, colour_of(i), dash_of(i));
    // Few points are worth seeing as such, and the last one always: there the run stopped.
    if (line.size() > 1 && line.size() <= 10) {
      for (const Point& p : line) pen_.dot(p, 2.8, colour_of(i));
    }
    pen_.dot(line.back(), line.size() == 1 ? 5 : 3.6, colour_of(i));
  }

  // Beside the plot, where it covers nothing, and each name as near to its line's end as the others
  // allow.
  void draw_legend() {
    std::vector<size_t> order(lines_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto end_of = [&](size_t i) {
      return lines_[i].empty() ? bottom_ + 1 : lines_[i].back().y;
    };
    std::ranges::stable_sort(order, {}, end_of);
    std::vector<double> wanted;
    for (const size_t i : order) wanted.push_back(end_of(i));
    const double room = bottom_ - top_ - kLabelSize;
    const double gap =
        std::min(kLegendLine, room / static_cast<double>(std::max<size_t>(1, order.size() - 1)));
    const auto places = spread(wanted, gap, top_ + kLabelSize / 2, bottom_ - kLabelSize / 2);
    for (size_t k = 0; k < order.size(); ++k) draw_legend_entry(order[k], std::round(places[k]));
  }

  void draw_legend_entry(size_t i, double y) {
    if (names_[i].empty()) return;
    const double x = right_ + kLegendGap;
    if (lines_[i].size() > 1) {
      const std::array<Point, 2> sample{Point{x, y}, Point{x + kSampleWidth, y}};
      pen_.path(sample, colour_of(i), dash_of(i));
    } else if (lines_[i].size() == 1) {
      pen_.dot({x + kSampleWidth / 2, y}, 5, colour_of(i));
    }
    pen_.colour(lines_[i].empty() ? kFaintText : kText);
    pen_.font(kLabelSize);
    pen_.text(x + kLegendText, y + 0.36 * kLabelSize, names_[i]);
  }

  const Chart& chart_;
  Pen pen_;
  Axis x_axis_;
  Axis y_axis_;
  std::vector<std::string> names_;         // [series] as the legend shows them
  std::vector<std::vector<Point>> lines_;  // [series] in pixels
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
  double y_label_x_ = 0;
};

// ---- files ----

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

cairo_status_t append(void* text, const unsigned char* data, unsigned size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw core::RunError(
        fmt::format("the chart cannot be drawn: {}", cairo_status_to_string(status)));
  }
}

void draw_on(cairo_surface_t* surface, const Chart& chart, double scale) {
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(cairo_create(surface),
                                                                   cairo_destroy);
  cairo_scale(context.get(), scale, scale);
  Drawing(chart, context.get()).draw();
  check(cairo_status(context.get()));
}

std::string png_of(const Chart& chart) {
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kWidth) * kPngScale,
                                 static_cast<int>(kHeight) * kPngScale),
      cairo_surface_destroy);
  draw_on(surface.get(), chart, kPngScale);
  std::string png;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return png;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : clean(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

// Cairo draws letters as shapes: screen readers and searches get the words from here.
std::string description(const Chart& chart) {
  std::string text = fmt::format("<title>{}</title>\n<desc>{} by {}:", escaped(chart.title),
                                 escaped(chart.y_label), escaped(chart.x_label));
  for (size_t i = 0; i < chart.series.size(); ++i) {
    text += (i == 0 ? " " : "; ") + escaped(chart.series[i].name);
  }
  return text + "</desc>\n";
}

std::string svg_of(const Chart& chart) {
  std::string svg;
  {
    const Surface surface(cairo_svg_surface_create_for_stream(append, &svg, kWidth, kHeight),
                          cairo_surface_destroy);
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    draw_on(surface.get(), chart, 1);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  // Cairo numbers the surfaces of a process; nothing refers to the number.
  const std::string_view id = " id=\"surface";
  for (size_t at = 0; (at = svg.find(id, at)) != std::string::npos;) {
    svg.erase(at, svg.find('"', at + id.size()) + 1 - at);
  }
  const size_t root = svg.find("<svg");
  const size_t body = root == std::string::npos ? root : svg.find(">\n", root);
  if (body != std::string::npos) svg.insert(body + 2, description(chart));
  return svg;
}

bool is_svg(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".svg") return true;
  if (extension == ".png") return false;
  throw core::InputError(fmt::format(
      "{}: a chart file cannot end in '{}'; allowed are .svg and .png", path, extension));
}

}  // namespace

void check_chart_path(const std::string& path) { is_svg(path); }

void draw_chart(const Chart& chart, const std::string& path) {
  const bool svg = is_svg(path);
  for ([[maybe_unused]] const Series& series : chart.series)
    assert(series.x.size() == series.y.size());
  if (Drawing::values(chart, true).empty()) {
    throw core::InputError(
        fmt::format("{}: the chart has no point to show; allowed are finite numbers{}", path,
                    chart.log_x || chart.log_y ? ", above 0 on a logarithmic axis" : ""));
  }
  const std::string bytes = svg ? svg_of(chart) : png_of(chart);
  const std::array<std::span<const char>, 1> parts{bytes};
  core::write_file_atomically(path, parts);
}

}  // namespace cleave::report
