#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cleave::tree {

struct Tree;

// Named arrays and texts in one file: checkpoints and large strategies. The file is HDF5 (Python,
// Julia and MATLAB open it) behind a user block that holds a checksum of all that follows, so that
// a damaged file is refused before the HDF5 library looks at it.
struct Archive {
  std::map<std::string, std::vector<double>> reals;
  std::map<std::string, std::vector<uint64_t>> words;
  std::map<std::string, std::string> texts;

  // Throw InputError if the name is missing (or has another size than `size`, unless 0).
  const std::vector<double>& real(const std::string& name, size_t size = 0) const;
  const std::vector<uint64_t>& word(const std::string& name, size_t size = 0) const;
  const std::string& text(const std::string& name) const;
};

// Written beside and renamed, after a flush to disk: the old file stays whole until the new one is.
void write_archive(const Archive& archive, const std::string& path);
// Throws InputError: not there, not ours, truncated or damaged.
Archive read_archive(const std::string& path);

// What binds a file to its game: the tree's fingerprint as it stands in archives.
std::vector<uint64_t> fingerprint_words(const Tree& tree);

}  // namespace cleave::tree
