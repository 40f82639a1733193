#include "tree/archive.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <thread>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"

namespace cleave::tree {
namespace {

namespace fs = std::filesystem;

class ArchiveFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-archive-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Not through the disk: these tests write thousands of files.
  void put(const std::string& name, std::string_view bytes) const {
    FILE* file = std::fopen(path(name).c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }

  std::string refusal(const std::string& name) const {
    try {
      read_archive(path(name));
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  fs::path folder_;
};

Archive sample() {
  Archive archive;
  archive.reals["regret"] = {0.1, -0.0, 1e-310, 1e308};
  archive.words["fingerprint"] = {1, ~uint64_t{0}};
  archive.texts["game"] = "leduc(ranks=4)";
  return archive;
}

std::vector<uint64_t> bits(const std::vector<double>& values) {
  std::vector<uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<uint64_t>(value));
  return result;
}

TEST_F(ArchiveFile, RoundTripIsExact) {
  Archive archive;
  archive.reals["special"] = {0.0,
                              -0.0,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              std::bit_cast<double>(uint64_t{0x7ff8dead0000beef}),  // quiet NaN
                              std::bit_cast<double>(uint64_t{0x7ff00000deadbeef}),  // signalling
                              std::bit_cast<double>(uint64_t{0xfff8000000000001}),
                              std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::max(),
                              0.1};
  archive.reals["empty"] = {};
  archive.reals["long"].resize(100'003, 1.0 / 3);
  archive.reals["name with spaces: +-*."] = {1};
  archive.words["max"] = {0, std::numeric_limits<uint64_t>::max()};
  archive.words["empty"] = {};
  archive.texts["empty"] = "";
  archive.texts["zeros"] = std::string("\0a\0\0", 4);
  archive.texts["utf8"] = "K♠ raise\n";
  archive.texts["long"] = std::string(300'000, 'x');
  for (int i = 0; i < 100; ++i) archive.words["many" + std::to_string(i)] = {uint64_t(i)};

  write_archive(archive, path("x.h5"));
  const Archive back = read_archive(path("x.h5"));
  ASSERT_EQ(back.reals.size(), archive.reals.size());
  for (const auto& [name, values] : archive.reals) {
    EXPECT_EQ(bits(back.real(name)), bits(values)) << name;
  }
  EXPECT_EQ(back.words, archive.words);
  EXPECT_EQ(back.texts, archive.texts);
}

TEST_F(ArchiveFile, EmptyArchive) {
  write_archive({}, path("x.h5"));
  const Archive back = read_archive(path("x.h5"));
  EXPECT_TRUE(back.reals.empty() && back.words.empty() && back.texts.empty());
}

TEST_F(ArchiveFile, EqualContentGivesEqualBytes) {
  write_archive(sample(), path("a"));
  Archive other = sample();
  other.reals["more"].resize(1000, 3.0);
  write_archive(other, path("other"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5's times are in seconds
  write_archive(sample(), path("b"));
  EXPECT_EQ(core::read_file(path("a")), core::read_file(path("b")));
  EXPECT_NE(core::read_file(path("a")), core::read_file(path("other")));
}

TEST_F(ArchiveFile, IsAnHdf5FileBehindAReadableBlock) {
  write_archive(sample(), path("x.h5"));
  const std::string bytes = core::read_file(path("x.h5"));
  EXPECT_EQ(bytes.substr(0, 23), "CLEAVE archive 1\nbytes ");
  EXPECT_EQ(bytes.substr(512, 8), "\x89HDF\r\n\x1a\n");
}

TEST_F(ArchiveFile, EveryTruncationIsRefused) {
  write_archive(sample(), path("x.h5"));
  const std::string bytes = core::read_file(path("x.h5"));
  for (size_t size = 0; size < bytes.size(); size += 37) {
    put("cut.h5", std::string_view(bytes).substr(0, size));
    EXPECT_NE(refusal("cut.h5"), "accepted") << size;
  }
  put("cut.h5", std::string_view(bytes).substr(0, bytes.size() - 1));
  EXPECT_NE(refusal("cut.h5").find("damaged archive: its length"), std::string::npos);
  put("cut.h5", bytes + '\0');
  EXPECT_NE(refusal("cut.h5").find("damaged archive: its length"), std::string::npos);
}

TEST_F(ArchiveFile, FlippedBytesAreRefused) {
  write_archive(sample(), path("x.h5"));
  std::string bytes = core::read_file(path("x.h5"));
  ASSERT_GT(bytes.size(), 1000U);
  const auto flip = [](char byte, int mask) { return static_cast<char>(byte ^ mask); };
  // Every byte of the block that HDF5 does not know, and many behind it.
  for (size_t i = 0; i < bytes.size(); i += i < 520 ? 1 : 17) {
    const char old = bytes[i];
    bytes[i] = flip(old, 1 << (i % 8));
    put("flipped.h5", bytes);
    EXPECT_NE(refusal("flipped.h5"), "accepted") << i;
    bytes[i] = old;
  }
  bytes.back() = flip(bytes.back(), 0xff);
  put("flipped.h5", bytes);
  EXPECT_EQ(refusal("flipped.h5"),
            path("flipped.h5") +
                ": damaged archive: its checksum does not match its content; use an earlier copy "
                "or write the file again");
}

TEST_F(ArchiveFile, ForeignFilesAreRefused) {
  EXPECT_EQ(refusal("none.h5"), path("none.h5") + ": cannot be read: No such file or directory");
  put("foreign.h5", "player,infoset,action,probability\n");
  EXPECT_EQ(refusal("foreign.h5"),
            path("foreign.h5") +
                ": not an archive of Cleave (it does not begin with 'CLEAVE archive 1'); give a "
                "file that Cleave wrote");
  // HDF5 without our block.
  write_archive(sample(), path("x.h5"));
  put("foreign.h5", core::read_file(path("x.h5")).substr(512));
  EXPECT_NE(refusal("foreign.h5").find("not an archive of Cleave"), std::string::npos);
}

TEST_F(ArchiveFile, RightChecksumOverWrongContentIsRefusedQuietly) {
  write_archive(sample(), path("x.h5"));
  const std::string block = core::read_file(path("x.h5")).substr(0, 512);
  const std::string body(800, 'z');
  const auto hash = core::Hasher().add_bytes(std::as_bytes(std::span(body))).finish();
  std::array<char, 512> forged{};
  std::snprintf(forged.data(), forged.size(),
                "CLEAVE archive 1\nbytes %020zu\nchecksum %016llx%016llx\n", body.size(),
                static_cast<unsigned long long>(hash.hi), static_cast<unsigned long long>(hash.lo));
  put("forged.h5", std::string(forged.data(), forged.size()) + body);
  testing::internal::CaptureStderr();
  EXPECT_NE(refusal("forged.h5").find("HDF5: "), std::string::npos);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(ArchiveFile, InterruptedWriteLeavesTheOldFile) {
  write_archive(sample(), path("x.h5"));
  const std::string old = core::read_file(path("x.h5"));
  Archive big;
  big.reals["values"].resize(1 << 22, 0.5);
  // Killed at moments spread over the time that one write takes.
  for (int i = 0; i < 12; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      write_archive(big, path("x.h5"));
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(i * 4000));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const Archive back = read_archive(path("x.h5"));
    EXPECT_TRUE(core::read_file(path("x.h5")) == old || back.reals == big.reals);
  }
}

TEST_F(ArchiveFile, ThreadsMayWriteAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        Archive archive = sample();
        archive.words["thread"] = {uint64_t(t)};
        write_archive(archive, path("same.h5"));
        EXPECT_EQ(read_archive(path("same.h5")).texts, archive.texts);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Archive, MissingNamesAndWrongSizesAreInputErrors) {
  const Archive archive = sample();
  EXPECT_EQ(archive.real("regret").size(), 4U);
  EXPECT_EQ(archive.real("regret", 4).size(), 4U);
  EXPECT_THROW(archive.real("regret", 5), core::InputError);
  EXPECT_THROW(archive.real("fingerprint"), core::InputError);
  EXPECT_THROW(archive.word("regret"), core::InputError);
  EXPECT_THROW(archive.word("fingerprint", 1), core::InputError);
  EXPECT_THROW(archive.text("name"), core::InputError);
  EXPECT_EQ(archive.text("game"), "leduc(ranks=4)");
}

// A mapped file has a large array where bulk_offset says; small ones are read.
TEST_F(ArchiveFile, LargeArraysCanBeUsedWhereTheyStand) {
  std::vector<float> large(5000);
  std::vector<int16_t> small(10, 7);
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<float>(i) / 3;
  const BulkArray bulk[] = {{"large", std::as_writable_bytes(std::span(large)), sizeof(float)},
                            {"small", std::as_writable_bytes(std::span(small)), sizeof(int16_t)}};
  write_archive(sample(), path("a.h5"), bulk);
  const tree::ArchiveFile file(path("a.h5"));
  EXPECT_TRUE(file.has_bulk("small"));
  EXPECT_FALSE(file.has_bulk("other"));
  EXPECT_THROW(file.bulk_offset({"other", {}, 4}), core::InputError);
  const auto offset = file.bulk_offset(bulk[0]);
  ASSERT_TRUE(offset.has_value());
  EXPECT_EQ(*offset % 64, 0U);
  const core::MappedFile mapped(path("a.h5"));
  ASSERT_LE(*offset + bulk[0].bytes.size(), mapped.bytes().size());
  EXPECT_TRUE(std::ranges::equal(mapped.bytes().subspan(*offset, bulk[0].bytes.size()),
                                 std::span<const std::byte>(bulk[0].bytes)));
  EXPECT_THROW(core::MappedFile(path("none.h5")), core::InputError);
}

}  // namespace
}  // namespace cleave::tree
