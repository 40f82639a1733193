#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "fmt/format.h"
#include "paths.h"
#include "report/chart.h"
#include "report/history.h"

namespace cleave::cli {
namespace {

struct PlotArguments {
  std::vector<std::string> files;
  std::string out = "convergence.svg";
  std::string x = "iterations";
  std::string title;
};

// The shortest names that tell the runs apart; the files' where nothing else does.
std::vector<std::string> names_of(const std::vector<report::History>& runs,
                                  const std::vector<std::string>& files) {
  std::vector<std::string> algorithms;
  std::vector<std::string> games;
  std::vector<std::string> both;
  for (const report::History& run : runs) {
    algorithms.push_back(run.algorithm);
    games.push_back(run.game);
    both.push_back(fmt::format("{} {}", run.game, run.algorithm));
  }
  for (const auto& names : {algorithms, games, both}) {
    if (std::set(names.begin(), names.end()).size() == names.size()) return names;
  }
  return files;
}

void plot(const PlotArguments& args) {
  check_place(args.out);
  std::vector<report::History> runs;
  for (const std::string& file : args.files) runs.push_back(report::read_history_csv(file));
  const bool one_game = std::ranges::all_of(
      runs, [&](const report::History& run) { return run.game == runs[0].game; });
  const std::vector<std::string> names = names_of(runs, args.files);
  report::Chart chart;
  chart.title = !args.title.empty() ? args.title
                : one_game          ? fmt::format("Convergence on {}", runs[0].game)
                                    : "Convergence";
  chart.x_label = args.x;
  chart.y_label = "exploitability (chips)";
  chart.log_x = chart.log_y = true;
  for (size_t i = 0; i < runs.size(); ++i) {
    report::Series series;
    series.name = names[i];
    for (const solve::HistoryPoint& point : runs[i].points) {
      series.x.push_back(args.x == "seconds" ? point.seconds
                                             : static_cast<double>(point.iteration));
      series.y.push_back(point.exploitability);
    }
    chart.series.push_back(std::move(series));
  }
  report::draw_chart(chart, args.out);
  fmt::print(stderr, "wrote {}\n", args.out);
}

}  // namespace

void add_plot(CLI::App& app) {
  auto* command = app.add_subcommand("plot", "Draw convergence histories, log-log");
  auto args = std::make_shared<PlotArguments>();
  command->add_option("FILE", args->files, "Histories that solve wrote, one line each")->required();
  command->add_option("--out", args->out,
                      "Picture to write: .svg or .png. Default: convergence.svg");
  command->add_option("--x", args->x, "What runs to the right: iterations (default) or seconds")
      ->check(CLI::IsMember({"iterations", "seconds"}));
  command->add_option("--title", args->title, "Title of the picture");
  command->callback([args] { plot(*args); });
}

}  // namespace cleave::cli
