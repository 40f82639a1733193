#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "hands/view.h"
#include "server/services.h"

namespace cleave::server {

// A solution that is open; whoever reads it holds its mutex.
struct OpenSolution {
  std::string path;
  std::filesystem::file_time_type written;
  std::mutex mutex;
  std::optional<hands::Solution> solution;
  std::vector<hands::Address> locked;  // nodes
};

// The solutions looked at last stay open. A file that was written again is opened again.
class Solutions {
 public:
  explicit Solutions(int threads) : threads_(threads) {}

  std::shared_ptr<OpenSolution> open(const std::string& path);

 private:
  static constexpr size_t kMostOpen = 4;
  const int threads_;
  std::mutex mutex_;
  std::list<std::shared_ptr<OpenSolution>> open_;  // the last used first
};

// The ones of these services.
std::shared_ptr<Solutions> solutions_of(Services& services);

// `Solution`, `NodeReply` and `RunoutsReply` of types.ts.
Json describe_solution(hands::Solution& solution, const std::string& file);
Json describe_node(OpenSolution& open, const std::string& line);
Json describe_runouts(OpenSolution& open, const std::string& line);

}  // namespace cleave::server
