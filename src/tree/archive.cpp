#include "tree/archive.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "tree/tree.h"

namespace cleave::tree {
namespace {

constexpr size_t kUserBlock = 512;  // the smallest that HDF5 allows
constexpr std::string_view kMagic = "CLEAVE archive 1\n";
constexpr const char* kRealGroup = "reals";
constexpr const char* kWordGroup = "words";
constexpr const char* kTextGroup = "texts";
constexpr const char* kBulkGroup = "arrays";
// A type in an HDF5 file has a 32-bit size, and a text is one value of its own type.
constexpr size_t kMaxText = 0xffffffff;

constexpr hsize_t kCacheLine = 64;    // the kernels' alignment
constexpr hsize_t kAlignFrom = 4096;  // bytes: smaller arrays are read

using UserBlock = std::array<char, kUserBlock>;

// Everything behind the user block, in pieces: an archive may be larger than memory.
struct Body {
  uint64_t bytes = 0;
  core::Hash128 hash;
};

// From a file that was read up to there.
Body measure_body(core::FileReader& file) {
  Body body{file.size() - std::min<uint64_t>(file.size(), kUserBlock), {}};
  core::Hasher hasher;
  hasher.add(body.bytes);
  std::vector<char> block(size_t{1} << 20);
  while (const size_t got = file.read(block)) {
    hasher.add_words(std::as_bytes(std::span(block).first(got)));
  }
  body.hash = hasher.finish();
  return body;
}

// All 512 bytes follow from what stands behind them, so that a reader can compare every one.
UserBlock user_block(const Body& body) {
  UserBlock block{};
  fmt::format_to_n(block.data(), block.size(), "{}bytes {:020}\nchecksum {:016x}{:016x}\n", kMagic,
                   body.bytes, body.hash.hi, body.hash.lo);
  return block;
}

// Turned into InputError or RunError, with the path, at the edge of this file.
struct Hdf5Error {
  std::string reason;
};

herr_t keep_reason(unsigned, const H5E_error2_t* entry, void* reason) {
  auto& text = *static_cast<std::string*>(reason);
  if (text.empty() && entry->desc != nullptr) text = entry->desc;
  return 0;
}

template <class Result>
Result check(Result result) {
  if (result < 0) {
    Hdf5Error error;
    // Innermost first: the cause, not the call that passed it on.
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, &error.reason);
    H5Eclear2(H5E_DEFAULT);
    throw error;
  }
  return result;
}

// A handle with the function that closes its kind.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(check(id)), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: as HDF5 takes it

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// While it lives: one thread in the library, which is not built for more, and nothing printed.
class Session {
 public:
  Session() : lock_(mutex) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static inline std::mutex mutex;
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

[[maybe_unused]] bool is_name(const std::string& name) {
  return !name.empty() && name != "." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

Handle text_type(size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, size));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));  // all bytes count, a zero at the end is none
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

struct NumberType {
  hid_t file, memory;
};
NumberType type_of(double) { return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE}; }
NumberType type_of(uint64_t) { return {H5T_STD_U64LE, H5T_NATIVE_UINT64}; }
// By the size of its elements.
NumberType type_of(const BulkArray& array) {
  if (array.element_bytes == sizeof(int16_t)) return {H5T_STD_I16LE, H5T_NATIVE_INT16};
  if (array.element_bytes == sizeof(float)) return {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT};
  return type_of(double{});
}
size_t length_of(const BulkArray& array) { return array.bytes.size() / array.element_bytes; }

// The oldest format, which every reader knows; no locks, which not every file system has.
Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
  check(H5Pset_file_locking(access, false, true));
  check(H5Pset_alignment(access, kAlignFrom, kCacheLine));
  return access;
}

class Writer {
 public:
  explicit Writer(const std::string& path)
      : access_(file_access()),
        creation_(H5Pcreate(H5P_FILE_CREATE), H5Pclose),
        dataset_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        file_(create(path), H5Fclose) {
    // Equal content is to give equal bytes.
    check(H5Pset_obj_track_times(dataset_, false));
  }

  void add(const Archive& archive, std::span<const BulkArray> bulk) {
    add_arrays(kRealGroup, archive.reals);
    add_arrays(kWordGroup, archive.words);
    if (!bulk.empty()) {
      const Handle group = make_group(kBulkGroup);
      for (const BulkArray& array : bulk) {
        add_array(group, array.name, array.bytes.data(), length_of(array), type_of(array));
      }
    }
    const Handle group = make_group(kTextGroup);
    for (const auto& [name, text] : archive.texts) add_text(group, name, text);
  }

