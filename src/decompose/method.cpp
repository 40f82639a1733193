#include "decompose/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

namespace cleave::decompose {
namespace {

// Jackson's: the opponent enters, or leaves the path by the best way out that it passed.
constexpr std::string_view kPathRecovery = "path-recovery";

bool take_word(std::string_view& name, std::string_view word) {
  if (!name.starts_with(word)) return false;
  if (name.size() == word.size()) {
    name = {};
    return true;
  }
  if (name[word.size()] != '-' && name[word.size()] != '+') return false;
  name.remove_prefix(word.size() + 1);
  return true;
}

// Split gifts never cost more than the trunk has to lose (theorem 2; with bounds it is also never
// worse than without gifts). Single ones are theorem 1's: nothing but this subgame may change.
void judge(Method& method) {
  method.condition = method.gadget->condition;
  if (!method.gadget->safe) return;
  const GiftRule& gifts = method.gifts;
  if (method.estimated) {
    method.condition = "no guarantee: as far off as the estimates are (theorem 3)";
  } else if (gifts.kind != GiftRule::Kind::kNoGifts && gifts.scale > 1) {
    method.condition = "no guarantee: gifts scaled up may be spent twice";
  } else if (gifts.kind == GiftRule::Kind::kSingle) {
    method.condition = "safe only if this one subgame is re-solved: gifts are not split";
  } else {
    method.safe = true;
  }
}

GiftRule read_gifts(core::Params& params) {
  const bool split = params.choice("gifts", "split", {"split", "single"}) == "split";
  return {.kind = split ? GiftRule::Kind::kSplit : GiftRule::Kind::kSingle,
          .bound = params.boolean("bound", split),
          .scale = params.real("scale", 1, 0, 1e9)};
}

double gifts_of(const GiftRule& rule, const std::vector<Gift>& gifts) {
  double sum = 0;
  for (const Gift& gift : gifts) {
    const double g = rule.bound ? gift.bound : gift.gain;
    if (rule.kind == GiftRule::Kind::kSplit) sum += g;
    if (rule.kind == GiftRule::Kind::kSingle && gift.sole && gift.reach > 0) sum += g / gift.reach;
  }
  return rule.scale * sum;
}

}  // namespace

Method make_method(std::string_view spec, std::string_view also) {
  core::Call call = core::parse_call(spec);
  Method method;
  method.name = std::string(spec);
  if (spec == kPathRecovery) {
    method.gadget = find_gadget("resolve");
    method.estimated = method.detours = true;
    method.condition = "no guarantee for several subgames together: each may use up the same slack";
    return method;
  }
  std::string_view name = call.name;
  const bool reach = take_word(name, "reach");
  method.estimated = take_word(name, "estimated");
  if (name.empty() && method.estimated) name = "resolve";
  method.gadget = find_gadget(name);
  if (!method.gadget) {
    core::reject(
        "there is no method '{}'; allowed are [reach-][estimated+]GADGET with a GADGET out of {}, "
        "and 'estimated' for estimated+resolve; also {}{}",
        call.name, core::names_of(all_gadgets()), kPathRecovery, also);
  }
  if ((reach || method.estimated) && !method.gadget->uses_alternatives) {
    core::reject(
        "method '{}': gadget '{}' has no alternative payoffs, so neither 'reach' nor 'estimated' "
        "can change them",
        call.name, method.gadget->name);
  }
  core::Params params(fmt::format("method '{}'", call.name), call.arguments);
  std::vector<core::ParamInfo> known = method.gadget->params;
  if (reach) {
    known.push_back({"gifts", "split", "split among subgames, or single (not split)"});
    known.push_back({"bound", "true if split", "count only gifts that are guaranteed"});
    known.push_back({"scale", "1", "multiply gifts by this"});
    method.gifts = read_gifts(params);
  }
  for (const auto& argument : call.arguments) {
    if (std::ranges::count(method.gadget->params, argument.first, &core::ParamInfo::name) > 0) {
      method.gadget_arguments.push_back(argument);
    }
  }
  // Reads the gadget's own parameters once, for their errors.
  GadgetInput input{{1}, {1}, {{0}, {0}}};
  method.gadget->make(input, params);
  params.finish(known);
  judge(method);
  return method;
}

const std::vector<std::string>& all_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const GadgetInfo& info : all_gadgets()) list.push_back(info.name);
    list.insert(list.end(),
                {"reach-resolve", "reach-maxmargin", "reach-maxmargin(gifts=single)", "estimated",
                 "estimated+distributional", "reach-estimated+distributional",
                 "reach-estimated+distributional(gifts=single)"});
    return list;
  }();
  return names;
}

GadgetInput make_gadget_input(const Method& method, const Engine& engine, size_t hero,
                              const Entrance& entrance) {
  const size_t opponent = 1 - hero;
  const Summary& summary = entrance.summary;
  const std::vector<double>&best = summary.best_response[opponent],
        &estimate = summary.value[opponent];
  GadgetInput input;
  input.trunk_reach = summary.reach[opponent];
  std::vector<double>& rho = input.counterfactual_reach;
  rho.resize(input.trunk_reach.size());
  engine.counterfactual_reach(opponent, summary.reach[hero], rho);
  if (std::inner_product(rho.begin(), rho.end(), input.trunk_reach.begin(), 0.0) <= 0) {
    std::ranges::fill(input.trunk_reach, 1.0);
  }
  if (!method.gadget->uses_alternatives) return input;
  for (size_t s = 0; s < rho.size(); ++s) {
    const double scale = rho[s] > 0 ? 1 / rho[s] : 0;
    double mean = (method.estimated ? estimate[s] : best[s]) * scale;
    if (!entrance.way.empty()) {
      if (method.gifts.kind != GiftRule::Kind::kNoGifts) {
        mean += gifts_of(method.gifts, find_gifts(entrance.way[s], rho[s]));
      }
      if (method.detours && !entrance.way[s].empty()) {
        mean += find_detour(entrance.way[s]) * scale;
      }
    }
    input.alternatives.mean.push_back(mean);
    input.alternatives.deviation.push_back(std::abs(estimate[s] - best[s]) * scale);
  }
  return input;
}

std::unique_ptr<Gadget> make_gadget(const Method& method, const GadgetInput& input) {
  core::Params params(fmt::format("method '{}'", method.name), method.gadget_arguments);
  return method.gadget->make(input, params);
}

Pass make_pass(std::string_view spec) {
  if (spec == "blueprint") {
    return {.name = "blueprint",
            .summary = "everything stays as the trunk's strategy has it",
            .safe = true,
            .condition = "nothing changes"};
  }
  if (spec == "graft") {
    return {.name = "graft",
            .summary = "the opponent stays free in the whole game, the hero outside is fixed",
            .safe = true,
            .condition =
                "never more exploitable than the trunk, at the price of solving the whole game",
            .grafts = true};
  }
  const Method method = make_method(spec, ", blueprint and graft");
  return {.name = method.name,
          .summary = method.gadget->summary,
          .safe = method.safe,
          .condition = method.condition,
          .method = method};
}

const std::vector<std::string>& all_passes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = all_methods();
    list.insert(list.end(), {"path-recovery", "graft"});
    return list;
  }();
  return names;
}

}  // namespace cleave::decompose
