#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "decompose/second_pass.h"
#include "door/tree_game.h"
#include "fmt/format.h"
#include "histories/abstraction.h"
#include "histories/profile.h"
#include "interrupt.h"
#include "parameters.h"
#include "paths.h"
#include "poker_input.h"
#include "results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

struct ResolveArguments {
  std::string game;
  std::string strategy;
  std::string cut;
  std::string method = "reach-maxmargin";
  std::string blueprint;                      // empty: the game's own
  std::vector<int64_t> blueprint_iterations;  // one trunk for each; none: the default
  std::string abstraction;
  decompose::ResolveOptions options;
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
  decompose::Pass pass;
  solve::Certificate after;
  double seconds = 0;
};

// A trunk and what becomes of it.
struct ResolveTrunk {
  std::string text;
  std::shared_ptr<const decompose::Profile> profile;
  solve::Certificate before;
  std::vector<ResolveRow> rows;
  double seconds = 0;
  size_t num_solved = 0;  // subgames and heroes
};

class Resolve {
 public:
  explicit Resolve(const ResolveArguments& args)
      : args_(args),
        progress_(args.quiet || args.json),
        game_(door::open_game(args.game, compile_options(progress_))),
        cuts_(game_->cuts(args.cut)),
        options_(args.options),
        blueprint_(args.blueprint.empty() ? game_->default_algorithm() : args.blueprint),
        blueprint_iterations_(args.blueprint_iterations) {
    watch_.start();
    for (const std::string& name : method_names()) passes_.push_back(decompose::make_pass(name));
    options_.stop = &interrupted();
    if (options_.threads == 0) options_.threads = core::hardware_threads();
    if (options_.iterations == 0) options_.iterations = game_->streams() ? 100 : 1000;
    if (args.player > 0) options_.hero = static_cast<size_t>(args.player - 1);
    if (blueprint_iterations_.empty()) {
      // Of what streams a bad trunk and a good one.
      blueprint_iterations_ =
          game_->streams() ? std::vector<int64_t>{10, 300} : std::vector<int64_t>{1000};
    }
    for (const std::string& cut : cuts_) pieces_.push_back(game_->piece(cut));
    check_arguments();
  }

  void run() {
    const size_t num_trunks = args_.strategy.empty() ? blueprint_iterations_.size() : 1;
    for (size_t i = 0; i < num_trunks; ++i) {
      trunks_.push_back(args_.strategy.empty() ? solve_trunk(blueprint_iterations_[i])
                                               : read_trunk());
      ResolveTrunk& trunk = trunks_.back();
      trunk.before = game_->certify(*trunk.profile, options_.threads);
      if (!args_.save_summary.empty()) save_summary(trunk);
      if (!apply_passes(trunk)) break;
    }
    progress_.clear();
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = game_->name();
    out["strategy"] = args_.strategy.empty() ? blueprint_ : args_.strategy;
    out["cut"] = args_.cut;
    out["subgames"] = num_subgames();
    if (game_->pot() > 0) out["pot"] = game_->pot();
    out["algorithm"] = options_.exact ? "lp" : options_.algorithm;
    if (!options_.exact) out["iterations"] = options_.iterations;
    const ResolveTrunk& only = trunks_[0];
    if (trunks_.size() == 1) {
      out["before"] = certificate_json(only.before);
      out["methods"] = methods_json(only);
      if (only.rows.size() == 1) out["exploitability"] = only.rows[0].after.exploitability;
    }
    out["trunks"] = nlohmann::ordered_json::array();
    for (const ResolveTrunk& trunk : trunks_) {
      out["trunks"].push_back({{"strategy", trunk.text},
                               {"subgames", trunk.num_solved},
                               {"seconds", trunk.seconds},
                               {"before", certificate_json(trunk.before)},
                               {"methods", methods_json(trunk)}});
    }
    if (!args_.out.empty()) out["out"] = args_.out;
    print_object(out);
  }

