#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace cleave::core {

// In lower case and with its dot, ".csv"; empty where the name has none.
std::string extension_of(const std::string& path);

// Throws InputError naming the path and the reason.
std::string read_file(const std::string& path);

// Writes to a new file beside `path`, flushes it to disk and renames it: a reader or a crash sees
// the old content or the new one, never a part. Throws RunError naming the path and the reason.
void write_file_atomically(const std::string& path, std::span<const std::span<const char>> parts);
void write_file_atomically(const std::string& path,
                           const std::function<void(std::ostream&)>& write);

}  // namespace cleave::core
