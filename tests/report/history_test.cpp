#include "report/history.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <span>

#include "core/error.h"
#include "core/file.h"

namespace cleave::report {
namespace {

namespace fs = std::filesystem;

class HistoryFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-history-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "x.csv").string(); }

  void put(std::string_view text) const {
    const std::array<std::span<const char>, 1> parts{text};
    core::write_file_atomically(path(), parts);
  }

  std::string refusal(std::string_view text) const {
    put(text);
    try {
      read_history_csv(path());
    } catch (const core::InputError& error) {
      return std::string(error.what()).substr(path().size());
    }
    return "accepted";
  }

  fs::path folder_;
};

const std::string kHeader = "game,algorithm,iteration,seconds,exploitability,value\n";

TEST_F(HistoryFile, RoundTripIsExact) {
  History history{"leduc(ranks=4,suits=3)", "a \"quoted\", name", {}};
  history.points = {{1, 0.1, 1.0 / 3, -1e-300}, {int64_t{1} << 60, 1e9, 0, -0.085606424}};
  write_history_csv(history, path());
  EXPECT_EQ(read_history_csv(path()), history);
}

TEST_F(HistoryFile, IsAsPublished) {
  write_history_csv({"leduc(ranks=4,suits=3)", "cfr+", {{10, 0.5, 0.25, -0.125}}}, path());
  EXPECT_EQ(core::read_file(path()),
            kHeader + "\"leduc(ranks=4,suits=3)\",cfr+,10,0.5,0.25,-0.125\n");
}

TEST_F(HistoryFile, NoPointsAndValuesThatAreNotKnown) {
  write_history_csv({"kuhn", "cfr", {}}, path());
  EXPECT_EQ(core::read_file(path()), kHeader);
  EXPECT_TRUE(read_history_csv(path()).points.empty());
  write_history_csv({"kuhn", "cfr", {{1, 2, 3, std::nan("")}}}, path());
  EXPECT_TRUE(std::isnan(read_history_csv(path()).points[0].value));
}

TEST_F(HistoryFile, OtherLineEnds) {
  put("game,algorithm,iteration,seconds,exploitability,value\r\nkuhn,cfr,1,2,3,4\r\n\r\n"
      "kuhn,cfr,5,6,7,8");
  const History expected{"kuhn", "cfr", {{1, 2, 3, 4}, {5, 6, 7, 8}}};
  EXPECT_EQ(read_history_csv(path()), expected);
}

TEST_F(HistoryFile, WrongRowsAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal(""),
            ":1: not the header of a history; allowed is " + kHeader.substr(0, kHeader.size() - 1));
  EXPECT_EQ(refusal("iteration,seconds\n").substr(0, 30), ":1: not the header of a histor");
  EXPECT_EQ(refusal(kHeader + "kuhn,cfr,1,2,3\n").substr(0, 18), ":2: not 6 columns;");
  EXPECT_EQ(refusal(kHeader + "kuhn,cfr,1,2,3,4,5\n").substr(0, 18), ":2: not 6 columns;");
  EXPECT_EQ(refusal(kHeader + "kuhn,cfr,1,2,3,4\n\nkuhn,cfr,1.5,2,3,4\n"),
            ":4: '1.5' in column 3; allowed is a whole number");
  EXPECT_EQ(refusal(kHeader + "kuhn,cfr,1,,3,4\n"), ":2: '' in column 4; allowed is a number");
  EXPECT_EQ(refusal(kHeader + "kuhn,cfr,1,2,3,4\nkuhn,cfr+,1,2,3,4\n"),
            ":3: another run (kuhn, cfr+); allowed is one per file, here kuhn, cfr");
  EXPECT_EQ(refusal(kHeader + "\"kuhn,cfr,1,2,3,4\n"),
            ":2: a quote that is not closed; allowed are pairs of quotes");
  EXPECT_EQ(refusal(kHeader + "\"kuhn\"x,cfr,1,2,3,4\n"),
            ":2: text after a closing quote; allowed is a comma or the end of the line");
  EXPECT_THROW(read_history_csv(path() + ".none"), core::InputError);
}

}  // namespace
}  // namespace cleave::report
