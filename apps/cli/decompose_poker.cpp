#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/memory.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "decompose/cfr_d.h"
#include "decompose/leaves/solved_leaves.h"
#include "fmt/format.h"
#include "hands/counts.h"
#include "hands/piece.h"
#include "hands/profile.h"
#include "interrupt.h"
#include "parameters.h"
#include "resolve_poker.h"
#include "results.h"
#include "spot_results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

// CFR-D from options to result; the members are what its steps share.
class DecomposePoker {
 public:
  DecomposePoker(const DecomposePokerArguments& args, hands::Problem problem)
      : args_(args),
        threads_(args.threads > 0 ? args.threads : core::hardware_threads()),
        pass_(decompose::make_pass(args.method)),
        progress_(args.quiet || args.json),
        problem_(std::make_shared<const hands::Problem>(std::move(problem))),
        trunk_(std::make_shared<const hands::HandsPiece>(problem_,
                                                         hands::parse_cuts(*problem_, args.cut))),
        engine_(dynamic_cast<hands::VectorEngine*>(trunk_->engine(threads_).release())),
        leaves_({.schedule = solve::make_schedule(args.subgame_algorithm,
                                                  args.keep_warm ? 0 : args.subgame_iterations),
                 .iterations = args.subgame_iterations,
                 .accuracy = args.subgame_accuracy,
                 .keep_warm = args.keep_warm,
                 .threads = threads_}),
        cfr_d_(*trunk_, *engine_, problem_->reach, leaves_,
               solve::make_schedule(args.algorithm, args.iterations)) {
    if (!problem_->locks.empty()) {
      throw core::InputError(
          "decompose: the spot has locked strategies; take its [[lock]] blocks out");
    }
    const hands::Layout whole = hands::sketch_layout(problem_->setup);
    whole_bytes_ = hands::plan_memory(whole, hands::Storage::kF32, 1).learning;
  }

  void run() {
    run_trunk();
    resolve();
    progress_.clear();
  }

  void print_text() const {
    print_row("game", args_.game);
    print_row("cut", fmt::format("{}: {} subgames", args_.cut,
                                 grouped(static_cast<int64_t>(cfr_d_.leaves().size()))));
    print_row("trunk", fmt::format("{}, {} iterations, worth {} to player 1", args_.algorithm,
                                   grouped(cfr_d_.iterations()),
                                   chips_text(*problem_, cfr_d_.value() + problem_->shift())));
    print_row("subgames", fmt::format("{}, {} iterations in all, {}", args_.subgame_algorithm,
                                      grouped(leaves_.iterations()),
                                      args_.keep_warm ? "kept warm" : "solved afresh each time"));
    print_row("time", fmt::format("{} for the trunk, {} for re-solving",
                                  seconds_text(trunk_seconds_), seconds_text(resolve_seconds_)));
    print_row("memory", "of regrets and strategies");
    const auto line = [](const char* what, const std::string& value) {
      print_row("", fmt::format("{:<28}{:>12}", what, value));
    };
    line("trunk", bytes_text(engine_->learning_bytes()));
    line("CFR-D at its peak", bytes_text(cfr_d_.peak_learning_bytes()));
    line("solver of the whole game", bytes_text(whole_bytes_));
    line("peak / whole game", fmt::format("{:.3f}", memory_ratio()));
    line("this process", bytes_text(core::peak_process_bytes()));
    print_row("method", pass_.name);
    print_row("", fmt::format("{}: {}", pass_.safe ? "safe" : "no guarantee", pass_.condition));
    if (exploitability_) {
      print_row("exploitability", chips_text(*problem_, *exploitability_));
      print_row("best responses",
                fmt::format("{:.6g} and {:.6g} chips", best_response_[0], best_response_[1]));
    }
    print_row("stopped", interrupted() ? "interrupted; what was reached so far stands above"
                                       : fmt::format("limit of {} iterations reached",
                                                     grouped(args_.iterations)));
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = args_.game;
    out["cut"] = args_.cut;
    out["subgames"] = cfr_d_.leaves().size();
    out["algorithm"] = args_.algorithm;
    out["iterations"] = cfr_d_.iterations();
    out["subgame_algorithm"] = args_.subgame_algorithm;
    out["subgame_iterations"] = leaves_.iterations();
    out["keep_warm"] = args_.keep_warm;
    out["trunk_seconds"] = trunk_seconds_;
    out["trunk_value"] = cfr_d_.value() + problem_->shift();
    out["method"] = pass_.name;
    out["safe"] = pass_.safe;
    out["resolve_iterations"] = args_.resolve_iterations;
    out["resolve_seconds"] = resolve_seconds_;
    out["memory"] = {{"trunk_bytes", engine_->learning_bytes()},
                     {"peak_bytes", cfr_d_.peak_learning_bytes()},
                     {"whole_game_bytes", whole_bytes_},
                     {"ratio", memory_ratio()},
                     {"process_peak_bytes", core::peak_process_bytes()}};
    if (exploitability_) {
      out["best_response"] = best_response_;
      out["exploitability"] = *exploitability_;
      if (problem_->pot > 0) {
        out["pot"] = problem_->pot;
        out["exploitability_percent"] = 100 * *exploitability_ / problem_->pot;
      }
    }
    out["stopped"] = interrupted() ? "interrupted" : "iterations";
    print_object(out);
  }

