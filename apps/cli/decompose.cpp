#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "decompose/cfr_d.h"
#include "decompose/leaf_registry.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/second_pass.h"
#include "door/game.h"
#include "fmt/format.h"
#include "interrupt.h"
#include "parameters.h"
#include "paths.h"
#include "poker_input.h"
#include "results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

struct DecomposeArguments {
  std::string game;
  std::string cut;
  std::string algorithm;  // empty or 0: the default
  std::string subgame_algorithm;
  int64_t iterations = 0;
  int64_t subgame_iterations = 0;
  double subgame_accuracy = 0;
  bool keep_warm = false;
  std::string leaves;  // instead of the four above
  std::string blueprint;
  std::string method = "resolve";
  int64_t resolve_iterations = 0;
  std::string target;  // "0.01" chips or "0.5%" of the pot; empty: none
  std::string summary;
  std::string out;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

void check_decompose_arguments(const DecomposeArguments& args) {
  check_place(args.out);
  check_place(args.summary);
  if (args.cut == "all") {
    throw core::InputError(
        "cut 'all': CFR-D cuts once; allowed are round:R, depth:D, history:..., street:S, deal:S");
  }
  if (!args.out.empty() && args.out == args.summary) {
    throw core::InputError(fmt::format(
        "{}: both --out and --summary would be written there; give two files", args.out));
  }
  if (!args.leaves.empty() &&
      (args.keep_warm || args.subgame_iterations > 0 || args.subgame_accuracy > 0)) {
    throw core::InputError(
        "--leaves says what stands below the cut; leave --keep-warm, --subgame-iterations and "
        "--subgame-accuracy away");
  }
}

// What is taken where nothing is said. Hold'em: subgames that learn with the trunk, two iterations
// at a time, and wait in a file meanwhile (docs/performance.md). Others: solved afresh each time.
DecomposeArguments with_defaults(DecomposeArguments args, const door::AnyGame& game) {
  const bool streams = game.streams();
  const std::string family = streams ? game.default_algorithm() : "cfr+";
  if (args.algorithm.empty()) args.algorithm = family;
  if (args.subgame_algorithm.empty()) args.subgame_algorithm = family;
  if (args.iterations == 0) {
    args.iterations = !args.target.empty() ? 100'000 : streams ? 300 : 1000;
  }
  if (args.subgame_iterations == 0) args.subgame_iterations = streams ? 2 : 100;
  if (args.resolve_iterations == 0) args.resolve_iterations = streams ? 200 : 2000;
  return args;
}

// What stands below the cut: named, or subgames solved as the other options say.
core::Call leaves_call(const DecomposeArguments& args, bool streams) {
  if (!args.leaves.empty()) return core::parse_call(args.leaves);
  const char* name = args.keep_warm ? "warm" : streams ? "parked" : "solved";
  return {name,
          {{"iterations", std::to_string(args.subgame_iterations)},
           {"algorithm", args.subgame_algorithm},
           {"accuracy", fmt::format("{}", args.subgame_accuracy)}}};
}

// CFR-D from options to result; the members are what its steps share.
class Decomposition {
 public:
  explicit Decomposition(const DecomposeArguments& args)
      : threads_(args.threads > 0 ? args.threads : core::hardware_threads()),
        pass_(decompose::make_pass(args.method)),
        progress_(args.quiet || args.json),
        game_(door::open_game(args.game, compile_options(progress_))),
        args_(with_defaults(args, *game_)),
        cut_(game_->dealt(args.cut)),
        leaves_call_(leaves_call(args_, game_->streams())),
        trunk_(game_->piece(cut_)),
        engine_(trunk_->engine(threads_)),
        leaves_(make_leaves()),
        cfr_d_(*trunk_, *engine_, game_->root_reach(), *leaves_,
               solve::make_schedule(args_.algorithm, args_.iterations)) {
    if (!args.out.empty()) game_->check_out(args.out);
    if (const auto target = solve::parse_target(args.target)) {
      if (target->percent && game_->pot() == 0) {
        throw core::InputError(fmt::format(
            "--target {}: {} has no pot to take percents of; allowed is a number of chips",
            args.target, args.game));
      }
      target_ = target->chips(game_->pot());
    }
  }

