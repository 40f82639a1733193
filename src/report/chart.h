#pragma once

#include <functional>
#include <string>
#include <vector>

namespace cleave::report {

// One line; a single point becomes a dot.
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;  // as many as x
};
// Through points of any kind; `x` and `y` are what invoke() takes.
template <class Points, class X, class Y>
Series make_series(std::string name, const Points& points, const X& x, const Y& y) {
  Series series{std::move(name), {}, {}};
  for (const auto& point : points) {
    series.x.push_back(static_cast<double>(std::invoke(x, point)));
    series.y.push_back(static_cast<double>(std::invoke(y, point)));
  }
  return series;
}

// Points that an axis cannot show (not finite, or not above 0 on a logarithmic axis) are left out.
struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = true;
  bool log_y = true;
  std::vector<Series> series = {};
};

// 960 x 600: an SVG, or a PNG at twice the resolution. Equal charts give equal files. Throws
// InputError if there is no point to show.
void draw_chart(const Chart& chart, const std::string& path);

}  // namespace cleave::report
