#include "core/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/error.h"

namespace cleave::core {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  size_t num_files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

void put(const std::string& path, std::string_view text) {
  const std::array<std::span<const char>, 1> parts{text};
  write_file_atomically(path, parts);
}

template <class Error, class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FileName, ExtensionsAreInLowerCase) {
  EXPECT_EQ(extension_of("a/b.CSV"), ".csv");
  EXPECT_EQ(extension_of("a.b/c.history.h5"), ".h5");
  EXPECT_EQ(extension_of("a.b/c"), "");
}

TEST_F(File, PartsAreWrittenInOrderAndReadBack) {
  const std::string zeros(3, '\0');
  const std::array<std::span<const char>, 4> parts{std::string_view("one "), std::string_view(),
                                                   zeros, std::string_view("two")};
  write_file_atomically(path("x"), parts);
  EXPECT_EQ(read_file(path("x")), "one " + zeros + "two");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(File, StreamLargerThanItsBuffer) {
  std::string expected;
  write_file_atomically(path("x"), [&](std::ostream& out) {
    for (int i = 0; i < 100'000; ++i) {
      const std::string line = std::to_string(i) + "\n";
      expected += line;
      out << line;
    }
  });
  EXPECT_EQ(read_file(path("x")), expected);
}

TEST_F(File, EmptyFile) {
  write_file_atomically(path("x"), [](std::ostream&) {});
  EXPECT_EQ(read_file(path("x")), "");
}

TEST_F(File, NameWithoutFolderAndNameAsLongAsNamesCanBe) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  put("plain", "text");
  EXPECT_EQ(read_file("plain"), "text");
  const std::string name(255, 'n');
  put(name, "text");
  EXPECT_EQ(read_file(name), "text");
  fs::current_path(before);
}

TEST_F(File, MissingFileAndFolderAreInputErrorsWithPathAndReason) {
  EXPECT_EQ(error_of<InputError>([&] { read_file(path("none")); }),
            path("none") + ": cannot be read: No such file or directory");
  EXPECT_EQ(error_of<InputError>([&] { read_file(folder_.string()); }),
            folder_.string() + ": cannot be read: Is a directory");
}

TEST_F(File, UnwritableTargetsAreRunErrorsWithPathAndReason) {
  EXPECT_EQ(error_of<RunError>([&] { put(path("none/x"), "text"); }),
            path("none/x") + ": cannot be written: No such file or directory");
  EXPECT_EQ(error_of<RunError>([&] { put(folder_.string(), "text"); }),
            folder_.string() + ": cannot be written: Is a directory");
  EXPECT_NE(error_of<RunError>([&] { put("", "text"); }), "no error");
}

TEST_F(File, WriterThatThrowsLeavesTheOldFileAndNothingElse) {
  put(path("x"), "old");
  EXPECT_THROW(write_file_atomically(path("x"),
                                     [](std::ostream& out) {
                                       out << std::string(1 << 20, 'n') << std::flush;
                                       throw std::logic_error("stop");
                                     }),
               std::logic_error);
  EXPECT_EQ(read_file(path("x")), "old");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(File, FullDiskLeavesTheOldFileAndNothingElse) {
  put(path("x"), "old");
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {1 << 16, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string big(1 << 20, 'n');
  const std::string by_parts = error_of<RunError>([&] { put(path("x"), big); });
  const std::string by_stream = error_of<RunError>([&] {
    write_file_atomically(path("x"), [&](std::ostream& out) {
      if (!(out << big)) throw RunError("the stream failed");
    });
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(by_parts, path("x") + ": cannot be written: File too large");
  EXPECT_EQ(by_stream, by_parts);
  EXPECT_EQ(read_file(path("x")), "old");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(File, ProcessKilledHalfwayLeavesTheOldFile) {
  put(path("x"), "old");
  const pid_t child = ::fork();
  if (child == 0) {
    write_file_atomically(path("x"), [](std::ostream& out) {
      out << std::string(1 << 20, 'n') << std::flush;
      ::raise(SIGKILL);
    });
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_file(path("x")), "old");
  put(path("x"), "new");
  EXPECT_EQ(read_file(path("x")), "new");
}

TEST_F(File, PermissionsAndLinksStay) {
  put(path("x"), "old");
  fs::permissions(path("x"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("x", path("link"));
  put(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("x")), "new");
  EXPECT_EQ(fs::status(path("x")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(File, DevicesAndPipesAreWrittenToNotReplaced) {
  EXPECT_EQ(error_of<RunError>([] { put("/dev/full", "text"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));

  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    put(path("pipe"), "through the pipe");
    ::_exit(0);
  }
  EXPECT_EQ(read_file(path("pipe")), "through the pipe");
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

}  // namespace
}  // namespace cleave::core
