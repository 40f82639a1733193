#pragma once

#include "report/chart.h"
#include "report/pen.h"

namespace cleave::report {

inline constexpr double kChartWidth = 960;
inline constexpr double kChartHeight = 600;

// Whether any point of the chart can stand on both its axes.
bool has_points(const Chart& chart);

// A chart with points, on a context of kChartWidth x kChartHeight.
void draw(const Chart& chart, cairo_t* context);

}  // namespace cleave::report
