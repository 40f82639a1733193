#pragma once

#include <cairo.h>

#include <string>
#include <string_view>

#include "report/chart.h"

namespace cleave::report {

inline constexpr double kChartWidth = 960;
inline constexpr double kChartHeight = 600;

// Cairo stops at text that is not UTF-8, and SVG allows no control characters: both become '?'.
std::string clean(std::string_view text);

// Whether any point of the chart can stand on both its axes.
bool has_points(const Chart& chart);

// A chart with points, on a context of kChartWidth x kChartHeight.
void draw(const Chart& chart, cairo_t* context);

}  // namespace cleave::report
