#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "hands/spot_solver.h"
#include "histories/abstraction.h"
#include "histories/second_pass.h"
#include "interrupt.h"
#include "parameters.h"
#include "paths.h"
#include "poker_input.h"
#include "resolve_poker.h"
#include "results.h"
#include "solve/defaults.h"
#include "solve/run.h"
#include "terminal.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

struct ResolveArguments {
  std::string game;
  std::string strategy;
  std::string cut;
  std::string method = "reach-maxmargin";
  std::string blueprint = solve::kDefaultAlgorithm;
  std::vector<int64_t> blueprint_iterations;  // none: 1000, or 10 and 300 of poker
  std::string abstraction;
  histories::ResolveOptions options;
  int player = 0;
  int64_t subgame = 0;
  std::string summary;
  std::string save_summary;
  std::string out;
  bool json = false;
  bool quiet = false;
};

// One line of the table: what a method makes of the trunk.
struct ResolveRow {
  histories::SecondPass pass;
  double seconds = 0;
  solve::Certificate after;
};

class Resolve {
 public:
  explicit Resolve(const ResolveArguments& args)
      : args_(args),
        blueprint_iterations_(args.blueprint_iterations.empty() ? 1000
                                                                : args.blueprint_iterations[0]),
        progress_(args.quiet || args.json),
        game_(games::make_game(args.game)),
        problem_(solve::make_problem(*game_, compile_options(progress_))),
        cuts_(histories::make_cuts(*game_, problem_.tree, args.cut)),
        options_(args.options) {
    for (const std::string& name : method_names()) {
      rows_.push_back({histories::make_second_pass(name), 0, {}});
    }
    options_.stop = &interrupted();
    if (options_.threads == 0) options_.threads = core::hardware_threads();
    if (args.player > 0) options_.hero = args.player - 1;
    check_cut_arguments();
    trunk_ = make_trunk_strategy();
    before_ = solve::certify(problem_, trunk_);
  }

  void run() {
    for (const histories::Cut& cut : cuts_) {
      games_.push_back(histories::take_apart(problem_, cut));
    }
    if (!args_.save_summary.empty()) {
      histories::write_summaries(games_[0], histories::summarise(games_[0], trunk_),
                                 args_.save_summary);
    }
    size_t done = 0;
    for (ResolveRow& row : rows_) {
      try {
        apply(row);
      } catch (const core::RunError&) {
        if (!interrupted() || done == 0) throw;
        rows_.resize(done);  // what is finished is still worth seeing
        progress_.clear();
        progress_.note("cleave: interrupted; the methods finished so far stand below");
        break;
      }
      ++done;
    }
    progress_.clear();
    if (!args_.out.empty()) tree::write_strategy(*game_, problem_.tree, result_, args_.out);
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = game_->name();
    out["strategy"] = args_.strategy.empty() ? args_.blueprint : args_.strategy;
    out["cut"] = args_.cut;
    out["subgames"] = games_[0].subgames.size();
    out["algorithm"] = options_.exact ? "lp" : options_.algorithm;
    if (!options_.exact) out["iterations"] = options_.iterations;
    out["before"] = certificate_json(before_);
    auto& methods = out["methods"] = nlohmann::ordered_json::array();
    for (const ResolveRow& row : rows_) {
      nlohmann::ordered_json entry = certificate_json(row.after);
      entry["method"] = row.pass.name;
      entry["safe"] = row.pass.safe;
      entry["condition"] = row.pass.condition;
      entry["seconds"] = row.seconds;
      methods.push_back(entry);
    }
    if (rows_.size() == 1) out["exploitability"] = rows_[0].after.exploitability;
    if (!args_.out.empty()) out["out"] = args_.out;
    print_object(out);
  }

  void print_text() const {
    print_row("game", game_->name());
    print_row("trunk", trunk_text());
    for (size_t i = 0; i < cuts_.size(); ++i) {
      if (i == 3 && cuts_.size() > 4) {
        print_row("", fmt::format("... {} more", cuts_.size() - i));
        break;
      }
      print_row(i == 0 ? "cut" : "",
                cuts_[i].name + ": " + histories::describe(problem_.tree, cuts_[i]));
      const std::string remark = histories::remark(problem_.tree, cuts_[i]);
      if (!remark.empty()) print_row("", remark);
    }
    print_row("solved by", options_.exact ? std::string("linear program")
                                          : fmt::format("{}, {} iterations", options_.algorithm,
                                                        grouped(options_.iterations)));
    fmt::print("\n{:<46}{:>14}{:>11}{:>11}{:>10}  {}\n", "method", "exploitability", "1 concedes",
               "2 concedes", "time", "safe");
    print_line("before", before_, "", "");
    for (const ResolveRow& row : rows_) {
      print_line(row.pass.name, row.after, seconds_text(row.seconds), row.pass.safe ? "yes" : "no");
    }
    fmt::print("\nIn chips; 1 concedes what a best response of player 2 wins against player 1.\n");
    for (const ResolveRow& row : rows_) {
      if (rows_.size() == 1) fmt::print("{}: {}\n", row.pass.name, row.pass.condition);
    }
    if (!args_.out.empty()) print_row("strategy", args_.out);
  }

