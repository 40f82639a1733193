#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "server/routes.h"

namespace cleave::server {

// The bundled solution: the one hidden file that may be read.
inline constexpr const char* kExampleFile = ".cleave/example.h5";

// `FileEntry.kind` of types.ts; "" for what Cleave does not open.
std::string file_kind(const std::string& path);

// The folder that the server may read and write below. Names are relative, with '/'. Nothing
// outside is ever touched: no absolute names, no "..", no hidden files, and no links that lead out.
class Workspace {
 public:
  // Made if it is not there. Throws InputError where nothing can be written there.
  explicit Workspace(const std::string& folder);

  const std::filesystem::path& folder() const { return folder_; }

  // The path of a file that is there. Throws InputError for a name that is not allowed or another
  // extension; Refusal 404 where there is no such file.
  std::string existing(std::string_view name, std::initializer_list<const char*> extensions) const;
  // Where a file may be written; folders on the way are made. Refusal 409 where it is there already
  // and may not be replaced.
  std::string place(std::string_view name, std::initializer_list<const char*> extensions,
                    bool overwrite) const;
  // "NAME.toml" for a path that existing() or place() gave.
  std::string name_of(const std::string& path) const;

  Json list() const;  // `Files` of types.ts

 private:
  void check_way(const std::filesystem::path& path, std::string_view name) const;
  std::filesystem::path folder_;  // canonical
};

// Names a file as it is now: another text once it has changed.
std::string stamp_of(const std::string& path);

}  // namespace cleave::server
