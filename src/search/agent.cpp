#include "search/agent.h"

#include <algorithm>

#include "search/blueprint.h"
#include "search/continual.h"
#include "search/minimax.h"

namespace cleave::search {

void Setting::check_stop() const {
  if (stop && stop->load(std::memory_order_relaxed)) throw Interrupted("stopped while thinking");
}

const std::vector<AgentInfo>& all_agents() {
  static const std::vector<AgentInfo> agents = {uniform_info(),   blueprint_info(), solve_info(),
                                                resolving_info(), continual_info(), minimax_info()};
  return agents;
}

std::unique_ptr<Agent> make_agent(std::string_view spec, const Setting& setting) {
  core::Call call = core::parse_call(spec);
  const auto info = std::ranges::find(all_agents(), call.name, &AgentInfo::name);
  if (info == all_agents().end()) {
    core::reject("there is no agent '{}'; there are {}", call.name, core::names_of(all_agents()));
  }
  core::Params params(fmt::format("agent '{}'", call.name), std::move(call.arguments));
  return info->make(setting, params);
}

}  // namespace cleave::search
