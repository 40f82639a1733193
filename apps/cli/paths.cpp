#include "paths.h"

#include <filesystem>

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::cli {

void check_place(const std::string& path) {
  if (path.empty()) return;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw core::InputError(fmt::format("{}: there is no folder {}", path, folder.string()));
  }
  if (std::filesystem::is_directory(path)) {
    throw core::InputError(fmt::format("{}: a folder; a name for a file is needed", path));
  }
}

}  // namespace cleave::cli
