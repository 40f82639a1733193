#include "poker/range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/error.h"
#include "core/number.h"

namespace cleave::poker {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Hands that differ in suits only: "66", "AK", "AKs", "AKo".
struct HandClass {
  int high, low;  // ranks
  bool suited = true, offsuit = true;

  bool pair() const { return high == low; }
  int gap() const { return high - low; }
  bool same_kind(const HandClass& other) const {
    return pair() == other.pair() && suited == other.suited && offsuit == other.offsuit;
  }
};

class RangeParser {
 public:
  RangeParser(std::string_view text, std::string_view what) : text_(text), what_(what) {}

  Range parse() {
    skip_space();
    if (at_end()) return range_;  // the text of an empty range
    while (true) {
      entry();
      skip_space();
      if (at_end()) return range_;
      if (text_[at_] != ',') fail(at_, after_hand_);
      ++at_;
      skip_space();
    }
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_space() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

  [[noreturn]] void fail(size_t at, std::string_view allowed) const {
    std::string found = "the end";
    if (at < text_.size()) {
      const auto byte = static_cast<unsigned char>(text_[at]);
      found = byte > ' ' && byte < 127 ? fmt::format("'{}'", text_[at])
              : byte == ' '            ? "a space"
                                       : fmt::format("byte {:#04x}", byte);
    }
    throw core::InputError(
        fmt::format("{}: character {} is {}; allowed is {}", what_, at + 1, found, allowed));
  }
  // For what is made of good characters but has no meaning.
  [[noreturn]] void refuse(size_t begin, std::string_view why) const {
    throw core::InputError(fmt::format("{}: character {}: '{}' {}", what_, begin + 1,
                                       text_.substr(begin, at_ - begin), why));
  }

  void entry() {
    hands_.clear();
    if (whole("random") || whole("100%")) {
      after_hand_ = "',', ':' and a weight, or the end";
      for (size_t combo = 0; combo < kNumCombos; ++combo) hands_.push_back(combo);
    } else if (kSuitLetters.find(lower(peek(1))) != kSuitLetters.npos && peek(1) != '\0') {
      after_hand_ = "',', ':' and a weight, or the end";
      single_hand();
    } else {
      classes();
    }
    float weight = 1;
    if (peek() == ':') {
      ++at_;
      weight = read_weight();
      after_hand_ = "',' or the end";
    }
    for (const size_t combo : hands_) range_.weight[combo] = weight;
  }

  bool whole(std::string_view word) {
    for (size_t i = 0; i < word.size(); ++i) {
      if (lower(peek(i)) != word[i]) return false;
    }
    at_ += word.size();
    return true;
  }

  int rank() {
    const size_t found = kRankLetters.find(upper(peek()));
    if (at_end() || found == kRankLetters.npos) {
      fail(at_,
           "a hand such as AA, 66+, QQ-22, AK, AKs, A8s+, A5s-A2s, AhKh or random (ranks are "
           "23456789TJQKA)");
    }
    ++at_;
    return static_cast<int>(found);
  }

  Card card() {
    const int r = rank();
    const size_t suit = kSuitLetters.find(lower(peek()));
    if (at_end() || suit == kSuitLetters.npos) fail(at_, "a suit: c, d, h or s");
    ++at_;
    return make_card(r, static_cast<int>(suit));
  }

  void single_hand() {
    const size_t begin = at_;
    const Card a = card();
    const Card b = card();
    if (a == b) refuse(begin, "is the same card twice; a hand has two different cards");
    hands_.push_back(combo_index(a, b));
  }

  HandClass hand_class() {
    const size_t begin = at_;
    const int a = rank();
    const int b = rank();
    HandClass found{std::max(a, b), std::min(a, b)};
    const char kind = lower(peek());
    if (kind != 's' && kind != 'o') return found;
    ++at_;
    if (found.pair()) refuse(begin, "is a pair, which is neither suited nor offsuit");
    found.suited = kind == 's';
    found.offsuit = kind == 'o';
    return found;
  }

  void classes() {
    const size_t begin = at_;
    const HandClass first = hand_class();
    after_hand_ = first.pair() || !first.suited || !first.offsuit
                      ? "'+', '-' and a hand, ':' and a weight, ',' or the end"
                      : "'s', 'o', '+', '-' and a hand, ':' and a weight, ',' or the end";
    HandClass last = first;
    if (peek() == '+') {
      ++at_;
      last.low = first.pair() ? kNumRanks - 1 : first.high - 1;
      if (first.pair()) last.high = last.low;
    } else if (peek() == '-') {
      ++at_;
      last = hand_class();
      if (!first.same_kind(last) || (first.high != last.high && first.gap() != last.gap())) {
        refuse(begin,
               "is no run; allowed is QQ-22, A5s-A2s (the same high card) or T9s-65s (the "
               "same gap), both ends suited, both offsuit or both neither");
      }
    } else {
      add(first);
      return;
    }
    after_hand_ = "':' and a weight, ',' or the end";
    const int step_high = first.high == last.high ? 0 : 1;
    const HandClass& from = first.low < last.low ? first : last;
    for (int i = 0; i <= std::abs(first.low - last.low); ++i) {
      add({from.high + i * step_high, from.low + i, first.suited, first.offsuit});
    }
  }

  void add(const HandClass& hands) {
    for (int a = 0; a < kNumSuits; ++a) {
      for (int b = 0; b < kNumSuits; ++b) {
        if (hands.pair() ? a <= b : !(a == b ? hands.suited : hands.offsuit)) continue;
        hands_.push_back(combo_index(make_card(hands.high, a), make_card(hands.low, b)));
      }
    }
  }

  float read_weight() {
    const size_t end = std::min(text_.find_first_not_of("0123456789.", at_), text_.size());
    const auto value = core::parse_number<double>(text_.substr(at_, end - at_));
    if (end == at_) fail(at_, "a weight from 0 to 1, such as 0.5");
    const size_t begin = at_;
    at_ = end;
    if (!value || !(*value >= 0 && *value <= 1)) refuse(begin, "is no weight from 0 to 1");
    return static_cast<float>(std::round(*value * 1e6) / 1e6);  // what to_text can say
  }

  std::string_view text_, what_;
  size_t at_ = 0;
  std::string_view after_hand_;  // what may follow the hand just read
  std::vector<size_t> hands_;    // of the entry being read
  Range range_;
};

}  // namespace

CardSet combo_cards(size_t combo) {
  // The higher card c has c * (c - 1) / 2 <= combo < c * (c + 1) / 2.
  auto high = static_cast<size_t>((1 + std::sqrt(1 + 8 * static_cast<double>(combo))) / 2);
  const size_t low = combo - high * (high - 1) / 2;
  return set_of(static_cast<Card>(high)) | set_of(static_cast<Card>(low));
}

Range parse_range(std::string_view text, std::string_view what) {
  return RangeParser(text, what).parse();
}

double num_hands(const Range& range) {
  return std::accumulate(range.weight.begin(), range.weight.end(), 0.0);
}

std::vector<SuitMap> keeping(const std::vector<SuitMap>& maps, const Range& range) {
  std::vector<SuitMap> kept = maps;
  for (Card high = 1; high < kNumCards; ++high) {
    for (Card low = 0; low < high; ++low) {
      std::erase_if(kept, [&](const SuitMap& map) {
        return range.weight[combo_index(rename(map, high), rename(map, low))] !=
               range.weight[combo_index(high, low)];
      });
    }
  }
  return kept;
}

}  // namespace cleave::poker
