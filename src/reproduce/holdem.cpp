#include "reproduce/holdem.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/hash.h"
#include "core/memory.h"
#include "core/stopwatch.h"
#include "decompose/second_pass.h"
#include "hands/blueprint/blueprint.h"
#include "poker/abstraction/buckets.h"

namespace cleave::reproduce {
namespace {

constexpr double kSecondsBetweenSaves = 60;

std::string short_hash(std::string_view text) {
  const core::Hash128 hash = core::Hasher().add_bytes(std::as_bytes(std::span(text))).finish();
  return fmt::format("{:08x}", hash.hi >> 32);
}

class HoldemRunner {
 public:
  HoldemRunner(const Context& context, const HoldemRun& run)
      : context_(context),
        run_(run),
        problem_(make_problem()),
        label_(fmt::format("{}, {} buckets", run.game, run.buckets)) {}

  HoldemFigures run() {
    HoldemFigures out;
    const poker::Buckets buckets = poker::make_buckets(
        fmt::format("emd(street={},buckets={})", run_.street, run_.buckets),
        {.seed = context_.seed,
         .threads = context_.threads,
         .folder = context_.work,
         .stop = context_.stop,
         .progress = [&](const std::string& line) { context_.say(label_ + ": " + line); }});
    const auto blueprint = std::make_shared<hands::Blueprint>(
        problem_, buckets,
        hands::BlueprintOptions{.batches = run_.batches, .threads = context_.threads});
    out.blueprint_seconds = solve_blueprint(*blueprint);
    out.learning_bytes = static_cast<double>(blueprint->learning_bytes());
    blueprint->finish();
    solve_subgames(blueprint, out);
    if (run_.graft) {
      context_.say(label_ + ": second pass over the whole game");
      const auto best = decompose::graft(
          blueprint->trunk(), *blueprint, problem_->reach,
          {.iterations = run_.iterations, .threads = context_.threads, .stop = context_.stop});
      out.graft = kMilliBlinds * (best[0] + best[1]) / 2;
    }
    out.peak_bytes = static_cast<double>(core::peak_process_bytes());
    return out;
  }

 private:
  std::shared_ptr<const hands::Problem> make_problem() const {
    hands::Problem problem = make_holdem(run_.game);
    if (run_.game_deals > 0) hands::sample_deals(problem.setup, run_.game_deals, context_.seed);
    return std::make_shared<const hands::Problem>(std::move(problem));
  }

  std::string key() const {
    return fmt::format("{} buckets={} deals={} batches={} iterations={} seed={} game={}", run_.game,
                       run_.buckets, run_.game_deals, run_.batches, run_.blueprint_iterations,
                       context_.seed, hash_of_game(run_.game));
  }
  std::string path(const char* what, const std::string& key) const {
    return work_path(context_, fmt::format("{}-{}", run_.game, run_.buckets), what, key);
  }

  double solve_blueprint(hands::Blueprint& blueprint) {
    const std::string file = path("blueprint", key());
    if (!file.empty()) blueprint.load(file, key());
    auto watch = core::Stopwatch::started();
    double saved = 0;
    const int64_t first = blueprint.iterations();
    while (blueprint.iterations() < run_.blueprint_iterations) {
      blueprint.iterate();
      const bool last = blueprint.iterations() == run_.blueprint_iterations;
      const bool stopped = context_.stop && *context_.stop;
      if (!file.empty() && (last || stopped || watch.seconds() - saved > kSecondsBetweenSaves)) {
        blueprint.save(file, key());
        saved = watch.seconds();
      }
      context_.check_stop();
      const auto done = static_cast<double>(blueprint.iterations() - first);
      const auto left = static_cast<double>(run_.blueprint_iterations - blueprint.iterations());
      context_.say(fmt::format("{}: blueprint, {} of {} iterations, {} left", label_,
                               blueprint.iterations(), run_.blueprint_iterations,
                               time_text(watch.seconds() / done * left)));
    }
    return blueprint.iterations() > first ? watch.seconds() : 0;
  }

  // After every deal of the trunk: one street at a time.
  std::shared_ptr<const hands::HandsPiece> cut_game() const {
    std::vector<hands::StreetCut> cuts;
    for (int s = 0; s + 1 < static_cast<int>(problem_->setup.deals.size()); ++s) {
      cuts.push_back({s, true});
    }
    return std::make_shared<const hands::HandsPiece>(problem_, cuts);
  }

