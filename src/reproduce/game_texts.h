#pragma once

#include <map>
#include <string>

namespace cleave::reproduce {

// The files of papers/*/games by name, without ".toml".
const std::map<std::string, std::string>& game_texts();

}  // namespace cleave::reproduce
