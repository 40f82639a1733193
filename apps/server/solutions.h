#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hands/view.h"
#include "server/services.h"

namespace cleave::server {

// A solution that is open; whoever reads it holds the mutex.
struct OpenSolution {
  OpenSolution(const std::string& path, int threads);
  std::mutex mutex;
  hands::Solution solution;
  std::vector<hands::Address> locked;  // nodes
};

// The solutions looked at last stay open. A file that was written again is opened again.
std::shared_ptr<OpenSolution> open_solution(Services& services, const std::string& file);

// `Solution`, `NodeReply` and `RunoutsReply` of types.ts.
Json describe_solution(hands::Solution& solution, const std::string& file);
Json describe_node(OpenSolution& open, const std::string& line);
Json describe_runouts(OpenSolution& open, const std::string& line);

}  // namespace cleave::server
