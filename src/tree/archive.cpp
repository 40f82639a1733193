#include "tree/archive.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <cassert>
#include <cstring>
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
constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr const char* kRealGroup = "reals";
constexpr const char* kWordGroup = "words";
constexpr const char* kTextGroup = "texts";
// A type in an HDF5 file has a 32-bit size, and a text is one value of its own type.
constexpr size_t kMaxText = 0xffffffff;

using UserBlock = std::array<char, kUserBlock>;

// All 512 bytes follow from what stands behind them, so that a reader can compare every one.
UserBlock user_block(std::span<const char> body) {
  const core::Hash128 hash = core::Hasher().add_bytes(std::as_bytes(body)).finish();
  UserBlock block{};
  fmt::format_to_n(block.data(), block.size(), "{}bytes {:020}\nchecksum {:016x}{:016x}\n", kMagic,
                   body.size(), hash.hi, hash.lo);
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
  hid_t get() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// While it lives: one thread in the library, which is not built for more, and nothing printed.
class Session {
 public:
  Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }

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
  check(H5Tset_size(type.get(), size));
  check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));  // all bytes count, a zero at the end is none
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  return type;
}

class Writer {
 public:
  explicit Writer(size_t expected_bytes)
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose),
        creation_(H5Pcreate(H5P_FILE_CREATE), H5Pclose),
        dataset_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        file_(create(expected_bytes), H5Fclose) {
    // Equal content is to give equal bytes.
    check(H5Pset_obj_track_times(dataset_.get(), false));
  }

  void add(const Archive& archive) {
    {
      const Handle group = make_group(kRealGroup);
      for (const auto& [name, values] : archive.reals) {
        add_array(group, name, values, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
      }
    }
    {
      const Handle group = make_group(kWordGroup);
      for (const auto& [name, values] : archive.words) {
        add_array(group, name, values, H5T_STD_U64LE, H5T_NATIVE_UINT64);
      }
    }
    const Handle group = make_group(kTextGroup);
    for (const auto& [name, text] : archive.texts) add_text(group, name, text);
  }

  // The file's bytes behind the user block: there the library lets an image begin.
  std::vector<char> body() {
    check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
    std::vector<char> bytes(static_cast<size_t>(check(H5Fget_file_image(file_.get(), nullptr, 0))));
    check(H5Fget_file_image(file_.get(), bytes.data(), bytes.size()));
    if (!std::string_view(bytes.data(), bytes.size()).starts_with(kSignature)) {
      throw Hdf5Error{"its file image does not begin at the user block's end"};
    }
    return bytes;
  }

 private:
  hid_t create(size_t expected_bytes) {
    // One allocation in the usual case, and no file on disk.
    check(H5Pset_fapl_core(access_.get(), expected_bytes, false));
    // The oldest format: every reader knows it. Images of the newer ones have a wrong checksum of
    // their own, since the library clears a flag in an image without computing it again.
    check(H5Pset_libver_bounds(access_.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
    check(H5Pset_userblock(creation_.get(), kUserBlock));
    check(H5Pset_obj_track_times(creation_.get(), false));
    return H5Fcreate("archive", H5F_ACC_TRUNC, creation_.get(), access_.get());
  }

  Handle make_group(const char* name) {
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(creation.get(), false));
    return {H5Gcreate2(file_.get(), name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose};
  }

  Handle make_dataset(const Handle& group, const std::string& name, hid_t type,
                      const Handle& space) {
    assert(is_name(name));
    return {H5Dcreate2(group.get(), name.c_str(), type, space.get(), H5P_DEFAULT, dataset_.get(),
                       H5P_DEFAULT),
            H5Dclose};
  }

  template <class T>
  void add_array(const Handle& group, const std::string& name, const std::vector<T>& values,
                 hid_t file_type, hid_t type) {
    const hsize_t size = values.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle dataset = make_dataset(group, name, file_type, space);
    if (values.empty()) return;
    check(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  }

  void add_text(const Handle& group, const std::string& name, const std::string& text) {
    if (text.size() > kMaxText) throw Hdf5Error{"text '" + name + "' has more than 4 GiB"};
    // HDF5 has no string of length 0; an empty dataspace says the same.
    const Handle type = text_type(text.empty() ? 1 : text.size());
    const Handle space(H5Screate(text.empty() ? H5S_NULL : H5S_SCALAR), H5Sclose);
    const Handle dataset = make_dataset(group, name, type.get(), space);
    if (text.empty()) return;
    check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  }

  Handle access_;
  Handle creation_;
  Handle dataset_;
  Handle file_;
};

// The library asks for its own copies of a file image; these callbacks let it share ours instead.
namespace shared_image {

void* give(size_t, H5FD_file_image_op_t, void* image) { return image; }
void* copy(void* to, const void* from, size_t size, H5FD_file_image_op_t, void*) {
  return to == from ? to : std::memcpy(to, from, size);
}
void* resize(void*, size_t, H5FD_file_image_op_t, void*) { return nullptr; }  // opened to read only
herr_t release(void*, H5FD_file_image_op_t, void*) { return 0; }
void* copy_data(void* image) { return image; }
herr_t release_data(void*) { return 0; }

}  // namespace shared_image

class Reader {
 public:
  explicit Reader(std::string& image)
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), file_(open(image), H5Fclose) {}

  Archive read() {
    Archive archive;
    for (const std::string& name : names(kRealGroup)) {
      archive.reals[name] = read_array<double>(kRealGroup, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
    }
    for (const std::string& name : names(kWordGroup)) {
      archive.words[name] =
          read_array<uint64_t>(kWordGroup, name, H5T_STD_U64LE, H5T_NATIVE_UINT64);
    }
    for (const std::string& name : names(kTextGroup)) archive.texts[name] = read_text(name);
    return archive;
  }

 private:
  hid_t open(std::string& image) {
    check(H5Pset_fapl_core(access_.get(), 1 << 16, false));
    H5FD_file_image_callbacks_t callbacks = {
        shared_image::give,    shared_image::copy,      shared_image::resize,
        shared_image::release, shared_image::copy_data, shared_image::release_data,
        image.data()};
    check(H5Pset_file_image_callbacks(access_.get(), &callbacks));
    check(H5Pset_file_image(access_.get(), image.data(), image.size()));
    return H5Fopen("archive", H5F_ACC_RDONLY, access_.get());
  }

  std::vector<std::string> names(const char* group_name) {
    const Handle group(H5Gopen2(file_.get(), group_name, H5P_DEFAULT), H5Gclose);
    std::vector<std::string> result;
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
      static_cast<std::vector<std::string>*>(out)->emplace_back(name);
      return 0;
    };
    check(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &result));
    return result;
  }

  Handle open_dataset(const char* group, const std::string& name) {
    return {H5Dopen2(file_.get(), (group + ("/" + name)).c_str(), H5P_DEFAULT), H5Dclose};
  }

  template <class T>
  std::vector<T> read_array(const char* group, const std::string& name, hid_t file_type,
                            hid_t type) {
    const Handle dataset = open_dataset(group, name);
    const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
    const Handle space(H5Dget_space(dataset.get()), H5Sclose);
    if (check(H5Tequal(stored.get(), file_type)) == 0 ||
        check(H5Sget_simple_extent_ndims(space.get())) != 1) {
      throw Hdf5Error{fmt::format("{}/{} is not a list of 64-bit numbers", group, name)};
    }
    std::vector<T> values(static_cast<size_t>(check(H5Sget_simple_extent_npoints(space.get()))));
    if (values.empty()) return values;
    check(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  }

  std::string read_text(const std::string& name) {
    const Handle dataset = open_dataset(kTextGroup, name);
    const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
    const Handle space(H5Dget_space(dataset.get()), H5Sclose);
    const H5S_class_t kind = check(H5Sget_simple_extent_type(space.get()));
    if (check(H5Tget_class(stored.get())) != H5T_STRING ||
        check(H5Tis_variable_str(stored.get())) != 0 || (kind != H5S_NULL && kind != H5S_SCALAR)) {
      throw Hdf5Error{fmt::format("{}/{} is not one text", kTextGroup, name)};
    }
    if (kind == H5S_NULL) return {};
    std::string text(H5Tget_size(stored.get()), '\0');
    check(H5Dread(dataset.get(), stored.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
    return text;
  }

  Handle access_;
  Handle file_;
};

// A little more than the file will have, for its one allocation.
size_t estimated_bytes(const Archive& archive) {
  size_t bytes = 1 << 14;
  for (const auto& [name, values] : archive.reals) bytes += 1024 + 8 * values.size();
  for (const auto& [name, values] : archive.words) bytes += 1024 + 8 * values.size();
  for (const auto& [name, text] : archive.texts) bytes += 1024 + text.size();
  return bytes;
}

// Throws InputError unless every byte is as it was written.
void verify(const std::string& bytes, const std::string& path) {
  if (!bytes.starts_with(kMagic)) {
    throw core::InputError(fmt::format(
        "{}: not an archive of Cleave (it does not begin with '{}'); give a file that Cleave wrote",
        path, kMagic.substr(0, kMagic.size() - 1)));
  }
  const auto damaged = [&](const std::string& what) {
    throw core::InputError(fmt::format(
        "{}: damaged archive: {}; use an earlier copy or write the file again", path, what));
  };
  if (bytes.size() < kUserBlock) damaged(fmt::format("cut off after {} bytes", bytes.size()));
  const UserBlock expected = user_block(std::span(bytes).subspan(kUserBlock));
  const std::string_view found(bytes.data(), kUserBlock);
  const std::string_view wanted(expected.data(), expected.size());
  if (found == wanted) return;
  const size_t length_end = kMagic.size() + std::string_view("bytes ").size() + 20;
  damaged(found.substr(0, length_end) != wanted.substr(0, length_end)
              ? fmt::format("its length of {} bytes is not the one that it states", bytes.size())
              : "its checksum does not match its content");
}

template <class Map>
const typename Map::mapped_type& find(const Map& map, const std::string& name, const char* kind) {
  const auto found = map.find(name);
  if (found == map.end()) {
    throw core::InputError(fmt::format("the archive has no {} '{}'", kind, name));
  }
  return found->second;
}

template <class Map>
const typename Map::mapped_type& find_sized(const Map& map, const std::string& name, size_t size) {
  const auto& values = find(map, name, "array");
  if (size != 0 && values.size() != size) {
    throw core::InputError(fmt::format(
        "the archive has {} values in array '{}' where {} are needed", values.size(), name, size));
  }
  return values;
}

}  // namespace

const std::vector<double>& Archive::real(const std::string& name, size_t size) const {
  return find_sized(reals, name, size);
}

const std::vector<uint64_t>& Archive::word(const std::string& name, size_t size) const {
  return find_sized(words, name, size);
}

const std::string& Archive::text(const std::string& name) const {
  return find(texts, name, "text");
}

void write_archive(const Archive& archive, const std::string& path) {
  std::vector<char> body;
  try {
    const Session session;
    Writer writer(estimated_bytes(archive));
    writer.add(archive);
    body = writer.body();
  } catch (const Hdf5Error& error) {
    throw core::RunError(fmt::format("{}: cannot be written: HDF5: {}", path, error.reason));
  }
  const UserBlock block = user_block(body);
  const std::array<std::span<const char>, 2> parts{block, body};
  core::write_file_atomically(path, parts);
}

Archive read_archive(const std::string& path) {
  std::string bytes = core::read_file(path);
  verify(bytes, path);
  try {
    const Session session;
    return Reader(bytes).read();
  } catch (const Hdf5Error& error) {
    throw core::InputError(fmt::format(
        "{}: not the archive that it claims to be: HDF5: {}; give a file that Cleave wrote", path,
        error.reason));
  }
}

std::vector<uint64_t> fingerprint_words(const Tree& tree) {
  const core::Hash128 hash = tree.fingerprint();
  return {hash.hi, hash.lo};
}

}  // namespace cleave::tree
