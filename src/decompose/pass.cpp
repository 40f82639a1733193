#include "decompose/pass.h"

namespace cleave::decompose {

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
