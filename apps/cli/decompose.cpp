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
#include "decompose/leaves/solved_leaves.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "histories/resolve.h"
#include "histories/tree_engine.h"
#include "interrupt.h"
#include "parameters.h"
#include "paths.h"
#include "poker_input.h"
#include "resolve_poker.h"
#include "results.h"
#include "terminal.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

struct DecomposeArguments {
  std::string game;
  std::string cut;
  std::string algorithm = "cfr+";
  std::string subgame_algorithm = "cfr+";
  int64_t iterations = 0;  // 0: the default
  int64_t subgame_iterations = 0;
  double subgame_accuracy = 0;
  bool keep_warm = false;
  std::string method = "resolve";
  int64_t resolve_iterations = 0;
  std::string summary;
  std::string out;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

void check_decompose_arguments(const DecomposeArguments& args) {
  if (!args.out.empty()) tree::check_strategy_path(args.out);
  check_place(args.out);
  check_place(args.summary);
  if (args.cut == "all") {
    throw core::InputError(
        "cut 'all': CFR-D cuts once; allowed are round:R, depth:D and history:...");
  }
  if (!args.out.empty() && args.out == args.summary) {
    throw core::InputError(fmt::format(
        "{}: both --out and --summary would be written there; give two files", args.out));
  }
}

// CFR-D from options to result; the members are what its steps share.
class Decomposition {
 public:
  explicit Decomposition(const DecomposeArguments& args)
      : args_(args),
        threads_(args.threads > 0 ? args.threads : core::hardware_threads()),
        method_(decompose::make_method(args.method)),
        trunk_schedule_(solve::make_schedule(args.algorithm, args.iterations)),
        subgame_schedule_(solve::make_schedule(args.subgame_algorithm, args.subgame_iterations)),
        progress_(args.quiet || args.json),
        game_(games::make_game(args.game)),
        problem_(solve::make_problem(*game_, compile_options(progress_))),
        parts_(
            histories::take_apart(problem_, histories::make_cut(*game_, problem_.tree, args.cut))),
        trunk_(parts_.trunk, threads_),
        leaves_({.schedule = subgame_schedule_,
                 .iterations = args.subgame_iterations,
                 .accuracy = args.subgame_accuracy,
                 .keep_warm = args.keep_warm,
                 .threads = threads_}),
        cfr_d_(parts_.trunk, trunk_, decompose::full_reach(trunk_), leaves_, trunk_schedule_) {}

  void run() {
    run_trunk();
    const std::vector<decompose::Summary> summaries = cfr_d_.summaries();
    if (!args_.summary.empty()) {
      histories::write_summaries(parts_, summaries, args_.summary);
    }
    resolve(summaries);
    progress_.clear();
    if (certificate_ && !args_.out.empty()) {
      tree::write_strategy(*game_, problem_.tree, strategy_, args_.out);
    }
  }