  void print_text() const {
    print_row("game", game_->name());
    for (size_t i = 0; i < cuts_.size(); ++i) {
      if (i == 3 && cuts_.size() > 4) {
        print_row("", fmt::format("... {} more", cuts_.size() - i));
        break;
      }
      print_lines(i == 0 ? "cut" : "", cuts_[i] + ": " + game_->describe(cuts_[i]));
    }
    print_row("solved by", options_.exact ? std::string("linear program")
                                          : fmt::format("{}, {} iterations", options_.algorithm,
                                                        grouped(options_.iterations)));
    for (const ResolveTrunk& trunk : trunks_) print_trunk(trunk);
    fmt::print("\nIn chips; 1 concedes what a best response of player 2 wins against player 1.\n");
    if (trunks_.size() == 1 && trunks_[0].rows.size() == 1) {
      const decompose::Pass& pass = trunks_[0].rows[0].pass;
      fmt::print("{}: {}\n", pass.name, pass.condition);
    }
    if (!args_.out.empty()) print_row("strategy", args_.out);
  }

 private:
  std::vector<std::string> method_names() const {
    if (args_.method != "all") return {args_.method};
    std::vector<std::string> names = decompose::all_passes();
    // Grafting has no exact form here, nor one for some of the subgames.
    if (args_.options.exact || args_.player > 0 || args_.subgame > 0) std::erase(names, "graft");
    return names;
  }

  size_t num_subgames() const {
    size_t count = 0;
    for (size_t leaf = 0; leaf < pieces_[0]->num_leaves(); ++leaf) {
      count += pieces_[0]->num_below(leaf);
    }
    return count;
  }

  void check_arguments() {
    if (!args_.out.empty()) game_->check_out(args_.out);
    const bool one_cut = cuts_.size() == 1 && args_.cut != "all";
    if (!one_cut && (args_.subgame > 0 || !args_.summary.empty() || !args_.save_summary.empty())) {
      throw core::InputError("--subgame, --summary and --save-summary need a single cut, not all");
    }
    const auto count = static_cast<int64_t>(pieces_[0]->num_leaves());
    if (args_.subgame > count) {
      throw core::InputError(fmt::format("--subgame is {}; cut {} has subgames 1 to {}",
                                         args_.subgame, args_.cut, count));
    }
    if (args_.subgame > 0) options_.subgame = static_cast<size_t>(args_.subgame - 1);
    const bool one_trunk = !args_.strategy.empty() || blueprint_iterations_.size() == 1;
    if (!args_.out.empty() && (passes_.size() > 1 || !one_trunk)) {
      throw core::InputError(
          "--out needs one method and one trunk (a STRATEGY, or one number of "
          "--blueprint-iterations): each gives another strategy");
    }
    if (!args_.save_summary.empty() && !one_trunk) {
      throw core::InputError("--save-summary needs one trunk: each has values of its own");
    }
    if (options_.exact && game_->streams()) {
      throw core::InputError("--exact is for games of the tree engine");
    }
  }

  ResolveTrunk read_trunk() const {
    ResolveTrunk trunk;
    trunk.text = args_.strategy;
    trunk.profile = game_->read(args_.strategy, options_.threads);
    return trunk;
  }

