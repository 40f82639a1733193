#include "poker/range.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <set>

#include "core/error.h"
#include "core/random.h"

namespace cleave::poker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kRanks = "23456789TJQKA";
// The ranges of the fixed spots, as players wrote them.
constexpr const char* kOop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s";
constexpr const char* kIp = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+";

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}
std::string parse_error(std::string_view text) {
  return error_of([&] { parse_range(text, "oop"); });
}

float weight(const Range& range, Card a, Card b) { return range.weight[combo_index(a, b)]; }
Card card(const char* text) { return parse_cards(text, "card").front(); }
float weight(const Range& range, const char* a, const char* b) {
  return weight(range, card(a), card(b));
}

// Everything by single hands: no run and no class, so it shares nothing with the reader of those.
std::string plain_listing(const Range& range) {
  std::string text;
  for (Card a = 0; a < kNumCards; ++a) {
    for (Card b = 0; b < a; ++b) {
      const float w = weight(range, a, b);
      if (w == 0) continue;
      text += fmt::format("{}{}{}", text.empty() ? "" : ",", to_text(a), to_text(b));
      if (w != 1) text += fmt::format(":{:.6f}", w);
    }
  }
  return text;
}

TEST(RangeTest, CombosCountOnAndCardsComeBack) {
  std::set<CardSet> seen;
  for (size_t combo = 0; combo < kNumCombos; ++combo) {
    const CardSet cards = combo_cards(combo);
    ASSERT_EQ(std::popcount(cards), 2);
    EXPECT_TRUE(seen.insert(cards).second);
    EXPECT_EQ(combo_index(lowest(cards), lowest(cards & (cards - 1))), combo);
    EXPECT_EQ(combo_index(lowest(cards & (cards - 1)), lowest(cards)), combo);
  }
}

TEST(RangeTest, CountsOfEachKindOfEntry) {
  const std::pair<const char*, double> kCounts[] = {
      {"", 0},         {"AA", 6},         {"66+", 54},          {"QQ-22", 66},
      {"22-QQ", 66},   {"AK", 16},        {"AKs", 4},           {"AKo", 12},
      {"AhKh", 1},     {"A8s+", 24},      {"A5s-A4s", 8},       {"A4s-A5s", 8},
      {"AQs-A2s", 44}, {"T9s-65s", 20},   {"65o-T9o", 60},      {"T9-65", 80},
      {"JTs+", 4},     {"ATo+", 48},      {"72+", 80},          {"random", 1326},
      {"100%", 1326},  {"RANDOM", 1326},  {"AA:0.5", 3},        {"AA:.25", 1.5},
      {"AA:0", 0},     {"100%:0.5", 663}, {" AA ,\n\tKK ", 12}, {"akS,qjO,tT,aHkD", 4 + 12 + 6 + 1},
      {"KA", 16},      {"AK,AK", 16},     {"AKs-AKs", 4},       {"A2+", 192},
      {"22+", 78},     {"AA+", 6},        {kOop, 202},          {kIp, 298}};
  for (const auto& [text, count] : kCounts) {
    EXPECT_DOUBLE_EQ(num_hands(parse_range(text)), count) << text;
  }
}

TEST(RangeTest, EveryClassAgainstItsDefinition) {
  for (size_t high = 0; high < kRanks.size(); ++high) {
    for (size_t low = 0; low <= high; ++low) {
      for (const char* kind : {"", "s", "o"}) {
        if (high == low && *kind) continue;
        const Range range = parse_range(fmt::format("{}{}{}", kRanks[high], kRanks[low], kind));
        for (Card a = 0; a < kNumCards; ++a) {
          for (Card b = 0; b < a; ++b) {
            const bool ranks =
                rank_of(a) == static_cast<int>(high) && rank_of(b) == static_cast<int>(low);
            const bool suits = !*kind || (suit_of(a) == suit_of(b)) == (*kind == 's');
            ASSERT_EQ(weight(range, a, b), ranks && suits ? 1 : 0) << high << low << kind;
          }
        }
      }
    }
  }
}

TEST(RangeTest, LaterEntriesReplaceEarlierOnes) {
  const Range range = parse_range("22+:0.5,AA,KhKs:0.25,QQ:0");
  EXPECT_EQ(weight(range, "2c", "2d"), 0.5f);
  EXPECT_EQ(weight(range, "Ac", "Ad"), 1);
  EXPECT_EQ(weight(range, "Kh", "Ks"), 0.25f);
  EXPECT_EQ(weight(range, "Kh", "Kc"), 0.5f);
  EXPECT_EQ(weight(range, "Qh", "Qc"), 0);
}

