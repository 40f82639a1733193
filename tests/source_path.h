#pragma once

#include <string>

namespace cleave {

// A file of the repository: source_path("examples/games/kuhn.game"). Only one source knows where
// the clone stands, so that the others are the same to a compiler cache in every clone.
std::string source_path(const std::string& file);

}  // namespace cleave
