#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "reproduce/holdem.h"
#include "reproduce/target.h"

namespace cleave::reproduce {
namespace {

constexpr size_t kRows = 10, kColumnsOfTable = 3;

// The table's rows, in its order.
enum Row : size_t {
  kTrunk,
  kUnsafe,
  kResolve,
  kMaxmargin,
  kReach,
  kReachNotSplit,
  kEstimated,
  kDistributional,
  kReachDistributional,
  kReachDistributionalNotSplit
};
struct PaperRow {
  const char* label;
  const char* way;
  double paper[3][kColumnsOfTable];  // [table]
};
constexpr std::array<PaperRow, kRows> kPaperRows = {
    {{"Trunk strategy",
      "blueprint",
      {{886.9, 373.7, 91.28}, {283.7, 165.2, 41.41}, {684.6, 465.1, 345.5}}},
     {"Unsafe", "unsafe", {{146.8, 39.58, 5.514}, {65.59, 38.22, 396.8}, {130.4, 85.95, 79.34}}},
     {"Resolve", "resolve", {{601.6, 177.9, 54.07}, {179.6, 101.7, 23.11}, {454.9, 321.5, 251.8}}},
     {"Maxmargin",
      "maxmargin",
      {{300.5, 139.9, 43.43}, {134.7, 77.89, 19.50}, {427.6, 299.6, 234.4}}},
     {"Reach-Maxmargin",
      "reach-maxmargin",
      {{298.8, 139.0, 41.47}, {134.0, 72.22, 18.80}, {424.4, 298.3, 233.5}}},
     {"Reach-Maxmargin (not split)",
      "reach-maxmargin(gifts=single,bound=true)",
      {{248.7, 98.07, 25.88}, {130.3, 66.79, 16.41}, {333.4, 229.4, 175.5}}},
     {"Estimated",
      "estimated",
      {{116.6, 62.61, 24.23}, {52.62, 41.93, 30.09}, {120.6, 89.43, 76.44}}},
     {"Estimated + Distributional",
      "estimated+distributional(form=best-response)",
      {{104.4, 62.45, 34.30}, {49.56, 38.98, 10.54}, {119.4, 87.83, 74.35}}},
     {"Reach-Estimated + Distributional",
      "reach-estimated+distributional(form=best-response)",
      {{102.1, 57.98, 22.58}, {49.33, 38.52, 9.840}, {116.8, 85.80, 72.59}}},
     {"Reach-Estimated + Distributional (not split)",
      "reach-estimated+distributional(form=best-response,gifts=single,bound=true)",
      {{95.60, 49.24, 17.33}, {49.13, 37.22, 8.777}, {113.3, 83.24, 70.68}}}}};
// Rows of our own, in the first column only.
constexpr std::array<PaperRow, 3> kMoreRows = {
    {{"Reach-Maxmargin, gains as gifts", "reach-maxmargin(bound=false)", {}},
     {"Reach-Maxmargin, gains (not split)", "reach-maxmargin(gifts=single)", {}},
     {"Path recovery (Jackson)", "path-recovery", {}}}};
constexpr const char* kGraftRow = "Second pass over the whole game (Jackson)";

struct PaperTable {
  size_t number;
  const char* summary;
  const char* game;
  const char* street;
  std::array<uint32_t, kColumnsOfTable> buckets;
  size_t game_deals[2];  // [quick]: flops of the game; 0: all
  size_t deals[2];       // [quick]: flops whose subgames are solved; 0: all
  bool graft;

  std::string name() const { return fmt::format("bs-table{}", number); }
  double paper(size_t row, size_t column) const {
    return kPaperRows[row].paper[number - 1][column];
  }
};
constexpr PaperTable kTable1 = {
    1,
    "small flop hold'em: ten ways to play the flop after 200, 2,000 and 30,000 buckets",
    "small-flop",
    "flop",
    {200, 2000, 30000},
    {0, 0},
    {0, 24},
    true};
constexpr PaperTable kTable2 = {
    2,
    "large flop hold'em: ten ways to play the flop after 200, 2,000 and 30,000 buckets",
    "large-flop",
    "flop",
    {200, 2000, 30000},
    {0, 0},
    {0, 8},
    false};
constexpr PaperTable kTable3 = {
    3,
    "turn hold'em on sampled flops: ten ways to play the turn after 200, 2,000 and 20,000 buckets",
    "turn",
    "turn",
    {200, 2000, 20000},
    {60, 3},
    {0, 0},
    false};

class SubgameTable {
 public:
  SubgameTable(const Context& context, const PaperTable& paper)
      : context_(context), paper_(paper) {}