 private:
  hid_t create(const std::string& path) {
    check(H5Pset_userblock(creation_, kUserBlock));
    check(H5Pset_obj_track_times(creation_, false));
    return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation_, access_);
  }

  Handle make_group(const char* name) {
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(creation, false));
    return {H5Gcreate2(file_, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose};
  }

  Handle make_dataset(const Handle& group, const std::string& name, hid_t type,
                      const Handle& space) {
    assert(is_name(name));
    return {H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, dataset_, H5P_DEFAULT),
            H5Dclose};
  }

  template <class T>
  void add_arrays(const char* group_name, const std::map<std::string, std::vector<T>>& arrays) {
    const Handle group = make_group(group_name);
    for (const auto& [name, values] : arrays) {
      add_array(group, name, values.data(), values.size(), type_of(T{}));
    }
  }

  void add_array(const Handle& group, const std::string& name, const void* values, hsize_t size,
                 NumberType type) {
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle dataset = make_dataset(group, name, type.file, space);
    if (size == 0) return;
    check(H5Dwrite(dataset, type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }

  void add_text(const Handle& group, const std::string& name, const std::string& text) {
    if (text.size() > kMaxText) throw Hdf5Error{"text '" + name + "' has more than 4 GiB"};
    // HDF5 has no string of length 0; an empty dataspace says the same.
    const Handle type = text_type(text.empty() ? 1 : text.size());
    const Handle space(H5Screate(text.empty() ? H5S_NULL : H5S_SCALAR), H5Sclose);
    const Handle dataset = make_dataset(group, name, type, space);
    if (text.empty()) return;
    check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  }

  Handle access_;
  Handle creation_;
  Handle dataset_;
  Handle file_;
};

class Reader {
 public:
  explicit Reader(const std::string& path)
      : access_(file_access()), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_), H5Fclose) {}

  Archive read() {
    Archive archive;
    read_arrays(kRealGroup, archive.reals);
    read_arrays(kWordGroup, archive.words);
    for (const std::string& name : names(kTextGroup)) archive.texts[name] = read_text(name);
    return archive;
  }

  void read_bulk(const BulkArray& array) {
    const Handle dataset = open_bulk(array);
    if (array.bytes.empty()) return;
    check(
        H5Dread(dataset, type_of(array).memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()));
  }

  bool has_bulk(const std::string& name) {
    if (check(H5Lexists(file_, kBulkGroup, H5P_DEFAULT)) == 0) return false;
    return check(H5Lexists(file_, (kBulkGroup + ("/" + name)).c_str(), H5P_DEFAULT)) > 0;
  }

  std::optional<uint64_t> bulk_offset(const BulkArray& array) {
    const Handle dataset = open_bulk(array);
    const haddr_t address = H5Dget_offset(dataset);
    if (address == HADDR_UNDEF || address % kCacheLine != 0) return std::nullopt;
    return address;
  }

 private:
  std::vector<std::string> names(const char* group_name) {
    const Handle group(H5Gopen2(file_, group_name, H5P_DEFAULT), H5Gclose);
    std::vector<std::string> result;
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
      static_cast<std::vector<std::string>*>(out)->emplace_back(name);
      return 0;
    };
    check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &result));
    return result;
  }

  // A large array, checked to be of its kind and size.
  Handle open_bulk(const BulkArray& array) {
    Handle dataset = open_dataset(kBulkGroup, array.name);
    const size_t size = check_list(dataset, kBulkGroup, array.name, type_of(array).file);
    if (size != length_of(array)) {
      throw Hdf5Error{fmt::format("{}/{} has {} numbers where {} are needed", kBulkGroup,
                                  array.name, size, length_of(array))};
    }
    return dataset;
  }

  Handle open_dataset(const char* group, const std::string& name) {
    return {H5Dopen2(file_, (group + ("/" + name)).c_str(), H5P_DEFAULT), H5Dclose};
  }

  // The length of what must be a list of numbers of the given type.
  static size_t check_list(const Handle& dataset, const char* group, const std::string& name,
                           hid_t file_type) {
    const Handle stored(H5Dget_type(dataset), H5Tclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    if (check(H5Tequal(stored, file_type)) == 0 || check(H5Sget_simple_extent_ndims(space)) != 1) {
      throw Hdf5Error{fmt::format("{}/{} is not a list of numbers of its kind", group, name)};
    }
    return static_cast<size_t>(check(H5Sget_simple_extent_npoints(space)));
  }

  template <class T>
  void read_arrays(const char* group, std::map<std::string, std::vector<T>>& arrays) {
    const NumberType type = type_of(T{});
    for (const std::string& name : names(group)) {
      const Handle dataset = open_dataset(group, name);
      std::vector<T>& values = arrays[name];
      values.resize(check_list(dataset, group, name, type.file));
      if (values.empty()) continue;
      check(H5Dread(dataset, type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    }
  }

  std::string read_text(const std::string& name) {
    const Handle dataset = open_dataset(kTextGroup, name);
    const Handle stored(H5Dget_type(dataset), H5Tclose);
    const Handle space(H5Dget_space(dataset), H5Sclose);
    const H5S_class_t kind = check(H5Sget_simple_extent_type(space));
    if (check(H5Tget_class(stored)) != H5T_STRING || check(H5Tis_variable_str(stored)) != 0 ||
        (kind != H5S_NULL && kind != H5S_SCALAR)) {
      throw Hdf5Error{fmt::format("{}/{} is not one text", kTextGroup, name)};
    }
    if (kind == H5S_NULL) return {};
    std::string text(H5Tget_size(stored), '\0');
    check(H5Dread(dataset, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    return text;
  }

  Handle access_;
  Handle file_;
};

// Throws InputError unless every byte is as it was written.
void verify(const std::string& path) {
  core::FileReader file(path, path);  // one opening: another file may take the name meanwhile
  UserBlock found{};
  const size_t found_bytes = file.read(found);
  const std::string_view block(found.data(), found_bytes);
  if (!block.starts_with(kMagic)) {
    core::reject(
        "{}: not an archive of Cleave (it does not begin with '{}'); give a file that Cleave wrote",
        path, kMagic.substr(0, kMagic.size() - 1));
  }
  const auto damaged = [&](const std::string& what) {
    core::reject("{}: damaged archive: {}; use an earlier copy or write the file again", path,
                 what);
  };
  if (found_bytes < kUserBlock) damaged(fmt::format("cut off after {} bytes", found_bytes));
  const Body body = measure_body(file);
  const UserBlock expected = user_block(body);
  const std::string_view wanted(expected.data(), expected.size());
  if (block == wanted) return;
  const size_t length_end = kMagic.size() + std::string_view("bytes ").size() + 20;
  damaged(block.substr(0, length_end) != wanted.substr(0, length_end)
              ? fmt::format("its length of {} bytes is not the one that it states",
                            body.bytes + kUserBlock)
              : "its checksum does not match its content");
}

// `size`: 0 where any will do.
template <class Map>
const typename Map::mapped_type& find(const Map& map, const char* kind, const std::string& name,
                                      size_t size) {
  const auto found = map.find(name);
  if (found == map.end()) core::reject("the archive has no {} '{}'", kind, name);
  if (size != 0 && found->second.size() != size) {
    core::reject("the archive has {} values in {} '{}' where {} are needed", found->second.size(),
                 kind, name, size);
  }
  return found->second;
}

}  // namespace

const std::vector<double>& Archive::real(const std::string& name, size_t size) const {
  return find(reals, "array", name, size);
}
const std::vector<uint64_t>& Archive::word(const std::string& name, size_t size) const {
  return find(words, "array", name, size);
}
const std::string& Archive::text(const std::string& name) const {
  return find(texts, "text", name, 0);
}

void write_archive(const Archive& archive, const std::string& path,
                   std::span<const BulkArray> bulk) {
  core::replace_file(path, [&](const std::string& temporary) {
    try {
      const Session session;
      Writer(temporary).add(archive, bulk);
    } catch (const Hdf5Error& error) {
      throw core::RunError(fmt::format("{}: cannot be written: HDF5: {}", path, error.reason));
    }
    core::FileReader file(temporary, path);
    file.skip(kUserBlock);
    core::overwrite_beginning(temporary, path, user_block(measure_body(file)));
  });
}

// What `use` returns; an error of HDF5's says that the file is not what it claims to be.
template <class Use>
static auto guarded(const std::string& path, const Use& use) {
  try {
    return use();
  } catch (const Hdf5Error& error) {
    core::reject(
        "{}: not the archive that it claims to be: HDF5: {}; give a file that Cleave wrote", path,
        error.reason);
  }
}

struct ArchiveFile::Open {
  explicit Open(const std::string& path) : reader(path) {}
  Session session;
  Reader reader;
};

ArchiveFile::ArchiveFile(const std::string& path) : path_(path) {
  verify(path);
  open_ = guarded(path, [&] { return std::make_unique<Open>(path); });
}
ArchiveFile::~ArchiveFile() = default;

Archive ArchiveFile::read() const {
  return guarded(path_, [&] { return open_->reader.read(); });
}

void ArchiveFile::read_bulk(const BulkArray& array) const {
  guarded(path_, [&] { open_->reader.read_bulk(array); });
}

bool ArchiveFile::has_bulk(const std::string& name) const {
  return guarded(path_, [&] { return open_->reader.has_bulk(name); });
}

std::optional<uint64_t> ArchiveFile::bulk_offset(const BulkArray& array) const {
  return guarded(path_, [&] { return open_->reader.bulk_offset(array); });
}

Archive read_archive(const std::string& path) { return ArchiveFile(path).read(); }

std::vector<uint64_t> fingerprint_words(const Tree& tree) {
  const core::Hash128 hash = tree.fingerprint();
  return {hash.hi, hash.lo};
}

}  // namespace cleave::tree
