#include "report/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "report/axis.h"

namespace cleave::report {
namespace {

constexpr double kMargin = 28;
constexpr double kLegendGap = 22;    // between the plot and the legend
constexpr double kSampleWidth = 30;  // of a line in the legend
constexpr double kLegendText = 40;   // from the legend's left edge to the names
constexpr double kLegendLine = 22;   // from one name to the next
constexpr double kMaxNameWidth = 240;
constexpr double kTickLength = 6;
constexpr double kTitleSize = 18;
constexpr double kLabelSize = 14;
constexpr double kTickSize = 13;  // of the letters at ticks
constexpr double kLineWidth = 2;
constexpr double kPowerScale = 0.74;  // of the letters of a power

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

constexpr Colour kText = rgb(0x222222);
constexpr Colour kFaintText = rgb(0x8a8a8a);
constexpr Colour kAxis = rgb(0x4d4d4d);
constexpr Colour kGrid = rgb(0xe6e6e6);

// Okabe and Ito's colours, which colour-blind readers can tell apart, without the yellow that is
// too light for a line on white. Seven colours and four dashes have no common factor: 28 series
// all look different, also in grey.
constexpr std::array<Colour, 7> kColours{rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7),
                                         rgb(0xe69f00), rgb(0x56b4e9), rgb(0x333333)};
constexpr std::array<Dash, 4> kDashes{Dash{{}, 0}, Dash{{9, 3.5}, 2}, Dash{{2.5, 2.5}, 2},
                                      Dash{{10, 3, 2.5, 3}, 4}};

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
    cairo_set_line_width(cr_, kLineWidth);
    cairo_set_dash(cr_, dash.lengths.data(), dash.count, 0);
    cairo_new_path(cr_);  // text leaves a current point behind
    for (const Point& p : points) cairo_line_to(cr_, p.x, p.y);
    cairo_stroke(cr_);
    cairo_set_dash(cr_, nullptr, 0, 0);
  }

 private:
  cairo_t* cr_;
};

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

// The points of a series that both axes can show.
std::vector<Point> shown(const Chart& chart, const Series& series) {
  std::vector<Point> points;
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (!Axis::shows(chart.log_x, series.x[i]) || !Axis::shows(chart.log_y, series.y[i])) continue;
    points.push_back({series.x[i], series.y[i]});
  }
  return points;
}

std::vector<double> values(const Chart& chart, double Point::*coordinate) {
  std::vector<double> result;
  for (const Series& series : chart.series) {
    for (const Point& point : shown(chart, series)) result.push_back(point.*coordinate);
  }
  return result;
}

class Drawing {
 public:
  Drawing(const Chart& chart, cairo_t* context)
      : chart_(chart),
        pen_(context),
        x_axis_(chart.log_x, values(chart, &Point::x)),
        y_axis_(chart.log_y, values(chart, &Point::y)) {}

  void draw() {
    pen_.fill_page(rgb(0xffffff));
    lay_out();
    draw_axes();
    // The first series is the one that the reader is to see: it lies on top.
    for (size_t i = lines_.size(); i-- > 0;) draw_line(i);
    draw_legend();
  }

 private:
  void lay_out() {
    pen_.font(kLabelSize);
    double name_width = 0;
    for (const Series& series : chart_.series) {
      std::string name = pen_.fitted(clean(series.name), kMaxNameWidth);
      if (!name.empty() && shown(chart_, series).empty()) name += " (no point)";
      name_width = std::max(name_width, pen_.width(name));
      names_.push_back(std::move(name));
    }
    double tick_width = 0;
    for (const Tick& tick : y_axis_.ticks())
      tick_width = std::max(tick_width, pen_.width(tick.label));
    y_label_x_ = kMargin + kLabelSize * 0.4;
    left_ = sharp(kMargin + (chart_.y_label.empty() ? 0 : kLabelSize + 12) + tick_width +
                  kTickLength + 6);
    right_ = kChartWidth - kMargin - kLegendGap - kLegendText - name_width;
    if (name_width == 0) right_ = kChartWidth - kMargin;
    right_ = sharp(right_);
    top_ = sharp(chart_.title.empty() ? kMargin : kMargin + kTitleSize + 20);
    bottom_ = sharp(kChartHeight - kMargin - kTickLength - kTickSize - 8 -
                    (chart_.x_label.empty() ? 0 : kLabelSize + 12));
    x_axis_.place(left_, right_);
    y_axis_.place(bottom_, top_);
    for (const Series& series : chart_.series) {
      std::vector<Point>& line = lines_.emplace_back();
      for (const Point& point : shown(chart_, series)) {
        line.push_back(
            {x_axis_.pixel(x_axis_.scaled(point.x)), y_axis_.pixel(y_axis_.scaled(point.y))});
      }
      line = thinned(line);
    }
  }

  void draw_axes() {
    const auto upright = [&](double at, double from, double to) {
      const double x = sharp(x_axis_.pixel(at));
      pen_.line(x, from, x, to);
      return x;
    };
    const auto level = [&](double at, double from, double to) {
      const double y = sharp(y_axis_.pixel(at));
      pen_.line(from, y, to, y);
      return y;
    };
    pen_.colour(kGrid);
    for (const Tick& t : x_axis_.ticks()) upright(t.at, top_, bottom_);
    for (const Tick& t : y_axis_.ticks()) level(t.at, left_, right_);
    pen_.colour(kAxis);
    pen_.line(left_, top_, left_, bottom_ + 0.5);
    pen_.line(left_ - 0.5, bottom_, right_, bottom_);
    for (const double at : x_axis_.minor_ticks()) upright(at, bottom_, bottom_ + kTickLength / 2);
    for (const double at : y_axis_.minor_ticks()) level(at, left_, left_ - kTickLength / 2);
    for (const Tick& t : x_axis_.ticks()) {
      const double x = upright(t.at, bottom_, bottom_ + kTickLength);
      pen_.label(x, bottom_ + kTickLength + 6 + kTickSize, t.label, 0.5);
    }
    for (const Tick& t : y_axis_.ticks()) {
      const double y = level(t.at, left_, left_ - kTickLength);
      pen_.label(left_ - kTickLength - 5, y + 0.36 * kTickSize, t.label, 1);
    }
    draw_captions();
  }

  void draw_captions() {
    pen_.colour(kText);
    pen_.font(kTitleSize, true);
    pen_.text(left_, kMargin + kTitleSize * 0.8,
              pen_.fitted(clean(chart_.title), kChartWidth - left_ - kMargin));
    pen_.font(kLabelSize);
    pen_.text((left_ + right_) / 2, kChartHeight - kMargin,
              pen_.fitted(clean(chart_.x_label), right_ - left_), 0.5);
    pen_.upright_text(y_label_x_, (top_ + bottom_) / 2,
                      pen_.fitted(clean(chart_.y_label), bottom_ - top_));
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

bool has_points(const Chart& chart) { return !values(chart, &Point::x).empty(); }

void draw(const Chart& chart, cairo_t* context) { Drawing(chart, context).draw(); }

}  // namespace cleave::report