  void print_text() const {
    print_row("game", game_->name());
    print_row("cut", args_.cut);
    print_row("", histories::describe(problem_.tree, parts_.cut));
    const std::string remark = histories::remark(problem_.tree, parts_.cut);
    if (!remark.empty()) print_row("", remark);
    print_row("trunk", fmt::format("{}, {} iterations, the game worth {} chips to player 1",
                                   args_.algorithm, grouped(cfr_d_.iterations()),
                                   signed_text(cfr_d_.value() + problem_.tree.shift)));
    print_row("subgames", fmt::format("{}, {} iterations in all, {}", args_.subgame_algorithm,
                                      grouped(leaves_.iterations()),
                                      args_.keep_warm ? "kept warm" : "solved afresh each time"));
    print_row("time", fmt::format("{} for the trunk, {} for re-solving",
                                  seconds_text(trunk_seconds_), seconds_text(resolve_seconds_)));
    print_memory();
    print_row("method", method_.name);
    print_row("", fmt::format("{}: {}", method_.safe ? "safe" : "no guarantee", method_.condition));
    if (certificate_) print_certificate(*certificate_);
    print_row("stopped", why());
    if (!args_.summary.empty()) print_row("summaries", args_.summary);
    if (certificate_ && !args_.out.empty()) print_row("strategy", args_.out);
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = game_->name();
    out["cut"] = args_.cut;
    out["subgames"] = parts_.subgames.size();
    out["algorithm"] = args_.algorithm;
    out["iterations"] = cfr_d_.iterations();
    out["subgame_algorithm"] = args_.subgame_algorithm;
    out["subgame_iterations"] = leaves_.iterations();
    out["keep_warm"] = args_.keep_warm;
    out["trunk_seconds"] = trunk_seconds_;
    out["trunk_value"] = cfr_d_.value() + problem_.tree.shift;
    out["method"] = method_.name;
    out["safe"] = method_.safe;
    out["resolve_iterations"] = args_.resolve_iterations;
    out["resolve_seconds"] = resolve_seconds_;
    out["memory"] = {{"trunk_bytes", trunk_.learning_bytes()},
                     {"largest_subgame_bytes", largest_piece_bytes()},
                     {"peak_bytes", cfr_d_.peak_learning_bytes()},
                     {"whole_game_bytes", histories::whole_game_learning_bytes(problem_)},
                     {"ratio", memory_ratio()},
                     {"process_peak_bytes", core::peak_process_bytes()}};
    if (certificate_) {
      out["value"] = certificate_->value;
      out["best_response"] = certificate_->best_response;
      out["exploitability"] = certificate_->exploitability;
    }
    out["stopped"] = interrupted() ? "interrupted" : "iterations";
    if (!args_.summary.empty()) out["summary"] = args_.summary;
    if (certificate_ && !args_.out.empty()) out["strategy"] = args_.out;
    print_object(out);
  }

 private:
  void run_trunk() {
    core::Stopwatch clock;
    clock.start();
    double shown = 0;
    cfr_d_.run(args_.iterations, &interrupted(), [&](int64_t iteration) {
      const double seconds = clock.seconds();
      if (seconds - shown < 0.1) return;
      shown = seconds;
      const double left = seconds * static_cast<double>(args_.iterations - iteration) /
                          static_cast<double>(iteration);
      progress_.show(
          fmt::format("trunk: {} of {} it  value {}  {}  {} left", grouped(iteration),
                      grouped(args_.iterations), signed_text(cfr_d_.value() + problem_.tree.shift),
                      seconds_text(seconds), seconds_text(left)),
          seconds);
    });
    trunk_seconds_ = clock.seconds();
    if (cfr_d_.iterations() == 0) {
      throw core::RunError("interrupted before the trunk's first iteration; nothing was written");
    }
  }

  void resolve(const std::vector<decompose::Summary>& summaries) {
    strategy_ = tree::uniform_strategy(problem_.tree);
    for (int p = 0; p < 2; ++p) trunk_.copy_strategy(p, strategy_);
    core::Stopwatch clock;
    clock.start();
    histories::ResolveOptions options;
    options.algorithm = args_.subgame_algorithm;
    options.iterations = args_.resolve_iterations;
    options.threads = threads_;
    // Interrupted in the trunk, the user still hears what it is worth; a second Ctrl-C ends that.
    options.stop = interrupted() ? nullptr : &interrupted();
    options.progress = [&](size_t done, size_t all) {
      progress_.show(fmt::format("re-solving: {} of {}, subgames times players", done, all),
                     trunk_seconds_ + clock.seconds());
    };
    try {
      strategy_ = histories::resolve_all(parts_, summaries, method_, options, strategy_);
      certificate_ = solve::certify(problem_, strategy_);
    } catch (const core::RunError&) {
      if (!options.stop || !interrupted()) throw;
    }
    resolve_seconds_ = clock.seconds();
  }

  size_t largest_piece_bytes() const {
    size_t largest = 0;
    for (const histories::TreePiece& subgame : parts_.subgames) {
      largest = std::max(largest, subgame.engine()->learning_bytes());
    }
    return largest;
  }

  double memory_ratio() const {
    return static_cast<double>(cfr_d_.peak_learning_bytes()) /
           static_cast<double>(histories::whole_game_learning_bytes(problem_));
  }

