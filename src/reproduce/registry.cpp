#include <algorithm>

#include "core/error.h"
#include "core/params.h"
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
  const auto found = std::ranges::find(all_targets(), name, &TargetInfo::name);
  if (found != all_targets().end()) return *found;
  core::reject("there is no target '{}'; there are {}, all and list", name,
               core::names_of(all_targets()));
}

}  // namespace cleave::reproduce
