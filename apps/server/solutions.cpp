#include "server/solutions.h"

namespace cleave::server {

OpenSolution::OpenSolution(const std::string& path, int threads) : solution(path, threads) {
  for (const poker::Lock& at : solution.problem().locks) {
    const auto places = hands::find_addresses(solution.engine().layout(), at.node);
    locked.insert(locked.end(), places.begin(), places.end());
  }
}

std::shared_ptr<OpenSolution> open_solution(Services& services, const std::string& file) {
  const std::string path = services.workspace.existing(file, {".h5"});
  return services.solutions.get(
      stamp_of(path), [&] { return std::make_shared<OpenSolution>(path, services.threads); });
}

}  // namespace cleave::server