 private:
  std::vector<std::string> method_names() const {
    return args_.method == "all" ? histories::all_second_passes()
                                 : std::vector<std::string>{args_.method};
  }

  void check_cut_arguments() {
    const bool one_cut = cuts_.size() == 1 && args_.cut != "all";
    if (!one_cut && (args_.subgame > 0 || !args_.summary.empty() || !args_.save_summary.empty())) {
      throw core::InputError("--subgame, --summary and --save-summary need a single cut, not all");
    }
    const auto count = static_cast<int64_t>(cuts_[0].roots.size());
    if (args_.subgame > count) {
      throw core::InputError(fmt::format("--subgame is {}; cut {} has subgames 1 to {}",
                                         args_.subgame, args_.cut, count));
    }
    if (args_.subgame > 0) options_.subgame = static_cast<size_t>(args_.subgame - 1);
    if (!args_.out.empty() && rows_.size() > 1) {
      throw core::InputError("--out needs one --method: each method gives another strategy");
    }
  }

  // A file, or solved on the spot, in an abstraction where one is given.
  tree::Strategy make_trunk_strategy() {
    if (!args_.strategy.empty()) {
      return tree::read_strategy(*game_, problem_.tree, args_.strategy);
    }
    const auto solve_it = [&](const solve::Problem& problem) {
      return solve::run_blueprint(args_.blueprint, problem, blueprint_iterations_, interrupted());
    };
    if (args_.abstraction.empty()) return solve_it(problem_);
    const histories::InfosetMap map =
        args_.abstraction == "leduc-strength"
            ? histories::leduc_strength_map(*game_, problem_.tree)
            : histories::read_infoset_map(*game_, problem_.tree, args_.abstraction);
    const auto abstract = histories::make_abstract_game(*game_, problem_.tree, map);
    abstract_sets_ = abstract.problem.tree.num_infosets();
    return histories::expand(problem_.tree, abstract, solve_it(abstract.problem));
  }

  void apply(ResolveRow& row) {
    core::Stopwatch watch;
    watch.start();
    histories::ResolveOptions options = options_;
    options.progress = [&](size_t done, size_t all) {
      progress_.show(fmt::format("{}: {} of {} subgames and seats", row.pass.name, done, all),
                     watch.seconds());
    };
    result_ = trunk_;
    for (const histories::CutGame& game : games_) {
      const auto summaries = args_.summary.empty() ? histories::summarise(game, result_)
                                                   : histories::read_summaries(game, args_.summary);
      result_ = row.pass.run(game, summaries, result_, options);
    }
    row.seconds = watch.seconds();
    row.after = solve::certify(problem_, result_);
  }

  nlohmann::ordered_json certificate_json(const solve::Certificate& c) const {
    return {{"exploitability", c.exploitability},
            {"best_response", c.best_response},
            {"value", c.value}};
  }

  std::string trunk_text() const {
    if (!args_.strategy.empty()) return args_.strategy;
    std::string text =
        fmt::format("{}, at most {} iterations", args_.blueprint, grouped(blueprint_iterations_));
    if (abstract_sets_ > 0) {
      text += fmt::format(", {}: {} of {} information sets", args_.abstraction,
                          grouped(static_cast<int64_t>(abstract_sets_)),
                          grouped(static_cast<int64_t>(problem_.tree.num_infosets())));
    }
    return text;
  }

  // A player's loss is the other's best response; the game's value cancels in the mean only.
  void print_line(const std::string& name, const solve::Certificate& c, const std::string& time,
                  const std::string& safe) const {
    fmt::print("{:<46}{:>14.6g}{:>11.4g}{:>11.4g}{:>10}  {}\n", clipped(name, 45), c.exploitability,
               c.best_response[1], c.best_response[0], time, safe);
  }

  const ResolveArguments& args_;
  const int64_t blueprint_iterations_;
  Progress progress_;
  std::unique_ptr<games::Game> game_;
  solve::Problem problem_;
  std::vector<histories::Cut> cuts_;
  std::vector<histories::CutGame> games_;
  histories::ResolveOptions options_;
  std::vector<ResolveRow> rows_;
  tree::Strategy trunk_;
  tree::Strategy result_;
  solve::Certificate before_;
  size_t abstract_sets_ = 0;
};

