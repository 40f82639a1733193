#include "solve_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "interrupt.h"
#include "parameters.h"
#include "paths.h"
#include "report/history.h"
#include "results.h"
#include "tree/strategy_file.h"

namespace cleave::cli {
namespace {

// Beside the strategy unless said otherwise: "leduc.csv" -> "leduc.history.csv". Empty for none.
std::string history_path(const SolveArguments& args) {
  if (!args.history.empty() || args.out.empty()) return args.history;
  return std::filesystem::path(args.out).replace_extension(".history.csv").string();
}

}  // namespace

void check_arguments(const SolveArguments& args) {
  if (!args.out.empty()) tree::check_strategy_path(args.out);
  if (args.resume && args.checkpoint.empty()) {
    throw core::InputError("--resume needs --checkpoint FILE: the file to continue from");
  }
  for (const std::string& path : {args.out, history_path(args), args.checkpoint}) {
    check_place(path);
  }
  const std::vector<std::pair<const char*, std::string>> written = {
      {"--out", args.out}, {"--history", history_path(args)}, {"--checkpoint", args.checkpoint}};
  for (size_t i = 0; i < written.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (written[i].second.empty() || written[i].second != written[j].second) continue;
      throw core::InputError(
          fmt::format("{}: both {} and {} would be written there; give two files",
                      written[i].second, written[j].first, written[i].first));
    }
  }
  if (!args.checkpoint.empty() && !args.resume && std::filesystem::exists(args.checkpoint)) {
    throw core::InputError(
        fmt::format("{}: already there; add --resume to continue it, or remove it to start again",
                    args.checkpoint));
  }
}

void refuse_percent(const SolveArguments& args) {
  throw core::InputError(
      fmt::format("--target {}: {} has no pot to take percents of; allowed is a number of chips",
                  args.target, args.game));
}

SolveRun::SolveRun(const SolveArguments& args)
    : args_(args),
      progress_(args.quiet || args.json),
      algorithm_(args.algorithm),
      threads_(args.threads > 0 ? args.threads : core::hardware_threads()),
      history_path_(history_path(args)) {
  limits_.iterations = args.iterations;
  limits_.seconds = args.seconds;
}

bool SolveRun::resumes() {
  if (!args_.resume) return false;
  if (std::filesystem::exists(args_.checkpoint)) return true;
  progress_.note(fmt::format("cleave: no checkpoint at {} yet: starting from the beginning",
                             args_.checkpoint));
  return false;
}

void SolveRun::require_same(const char* what, const std::string& given,
                            const std::string& has) const {
  if (given.empty() || given == has) return;
  throw core::InputError(
      fmt::format("{}: a checkpoint {} {}; it cannot go on {} {}", args_.checkpoint, what, has,
                  std::string_view(what).starts_with("of") ? "as" : "with", given));
}

void SolveRun::run() {
  solve::Hooks hooks;
  hooks.stop = &interrupted();
  hooks.checkpoint_seconds = args_.checkpoint_every;
  hooks.progress = [this](int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
    show_progress(iteration, seconds, latest);
  };
  if (!args_.checkpoint.empty()) {
    save_checkpoint(record_);  // a run that is killed at once can be resumed too
    hooks.checkpoint = [this](const solve::Record& record) { save_checkpoint(record); };
  }
  result_ = drive(hooks);
  progress_.clear();
  if (!args_.checkpoint.empty()) save_checkpoint(record_);
  if (!args_.out.empty()) write_strategy();
  if (!history_path_.empty()) {
    report::write_history_csv({game_, algorithm_, record_.history}, history_path_);
  }
}

void SolveRun::print_json() const {
  const solve::Certificate& c = result_.certificate;
  nlohmann::ordered_json out;
  out["game"] = game_;
  out["algorithm"] = algorithm_;
  out["iterations"] = iterations();
  out["seconds"] = record_.seconds;
  out["exploitability"] = c.exploitability;
  out["value"] = c.value;
  out["best_response"] = c.best_response;
  add_json(out);
  out["stopped"] = solve::to_string(result_.stopped);
  out["threads"] = threads_;
  if (limits_.target) out["target"] = *limits_.target;
  if (!args_.out.empty()) out["strategy"] = args_.out;
  if (!history_path_.empty()) out["history"] = history_path_;
  if (!args_.checkpoint.empty()) out["checkpoint"] = args_.checkpoint;
  print_object(out);
}

void SolveRun::print_text() const {
  print_head();
  print_row("algorithm", algorithm_);
  const auto done = static_cast<double>(iterations());
  print_row("iterations",
            fmt::format("{} in {} ({}/s)", grouped(iterations()), seconds_text(record_.seconds),
                        rate_text(done / std::max(record_.seconds, 1e-9))));
  print_result();
  print_row("stopped", why());
  if (!args_.out.empty()) print_row("strategy", args_.out);
  if (!history_path_.empty()) print_row("history", history_path_);
  if (!args_.checkpoint.empty()) print_row("checkpoint", args_.checkpoint);
}

void SolveRun::show_progress(int64_t iteration, double seconds, const solve::HistoryPoint& latest) {
  const double rate = static_cast<double>(iteration) / std::max(seconds, 1e-9);
  std::string line =
      fmt::format("{} it  {}  {}/s  {}", grouped(iteration), standing(latest.exploitability),
                  rate_text(rate), seconds_text(seconds));
  if (const auto left = solve::time_left(limits_, iteration, seconds, record_.history)) {
    line += fmt::format("  {} left", seconds_text(*left));
  }
  progress_.show(line, seconds);
}

std::string SolveRun::why() const {
  switch (result_.stopped) {
    case solve::Stopped::kFinished:
      return "the algorithm is done";
    case solve::Stopped::kTarget:
      return fmt::format("target of {} reached", aim());
    case solve::Stopped::kIterations:
      return fmt::format("limit of {} iterations reached", grouped(*limits_.iterations));
    case solve::Stopped::kSeconds:
      return fmt::format("limit of {} reached", seconds_text(*limits_.seconds));
    case solve::Stopped::kInterrupted:
      return args_.checkpoint.empty()
                 ? "interrupted; what was reached so far stands above"
                 : fmt::format("interrupted; continue with --checkpoint {} --resume",
                               args_.checkpoint);
  }
  return "";
}

}  // namespace cleave::cli