  void print_memory() const {
    print_row("memory", "of regrets and strategies");
    const auto line = [](const char* what, const std::string& value) {
      print_row("", fmt::format("{:<28}{:>12}", what, value));
    };
    line("trunk", bytes_text(trunk_.learning_bytes()));
    line("largest subgame", bytes_text(largest_piece_bytes()));
    line("CFR-D at its peak", bytes_text(cfr_d_.peak_learning_bytes()));
    line("solver of the whole game", bytes_text(histories::whole_game_learning_bytes(problem_)));
    line("peak / whole game", fmt::format("{:.3f}", memory_ratio()));
    line("this process, with the tree", bytes_text(core::peak_process_bytes()));
  }

  std::string why() const {
    if (!interrupted()) {
      return fmt::format("limit of {} iterations reached", grouped(args_.iterations));
    }
    return certificate_ ? "interrupted; what was reached so far stands above"
                        : "interrupted while re-solving; the trunk stands above";
  }

  const DecomposeArguments& args_;
  int threads_;
  decompose::Method method_;
  solve::Schedule trunk_schedule_;
  solve::Schedule subgame_schedule_;
  Progress progress_;
  std::unique_ptr<games::Game> game_;
  solve::Problem problem_;
  histories::CutGame parts_;
  histories::TreeEngine trunk_;
  decompose::SolvedLeaves leaves_;
  decompose::CfrD cfr_d_;
  tree::Strategy strategy_;
  std::optional<solve::Certificate> certificate_;
  double trunk_seconds_ = 0;
  double resolve_seconds_ = 0;
};

DecomposePokerArguments poker_arguments(const DecomposeArguments& args) {
  if (!args.summary.empty() || !args.out.empty()) {
    throw core::InputError("--summary and --out are for games of the tree engine");
  }
  DecomposePokerArguments out;
  out.game = args.game;
  out.cut = args.cut;
  out.algorithm = args.algorithm;
  out.subgame_algorithm = args.subgame_algorithm;
  out.iterations = args.iterations > 0 ? args.iterations : 100;
  out.subgame_iterations = args.subgame_iterations > 0 ? args.subgame_iterations : 50;
  out.subgame_accuracy = args.subgame_accuracy;
  out.keep_warm = args.keep_warm;
  out.method = args.method;
  out.resolve_iterations = args.resolve_iterations > 0 ? args.resolve_iterations : 200;
  out.threads = args.threads;
  out.json = args.json;
  out.quiet = args.quiet;
  return out;
}

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
                   "round:R, depth:D or history:A/B/...; hold'em: street:S, deal:S")
      ->required();
  command
      ->add_option("--iterations", args->iterations, "Of the trunk. Default: 1000; of hold'em 100")
      ->check(count);
  command
      ->add_option("--subgame-iterations", args->subgame_iterations,
                   "Of each subgame per trunk iteration. Default: 100; hold'em 50")
      ->check(count);
  command
      ->add_option("--subgame-accuracy", args->subgame_accuracy,
                   "End a subgame when the gains left in it come to this, chips")
      ->check(accuracy_above_zero());
  command->add_option("--algorithm", args->algorithm,
                      "Of the trunk: a member of the CFR family. Default: cfr+");
  command->add_option("--subgame-algorithm", args->subgame_algorithm,
                      "Of the subgames and of re-solving. Default: cfr+");
  command->add_flag("--keep-warm", args->keep_warm,
                    "Keep the subgames' regrets: faster, but all the memory");
  command->add_option("--method", args->method,
                      "How the subgames are re-solved at the end. Default: resolve");
  command
      ->add_option("--resolve-iterations", args->resolve_iterations,
                   "Of re-solving a subgame, per player. Default: 2000; hold'em 200")
      ->check(count);
  command->add_option("--summary", args->summary, "Write what is kept of the subgames here");
  command->add_option("--out", args->out, "Write the strategy here: .csv or .h5");
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] {
    catch_interrupts();
    check_decompose_arguments(*args);
    if (auto problem = read_poker(args->game)) {
      decompose_poker(poker_arguments(*args), std::move(*problem));
      return;
    }
    if (args->iterations == 0) args->iterations = 1000;
    if (args->subgame_iterations == 0) args->subgame_iterations = 100;
    if (args->resolve_iterations == 0) args->resolve_iterations = 2000;
    Decomposition decomposition(*args);
    decomposition.run();
    args->json ? decomposition.print_json() : decomposition.print_text();
  });
}

}  // namespace cleave::cli
