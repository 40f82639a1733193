#include "server/solutions.h"

#include <algorithm>

namespace cleave::server {

std::shared_ptr<OpenSolution> Solutions::open(const std::string& path) {
  const auto written = std::filesystem::last_write_time(path);
  std::shared_ptr<OpenSolution> open;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_,
                  [&](const auto& one) { return one->path == path && one->written != written; });
    const auto at = std::ranges::find(open_, path, [](const auto& one) { return one->path; });
    if (at == open_.end()) {
      open_.push_front(std::make_shared<OpenSolution>());
      open_.front()->path = path;
      open_.front()->written = written;
      if (open_.size() > kMostOpen) open_.pop_back();
    } else {
      open_.splice(open_.begin(), open_, at);
    }
    open = open_.front();
  }
  const std::lock_guard lock(open->mutex);
  if (!open->solution) {
    open->solution.emplace(path, threads_);
    hands::Solution& solution = *open->solution;
    for (const poker::Lock& at : solution.problem().locks) {
      const auto places = hands::find_addresses(solution.engine().layout(), at.node);
      open->locked.insert(open->locked.end(), places.begin(), places.end());
    }
  }
  return open;
}

std::shared_ptr<Solutions> solutions_of(Services& services) {
  if (!services.solutions) services.solutions = std::make_shared<Solutions>(services.threads);
  return services.solutions;
}

}  // namespace cleave::server
