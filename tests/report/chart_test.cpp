#include "report/chart.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "core/error.h"
#include "core/file.h"

namespace cleave::report {
namespace {

namespace fs = std::filesystem;

class ChartFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-chart-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string drawn(const Chart& chart, const std::string& name) const {
    draw_chart(chart, path(name));
    return core::read_file(path(name));
  }

  fs::path folder_;
};

Chart sample(int num_series) {
  Chart chart{"Leduc <poker> & more", "iterations", "exploitability (chips)", true, true, {}};
  for (int s = 0; s < num_series; ++s) {
    Series series{"method " + std::to_string(s), {}, {}};
    for (int i = 1; i <= 1000; i += 1 + i / 10) {
      series.x.push_back(i);
      series.y.push_back((s + 1) / std::pow(i, 0.5 + 0.1 * s));
    }
    chart.series.push_back(series);
  }
  return chart;
}

size_t big_endian(const std::string& bytes, size_t at) {
  size_t value = 0;
  for (size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

TEST_F(ChartFile, PngHasTwiceTheSize) {
  const std::string png = drawn(sample(3), "x.png");
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(png, 16), 1920U);
  EXPECT_EQ(big_endian(png, 20), 1200U);
  EXPECT_NE(png.find("IEND"), std::string::npos);
}

TEST_F(ChartFile, SvgHasTheWords) {
  const std::string svg = drawn(sample(2), "x.SVG");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("<title>Leduc &lt;poker&gt; &amp; more</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc>exploitability (chips) by iterations: method 0; method 1</desc>"),
            std::string::npos);
}

TEST_F(ChartFile, EqualChartsGiveEqualFiles) {
  for (const std::string extension : {".svg", ".png"}) {
    const std::string first = drawn(sample(4), "a" + extension);
    const std::string other = drawn(sample(5), "b" + extension);
    EXPECT_EQ(drawn(sample(4), "c" + extension), first);
    EXPECT_NE(other, first);
  }
}

TEST_F(ChartFile, OneToManySeries) {
  for (int n = 1; n <= 12; ++n) EXPECT_GT(drawn(sample(n), "x.svg").size(), 1000U);
  EXPECT_GT(drawn(sample(60), "x.svg").size(), 1000U);
}

TEST_F(ChartFile, WhatAnAxisCannotShowIsLeftOut) {
  Chart chart = sample(1);
  const std::string without = drawn(chart, "x.png");
  const auto add = [&](double x, double y) {
    chart.series[0].x.insert(chart.series[0].x.begin(), x);
    chart.series[0].y.insert(chart.series[0].y.begin(), y);
  };
  add(0, 1);
  add(1, 0);
  add(1, -1);
  add(std::nan(""), 1);
  add(1, std::numeric_limits<double>::infinity());
  EXPECT_EQ(drawn(chart, "y.png"), without);
  chart.log_x = false;
  EXPECT_NE(drawn(chart, "y.png"), without);
}

TEST_F(ChartFile, UnusualRanges) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> ranges{
      {1},          {0},          {0, 0},          {5, 5, 5},       {0.1, std::nextafter(0.1, 1)},
      {1e15, 1e15}, {-3, 4},      {-1e300, 1e300}, {tiny, 1e300},   {1e-320, 2e-320},
      {99999, 1e5}, {1e-5, 2e-5}, {1, 1.0001},     {-1e-9, -0.9e-9}};
  for (const auto& range : ranges) {
    for (const bool logarithmic : {false, true}) {
      Series series{"range", range, range};
      series.x.push_back(2);
      series.y.push_back(2);
      const Chart chart{"", "x", "y", logarithmic, logarithmic, {series}};
      EXPECT_GT(drawn(chart, "x.svg").size(), 1000U);
      if (!logarithmic) {
        const Chart alone{"", "x", "y", false, false, {{"range", range, range}}};
        EXPECT_GT(drawn(alone, "x.svg").size(), 1000U);
      }
    }
  }
}

TEST_F(ChartFile, SinglePointsAndSeriesWithoutPoints) {
  Chart chart = sample(1);
  chart.series.push_back({"exact", {30}, {1e-9}});
  chart.series.push_back({"zero", {30}, {0}});
  chart.series.push_back({"none", {}, {}});
  EXPECT_NE(drawn(chart, "x.svg").find("exact; zero; none"), std::string::npos);
}

TEST_F(ChartFile, LongSeriesGiveSmallFiles) {
  Chart chart = sample(0);
  Series& series = chart.series.emplace_back(Series{"long", {}, {}});
  for (int i = 1; i <= 200'000; ++i) {
    series.x.push_back(i);
    series.y.push_back((2 + std::sin(i)) / i);
  }
  EXPECT_LT(drawn(chart, "x.svg").size(), 400'000U);
}

TEST_F(ChartFile, TextThatIsNoUtf8IsShownAsQuestionMarks) {
  Chart chart = sample(1);
  chart.title = "bad \xff\xc0\xaf\xed\xa0\x80 \x01 end \xe2\x82";
  chart.series[0].name = std::string(500, 'x');
  chart.series[0].name += "\u00e9";
  EXPECT_NE(drawn(chart, "x.svg").find("<title>bad ?????? ? end ?\?</title>"), std::string::npos);
}

TEST_F(ChartFile, OtherExtensionsAndEmptyChartsAreRefused) {
  const auto error_of = [&](const Chart& chart, const std::string& name) -> std::string {
    try {
      draw_chart(chart, path(name));
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "drawn";
  };
  EXPECT_EQ(error_of(sample(1), "x.pdf"),
            path("x.pdf") + ": a chart file cannot end in '.pdf'; allowed are .svg and .png");
  EXPECT_THROW(draw_chart(sample(1), "svg"), core::InputError);
  const std::string nothing = path("x.svg") +
                              ": the chart has no point to show; allowed are finite numbers, above "
                              "0 on a logarithmic axis";
  EXPECT_EQ(error_of(sample(0), "x.svg"), nothing);
  Chart zeros = sample(0);
  zeros.series.push_back({"zero", {1, 2}, {0, 0}});
  EXPECT_EQ(error_of(zeros, "x.svg"), nothing);
  EXPECT_FALSE(fs::exists(path("x.svg")));
}

}  // namespace
}  // namespace cleave::report