TEST(RangeTest, RunsHoldWhatTheySay) {
  EXPECT_EQ(parse_range("66+"), parse_range("66,77,88,99,TT,JJ,QQ,KK,AA"));
  EXPECT_EQ(parse_range("QTs+"), parse_range("QTs,QJs"));
  EXPECT_EQ(parse_range("A5s-A3s"), parse_range("A5s,A4s,A3s"));
  EXPECT_EQ(parse_range("J9o-86o"), parse_range("J9o,T8o,97o,86o"));
  EXPECT_EQ(parse_range("QT+"), parse_range("QTs,QTo,QJs,QJo"));
}

TEST(RangeTest, ErrorsPointAtTheCharacter) {
  const std::pair<const char*, const char*> kErrors[] = {
      {"66+,AXs", "oop: character 6 is 'X'; allowed is a hand such as"},
      {"AKx", "oop: character 3 is 'x'; allowed is 's', 'o', '+', '-' and a hand"},
      {"AKsx", "oop: character 4 is 'x'; allowed is '+', '-' and a hand, ':'"},
      {"AA,,KK", "oop: character 4 is ','; allowed is a hand such as"},
      {"AA,", "oop: character 4 is the end; allowed is a hand"},
      {",AA", "oop: character 1 is ','; allowed is a hand"},
      {"AA KK", "oop: character 4 is 'K'; allowed is"},
      {"10", "oop: character 1 is '1'; allowed is a hand such as"},
      {"A", "oop: character 2 is the end; allowed is"},
      {"AhK", "oop: character 4 is the end; allowed is a suit: c, d, h or s"},
      {"AhKx", "oop: character 4 is 'x'; allowed is a suit"},
      {"KK,AhAh", "oop: character 4: 'AhAh' is the same card twice"},
      {"AhKh+", "oop: character 5 is '+'; allowed is ',', ':' and a weight, or the end"},
      {"66s", "oop: character 1: '66s' is a pair"},
      {"AKs-QJo", "oop: character 1: 'AKs-QJo' is no run; allowed is QQ-22, A5s-A2s"},
      {"AKs-AQ", "oop: character 1: 'AKs-AQ' is no run"},
      {"AA-AKs", "oop: character 1: 'AA-AKs' is no run"},
      {"AA-AK", "oop: character 1: 'AA-AK' is no run"},
      {"AQs-KTs", "oop: character 1: 'AQs-KTs' is no run"},
      {"66+-", "oop: character 4 is '-'; allowed is ':' and a weight, ',' or the end"},
      {"AA:", "oop: character 4 is the end; allowed is a weight from 0 to 1"},
      {"AA:x", "oop: character 4 is 'x'; allowed is a weight from 0 to 1, such as 0.5"},
      {"AA:-1", "oop: character 4 is '-'; allowed is a weight"},
      {"AA:1.5", "oop: character 4: '1.5' is no weight from 0 to 1"},
      {"AA:0.5.5", "oop: character 4: '0.5.5' is no weight from 0 to 1"},
      {"AA:nan", "oop: character 4 is 'n'; allowed is a weight"},
      {"AA:0.5x", "oop: character 7 is 'x'; allowed is ',' or the end"},
      {"AA,\xff", "oop: character 4 is byte 0xff; allowed is a hand"},
      {"randomx", "oop: character 7 is 'x'; allowed is ','"}};
  for (const auto& [text, start] : kErrors) {
    EXPECT_THAT(parse_error(text), StartsWith(start)) << text;
  }
}

TEST(RangeTest, PrintsTheShortestNotation) {
  const std::pair<const char*, const char*> kTexts[] = {
      {"", ""},
      {"AA", "AA"},
      {"AA,KK", "KK+"},
      {"QQ,JJ,TT", "QQ-TT"},
      {"AKs,AKo", "AK"},
      {"AKs,AQs", "AQs+"},
      {"AhKh,AcKc,AdKd,AsKs", "AKs"},
      {"T9s,98s,87s,76s", "T9s-76s"},
      {"T9s,98s,87s,T9o,98o,87o", "T9-87"},
      {"22:0.5,33:0.5", "33-22:0.5"},
      {"AA:0.500000", "AA:0.5"},
      {"AA:1.0", "AA"},
      {"88+,66-22,77:0.5", "22+,77:0.5"},
      {"ATs+,A8s-A2s", "A2s+,A9:0"},
      {"AhKh,AcKc,AdKd", "AKs,AsKs:0"},
      {"A5s,A4s", "A5s-A4s"},  // as long, but one entry less
      {"random:0.3", "100%:0.3"},
      {"100%,AA:0", "100%,AA:0"},
      {"AKo:0.5,AKs", "AK:0.5,AKs"},
      {"A2s+:0.25,A9:0.5,AhTh", "A2s+:0.25,A9:0.5,AhTh"}};
  for (const auto& [text, shortest] : kTexts) {
    EXPECT_EQ(to_text(parse_range(text)), shortest) << text;
  }
}

