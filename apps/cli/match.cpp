#include "search/match.h"

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "core/error.h"
#include "core/number.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "door/game.h"
#include "fmt/format.h"
#include "interrupt.h"
#include "parameters.h"
#include "results.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

struct MatchArguments {
  std::string game;
  std::string agent_a;
  std::string agent_b;
  int64_t hands = 10000;
  std::string seed = "1";
  bool duplicate = false;
  bool exact = false;
  bool list = false;
  bool json = false;
  bool quiet = false;
};

// What the exact part found: the match's value, and each agent's own exploitability.
struct MatchTruth {
  search::ExactMatch value;
  std::array<solve::Certificate, 2> certificate;  // [agent]
};

// One match from options to result; the members are what its steps share.
class Match {
 public:
  explicit Match(const MatchArguments& args)
      : args_(args),
        progress_(args.quiet || args.json),
        game_(door::open_game(args.game, compile_options(progress_))),
        seed_(*core::parse_number<uint64_t>(args.seed)),
        setting_{*game_, seed_, core::hardware_threads(), &interrupted(), {}} {
    watch_.start();
    setting_.progress = [this](std::string_view what, int64_t done, int64_t total) {
      if (!is_time()) return;
      progress_.show(fmt::format("{}: {} of {} iterations, {}", what, grouped(done), grouped(total),
                                 seconds_text(watch_.seconds())),
                     watch_.seconds());
    };
  }

  void run() {
    for (size_t i = 0; i < 2; ++i) {
      const std::string& spec = i == 0 ? args_.agent_a : args_.agent_b;
      try {
        agents_[i] = search::make_agent(spec, setting_);
        if (args_.exact) agents_[i]->check_complete();
      } catch (const core::InputError& error) {
        throw core::InputError(fmt::format("agent {}: {}", "AB"[i], error.what()));
      }
    }
    search::MatchOptions options;
    options.hands = args_.hands;
    options.seed = seed_;
    options.duplicate = args_.duplicate;
    options.stop = &interrupted();
    options.progress = [this](int64_t hands, double mean, double error) {
      if (!is_time()) return;
      progress_.show(fmt::format("{} hands  {:+.4f} chips to A, standard error {:.4f}  {}",
                                 grouped(hands), mean, error, seconds_text(watch_.seconds())),
                     watch_.seconds());
    };
    result_ = search::play_match(*game_, *agents_[0], *agents_[1], options);
    if (result_.total.count < 2) {
      progress_.clear();
      throw core::RunError("interrupted before two hands were played in each seat");
    }
    if (args_.exact && !result_.stopped) find_truth();
    progress_.clear();
  }

  void print_json() const {
    nlohmann::ordered_json out;
    out["game"] = game_->name();
    out["agents"] = {args_.agent_a, args_.agent_b};
    out["hands"] = result_.hands;
    out["mean"] = result_.total.mean;
    out["standard_error"] = result_.total.error;
    out["confidence_95"] = {result_.total.low(), result_.total.high()};
    out["seats"] = nlohmann::ordered_json::array();
    for (const search::Sample& seat : result_.seat) {
      out["seats"].push_back({{"hands", seat.count},
                              {"mean", seat.mean},
                              {"standard_error", seat.error},
                              {"confidence_95", {seat.low(), seat.high()}}});
    }
    out["seed"] = seed_;
    out["duplicate"] = args_.duplicate;
    out["stopped"] = result_.stopped ? "interrupted" : "hands";
    out["seconds"] = watch_.seconds();
    if (truth_) {
      out["exact"] = {
          {"mean", truth_->value.mean},
          {"seats", truth_->value.seat},
          {"exploitability",
           {truth_->certificate[0].exploitability, truth_->certificate[1].exploitability}}};
    }
    print_object(out);
  }

