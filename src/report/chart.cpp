#include "report/chart.h"

#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "report/axis.h"
#include "report/pen.h"

namespace cleave::report {
namespace {

constexpr double kChartWidth = 960;
constexpr double kChartHeight = 600;
constexpr int kPngScale = 2;
constexpr double kMargin = 28;
constexpr double kLegendGap = 22;    // between the plot and the legend
constexpr double kSampleWidth = 30;  // of a line in the legend
constexpr double kLegendText = 40;   // from the legend's left edge to the names
constexpr double kLegendLine = 22;   // from one name to the next
constexpr double kMaxNameWidth = 240;
constexpr double kTickLength = 6;
constexpr double kTitleSize = 18;
constexpr double kLabelSize = 14;

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
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kChartWidth) * kPngScale,
                                 static_cast<int>(kChartHeight) * kPngScale),
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
    const Surface surface(
        cairo_svg_surface_create_for_stream(append, &svg, kChartWidth, kChartHeight),
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
  const std::string extension = core::extension_of(path);
  if (extension == ".svg") return true;
  if (extension == ".png") return false;
  throw core::InputError(fmt::format(
      "{}: a chart file cannot end in '{}'; allowed are .svg and .png", path, extension));
}

}  // namespace

void draw_chart(const Chart& chart, const std::string& path) {
  const bool svg = is_svg(path);
  for ([[maybe_unused]] const Series& series : chart.series)
    assert(series.x.size() == series.y.size());
  if (values(chart, &Point::x).empty()) {
    throw core::InputError(
        fmt::format("{}: the chart has no point to show; allowed are finite numbers{}", path,
                    chart.log_x || chart.log_y ? ", above 0 on a logarithmic axis" : ""));
  }
  const std::string bytes = svg ? svg_of(chart) : png_of(chart);
  const std::array<std::span<const char>, 1> parts{bytes};
  core::write_file_atomically(path, parts);
}

}  // namespace cleave::report
