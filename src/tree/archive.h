#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
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

// A large array that is written from where it stands and read to where it is to stand: numbers of
// two (whole), four or eight bytes (real). In the file it is arrays/NAME.
struct BulkArray {
  std::string name;
  std::span<std::byte> bytes;
  size_t element_bytes;
};

// Written beside and renamed, after a flush to disk: the old file stays whole until the new one is.
void write_archive(const Archive& archive, const std::string& path,
                   std::span<const BulkArray> bulk = {});
// Throws InputError: not there, not ours, truncated or damaged.
Archive read_archive(const std::string& path);

// An archive with large arrays, verified and open; only one at a time.
class ArchiveFile {
 public:
  explicit ArchiveFile(const std::string& path);  // throws as read_archive
  ~ArchiveFile();
  ArchiveFile(const ArchiveFile&) = delete;
  ArchiveFile& operator=(const ArchiveFile&) = delete;

  Archive read() const;  // all but the large arrays
  // Throws InputError if there is none of that name, kind and size.
  void read_bulk(const BulkArray& array) const;
  bool has_bulk(const std::string& name) const;
  // Where its bytes stand in the file, at a cache line: they can be used from there. None for files
  // of before that was so. Throws as read_bulk.
  std::optional<uint64_t> bulk_offset(const BulkArray& array) const;

 private:
  struct Open;
  std::string path_;
  std::unique_ptr<Open> open_;
};

// What binds a file to its game: the tree's fingerprint as it stands in archives.
std::vector<uint64_t> fingerprint_words(const Tree& tree);

}  // namespace cleave::tree