  void run() {
    // With a target the strategy is put together now and then: each time after half as much again.
    const int64_t first = game_->streams() ? kFirstStreamedLook : kFirstLook;
    for (int64_t next = target_ ? std::min(args_.iterations, first) : args_.iterations;;
         next = std::min(args_.iterations, next + next / 2)) {
      run_trunk(next);
      if (!args_.summary.empty()) {
        decompose::KeptSummaries(*trunk_, cfr_d_.summaries()).write(args_.summary);
      }
      resolve();
      if (interrupted() || next == args_.iterations || reached()) break;
    }
    progress_.clear();
  }

  void print_text() const {
    print_row("game", game_->name());
    print_row("cut", args_.cut);
    print_lines("", game_->describe(cut_));
    print_row("trunk", fmt::format("{}, {} iterations, the game worth {} chips to player 1",
                                   args_.algorithm, grouped(cfr_d_.iterations()),
                                   signed_text(cfr_d_.value() + game_->shift())));
    const auto* solved = dynamic_cast<const decompose::SolvedLeaves*>(leaves_.get());
    if (args_.leaves.empty()) {
      print_row("subgames", fmt::format("{}, {} iterations in all, {}", args_.subgame_algorithm,
                                        grouped(solved->iterations()), how_kept()));
    } else {
      print_row("subgames", args_.leaves);
      if (!leaves_->report().empty()) print_row("", leaves_->report());
    }
    print_row("time", fmt::format("{} for the trunk, {} for re-solving",
                                  seconds_text(trunk_seconds_), seconds_text(resolve_seconds_)));
    print_memory();
    print_row("method", pass_.name);
    print_row("", fmt::format("{}: {}", pass_.safe ? "safe" : "no guarantee", pass_.condition));
    print_result();
    print_row("stopped", why());
    if (!args_.summary.empty()) print_row("summaries", args_.summary);
    if (certificate_ && !args_.out.empty()) print_row("strategy", args_.out);
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = game_->name();
    out["cut"] = args_.cut;
    out["subgames"] = cfr_d_.leaves().size();
    out["algorithm"] = args_.algorithm;
    out["iterations"] = cfr_d_.iterations();
    if (!args_.leaves.empty()) out["leaves"] = args_.leaves;
    if (!leaves_->report().empty()) out["leaves_report"] = leaves_->report();
    if (const auto* solved = dynamic_cast<const decompose::SolvedLeaves*>(leaves_.get())) {
      out["subgame_algorithm"] = args_.subgame_algorithm;
      out["subgame_iterations"] = solved->iterations();
      out["keep_warm"] = args_.keep_warm;
    }
    out["trunk_seconds"] = trunk_seconds_;
    out["trunk_value"] = cfr_d_.value() + game_->shift();
    out["method"] = pass_.name;
    out["safe"] = pass_.safe;
    out["resolve_iterations"] = args_.resolve_iterations;
    out["resolve_seconds"] = resolve_seconds_;
    out["memory"] = {{"trunk_bytes", engine_->learning_bytes()},
                     {"largest_subgame_bytes", largest_piece_bytes()},
                     {"peak_bytes", peak_bytes()},
                     {"whole_game_bytes", game_->learning_bytes()},
                     {"ratio", memory_ratio()},
                     {"process_peak_bytes", core::peak_process_bytes()}};
    if (certificate_) {
      if (!game_->streams()) out["value"] = certificate_->value;
      out["best_response"] = certificate_->best_response;
      out["exploitability"] = certificate_->exploitability;
      if (game_->pot() > 0) {
        out["pot"] = game_->pot();
        out["exploitability_percent"] = 100 * certificate_->exploitability / game_->pot();
      }
    }
    if (target_) out["target"] = *target_;
    out["stopped"] = interrupted() ? "interrupted" : reached() ? "target" : "iterations";
    if (!args_.summary.empty()) out["summary"] = args_.summary;
    if (certificate_ && !args_.out.empty()) out["strategy"] = args_.out;
    print_object(out);
  }

 private:
  // Trunk iterations before the target is looked at: that costs as much as many of them.
  static constexpr int64_t kFirstLook = 25, kFirstStreamedLook = 200;

  std::unique_ptr<decompose::LeafEvaluator> make_leaves() const {
    decompose::LeafSetting setting;
    setting.trunk = trunk_;
    setting.threads = threads_;
    if (!args_.blueprint.empty()) setting.blueprint = game_->read(args_.blueprint, threads_);
    return decompose::make_leaves(leaves_call_, setting);
  }