  // Solved on the spot, in an abstraction where one is given.
  ResolveTrunk solve_trunk(int64_t iterations) {
    ResolveTrunk trunk;
    trunk.text = fmt::format("{}, {} iterations", blueprint_, grouped(iterations));
    door::Watch watch;
    watch.threads = options_.threads;
    watch.stop = options_.stop;
    watch.progress = [&](int64_t done) {
      progress_.show(fmt::format("trunk: {} of {} iterations", grouped(done), grouped(iterations)),
                     watch_.seconds());
    };
    if (args_.abstraction.empty()) {
      trunk.profile = game_->solve(blueprint_, iterations, watch);
      return trunk;
    }
    const auto* game = dynamic_cast<const door::TreeGame*>(game_.get());
    if (!game) throw core::InputError("--abstraction is for games of the tree engine");
    const tree::Tree& tree = game->problem().tree;
    const histories::InfosetMap map =
        args_.abstraction == "leduc-strength"
            ? histories::leduc_strength_map(game->game(), tree)
            : histories::read_infoset_map(game->game(), tree, args_.abstraction);
    const auto abstract = histories::make_abstract_game(game->game(), tree, map);
    trunk.profile = std::make_shared<histories::TreeProfile>(histories::expand(
        tree, abstract, door::solve_tree(abstract.problem, blueprint_, iterations, watch)));
    trunk.text += fmt::format(", {}: {} of {} information sets", args_.abstraction,
                              grouped(static_cast<int64_t>(abstract.problem.tree.num_infosets())),
                              grouped(static_cast<int64_t>(tree.num_infosets())));
    return trunk;
  }

  void save_summary(const ResolveTrunk& trunk) {
    summaries_ =
        decompose::summarise(*pieces_[0], *trunk.profile, game_->root_reach(), options_.threads);
    decompose::KeptSummaries(*pieces_[0], summaries_).write(args_.save_summary);
  }

  // False: interrupted; the methods finished so far stand.
  bool apply_passes(ResolveTrunk& trunk) {
    const double begun = watch_.seconds();
    if (!args_.summary.empty()) {
      summaries_ = decompose::KeptSummaries(args_.summary).below(*pieces_[0]);
    }
    for (const decompose::Pass& pass : passes_) {
      try {
        apply(pass, trunk);
      } catch (const core::RunError&) {
        if (!interrupted() || (trunk.rows.empty() && trunks_.size() == 1)) throw;
        if (trunk.rows.empty()) trunks_.pop_back();
        progress_.clear();
        progress_.note("cleave: interrupted; the methods finished so far stand below");
        return false;
      }
      trunk.seconds = watch_.seconds() - begun;
    }
    return true;
  }

  void apply(const decompose::Pass& pass, ResolveTrunk& trunk) {
    ResolveRow row;
    row.pass = pass;
    const double begun = watch_.seconds();
    decompose::SecondPass work{.trunk = {},
                               .profile = trunk.profile,
                               .root_reach = game_->root_reach(),
                               .summaries = summaries_,
                               .solving = options_};
    work.solving.progress = [&](size_t done, size_t all) {
      progress_.show(
          fmt::format("{}: {}, {} of {} subgames or deals", trunk.text, pass.name, done, all),
          watch_.seconds());
    };
    // What is put together again: the trunk, and every answer as it comes.
    const bool together = !game_->streams() || !args_.out.empty() || pieces_.size() > 1;
    for (const auto& piece : pieces_) {
      std::shared_ptr<decompose::Recombined> into;
      if (together) into = game_->recombine(*work.profile);
      work.trunk = piece;
      const decompose::SecondPassResult result = decompose::apply(pass, work, into.get());
      trunk.num_solved += result.num_solved;
      for (size_t p = 0; p < 2; ++p) {
        row.after.best_response[p] = result.best_response[p] + game_->shift();
      }
      row.after.exploitability = (result.best_response[0] + result.best_response[1]) / 2;
      if (into) work.profile = into;
    }
    if (!game_->streams()) row.after = game_->certify(*work.profile, options_.threads);
    if (!args_.out.empty()) game_->write(*work.profile, args_.out);
    row.seconds = watch_.seconds() - begun;
    trunk.rows.push_back(std::move(row));
  }

  nlohmann::ordered_json certificate_json(const solve::Certificate& c) const {
    nlohmann::ordered_json out;
    out["exploitability"] = c.exploitability;
    if (game_->pot() > 0) out["exploitability_percent"] = 100 * c.exploitability / game_->pot();
    out["best_response"] = c.best_response;
    if (!game_->streams()) out["value"] = c.value;
    return out;
  }

