#include "poker/abstraction/buckets.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "interrupt.h"
#include "parameters.h"
#include "reproduce/output.h"
#include "terminal.h"

namespace cleave::cli {
namespace {

struct BucketsArguments {
  std::string spec;
  std::string folder = "out/work";
  uint64_t seed = 1;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

void print_bucketings(bool json) {
  nlohmann::ordered_json out;
  out["kinds"] = nlohmann::json::array();
  for (const poker::BucketingInfo& info : poker::all_bucketings()) {
    out["kinds"].push_back({{"name", info.name}, {"summary", info.summary}});
    if (json) continue;
    fmt::print("{:<16}{}\n", info.name, info.summary);
    for (const core::ParamInfo& param : info.params) {
      constexpr size_t kIndent = 16;
      fmt::print("  {:<14}{}\n", param.name,
                 reproduce::wrapped(fmt::format("{} (default {})", param.help, param.default_value),
                                    reproduce::kColumns, kIndent));
    }
  }
  if (json) print_object(out);
}

void buckets_command(const BucketsArguments& args) {
  if (args.spec.empty()) return print_bucketings(args.json);
  catch_interrupts();
  Progress progress(args.quiet || args.json);
  core::Stopwatch watch;
  watch.start();
  const poker::Buckets buckets = poker::make_buckets(
      args.spec,
      {.seed = args.seed,
       .threads = args.threads > 0 ? args.threads : core::hardware_threads(),
       .folder = args.folder,
       .stop = &interrupted(),
       .progress = [&](const std::string& line) { progress.show(line, watch.seconds()); }});
  progress.clear();
  std::vector<uint64_t> size(buckets.count, 0);
  for (const uint16_t b : buckets.bucket) ++size[b];
  std::ranges::sort(size);
  const uint64_t middle = size[size.size() / 2];
  if (args.json) {
    nlohmann::ordered_json out;
    out["spec"] = poker::canonical_bucketing(args.spec);
    out["board_cards"] = buckets.board_cards;
    out["classes"] = buckets.bucket.size();
    out["buckets"] = buckets.count;
    out["smallest"] = size.front();
    out["median"] = middle;
    out["largest"] = size.back();
    out["seconds"] = watch.seconds();
    return print_object(out);
  }
  fmt::print("buckets         {}\n", poker::canonical_bucketing(args.spec));
  fmt::print("hands           {} classes on boards of {} cards\n", buckets.bucket.size(),
             buckets.board_cards);
  fmt::print("size            {} buckets of {} to {} classes, {} in the middle\n", buckets.count,
             size.front(), size.back(), middle);
  fmt::print("kept in         {}\n", args.folder);
  fmt::print("time            {}\n", seconds_text(watch.seconds()));
}

}  // namespace

void add_buckets(CLI::App& app) {
  auto* command =
      app.add_subcommand("buckets", "Put the hands of a street into buckets: card abstraction");
  auto args = std::make_shared<BucketsArguments>();
  command->add_option("SPEC", args->spec,
                      "As emd(street=flop,buckets=200); none: which kinds there are");
  command->add_option("--folder", args->folder,
                      "Where buckets are kept and found again. Default: out/work");
  command->add_option("--seed", args->seed, "Of the first centres. Default: 1");
  command
      ->add_option("--threads", args->threads,
                   "Threads; the result does not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--json", args->json, "One JSON object on standard output");
  command->add_flag("--quiet", args->quiet, "No progress");
  command->callback([args] { buckets_command(*args); });
}

}  // namespace cleave::cli