  void run_trunk(int64_t until) {
    core::Stopwatch clock;
    clock.start();
    double shown = 0;
    cfr_d_.run(until, &interrupted(), [&](int64_t iteration) {
      const double seconds = trunk_seconds_ + clock.seconds();
      if (seconds - shown < 0.1) return;
      shown = seconds;
      const double left =
          seconds * static_cast<double>(until - iteration) / static_cast<double>(iteration);
      progress_.show(
          fmt::format("trunk: {} of {} it  value {}  {}  {} {}", grouped(iteration), grouped(until),
                      signed_text(cfr_d_.value() + game_->shift()), seconds_text(seconds),
                      seconds_text(left), target_ ? "to the next look" : "left"),
          seconds);
    });
    trunk_seconds_ += clock.seconds();
    if (cfr_d_.iterations() == 0) {
      throw core::RunError("interrupted before the trunk's first iteration; nothing was written");
    }
  }

  void resolve() {
    core::Stopwatch clock;
    clock.start();
    decompose::SecondPass work{.trunk = trunk_,
                               .profile = trunk_->profile(engine_),
                               .root_reach = game_->root_reach(),
                               .summaries = cfr_d_.summaries()};
    work.solving.algorithm = args_.subgame_algorithm;
    work.solving.iterations = args_.resolve_iterations;
    work.solving.threads = threads_;
    // Interrupted in the trunk, the user still hears what it is worth; a second Ctrl-C ends that.
    work.solving.stop = interrupted() ? nullptr : &interrupted();
    work.solving.progress = [&](size_t done, size_t all) {
      progress_.show(fmt::format("re-solving: {} of {} subgames or deals", done, all),
                     trunk_seconds_ + resolve_seconds_ + clock.seconds());
    };
    try {
      std::unique_ptr<decompose::Recombined> into;
      if (!game_->streams() || !args_.out.empty()) {
        into = game_->recombine(*decompose::uniform_profile());
        for (size_t p = 0; p < 2; ++p) into->take(*trunk_, *engine_, p);
      }
      const decompose::SecondPassResult result = decompose::apply(pass_, work, into.get());
      solve::Certificate found;
      for (size_t p = 0; p < 2; ++p) {
        found.best_response[p] = result.best_response[p] + game_->shift();
      }
      found.exploitability = (result.best_response[0] + result.best_response[1]) / 2;
      if (!game_->streams()) found = game_->certify(*into, threads_);
      if (!args_.out.empty()) game_->write(*into, args_.out);
      certificate_ = found;
    } catch (const core::RunError&) {
      if (!work.solving.stop || !interrupted()) throw;
    }
    resolve_seconds_ += clock.seconds();
  }

  const char* how_kept() const {
    if (leaves_call_.name == "solved") return "solved afresh each time";
    return leaves_call_.name == "warm" ? "kept warm" : "kept in a file";
  }

  bool reached() const {
    return target_ && certificate_ && certificate_->exploitability <= *target_;
  }

  size_t largest_piece_bytes() const {
    size_t largest = 0;
    for (const decompose::LeafState& leaf : cfr_d_.leaves().states()) {
      largest = std::max(largest, leaf.piece->engine()->learning_bytes());
    }
    return largest;
  }

  // Re-solving has the trunk, and for each thread one subgame, in memory.
  size_t peak_bytes() const {
    const size_t at_once = std::min<size_t>(static_cast<size_t>(threads_), cfr_d_.leaves().size());
    return std::max(cfr_d_.peak_learning_bytes(),
                    engine_->learning_bytes() + at_once * largest_piece_bytes());
  }
  double memory_ratio() const {
    return static_cast<double>(peak_bytes()) / static_cast<double>(game_->learning_bytes());
  }

  void print_memory() const {
    print_row("memory", "of regrets and strategies");
    const auto line = [](const char* what, const std::string& value) {
      print_row("", fmt::format("{:<28}{:>12}", what, value));
    };
    line("trunk", bytes_text(engine_->learning_bytes()));
    line("largest subgame", bytes_text(largest_piece_bytes()));
    line("CFR-D at its peak", bytes_text(peak_bytes()));
    line("solver of the whole game", bytes_text(game_->learning_bytes()));
    line("peak / whole game", fmt::format("{:.3f}", memory_ratio()));
    line("this process, with the game", bytes_text(core::peak_process_bytes()));
  }