  Outcome run() {
    const size_t columns = context_.quick ? 1 : kColumnsOfTable;
    for (size_t c = 0; c < columns; ++c) {
      runs_.push_back(make_run(c));
      figures_.push_back(run_holdem(context_, runs_.back()));
    }
    return {.tables = {make_table(), make_more(), make_costs(), size_table({paper_.game})},
            .charts = {make_chart()},
            .checks = make_checks(),
            .notes = make_notes()};
  }

 private:
  HoldemRun make_run(size_t column) const {
    const size_t quick = context_.quick ? 1 : 0;
    HoldemRun run{.game = paper_.game,
                  .street = paper_.street,
                  .buckets = paper_.buckets[column],
                  .blueprint_iterations = context_.quick ? 120 : 400,
                  .game_deals = paper_.game_deals[quick],
                  .deals = paper_.deals[quick],
                  .graft = paper_.graft && column == 0 && !context_.quick};
    if (context_.flops > 0) (run.game_deals > 0 ? run.game_deals : run.deals) = context_.flops;
    for (const PaperRow& row : kPaperRows) run.ways.emplace_back(row.way);
    if (column == 0) {
      for (const PaperRow& row : kMoreRows) run.ways.emplace_back(row.way);
    }
    return run;
  }

  double value(size_t column, size_t row) const {
    return figures_[column].exploitability[row].value;
  }

  Table make_table() const {
    Table table{.name = "exploitability",
                .title = "Exploitability in the game without abstraction, mbb/h",
                .columns = {"method"}};
    for (size_t c = 0; c < figures_.size(); ++c) {
      table.columns.push_back(fmt::format("paper: {}", paper_.buckets[c]));
      table.columns.push_back(fmt::format("{} buckets", paper_.buckets[c]));
      table.columns.emplace_back("+-");
    }
    for (size_t r = 0; r < kRows; ++r) {
      std::vector<Cell> cells = {kPaperRows[r].label};
      for (size_t c = 0; c < figures_.size(); ++c) {
        cells.emplace_back(paper_.paper(r, c));
        cells.emplace_back(value(c, r));
        cells.emplace_back(figures_[c].exploitability[r].error);
      }
      table.rows.push_back(std::move(cells));
    }
    return table;
  }

  Table make_more() const {
    Table table{
        .name = "more",
        .title = fmt::format("Rows beside the paper's, {} buckets, mbb/h", paper_.buckets[0]),
        .columns = {"method", "exploitability", "+-"}};
    for (size_t r = 0; r < kMoreRows.size(); ++r) {
      const decompose::Estimate& e = figures_[0].exploitability[kRows + r];
      table.rows.push_back({kMoreRows[r].label, e.value, e.error});
    }
    if (runs_[0].graft) table.rows.push_back({kGraftRow, figures_[0].graft, 0.0});
    return table;
  }

  Table make_costs() const {
    Table table{
        .name = "costs",
        .title = "What it took; empty: found in the work folder (subgames: those of this run)",
        .columns = {"buckets", "flops", "of", "blueprint, s", "subgames", "per core and second",
                    "blueprint, MB", "peak, MB"}};
    for (size_t c = 0; c < figures_.size(); ++c) {
      const HoldemFigures& f = figures_[c];
      table.rows.push_back(
          {paper_.buckets[c], f.flops, f.all_flops,
           cell_if(f.blueprint_seconds > 0, f.blueprint_seconds), f.subgames,
           cell_if(f.subgames > 0, static_cast<double>(f.subgames) / f.solving_seconds),
           f.learning_bytes / 1e6, f.peak_bytes / 1e6});
    }
    return table;
  }

