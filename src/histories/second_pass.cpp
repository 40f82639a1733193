#include "histories/second_pass.h"

#include <fmt/format.h>

#include "core/error.h"
#include "histories/path_recovery.h"

namespace cleave::histories {
namespace {

RecoveryOptions recovery_options(const ResolveOptions& options) {
  RecoveryOptions result;
  result.algorithm = options.exact ? "lp" : options.algorithm;
  result.iterations = options.iterations;
  result.threads = options.threads;
  result.stop = options.stop;
  return result;
}

// Both recover all subgames for both players in one call.
void require_everything(const ResolveOptions& options, const std::string& name) {
  if (!options.hero && !options.subgame) return;
  throw core::InputError(fmt::format(
      "method '{}' works on all subgames for both players; --player and --subgame are for root "
      "gadgets",
      name));
}

SecondPass graft_pass(core::Call call) {
  core::Params("method 'graft'", std::move(call.arguments)).finish({});
  SecondPass pass;
  pass.name = "graft";
  pass.summary = "the opponent stays free in the whole game, the hero outside is chance";
  pass.safe = true;
  pass.condition = "never more exploitable than the trunk, at the price of solving the whole game";
  pass.run = [](const CutGame& game, const std::vector<decompose::Summary>&,
                const tree::Strategy& trunk, const ResolveOptions& options) {
    require_everything(options, "graft");
    return graft(game.game, game.cut, {kAllSubgames}, trunk, recovery_options(options));
  };
  return pass;
}

SecondPass path_recovery_pass(core::Call call, std::string_view spec) {
  const std::vector<core::ParamInfo> known = {
      {"values", "trunk", "of leaving the path: trunk, best-response or sampled"},
      {"playouts", "1000", "per value, where sampled"}};
  core::Params params("method 'path-recovery'", std::move(call.arguments));
  PathRecoveryOptions recovery;
  const std::string values =
      params.choice("values", "trunk", {"trunk", "best-response", "sampled"});
  recovery.off_path = values == "trunk"     ? OffPath::kTrunk
                      : values == "sampled" ? OffPath::kSampled
                                            : OffPath::kBestResponse;
  recovery.playouts = params.integer("playouts", recovery.playouts, 1, int64_t{1} << 40);
  params.finish(known);
  SecondPass pass;
  pass.name = std::string(spec);
  pass.summary =
      "the opponent is free on the path and in the subgame; leaving the path has a price";
  pass.condition = path_recovery_guarantee(recovery, 2);
  pass.run = [recovery](const CutGame& game, const std::vector<decompose::Summary>&,
                        const tree::Strategy& trunk, const ResolveOptions& options) mutable {
    require_everything(options, "path-recovery");
    recovery.solving = recovery_options(options);
    return recover_paths(game.game, game.cut, each_subgame(game.cut), trunk, recovery);
  };
  return pass;
}

}  // namespace

SecondPass make_second_pass(std::string_view spec) {
  core::Call call = core::parse_call(spec);
  if (call.name == "graft") return graft_pass(std::move(call));
  if (call.name == "path-recovery") return path_recovery_pass(std::move(call), spec);
  SecondPass pass;
  const decompose::Method method = decompose::make_method(spec, "; also graft and path-recovery");
  pass.name = method.name;
  pass.summary = method.gadget->summary;
  pass.safe = method.safe;
  pass.condition = method.condition;
  pass.run = [method](const CutGame& game, const std::vector<decompose::Summary>& summaries,
                      const tree::Strategy& trunk, const ResolveOptions& options) {
    return resolve_all(game, summaries, method, options, trunk);
  };
  return pass;
}

const std::vector<std::string>& all_second_passes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = decompose::all_methods();
    list.insert(list.end(), {"graft", "path-recovery"});
    return list;
  }();
  return names;
}

}  // namespace cleave::histories