 private:
  void run_trunk() {
    core::Stopwatch clock;
    clock.start();
    cfr_d_.run(args_.iterations, &interrupted(), [&](int64_t iteration) {
      const double seconds = clock.seconds();
      const double left = seconds * static_cast<double>(args_.iterations - iteration) /
                          static_cast<double>(iteration);
      progress_.show(
          fmt::format("trunk: {} of {} it  value {}  {}  {} left", grouped(iteration),
                      grouped(args_.iterations), signed_text(cfr_d_.value() + problem_->shift()),
                      seconds_text(seconds), seconds_text(left)),
          seconds);
    });
    trunk_seconds_ = clock.seconds();
    if (cfr_d_.iterations() == 0) {
      throw core::RunError("interrupted before the trunk's first iteration; nothing was written");
    }
  }

  void resolve() {
    core::Stopwatch clock;
    clock.start();
    decompose::Resolution::Options options;
    options.passes = {pass_};
    options.summaries = cfr_d_.summaries();
    options.solving.algorithm = args_.subgame_algorithm;
    options.solving.iterations = args_.resolve_iterations;
    options.solving.threads = threads_;
    // Interrupted in the trunk, the user still hears what it is worth; a second Ctrl-C ends that.
    options.solving.stop = interrupted() ? nullptr : &interrupted();
    options.solving.progress = [&](size_t done, size_t all) {
      progress_.show(fmt::format("re-solving: {} of {} deals", done, all),
                     trunk_seconds_ + clock.seconds());
    };
    const bool may_stop = options.solving.stop != nullptr;
    try {
      decompose::Resolution resolution(trunk_, std::make_shared<hands::EngineProfile>(engine_),
                                       problem_->reach, std::move(options));
      resolution.run();
      for (size_t p = 0; p < 2; ++p) {
        best_response_[p] = resolution.best_response(0, p).value + problem_->shift();
      }
      exploitability_ = resolution.exploitability(0).value;
    } catch (const core::RunError&) {
      if (!may_stop || !interrupted()) throw;
    }
    resolve_seconds_ = clock.seconds();
  }

  double memory_ratio() const {
    return static_cast<double>(cfr_d_.peak_learning_bytes()) / static_cast<double>(whole_bytes_);
  }

  const DecomposePokerArguments& args_;
  int threads_;
  decompose::Pass pass_;
  Progress progress_;
  std::shared_ptr<const hands::Problem> problem_;
  std::shared_ptr<const hands::HandsPiece> trunk_;
  std::shared_ptr<hands::VectorEngine> engine_;
  decompose::SolvedLeaves leaves_;
  decompose::CfrD cfr_d_;
  uint64_t whole_bytes_ = 0;
  std::optional<double> exploitability_;
  std::array<double, 2> best_response_ = {};
  double trunk_seconds_ = 0;
  double resolve_seconds_ = 0;
};

}  // namespace

void decompose_poker(const DecomposePokerArguments& args, hands::Problem problem) {
  DecomposePoker decomposition(args, std::move(problem));
  decomposition.run();
  args.json ? decomposition.print_json() : decomposition.print_text();
}

}  // namespace cleave::cli
