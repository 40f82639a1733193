#include <memory>
#include <set>

#include "commands.h"
#include "core/error.h"
#include "fmt/format.h"
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

void plot(const PlotArguments& args) {
  std::vector<report::History> runs;
  std::set<std::string> games;
  std::set<std::string> algorithms;
  for (const std::string& file : args.files) {
    runs.push_back(report::read_history_csv(file));
    games.insert(runs.back().game);
    algorithms.insert(runs.back().algorithm);
  }
  report::Chart chart;
  chart.title = !args.title.empty() ? args.title
                : games.size() == 1 ? fmt::format("Convergence on {}", *games.begin())
                                    : "Convergence";
  chart.x_label = args.x;
  chart.y_label = "exploitability (chips)";
  chart.log_x = chart.log_y = true;
  for (size_t i = 0; i < runs.size(); ++i) {
    report::Series series;
    // The shortest name that tells the runs apart; the file's where nothing else does.
    series.name =
        algorithms.size() == runs.size()
            ? runs[i].algorithm
            : (games.size() == runs.size() ? runs[i].game
                                           : fmt::format("{} {}", runs[i].game, runs[i].algorithm));
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
