#include "report/chart.h"

#include <cairo-svg.h>
#include <fmt/format.h>

#include <array>
#include <cassert>
#include <memory>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "report/drawing.h"

namespace cleave::report {
namespace {

constexpr int kPngScale = 2;

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
  draw(chart, context.get());
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

void check_chart_path(const std::string& path) { is_svg(path); }

void draw_chart(const Chart& chart, const std::string& path) {
  const bool svg = is_svg(path);
  for ([[maybe_unused]] const Series& series : chart.series)
    assert(series.x.size() == series.y.size());
  if (!has_points(chart)) {
    throw core::InputError(
        fmt::format("{}: the chart has no point to show; allowed are finite numbers{}", path,
                    chart.log_x || chart.log_y ? ", above 0 on a logarithmic axis" : ""));
  }
  const std::string bytes = svg ? svg_of(chart) : png_of(chart);
  const std::array<std::span<const char>, 1> parts{bytes};
  core::write_file_atomically(path, parts);
}

}  // namespace cleave::report
