#include "core/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace cleave::core {
namespace {

using testing::ElementsAre;

using Records = std::vector<std::vector<std::string>>;

const std::string kPath = "x.csv";

Records read(std::string_view text) {
  CsvReader csv(text, kPath);
  Records records;
  std::vector<std::string> fields;
  while (csv.next(fields)) records.push_back(fields);
  return records;
}

std::string refusal(std::string_view text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string field(std::string_view text) {
  std::string out = "before,";
  append_csv_field(out, text);
  return out.substr(7);
}

TEST(Csv, FieldsAreQuotedWhereTheyNeedIt) {
  EXPECT_EQ(field(""), "");
  EXPECT_EQ(field("a b"), "a b");
  EXPECT_EQ(field("a,b"), "\"a,b\"");
  EXPECT_EQ(field("\"a\""), "\"\"\"a\"\"\"");
  EXPECT_EQ(field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(field("a\rb"), "\"a\rb\"");
}

TEST(Csv, AnyFieldsComeBack) {
  const Records records{{"", "a", ",", "\"", "\"\""},
                        {"\n", "\r\n", "x\"y,z\r", " s "},
                        {"", ""},
                        {"\"", "\n\n", "last"}};
  for (const std::string line_end : {"\n", "\r\n"}) {
    std::string text;
    for (const auto& record : records) {
      for (size_t i = 0; i < record.size(); ++i) {
        if (i > 0) text += ',';
        append_csv_field(text, record[i]);
      }
      text += line_end;
    }
    EXPECT_EQ(read(text), records);
    EXPECT_EQ(read("\xef\xbb\xbf" + text), records);
    // The last line need not end, and its end may be cut in two.
    text.pop_back();
    EXPECT_EQ(read(text), records);
  }
}

TEST(Csv, EmptyLinesAreSkippedAndLinesCounted) {
  const std::string text = "\n\r\na,b\n\n\"c\nd\",e\r\nf";
  CsvReader csv(text, kPath);
  std::vector<std::string> fields;
  ASSERT_TRUE(csv.next(fields));
  EXPECT_EQ(csv.line(), 3U);
  ASSERT_TRUE(csv.next(fields));
  EXPECT_EQ(csv.line(), 5U);
  EXPECT_THAT(fields, ElementsAre("c\nd", "e"));
  ASSERT_TRUE(csv.next(fields));
  EXPECT_EQ(csv.line(), 7U);
  EXPECT_THAT(fields, ElementsAre("f"));
  EXPECT_FALSE(csv.next(fields));
  EXPECT_FALSE(csv.next(fields));
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read("\n\n").empty());
}

TEST(Csv, WrongQuotesAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal("a\n\"b"), "x.csv:2: a quote that is not closed; allowed are pairs of quotes");
  EXPECT_EQ(refusal("\""), "x.csv:1: a quote that is not closed; allowed are pairs of quotes");
  EXPECT_EQ(refusal("a\nb,\"c\nd\"e\n"),
            "x.csv:2: text after a closing quote; allowed is a comma or the end of the line");
  EXPECT_EQ(refusal("a\"b\n"), "accepted");
}

TEST(Csv, HeadersAndMessages) {
  const std::string text = "a,b\n1,2\n";
  CsvReader csv(text, kPath);
  csv.expect_header("a,b", "table");
  try {
    csv.expect_header("a,b", "table");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "x.csv:2: not the header of a table; allowed is a,b");
  }
  try {
    csv.fail_at(7, "two\r\nlines");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "x.csv:7: two  lines");
  }
}

}  // namespace
}  // namespace cleave::core