  NamedChart make_chart() const {
    report::Chart chart{.title = fmt::format("{}: exploitability, {}", paper_.name(), paper_.game),
                        .x_label = "buckets",
                        .y_label = "mbb/h"};
    for (const size_t r : {kTrunk, kUnsafe, kResolve, kMaxmargin, kReachNotSplit, kEstimated,
                           kReachDistributionalNotSplit}) {
      report::Series series{kPaperRows[r].label, {}, {}};
      for (size_t c = 0; c < figures_.size(); ++c) {
        series.x.push_back(paper_.buckets[c]);
        series.y.push_back(value(c, r));
      }
      chart.series.push_back(std::move(series));
    }
    return {"exploitability", std::move(chart)};
  }

  // a is below b (times `factor`) in every column that is asked about.
  Check check_order(const std::string& criterion, const std::vector<std::pair<Row, Row>>& pairs,
                    double factor, double slack, size_t columns = kColumnsOfTable) const {
    std::string measured;
    bool passed = true;
    for (size_t c = 0; c < std::min(columns, figures_.size()); ++c) {
      for (const auto& [a, b] : pairs) {
        passed = passed && value(c, a) <= factor * value(c, b) + slack;
        measured += fmt::format("{}{:.4g} and {:.4g}", measured.empty() ? "" : ", ", value(c, a),
                                value(c, b));
      }
    }
    return {criterion, measured + " mbb/h", passed};
  }

  std::vector<Check> make_checks() const {
    constexpr double kSolvingError = 0.5;  // mbb/h, of subgames that are not solved exactly
    return {
        check_order("every safe row is at or below the trunk",
                    {{kResolve, kTrunk}, {kMaxmargin, kTrunk}, {kReach, kTrunk}}, 1, kSolvingError),
        check_order("maxmargin is below re-solving", {{kMaxmargin, kResolve}}, 1, 0),
        check_order("reach-maxmargin is at or below maxmargin", {{kReach, kMaxmargin}}, 1,
                    kSolvingError),
        check_order(
            "not split is below split",
            {{kReachNotSplit, kReach}, {kReachDistributionalNotSplit, kReachDistributional}}, 1,
            kSolvingError),
        check_order(
            "estimated and distributional rows are well (a fifth) below maxmargin at the first two "
            "bucket counts",
            {{kEstimated, kMaxmargin},
             {kDistributional, kMaxmargin},
             {kReachDistributional, kMaxmargin},
             {kReachDistributionalNotSplit, kMaxmargin}},
            0.8, 0, 2)};
  }

  std::vector<std::string> make_notes() const {
    std::vector<std::string> notes = {
        "Buckets: k-means with earth mover's distance on histograms of the equity at the end of "
        "full hold'em. The paper cites its abstraction algorithm without the features it was "
        "given.",
        "Gifts are lower bounds: the value that the opponent could not lose by its best other "
        "action (in practice folding) less the value of coming here. Counted as gains against the "
        "trunk they are larger, and given in full to every flop they do harm here: see the rows "
        "beside the paper's. Not split means in full to each of the 1,755 flops up to suits.",
        "Distributional: the opponent enters with the probability that its alternative, drawn from "
        "a normal distribution, is lower (footnote 11 of the paper), not by Hedge.",
        "The second pass over the whole game keeps the hero's trunk and lets everything below it "
        "be learnt with the opponent free everywhere: what re-solving after this trunk could come "
        "to."};
    notes.insert(notes.begin(), fmt::format("The betting tree is papers/brown-sandholm-2017/games/"
                                            "{}.toml; the paper gives its size only.",
                                            paper_.game));
    notes.push_back(
        fmt::format("Subgames: {} iterations of CFR+ each; blueprint: {} iterations of "
                    "DCFR, an eighth of the boards in each.",
                    runs_[0].iterations, runs_[0].blueprint_iterations));
    if (figures_[0].flops < figures_[0].all_flops) {
      notes.emplace_back(
          "Not all flops: +- is half a 95% interval by resampling flops. The trunk's own "
          "exploitability is exact where the game has all flops; the others are estimated as the "
          "trunk's plus the difference on the flops solved.");
    }
    if (runs_[0].game_deals > 0) {
      notes.push_back(
          fmt::format("The game itself deals only {} of the 1,755 flops, all turns: trunk and "
                      "abstraction are learnt on these. Resampling flops then also counts what the "
                      "trunk, fitted to these flops, would lose on others: +- is too large rather "
                      "than too small.",
                      figures_[0].flops));
    }
    return notes;
  }

