#pragma once

#include <string>

#include "server/workspace.h"

namespace cleave::server {

// A small spot, solved below a second into kExampleFile unless it is there already: what a new
// user sees before anything else. Returns the name.
std::string make_example(const Workspace& workspace, int threads);

}  // namespace cleave::server
