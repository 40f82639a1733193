#include "reproduce/output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "core/error.h"
#include "core/file.h"

namespace cleave::reproduce {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Table sample() {
  return {"losses",
          "Losses in chips",
          {"method", "paper", "ours"},
          {{"unsafe", 0.08, 0.0766812345}, {"re-solve", Cell{}, -3.0392355e-15}}};
}

Outcome outcome_with(bool second) {
  Outcome outcome;
  outcome.tables = {sample()};
  outcome.checks = {{"below 1", "0.5", true}, {"below 0.1", "0.5", second}};
  outcome.charts = {
      {"fall", {"A fall", "iterations", "chips", true, true, {{"a", {1, 2}, {2, 1}}}}}};
  outcome.notes = {"nothing is invented"};
  return outcome;
}

const TargetInfo kTarget = {"fake-target", "nobody, 2014, figure 3", "A fake", nullptr};

TEST(ReproduceOutput, CellsHaveFourDigitsAndWholeNumbersAll) {
  EXPECT_EQ(cell_text(Cell{}), "");
  EXPECT_EQ(cell_text("text"), "text");
  EXPECT_EQ(cell_text(0.0766812345), "0.07668");
  EXPECT_EQ(cell_text(3.0392355e-15), "3.039e-15");
  EXPECT_EQ(cell_text(0.0), "0");
  EXPECT_EQ(cell_text(-0.0), "0");
  EXPECT_EQ(cell_text(-1.0), "-1");
  EXPECT_EQ(cell_text(999.0), "999");
  EXPECT_EQ(cell_text(6400000.0), "6,400,000");
  EXPECT_EQ(cell_text(-12800.0), "-12,800");
}

TEST(ReproduceOutput, ColumnsAlign) {
  EXPECT_THAT(lines_of(text_table(sample())),
              ElementsAre("method    paper        ours",  //
                          "--------  -----  ----------",  //
                          "unsafe     0.08     0.07668",  //
                          "re-solve         -3.039e-15"));
}

TEST(ReproduceOutput, CharactersCountNotBytes) {
  const Table table{"", "", {"wer", "x"}, {{"Morav\u010d\u00edk", 1.0}, {"Burch", 2.0}}};
  EXPECT_EQ(lines_of(text_table(table))[2], "Morav\u010d\u00edk  1");
  EXPECT_EQ(lines_of(text_table(table))[3], "Burch     2");
}

TEST(ReproduceOutput, LongTextsGoOnInTheirColumn) {
  std::string words;
  for (int i = 0; i < 40; ++i) words += (i ? " word" : "word") + std::to_string(i);
  const Table table{"", "", {"what", "note", "ours"}, {{words, words, 1.0}, {"short", "", 2.0}}};
  const std::string text = text_table(table);
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), kColumns) << line;
  for (int i = 0; i < 40; ++i) EXPECT_THAT(text, HasSubstr("word" + std::to_string(i)));
  EXPECT_GT(lines_of(text).size(), 6U);
  EXPECT_EQ(lines_of(text).back().size(), lines_of(text)[1].size());  // numbers at the right edge
}

TEST(ReproduceOutput, ChecksSayWhatWasMeasured) {
  const std::string text = text_checks(outcome_with(false).checks);
  EXPECT_THAT(lines_of(text), ElementsAre("PASS  below 1", "      measured: 0.5", "MISS  below 0.1",
                                          "      measured: 0.5"));
  for (const std::string& line : lines_of(
           text_checks({{"many words " + std::string(70, 'y') + " and more words", "1", true}}))) {
    EXPECT_LE(line.size(), kColumns);
  }
}

TEST(ReproduceOutput, AMissedCriterionFails) {
  EXPECT_TRUE(passed(outcome_with(true)));
  EXPECT_FALSE(passed(outcome_with(false)));
  EXPECT_EQ(num_missed(outcome_with(false)), 1U);
  EXPECT_FALSE(passed(Outcome{}));  // nothing promised, nothing kept
}

TEST(ReproduceOutput, CsvHasNumbersInFull) {
  Table table = sample();
  table.rows.push_back({"with, comma", "said \"so\"", 1.0 / 3});
  EXPECT_THAT(
      lines_of(csv_table(table)),
      ElementsAre("method,paper,ours", "unsafe,0.08,0.0766812345", "re-solve,,-3.0392355e-15",
                  "\"with, comma\",\"said \"\"so\"\"\",0.3333333333333333"));
}

TEST(ReproduceOutput, MarkdownKeepsItsCells) {
  Table table = sample();
  table.rows.push_back({"v(h | p)", "two\nlines", 1.0});
  const auto lines = lines_of(markdown_table(table));
  EXPECT_EQ(lines[0], "| method | paper | ours |");
  EXPECT_EQ(lines[1], "|---|---:|---:|");
  EXPECT_EQ(lines[2], "| unsafe | 0.08 | 0.07668 |");
  EXPECT_EQ(lines[4], "| v(h \\| p) | two lines | 1 |");
}

TEST(ReproduceOutput, ReportHasEverything) {
  const reproduce::Run run{"cleave reproduce fake-target --quick", 12.5, 2};
  const std::string text = report_markdown(kTarget, run, outcome_with(false));
  for (const char* part :
       {"# fake-target", "nobody, 2014, figure 3", "cleave reproduce fake-target --quick",
        "12.5 s with up to 2 threads", "1 of 2 criteria met", "## Losses in chips",
        "| unsafe | 0.08 |", "[losses.csv](losses.csv)", "| PASS | below 1 | 0.5 |",
        "| **MISS** | below 0.1 | 0.5 |", "![A fall](fall.svg)", "- nothing is invented"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

class OutcomeFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-outcome-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(OutcomeFolder, FilesAreWritten) {
  const std::string folder = (folder_ / "new" / "one").string();
  const Outcome outcome = outcome_with(true);
  const auto names = write_outcome(kTarget, {"command", 1, 1}, outcome, folder);
  EXPECT_THAT(names, ElementsAre("fake-target.md", "losses.csv", "fall.svg"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 3);
  EXPECT_EQ(core::read_file(folder + "/losses.csv"), csv_table(outcome.tables[0]));
  EXPECT_THAT(core::read_file(folder + "/fall.svg"), HasSubstr("<svg"));
  EXPECT_EQ(core::read_file(folder + "/fake-target.md"),
            report_markdown(kTarget, {"command", 1, 1}, outcome));
}

TEST_F(OutcomeFolder, AFileInTheWayIsARunThatFailed) {
  const std::string folder = (folder_ / "file").string();
  core::write_file_atomically(folder, [](std::ostream& out) { out << "mine"; });
  EXPECT_THROW(write_outcome(kTarget, {}, outcome_with(true), folder), core::RunError);
  EXPECT_EQ(core::read_file(folder), "mine");
}

}  // namespace
}  // namespace cleave::reproduce
