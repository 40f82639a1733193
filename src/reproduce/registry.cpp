#include <fmt/format.h>

#include "core/error.h"
#include "reproduce/target.h"

namespace cleave::reproduce {

void Context::check_stop() const {
  if (stop && *stop) throw core::RunError("interrupted; nothing was written");
}

const std::vector<TargetInfo>& all_targets() {
  static const std::vector<TargetInfo> targets = {
      coin_toss(),    rps(),         burch_fig3(), burch_fig4(),   burch_fig5(),    jackson_leduc(),
      nested_leduc(), fpira_table(), fpira_fig2(), fpira_random(), cfr_ira_table(), bs_table1(),
      bs_table2(),    bs_table3(),   bs_table4(),  bs_fig9()};
  return targets;
}

const TargetInfo& find_target(std::string_view name) {
  std::string known;
  for (const TargetInfo& target : all_targets()) {
    if (target.name == name) return target;
    known += (known.empty() ? "" : ", ") + target.name;
  }
  throw core::InputError(
      fmt::format("there is no target '{}'; there are {}, all and list", name, known));
}

}  // namespace cleave::reproduce