TEST(RangeTest, FixedSpotsComeBackNoLonger) {
  for (const char* text : {kOop, kIp}) {
    const Range range = parse_range(text);
    const std::string printed = to_text(range);
    EXPECT_EQ(parse_range(printed), range);
    EXPECT_LE(printed.size(), std::string_view(text).size()) << printed;
  }
}

class RandomRangeText {
 public:
  explicit RandomRangeText(uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string all;
    for (uint64_t i = 1 + random_.below(24); i > 0; --i) {
      all += (all.empty() ? "" : ",") + hands();
      if (random_.below(3) == 0) all += fmt::format(":{}", kWeights[random_.below(3)]);
    }
    return all;
  }

 private:
  static constexpr std::array<double, 3> kWeights = {0.5, 0.25, 0};

  std::string hands() {
    const size_t high = 1 + random_.below(12);
    const size_t low = random_.below(high);
    const char* kind = std::array{"", "s", "o"}[random_.below(3)];
    const auto name = [&](size_t h, size_t l) {
      return fmt::format("{}{}{}", kRanks[h], kRanks[l], kind);
    };
    switch (random_.below(7)) {
      case 0:
        return fmt::format("{0}{0}{1}", kRanks[low], random_.below(2) ? "+" : "");
      case 1:
        return fmt::format("{0}{0}-{1}{1}", kRanks[high], kRanks[low]);
      case 2:
        return name(high, low) + "+";
      case 3:
        return name(high, low) + "-" + name(high, random_.below(high));
      case 4:
        return name(high, low) + "-" + name(high - low, 0);
      case 5:
        return fmt::format("{}h{}{}", kRanks[high], kRanks[low], "cdhs"[random_.below(4)]);
      default:
        return name(high, low);
    }
  }

  core::Random random_;
};

TEST(RangeTest, RandomTextsReadBackAndAreNoLonger) {
  RandomRangeText texts(7);
  int longer = 0;
  constexpr int kTexts = 100;
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = texts.text();
    const Range range = parse_range(text);
    const std::string printed = to_text(range);
    ASSERT_EQ(parse_range(printed), range) << text << "\n" << printed;
    ASSERT_LE(printed.size(), plain_listing(range).size()) << printed;
    longer += printed.size() > text.size() ? 1 : 0;
  }
  EXPECT_LE(longer, kTexts / 50);  // a diagonal that others cut is not always found
}

TEST(RangeTest, WeightsOfSingleHandsReadBack) {
  core::Random random(3);
  for (const uint64_t levels : {2u, 4u, 1000u, 1'000'000u}) {
    Range range;
    for (float& w : range.weight) {
      if (random.below(3) == 0) continue;
      const auto level = static_cast<double>(random.below(levels + 1));
      w = static_cast<float>(level / static_cast<double>(levels));
    }
    const std::string printed = to_text(range);
    EXPECT_EQ(parse_range(printed), range);
    EXPECT_LE(printed.size(), plain_listing(range).size());
  }
}

TEST(RangeTest, PrintsToSixDecimals) {
  EXPECT_EQ(to_text(parse_range("AA:0.12345678")), "AA:0.123457");
  EXPECT_EQ(to_text(parse_range("AA:0.0000001")), "");
  EXPECT_EQ(to_text(parse_range("AA:0.9999999")), "AA");
}

TEST(RangeTest, SuitMapsThatKeepARange) {
  const auto maps = all_suit_maps();
  EXPECT_EQ(keeping(maps, parse_range(kOop)).size(), 24u);
  EXPECT_EQ(keeping(maps, parse_range("AA,AhKh")).size(), 6u);  // hearts stay hearts
  EXPECT_EQ(keeping(maps, parse_range("AhKd")).size(), 2u);
  EXPECT_EQ(keeping(maps, parse_range("AhAd")).size(), 4u);
  EXPECT_EQ(keeping(maps, parse_range("AKs,AhKh:0.5")).size(), 6u);
  EXPECT_EQ(keeping(maps, parse_range("AhKh,QdJd:0.5,ThTs")).front(), kSameSuits);
}

}  // namespace
}  // namespace cleave::poker