  nlohmann::ordered_json methods_json(const ResolveTrunk& trunk) const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ResolveRow& row : trunk.rows) {
      nlohmann::ordered_json entry = certificate_json(row.after);
      entry["method"] = row.pass.name;
      entry["safe"] = row.pass.safe;
      entry["condition"] = row.pass.condition;
      entry["seconds"] = row.seconds;
      list.push_back(std::move(entry));
    }
    return list;
  }

  void print_trunk(const ResolveTrunk& trunk) const {
    fmt::print("\n");
    print_row("trunk", trunk.text);
    print_row("subgames",
              fmt::format("{} solved in {}", grouped(static_cast<int64_t>(trunk.num_solved)),
                          seconds_text(trunk.seconds)));
    fmt::print("\n{:<{}}{:>14}{:>{}}{:>11}{:>11}{:>10}  {}\n", "method", method_width(),
               "exploitability", game_->pot() > 0 ? "of pot" : "", percent_width(), "1 concedes",
               "2 concedes", "time", "safe");
    print_line("before", trunk.before, "", "");
    for (const ResolveRow& row : trunk.rows) {
      print_line(row.pass.name, row.after, seconds_text(row.seconds), row.pass.safe ? "yes" : "no");
    }
  }

  // A player's loss is the other's best response; the game's value cancels in the mean only.
  void print_line(const std::string& name, const solve::Certificate& c, const std::string& time,
                  const std::string& safe) const {
    const std::string percent =
        game_->pot() > 0 ? fmt::format("{:.4f}%", 100 * c.exploitability / game_->pot()) : "";
    fmt::print("{:<{}}{:>14.6g}{:>{}}{:>11.5g}{:>11.5g}{:>10}  {}\n",
               clipped(name, method_width() - 1), method_width(), c.exploitability, percent,
               percent_width(), c.best_response[1], c.best_response[0], time, safe);
  }
  size_t method_width() const { return game_->pot() > 0 ? 36 : 46; }
  size_t percent_width() const { return game_->pot() > 0 ? 10 : 0; }

  const ResolveArguments& args_;
  Progress progress_;
  std::unique_ptr<door::AnyGame> game_;
  std::vector<std::string> cuts_;
  std::vector<std::shared_ptr<const decompose::Piece>> pieces_;  // [cut]
  decompose::ResolveOptions options_;
  std::string blueprint_;
  std::vector<int64_t> blueprint_iterations_;
  std::vector<decompose::Pass> passes_;
  std::vector<decompose::Summary> summaries_;
  core::Stopwatch watch_;
  std::vector<ResolveTrunk> trunks_;
};

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
                   "round:R, depth:D, history:A, all; poker street:S, deal:S, line:A/B")
      ->required();
  command->add_option("--method", args->method,
                      "See `cleave methods`; all compares them. Default: reach-maxmargin");
  command
      ->add_option("--iterations", args->options.iterations,
                   "Per subgame and seat. Default: 1000; of hold'em 100")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 50));
  command->add_option("--algorithm", args->options.algorithm,
                      "Of the CFR family, for the subgames. Default: cfr+");
  command->add_flag("--exact", args->options.exact,
                    "By linear program instead of iterations; small games");
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
  command->add_option("--out", args->out,
                      "Write the recombined strategy here: .csv or .h5; of hold'em .h5");
  command
      ->add_option("--threads", args->options.threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress on standard error");
  command->callback([args] {
    check_place(args->out);
    check_place(args->save_summary);
    if (!args->strategy.empty() && !args->abstraction.empty()) {
      throw core::InputError("--abstraction solves the trunk itself; leave STRATEGY away");
    }
    catch_interrupts();
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
    for (const std::string& name : decompose::all_passes()) {
      const decompose::Pass pass = decompose::make_pass(name);
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