ResolvePokerArguments poker_arguments(const ResolveArguments& args) {
  if (args.options.exact || args.player > 0 || args.subgame > 0 || !args.summary.empty() ||
      !args.save_summary.empty() || !args.abstraction.empty()) {
    throw core::InputError(
        "--exact, --player, --subgame, --summary, --save-summary and --abstraction are for games "
        "of "
        "the tree engine");
  }
  if (!args.out.empty() && !args.out.ends_with(".h5")) {
    throw core::InputError(fmt::format(
        "--out is '{}'; the strategy of a spot or whole game is written as .h5", args.out));
  }
  ResolvePokerArguments out;
  out.game = args.game;
  out.solution = args.strategy;
  out.cut = args.cut;
  out.methods = {args.method};
  if (args.method == "all") {
    out.methods = decompose::all_methods();
    out.methods.insert(out.methods.end(), {"path-recovery", "graft"});
  }
  out.blueprint =
      args.blueprint == solve::kDefaultAlgorithm ? hands::kDefaultAlgorithm : args.blueprint;
  out.blueprint_iterations = args.blueprint_iterations;
  if (out.blueprint_iterations.empty()) out.blueprint_iterations = {10, 300};
  out.out = args.out;
  out.options = args.options;
  if (out.options.iterations == 0) out.options.iterations = 100;
  if (out.options.threads == 0) out.options.threads = core::hardware_threads();
  out.options.stop = &interrupted();
  out.json = args.json;
  out.quiet = args.quiet;
  return out;
}

}  // namespace

void add_resolve(CLI::App& app) {
  auto* command = app.add_subcommand(
      "resolve", "Re-solve the subgames below a cut; exploitability before and after");
  auto args = std::make_shared<ResolveArguments>();
  args->options.threads = 0;
  args->options.iterations = 0;
  command->add_option("GAME", args->game, kGameHelp)->required();
  command->add_option("STRATEGY", args->strategy,
                      "The trunk: .csv or .h5. Default: solved on the spot");
  command
      ->add_option("--cut", args->cut,
                   "round:R, depth:D, history:A/B/..., all; hold'em: street:S, deal:S")
      ->required();
  command->add_option("--method", args->method,
                      "See `cleave methods`; all compares them. Default: reach-maxmargin");
  command
      ->add_option("--iterations", args->options.iterations,
                   "Per subgame and seat. Default: 1000; of hold'em 100")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 50));
  command->add_option("--algorithm", args->options.algorithm,
                      "Of the CFR family, for the subgames. Default: cfr+");
  command->add_flag("--exact", args->options.exact, "By linear program instead of iterations");
  command->add_option("--player", args->player, "Only the strategy of player 1 or 2")
      ->check(CLI::Range(1, 2));
  command->add_option("--subgame", args->subgame, "Only this one, counted from 1")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
  command->add_flag("--keep-unreached", args->options.keep_unreached,
                    "Leave subgames as they are that an unsafe method has no reach for");
  command->add_option("--blueprint", args->blueprint,
                      "Algorithm that solves the trunk where no STRATEGY is given");
  command
      ->add_option("--blueprint-iterations", args->blueprint_iterations,
                   "Default: 1000; of hold'em 10,300: a trunk each")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 50));
  command->add_option("--abstraction", args->abstraction,
                      "Solve the trunk with merged sets: leduc-strength or a .csv file");
  command->add_option("--summary", args->summary,
                      "Take the subgames' values from this file instead of the strategy");
  command->add_option("--save-summary", args->save_summary, "Write the subgames' values (.h5)");
  command->add_option("--out", args->out, "Write the recombined strategy here: .csv or .h5");
  command
      ->add_option("--threads", args->options.threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress on standard error");
  command->callback([args] {
    if (!args->out.empty()) tree::check_strategy_path(args->out);
    check_place(args->out);
    check_place(args->save_summary);
    if (!args->strategy.empty() && !args->abstraction.empty()) {
      throw core::InputError("--abstraction solves the trunk itself; leave STRATEGY away");
    }
    catch_interrupts();
    if (auto problem = read_poker(args->game)) {
      resolve_poker(poker_arguments(*args), std::move(*problem));
      return;
    }
    if (args->options.iterations == 0) args->options.iterations = 1000;
    if (args->blueprint_iterations.size() > 1) {
      throw core::InputError("--blueprint-iterations: several are for spots and whole games");
    }
    Resolve resolve(*args);
    resolve.run();
    args->json ? resolve.print_json() : resolve.print_text();
  });
}

void add_methods(CLI::App& app) {
  auto* command =
      app.add_subcommand("methods", "List the ways of re-solving subgames and what they guarantee");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object on standard output");
  command->callback([json] {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string& name : histories::all_second_passes()) {
      const histories::SecondPass pass = histories::make_second_pass(name);
      list.push_back({{"name", name},
                      {"summary", pass.summary},
                      {"safe", pass.safe},
                      {"condition", pass.condition}});
      if (!*json) {
        fmt::print("{}  ({})\n    {}\n    {}\n", name, pass.safe ? "safe" : "not safe",
                   pass.summary, pass.condition);
      }
    }
    if (*json) {
      print_object({{"methods", list}});
      return;
    }
    fmt::print(
        "\nA method is [reach-][estimated+]GADGET; reach takes gifts=split|single, "
        "bound=true|false\n"
        "and scale=X as in --method 'reach-maxmargin(gifts=single,scale=10)'.\n");
    for (const decompose::GadgetInfo& info : decompose::all_gadgets()) {
      if (info.params.empty()) continue;
      fmt::print("\n{}\n", info.name);
      print_params(info.params);
    }
  });
}

}  // namespace cleave::cli
