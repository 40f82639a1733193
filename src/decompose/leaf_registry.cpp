#include "decompose/leaf_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "decompose/leaves/bucket_leaves.h"
#include "decompose/leaves/continuation_leaves.h"
#include "decompose/leaves/function_leaves.h"
#include "decompose/leaves/plain_leaves.h"
#include "decompose/leaves/solved_leaves.h"

namespace cleave::decompose {
namespace {

using Made = std::unique_ptr<LeafEvaluator>;

constexpr bool kNeedsBlueprint = true;

std::vector<core::ParamInfo> solving_params(const char* iterations) {
  return {{"iterations", iterations, "of each leaf, for every iteration above it, at most"},
          {"algorithm", "cfr+", "of the CFR family"},
          {"accuracy", "0", "end when the gains left in a subgame come to this; 0: never"}};
}

std::vector<core::ParamInfo> parked_params() {
  auto params = solving_params("10");
  params.push_back({"folder", "temporary", "where the file is made"});
  return params;
}

Made make_solved(const LeafSetting& setting, core::Params& params, bool keep_warm,
                 bool parks = false) {
  SolvedLeavesOptions options;
  options.iterations = params.integer("iterations", keep_warm ? 10 : 100, 1, int64_t{1} << 40);
  // A warm solver's iterations have no limit that a schedule could be planned for.
  options.schedule =
      solve::make_schedule(params.text("algorithm", "cfr+"), keep_warm ? 0 : options.iterations);
  options.accuracy = params.real("accuracy", 0, 0, 1e300);
  options.keep_warm = keep_warm;
  options.threads = setting.threads;
  if (parks) {
    options.folder = params.text("folder", std::filesystem::temp_directory_path().string());
    if (options.schedule(1).regret.predict) {
      core::reject("leaves 'parked': minimisers that predict cannot be put away");
    }
  }
  return std::make_unique<SolvedLeaves>(std::move(options));
}

Made make_bucket(const LeafSetting& setting, core::Params& params) {
  return std::make_unique<BucketLeaves>(
      BucketLeavesOptions{.schedule = solve::make_schedule(params.text("algorithm", "cfr+")),
                          .classes = params.integer("classes", 20, 1, 1'000'000'000),
                          .threads = setting.threads});
}

Made make_stored(const LeafSetting&, core::Params& params) {
  const std::string file = params.text("file", "");
  if (file.empty()) core::reject("leaves 'stored' need a file of kept values: stored(file=...)");
  return std::make_unique<StoredLeaves>(KeptSummaries(file));
}

Made make_function(const LeafSetting&, core::Params& params) {
  return std::make_unique<FunctionLeaves>(
      find_function(params.text("name", "public")).make(params));
}

Made make_checking(const LeafSetting& setting, core::Params& params) {
  const auto make = [&](const char* name, const char* fallback) {
    return make_leaves(core::parse_call(params.text(name, fallback)), setting);
  };
  auto first = make("first", "warm");
  return std::make_unique<CheckingLeaves>(std::move(first), make("second", "solved"));
}

const LeafInfo& find_leaves(const std::string& name, const LeafSetting& setting) {
  const auto found = std::ranges::find(all_leaves(), name, &LeafInfo::name);
  if (found == all_leaves().end()) {
    core::reject("there are no leaves '{}'; there are {}", name, core::names_of(all_leaves()));
  }
  if (found->needs_blueprint && !setting.blueprint) {
    core::reject("leaves '{}' go by a blueprint, and none is given", name);
  }
  return *found;
}

}  // namespace

const std::vector<LeafInfo>& all_leaves() {
  static const std::vector<LeafInfo> leaves = {
      {"solved", "each subgame solved for the reach that arrives, then thrown away",
       solving_params("100"),
       [](const LeafSetting& s, core::Params& p) { return make_solved(s, p, false); }},
      {"warm", "the same by solvers that go on from what they have learnt", solving_params("10"),
       [](const LeafSetting& s, core::Params& p) { return make_solved(s, p, true); }},
      {"parked", "warm ones that wait in a file while they are not needed: the memory of one",
       parked_params(),
       [](const LeafSetting& s, core::Params& p) { return make_solved(s, p, true, true); }},
      {"bucket",
       "learnt with the trunk by buckets: states whose actions are worth about the same play alike",
       {{"classes", "20", "of worth, between the least and the most that an action is worth"},
        {"algorithm", "cfr+", "of the CFR family"}},
       make_bucket},
      {"payoff",
       "what is paid if every action is played alike; as it is, where nobody decides any more",
       {},
       [](const LeafSetting&, core::Params&) -> Made {
         return std::make_unique<PayoffLeaves>(uniform_profile());
       }},
      {"stored",
       "values kept of the same pieces, whatever the reach",
       {{"file", "", "of summaries: what 'decompose' and 'resolve' write"}},
       make_stored},
      {"function",
       "a value function of both players' reach",
       {{"name", "public", "of the function; its own parameters follow"}},
       make_function},
      {"checking",
       "the first's values, and how far from them the second's are",
       {{"first", "warm", "leaves"}, {"second", "solved", "leaves"}},
       make_checking},
      {"blueprint",
       "both players go on by a strategy of the whole game",
       {},
       [](const LeafSetting& s, core::Params&) -> Made {
         return std::make_unique<PayoffLeaves>(s.blueprint);
       },
       kNeedsBlueprint},
      {"continuations",
       "the hero goes on by the blueprint, the opponent chooses among four ways to go on",
       {{"factor", "10", "by which three of them favour the first, second or last action"}},
       [](const LeafSetting& s, core::Params& params) -> Made {
         return std::make_unique<ContinuationLeaves>(
             s.hero, s.blueprint, bent_profiles(s.blueprint, params.real("factor", 10, 1, 1e9)));
       },
       kNeedsBlueprint},
      {"zero",
       "everything is worth nothing: searching without knowledge",
       {},
       [](const LeafSetting&, core::Params&) -> Made { return std::make_unique<ZeroLeaves>(); }}};
  return leaves;
}

std::unique_ptr<LeafEvaluator> make_leaves(core::Call call, const LeafSetting& setting) {
  const LeafInfo& info = find_leaves(call.name, setting);
  core::Params params(fmt::format("leaves '{}'", call.name), std::move(call.arguments));
  auto leaves = info.make(setting, params);
  params.finish(info.params);
  return leaves;
}

MakeLeaves leaves_named(core::Call call, bool has_blueprint) {
  LeafSetting trial;
  if (has_blueprint) trial.blueprint = uniform_profile();
  make_leaves(call, trial);
  return
      [call = std::move(call)](const LeafSetting& setting) { return make_leaves(call, setting); };
}

}  // namespace cleave::decompose
