#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "poker/betting.h"

namespace cleave::poker {
namespace {

// Within these a number is printed without an exponent.
constexpr double kMinValue = 0.01;
constexpr double kMaxValue = 1e9;

class SizesReader {
 public:
  SizesReader(std::string_view text, std::string_view what) : text_(text), what_(what) {}

  Sizes read() {
    Sizes sizes;
    skip_space();
    if (at_end()) return sizes;
    while (true) {
      sizes.push_back(read_size());
      skip_space();
      if (at_end()) return sizes;
      if (text_[position_] != ',') refuse(position_, "expected ',' between sizes");
      ++position_;
      skip_space();
    }
  }

 private:
  [[noreturn]] void refuse(size_t at, std::string_view expected) const {
    throw core::InputError(fmt::format(
        "{}: cannot read '{}' at character {}: {}; sizes are 75% (of the pot), 2.5x (of "
        "the last bet), 100 (chips), e or 2e (geometric), min, any, a (all-in)",
        what_, text_, at + 1, expected));
  }

  bool at_end() const { return position_ == text_.size(); }
  void skip_space() {
    while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  std::string read_word() {
    std::string word;
    for (; !at_end() && (std::isalpha(static_cast<unsigned char>(text_[position_])) != 0 ||
                         text_[position_] == '%');
         ++position_) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[position_])));
    }
    return word;
  }

  Size read_size() {
    const size_t begin = position_;
    if (!at_end() && text_[begin] >= '0' && text_[begin] <= '9') return read_number();
    const std::string word = read_word();
    if (word == "a" || word == "allin") return {Size::Kind::kAllIn};
    if (word == "e") return {Size::Kind::kGeometric};
    if (word == "min") return {Size::Kind::kMinimum};
    if (word == "any") return {Size::Kind::kAll};
    refuse(begin, "expected a size");
  }

  Size read_number() {
    const size_t begin = position_;
    Size size;
    const auto [rest, error] = std::from_chars(text_.data() + begin, text_.data() + text_.size(),
                                               size.value, std::chars_format::fixed);
    if (error != std::errc() || size.value < kMinValue || size.value > kMaxValue) {
      refuse(begin, fmt::format("expected a number from {} to {:.0f}", kMinValue, kMaxValue));
    }
    position_ = static_cast<size_t>(rest - text_.data());
    const size_t unit = position_;
    const std::string word = read_word();
    const bool whole = size.value == std::floor(size.value);
    if (word == "%") {
      size.kind = Size::Kind::kPot;
    } else if (word == "x") {
      size.kind = Size::Kind::kMultiple;
      if (size.value <= 1) refuse(begin, "expected a multiple above 1");
    } else if (word == "e") {
      size.kind = Size::Kind::kGeometric;
      if (!whole) refuse(begin, "expected a whole number of streets");
    } else if (word.empty()) {
      size.kind = Size::Kind::kChips;
      if (!whole) refuse(begin, "expected a whole number of chips");
    } else {
      refuse(unit, "expected %, x, e or nothing after the number");
    }
    return size;
  }

  std::string_view text_;
  std::string_view what_;
  size_t position_ = 0;
};

std::string size_text(const Size& size) {
  switch (size.kind) {
    case Size::Kind::kPot:
      return fmt::format("{}%", size.value);
    case Size::Kind::kMultiple:
      return fmt::format("{}x", size.value);
    case Size::Kind::kChips:
      return fmt::format("{:.0f}", size.value);
    case Size::Kind::kGeometric:
      return size.value == 0 ? "e" : fmt::format("{:.0f}e", size.value);
    default:
      return size.kind == Size::Kind::kAllIn ? "a" : size.kind == Size::Kind::kAll ? "any" : "min";
  }
}

}  // namespace

Sizes parse_sizes(std::string_view text, std::string_view what) {
  return SizesReader(text, what).read();
}

std::string to_text(const Sizes& sizes) {
  std::string text;
  for (const Size& size : sizes) text += (text.empty() ? "" : ",") + size_text(size);
  return text;
}

}  // namespace cleave::poker
