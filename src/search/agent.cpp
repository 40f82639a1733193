#include "search/agent.h"

#include <fmt/format.h>

#include "search/blueprint.h"
#include "search/continual.h"
#include "search/minimax.h"
#include "search/resolving.h"
#include "search/spec.h"

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
  std::string known;
  for (const AgentInfo& info : all_agents()) {
    if (info.name == call.name) return info.make(setting, std::move(call));
    known += (known.empty() ? "" : ", ") + info.name;
  }
  throw core::InputError(fmt::format("there is no agent '{}'; there are {}", call.name, known));
}

}  // namespace cleave::search