  void solve_subgames(const std::shared_ptr<const hands::Blueprint>& blueprint,
                      HoldemFigures& out) {
    auto watch = core::Stopwatch::started();
    double shown = 0;
    size_t before = 0;
    std::string estimate;
    std::unique_ptr<decompose::Resolution> job;
    const auto progress = [&](size_t done, size_t all) {
      if (watch.seconds() - shown > kSecondsBetweenEstimates && run_.ways.size() > 1) {
        shown = watch.seconds();
        const size_t way = std::min<size_t>(3, run_.ways.size() - 1);
        estimate = estimate_text(run_.ways[way], job->exploitability(way));
      }
      const double each = watch.seconds() / static_cast<double>(std::max<size_t>(1, done - before));
      context_.say(fmt::format("{}: flops {} of {}, {} left{}", label_, done, all,
                               time_text(each * static_cast<double>(all - done)), estimate));
    };
    const std::string key_of_ways =
        fmt::format("{} subgames={} {}", key(), run_.iterations, fmt::join(run_.ways, " "));
    decompose::Resolution::Options options{.solving = {.iterations = run_.iterations,
                                                       .keep_unreached = true,
                                                       .threads = context_.threads,
                                                       .stop = context_.stop,
                                                       .progress = progress},
                                           .passes = {},
                                           .deals = run_.deals,
                                           .file = path("subgames", key_of_ways),
                                           .key = key_of_ways};
    for (const std::string& way : run_.ways) options.passes.push_back(decompose::make_pass(way));
    job = std::make_unique<decompose::Resolution>(cut_game(), blueprint, problem_->reach,
                                                  std::move(options));
    before = job->num_done();
    watch = core::Stopwatch::started();
    job->run();
    for (size_t w = 0; w < run_.ways.size(); ++w) {
      out.exploitability.push_back(in_milli_blinds(job->exploitability(w)));
    }
    out.solving_seconds = job->solving_seconds();
    out.subgames = job->num_solved();
    out.flops = job->num_done();
    out.all_flops = hands::first_deals(problem_->setup).size();
  }

  const Context& context_;
  const HoldemRun& run_;
  const std::shared_ptr<const hands::Problem> problem_;
  const std::string label_;
};

}  // namespace

std::string time_text(double seconds) {
  return seconds < 90 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

std::string estimate_text(std::string_view what, const decompose::Estimate& chips) {
  const auto [value, error] = in_milli_blinds(chips);
  return fmt::format(", {} {:.1f} +- {:.1f} mbb/h so far", what, value, error);
}

std::string hash_of_game(const std::string& name) { return short_hash(game_texts().at(name)); }

hands::Problem make_holdem(const std::string& name) {
  return hands::parse_game(game_texts().at(name), name + ".toml");
}

std::string work_path(const Context& context, const std::string& name, const char* what,
                      std::string_view key) {
  if (context.work.empty()) return {};
  std::filesystem::create_directories(context.work);
  return fmt::format("{}/{}-{}.{}", context.work, name, short_hash(key), what);
}

HoldemFigures run_holdem(const Context& context, const HoldemRun& run) {
  return HoldemRunner(context, run).run();
}

Table size_table(const std::vector<std::string>& games) {
  Table table{.name = "sizes",
              .title = "The games, with all flops: canonical information sets and numbers to learn",
              .columns = {"game", "street", "boards", "decisions", "actions", "hands",
                          "strategy as doubles, GB"}};
  for (const std::string& name : games) {
    const hands::Problem problem = make_holdem(name);
    const hands::Layout sketch = hands::sketch_layout(problem.setup);
    for (size_t s = 0; s < sketch.streets.size(); ++s) {
      const hands::Street& street = sketch.streets[s];
      double rows = 0;
      for (const hands::Board& board : street.boards) rows += board.side[0].count;
      const double actions = street.num_storage_rows[0] + street.num_storage_rows[1];
      table.rows.push_back({name, s + 1, street.boards.size(),
                            street.num_decisions[0] + street.num_decisions[1], actions, rows,
                            rows * actions * sizeof(double) / 1e9});
    }
  }
  return table;
}

}  // namespace cleave::reproduce