  void print_text() const {
    print_row("game", game_->name());
    print_row("agent A", clipped(args_.agent_a, 84));
    print_row("agent B", clipped(args_.agent_b, 84));
    print_row("hands", fmt::format("{}, seats alternating{}", grouped(result_.hands),
                                   args_.duplicate ? ", duplicate" : ""));
    print_sample("A wins", result_.total);
    print_sample("A as player 1", result_.seat[0]);
    print_sample("A as player 2", result_.seat[1]);
    if (truth_) {
      print_row("exact", fmt::format("{} chips per hand", signed_text(truth_->value.mean)));
      for (size_t s = 0; s < 2; ++s) {
        print_row("", fmt::format("{} as player {}", signed_text(truth_->value.seat[s]), s + 1));
      }
      for (size_t i = 0; i < 2; ++i) {
        print_row(i == 0 ? "exploitability" : "",
                  fmt::format("{:.3g} chips for agent {} (mean over the two seats)",
                              truth_->certificate[i].exploitability, "AB"[i]));
      }
    }
    if (result_.stopped) {
      print_row("stopped", fmt::format("interrupted after {} of {} hands", grouped(result_.hands),
                                       grouped(args_.hands)));
    }
  }

 private:
  static void print_sample(const char* name, const search::Sample& sample) {
    print_row(name,
              fmt::format("{:+.6f} chips per hand, standard error {:.6f}, 95% [{:+.6f}, {:+.6f}]",
                          sample.mean, sample.error, sample.low(), sample.high()));
  }

  void find_truth() {
    std::array<std::shared_ptr<const decompose::Profile>, 2> strategy;
    try {
      for (size_t i = 0; i < 2; ++i) strategy[i] = agents_[i]->complete();
    } catch (const search::Interrupted&) {
      return;  // the hands were played, and are worth reporting
    }
    truth_ = MatchTruth{search::exact_match(*game_, *strategy[0], *strategy[1]),
                        {game_->certify(*strategy[0], setting_.threads),
                         game_->certify(*strategy[1], setting_.threads)}};
  }

  // Some ten times a second, but not in the first half second.
  bool is_time() {
    const double now = watch_.seconds();
    if (now < next_) return false;
    next_ = now + 0.1;
    return true;
  }

  const MatchArguments& args_;
  Progress progress_;
  std::unique_ptr<door::AnyGame> game_;
  uint64_t seed_;
  search::Setting setting_;
  std::array<std::unique_ptr<search::Agent>, 2> agents_;
  core::Stopwatch watch_;
  double next_ = 0.5;
  search::MatchResult result_;
  std::optional<MatchTruth> truth_;
};

void list_agents(bool json) {
  nlohmann::ordered_json out = nlohmann::json::array();
  for (const search::AgentInfo& info : search::all_agents()) {
    if (json) {
      out.push_back(
          {{"name", info.name}, {"summary", info.summary}, {"parameters", to_json(info.params)}});
      continue;
    }
    fmt::print("{}\n    {}\n", info.name, info.summary);
    print_params(info.params);
    fmt::print("\n");
  }
  if (json) {
    print_object({{"agents", out}});
  } else {
    fmt::print("Agents are given as in 'resolve(cut=round:1,blueprint=solve(iterations=100))'.\n");
  }
}

void check_match_arguments(const MatchArguments& args) {
  if (args.agent_b.empty()) {
    throw core::InputError("match needs GAME AGENT_A AGENT_B; --agents lists the agents");
  }
  if (!core::parse_number<uint64_t>(args.seed)) {
    throw core::InputError(
        fmt::format("--seed: '{}'; allowed is a whole number from 0 to 2^64 - 1", args.seed));
  }
}

}  // namespace

void add_match(CLI::App& app) {
  auto* command = app.add_subcommand("match", "Two agents play each other, with error bars");
  auto args = std::make_shared<MatchArguments>();
  command->add_option("GAME", args->game, kGameHelp);
  command->add_option("AGENT_A", args->agent_a,
                      "uniform, 'solve(iterations=99)', ...; --agents lists them");
  command->add_option("AGENT_B", args->agent_b, "The other; the same again for self-play");
  command->add_option("--hands", args->hands, "Hands, half of them in each seat. Default: 10000")
      ->check(CLI::Range(int64_t{4}, int64_t{1} << 50));
  command->add_option("--seed", args->seed, "Seed of cards and actions. Default: 1");
  command->add_flag("--duplicate", args->duplicate,
                    "Play each hand twice, seats changed, with the same luck");
  command->add_flag("--exact", args->exact,
                    "Also the exact expectation and each agent's exploitability");
  command->add_flag("--agents", args->list, "List the agents and their parameters");
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] {
    if (args->list) {
      list_agents(args->json);
      return;
    }
    catch_interrupts();
    check_match_arguments(*args);
    Match match(*args);
    match.run();
    args->json ? match.print_json() : match.print_text();
  });
}

}  // namespace cleave::cli