  void print_result() const {
    if (!certificate_) return;
    if (!game_->streams()) {
      print_certificate(*certificate_);
      return;
    }
    const std::string percent = game_->pot() > 0
                                    ? fmt::format(" ({:.3g}% of the pot)",
                                                  100 * certificate_->exploitability / game_->pot())
                                    : "";
    print_row("exploitability",
              fmt::format("{:.3g} chips{}", certificate_->exploitability, percent));
    print_row("best responses",
              fmt::format("{:.6g} and {:.6g} chips", certificate_->best_response[0],
                          certificate_->best_response[1]));
  }

  std::string why() const {
    if (interrupted()) {
      return certificate_ ? "interrupted; what was reached so far stands above"
                          : "interrupted while re-solving; the trunk stands above";
    }
    if (reached()) return fmt::format("target of {} reached", args_.target);
    return fmt::format("limit of {} iterations reached", grouped(args_.iterations));
  }

  int threads_;
  decompose::Pass pass_;
  Progress progress_;
  std::unique_ptr<door::AnyGame> game_;
  const DecomposeArguments args_;
  std::string cut_;  // what is worked on: subgames of a street taken apart by deals
  core::Call leaves_call_;
  std::shared_ptr<const decompose::Piece> trunk_;
  std::shared_ptr<decompose::Engine> engine_;
  std::unique_ptr<decompose::LeafEvaluator> leaves_;
  decompose::CfrD cfr_d_;
  std::optional<double> target_;
  std::optional<solve::Certificate> certificate_;
  double trunk_seconds_ = 0;
  double resolve_seconds_ = 0;
};

CLI::Validator accuracy_above_zero() {
  return {[](const std::string& text) {
            const auto value = core::parse_number<double>(text);
            return value && std::isfinite(*value) && *value > 0
                       ? std::string()
                       : fmt::format("'{}'; allowed is a number above 0", text);
          },
          "", ""};
}

}  // namespace

void add_decompose(CLI::App& app) {
  auto* command =
      app.add_subcommand("decompose", "Solve a game in pieces (CFR-D), certify the whole");
  auto args = std::make_shared<DecomposeArguments>();
  const auto count = CLI::Range(int64_t{1}, int64_t{1} << 50);
  command->add_option("GAME", args->game, kGameHelp)->required();
  command
      ->add_option("--cut", args->cut,
                   "round:R, depth:D, history:A/B; poker: street:S, deal:S, line:A/B")
      ->required();
  command
      ->add_option("--iterations", args->iterations, "Of the trunk. Default: 1000; of hold'em 300")
      ->check(count);
  command
      ->add_option("--subgame-iterations", args->subgame_iterations,
                   "Of each subgame per trunk iteration. Default: 100; hold'em 2")
      ->check(count);
  command
      ->add_option("--subgame-accuracy", args->subgame_accuracy,
                   "End a subgame when the gains left in it come to this, chips")
      ->check(accuracy_above_zero());
  command->add_option("--algorithm", args->algorithm,
                      "Of the trunk. Default: cfr+; of hold'em dcfr(gamma=3)");
  command->add_option("--subgame-algorithm", args->subgame_algorithm,
                      "Of the subgames and of re-solving. Default: as the trunk's");
  command->add_flag("--keep-warm", args->keep_warm,
                    "Keep the subgames' regrets: faster, but all the memory");
  command->add_option("--leaves", args->leaves,
                      "Below the cut: solved(...), parked(...), zero, ... (docs)");
  command->add_option("--blueprint", args->blueprint, "A strategy for leaves that go by one");
  command->add_option("--target", args->target,
                      "Stop at this exploitability: chips or a percentage of the pot");
  command->add_option("--method", args->method,
                      "How the subgames are re-solved at the end. Default: resolve");
  command
      ->add_option("--resolve-iterations", args->resolve_iterations,
                   "Of re-solving a subgame, per player. Default: 2000; hold'em 200")
      ->check(count);
  command->add_option("--summary", args->summary, "Write what is kept of the subgames here");
  command->add_option("--out", args->out, "Write the strategy here: .csv or .h5; of hold'em .h5");
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] {
    catch_interrupts();
    check_decompose_arguments(*args);
    Decomposition decomposition(*args);
    decomposition.run();
    args->json ? decomposition.print_json() : decomposition.print_text();
  });
}

}  // namespace cleave::cli
