#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "interrupt.h"
#include "parameters.h"
#include "reproduce/output.h"
#include "reproduce/target.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

struct ReproduceArguments {
  std::string target = "list";
  bool quick = false;
  std::string out;
  std::string work = "out/work";
  size_t flops = 0;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

// One target's run and what it left behind.
struct Reproduction {
  const reproduce::TargetInfo* target;
  reproduce::Run run;
  reproduce::Outcome outcome;
  std::string folder;
  std::vector<std::string> files;
  std::string failure;  // why there is no outcome; empty where there is

  bool passed() const { return failure.empty() && reproduce::passed(outcome); }
  std::string verdict() const {
    if (!failure.empty()) return failure;
    if (outcome.checks.empty()) return "no criterion stated";
    return fmt::format("{} of {} criteria met",
                       outcome.checks.size() - reproduce::num_missed(outcome),
                       outcome.checks.size());
  }
};

void print_targets(bool json) {
  if (json) {
    nlohmann::ordered_json out;
    out["targets"] = nlohmann::json::array();
    for (const reproduce::TargetInfo& target : reproduce::all_targets()) {
      out["targets"].push_back(
          {{"name", target.name}, {"source", target.source}, {"summary", target.summary}});
    }
    return print_object(out);
  }
  for (const reproduce::TargetInfo& target : reproduce::all_targets()) {
    constexpr size_t kIndent = 16;
    fmt::print("{:<16}{}\n", target.name,
               reproduce::wrapped(target.summary, reproduce::kColumns, kIndent));
    fmt::print("{:<16}{}\n", "", reproduce::wrapped(target.source, reproduce::kColumns, kIndent));
  }
}

// Where files go: --out for one target, a folder of its own below it for each of all.
std::string folder_of(const ReproduceArguments& args, const std::string& target) {
  if (!args.out.empty() && args.target != "all") return args.out;
  const std::filesystem::path base = args.out.empty() ? "out/reproduce" : args.out;
  return (base / target).string();
}

void check_folder(const std::string& folder) {
  if (!std::filesystem::exists(folder) || std::filesystem::is_directory(folder)) return;
  throw core::InputError(fmt::format("{}: a file; --out needs the name of a folder", folder));
}

std::string command_of(const ReproduceArguments& args, const std::string& target) {
  return fmt::format("cleave reproduce {}{}{}", target, args.quick ? " --quick" : "",
                     args.flops > 0 ? fmt::format(" --flops {}", args.flops) : "");
}

Reproduction reproduce_one(const ReproduceArguments& args, const reproduce::TargetInfo& target,
                           Progress& progress) {
  Reproduction done{&target, {}, {}, folder_of(args, target.name), {}, ""};
  core::Stopwatch watch;
  watch.start();
  reproduce::Context context;
  context.quick = args.quick;
  context.threads = args.threads > 0 ? args.threads : core::hardware_threads();
  context.stop = &interrupted();
  context.work = args.work;
  context.flops = args.flops;
  context.progress = [&](const std::string& line) {
    progress.show(fmt::format("{}: {}  {}", target.name, line, seconds_text(watch.seconds())),
                  watch.seconds());
  };
  done.outcome = target.run(context);
  progress.clear();
  done.run = {command_of(args, target.name), watch.seconds(), context.threads};
  done.files = reproduce::write_outcome(target, done.run, done.outcome, done.folder);
  return done;
}

void print_reproduction(const Reproduction& done) {
  const auto print_wrapped = [](const std::string& text, size_t indent) {
    fmt::print("{}\n", reproduce::wrapped(text, reproduce::kColumns, indent));
  };
  print_wrapped(fmt::format("{}: {}", done.target->name, done.target->summary), 2);
  print_wrapped("from " + done.target->source, 2);
  for (const reproduce::Table& table : done.outcome.tables) {
    fmt::print("\n");
    print_wrapped(table.title, 2);
    fmt::print("{}", reproduce::text_table(table));
  }
  fmt::print("\n{}", reproduce::text_checks(done.outcome.checks));
  if (!done.outcome.notes.empty()) fmt::print("\n");
  for (const std::string& note : done.outcome.notes) print_wrapped("- " + note, 2);
  fmt::print("\n{}: {} in {}\n", done.target->name, done.verdict(), seconds_text(done.run.seconds));
  fmt::print("wrote {}/\n", done.folder);
  for (const std::string& file : done.files) fmt::print("      {}\n", file);
}

nlohmann::ordered_json cell_json(const reproduce::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return nullptr;
}

nlohmann::ordered_json reproduction_json(const Reproduction& done, bool quick) {
  nlohmann::ordered_json out;
  out["target"] = done.target->name;
  out["source"] = done.target->source;
  out["quick"] = quick;
  out["passed"] = done.passed();
  if (!done.failure.empty()) {
    out["failure"] = done.failure;
    return out;
  }
  out["seconds"] = done.run.seconds;
  out["threads"] = done.run.threads;
  out["checks"] = nlohmann::json::array();
  for (const reproduce::Check& check : done.outcome.checks) {
    out["checks"].push_back(
        {{"criterion", check.criterion}, {"measured", check.measured}, {"passed", check.passed}});
  }
  out["tables"] = nlohmann::json::array();
  for (const reproduce::Table& table : done.outcome.tables) {
    nlohmann::ordered_json rows = nlohmann::json::array();
    for (const auto& row : table.rows) {
      nlohmann::ordered_json cells = nlohmann::json::array();
      for (const reproduce::Cell& cell : row) cells.push_back(cell_json(cell));
      rows.push_back(cells);
    }
    nlohmann::ordered_json object;
    object["name"] = table.name;
    object["title"] = table.title;
    object["columns"] = table.columns;
    object["rows"] = rows;
    out["tables"].push_back(object);
  }
  out["notes"] = done.outcome.notes;
  out["folder"] = done.folder;
  out["files"] = done.files;
  return out;
}

// A run of one's own that does not come out is no reason to leave out the others.
std::vector<Reproduction> reproduce_all(const ReproduceArguments& args, Progress& progress) {
  std::vector<Reproduction> done;
  for (const reproduce::TargetInfo& target : reproduce::all_targets()) {
    try {
      done.push_back(reproduce_one(args, target, progress));
    } catch (const core::RunError& error) {
      progress.clear();
      if (interrupted()) throw;
      done.push_back({&target, {}, {}, "", {}, error.what()});
    }
    if (args.json) continue;
    if (done.back().failure.empty()) {
      print_reproduction(done.back());
    } else {
      fmt::print("{}: {}\n", target.name, done.back().failure);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return done;
}

void print_summary(const std::vector<Reproduction>& all) {
  reproduce::Table table{"", "", {"target", "", "criteria", "seconds"}, {}};
  for (const Reproduction& done : all) {
    table.rows.push_back(
        {done.target->name, done.passed() ? "PASS" : "MISS", done.verdict(), done.run.seconds});
  }
  fmt::print("{}", reproduce::text_table(table));
}

void reproduce_command(const ReproduceArguments& args) {
  if (args.target == "list") return print_targets(args.json);
  catch_interrupts();
  Progress progress(args.quiet || args.json);
  std::vector<Reproduction> done;
  if (!args.out.empty()) check_folder(args.out);
  if (args.target == "all") {
    done = reproduce_all(args, progress);
    nlohmann::ordered_json out;
    out["passed"] = std::ranges::all_of(done, &Reproduction::passed);
    out["targets"] = nlohmann::json::array();
    for (const Reproduction& one : done)
      out["targets"].push_back(reproduction_json(one, args.quick));
    args.json ? print_object(out) : print_summary(done);
  } else {
    done.push_back(reproduce_one(args, reproduce::find_target(args.target), progress));
    args.json ? print_object(reproduction_json(done[0], args.quick)) : print_reproduction(done[0]);
  }
  std::string missed;
  for (const Reproduction& one : done) {
    if (one.passed()) continue;
    missed += fmt::format("{}{}: {}", missed.empty() ? "" : "; ", one.target->name, one.verdict());
  }
  if (!missed.empty()) throw core::RunError(missed);
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto* command = app.add_subcommand(
      "reproduce", "Run a paper's experiment: its numbers and ours, side by side");
  auto args = std::make_shared<ReproduceArguments>();
  command->add_option("TARGET", args->target,
                      "A target, `all`, or `list` (the default): which there are");
  command->add_flag("--quick", args->quick, "The short form: a minute, or a few for hold'em");
  command->add_option("--out", args->out,
                      "Folder for report, CSV and charts. Default: out/reproduce/TARGET");
  command
      ->add_option("--flops", args->flops,
                   "Hold'em: so many flops, with error bars. Default: by target")
      ->check(CLI::Range(1, 1755));
  command->add_option("--work", args->work,
                      "Where long targets keep what is finished. Default: out/work");
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] { reproduce_command(*args); });
}

}  // namespace cleave::cli