  const Context& context_;
  const PaperTable& paper_;
  std::vector<HoldemRun> runs_;
  std::vector<HoldemFigures> figures_;
};

template <const PaperTable& kTable>
TargetInfo table_target() {
  return {kTable.name(), fmt::format("{}, table {}", kBrownSandholm, kTable.number), kTable.summary,
          [](const Context& context) { return SubgameTable(context, kTable).run(); }};
}

// Figure 9.

constexpr std::array kScales = {0.0, 1.0, 3.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0};

Outcome run_fig9(const Context& context) {
  HoldemRun run{.game = "small-flop",
                .street = "flop",
                .buckets = 200,
                .blueprint_iterations = context.quick ? 160 : 400,
                .deals = context.flops > 0 ? context.flops
                         : context.quick   ? 16U
                                           : 0U,
                .ways = {"blueprint"}};
  for (const bool bound : {true, false}) {
    for (const double scale : kScales) {
      run.ways.push_back(fmt::format("reach-maxmargin(bound={},scale={:g})", bound, scale));
    }
  }
  const HoldemFigures figures = run_holdem(context, run);
  const std::span estimates = std::span(figures.exploitability).subspan(1);
  const auto bounds = estimates.first(kScales.size()), gains = estimates.subspan(kScales.size());
  Table table{.name = "scales",
              .title = "Exploitability of reach-maxmargin with gifts times a factor, mbb/h",
              .columns = {"factor", "lower bounds", "+-", "gains", "+-"}};
  for (size_t i = 0; i < kScales.size(); ++i) {
    table.rows.push_back(
        {kScales[i], bounds[i].value, bounds[i].error, gains[i].value, gains[i].error});
  }
  const auto line = [](const char* name, const auto& at) {
    report::Series series{name, {kScales.begin(), kScales.end()}, {}};
    for (const decompose::Estimate& estimate : at) series.y.push_back(estimate.value);
    return series;
  };
  const auto best_of = [](const auto& at) {
    const auto best = std::ranges::min_element(at, {}, &decompose::Estimate::value);
    return static_cast<size_t>(best - at.begin());
  };
  const size_t bound = best_of(bounds), gain = best_of(gains);
  return {
      .tables = {std::move(table)},
      .charts = {{"scales",
                  {.title = "Gifts scaled up, small flop hold'em, 200 buckets",
                   .x_label = "factor",
                   .y_label = "mbb/h",
                   .log_y = false,
                   .series = {line("lower bounds", bounds), line("gains", gains)}}}},
      .checks = {{"lower bounds: the least exploitable has a factor above 1",
                  fmt::format("{:.4g} mbb/h at {:g}, {:.4g} at 1, {:.4g} at 0", bounds[bound].value,
                              kScales[bound], bounds[1].value, bounds[0].value),
                  kScales[bound] > 1},
                 {"gains: too large a factor is worse than no gifts",
                  fmt::format("{:.4g} mbb/h at {:g}, {:.4g} at 0, {:.4g} at {:g}",
                              gains[gain].value, kScales[gain], gains[0].value, gains.back().value,
                              kScales.back()),
                  gains.back().value > gains[0].value}},
      .notes = {"Factor 0 is maxmargin, factor 1 gifts split among all flops.",
                "The paper does not say which flop hold'em, buckets or gifts its figure has; its "
                "best factor is about 1,000, and 100,000 is worse than maxmargin.",
                "The same flops for all factors: differences between factors are far more certain "
                "than the +- of each says."}};
}

}  // namespace

TargetInfo bs_table1() { return table_target<kTable1>(); }
TargetInfo bs_table2() { return table_target<kTable2>(); }
TargetInfo bs_table3() { return table_target<kTable3>(); }
TargetInfo bs_fig9() {
  return {"bs-fig9", fmt::format("{}, figure 9", kBrownSandholm),
          "small flop hold'em: reach-maxmargin as gifts are scaled up", run_fig9};
}

}  // namespace cleave::reproduce
