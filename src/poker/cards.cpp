#include "poker/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/error.h"

namespace cleave::poker {
namespace {

int find_rank(char letter) {
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return static_cast<int>(kRankLetters.find(letter));  // npos: -1
}

int find_suit(char letter) { return static_cast<int>(kSuitLetters.find(letter)); }

// What is not a letter or sign could break the one line of the message.
std::string shown(std::string_view text, size_t at) {
  if (at >= text.size()) return "the end";
  const char c = text[at];
  if (c > ' ' && c <= '~') return fmt::format("'{}'", c);
  return c == ' ' ? "a space" : fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(c));
}

}  // namespace

CardSet deck(int ranks, int suits) {
  assert(ranks >= 1 && ranks <= kNumRanks && suits >= 1 && suits <= kNumSuits);
  CardSet cards = 0;
  for (int rank = kNumRanks - ranks; rank < kNumRanks; ++rank) {
    for (int suit = kNumSuits - suits; suit < kNumSuits; ++suit) {
      cards |= set_of(make_card(rank, suit));
    }
  }
  return cards;
}

CardSet set_of(const std::vector<Card>& cards) {
  CardSet set = 0;
  for (const Card card : cards) set |= set_of(card);
  return set;
}

std::vector<Card> cards_in(CardSet cards) {
  std::vector<Card> result;
  result.reserve(static_cast<size_t>(std::popcount(cards)));
  for (; cards != 0; cards &= cards - 1) result.push_back(lowest(cards));
  return result;
}

std::string to_text(Card card) {
  return {kRankLetters[static_cast<size_t>(rank_of(card))],
          kSuitLetters[static_cast<size_t>(suit_of(card))]};
}

std::string to_text(CardSet cards) {
  std::string text;
  while (cards != 0) {
    const Card highest = static_cast<Card>(std::bit_width(cards) - 1);
    text += to_text(highest);
    cards ^= set_of(highest);
  }
  return text;
}

std::string to_text(const std::vector<Card>& cards) {
  std::string text;
  for (const Card card : cards) text += to_text(card);
  return text;
}

std::vector<Card> parse_cards(std::string_view text, std::string_view what) {
  const auto fail = [&](size_t at, const std::string& reason) {
    throw core::InputError(fmt::format("{}: character {}: {}", what, at + 1, reason));
  };
  std::vector<Card> cards;
  CardSet seen = 0;
  size_t at = 0;
  const auto skip_spaces = [&] { at = std::min(text.find_first_not_of(' ', at), text.size()); };
  skip_spaces();
  bool after_comma = false;
  while (at < text.size() || after_comma) {
    const int rank = at < text.size() ? find_rank(text[at]) : -1;
    if (rank < 0) {
      fail(at, fmt::format("{} is not a rank; allowed are {}", shown(text, at), kRankLetters));
    }
    const int suit = at + 1 < text.size() ? find_suit(text[at + 1]) : -1;
    if (suit < 0) {
      fail(at + 1,
           fmt::format("{} is not a suit; allowed are {}", shown(text, at + 1), kSuitLetters));
    }
    const Card card = make_card(rank, suit);
    if ((seen & set_of(card)) != 0) {
      fail(at, fmt::format("{} is there twice", to_text(card)));
    }
    seen |= set_of(card);
    cards.push_back(card);
    at += 2;
    skip_spaces();
    after_comma = at < text.size() && text[at] == ',';
    if (!after_comma) continue;
    ++at;
    skip_spaces();
  }
  return cards;
}

SuitMap inverse(const SuitMap& map) {
  SuitMap out{};
  for (size_t suit = 0; suit < map.size(); ++suit) out[map[suit]] = static_cast<uint8_t>(suit);
  return out;
}

CardSet rename(const SuitMap& map, CardSet cards) {
  CardSet renamed = 0;
  for (int suit = 0; suit < kNumSuits; ++suit) {
    renamed |= ((cards >> suit) & kFirstSuit) << map[static_cast<size_t>(suit)];
  }
  return renamed;
}

std::vector<SuitMap> all_suit_maps(int suits) {
  assert(suits >= 1 && suits <= kNumSuits);
  std::vector<SuitMap> maps;
  SuitMap map = kSameSuits;
  do {
    maps.push_back(map);
  } while (std::next_permutation(map.end() - suits, map.end()));
  return maps;
}

std::vector<SuitMap> keeping(const std::vector<SuitMap>& maps, CardSet cards) {
  std::vector<SuitMap> kept;
  std::copy_if(maps.begin(), maps.end(), std::back_inserter(kept),
               [&](const SuitMap& map) { return rename(map, cards) == cards; });
  return kept;
}

std::vector<Deal> deals(CardSet from, int count, const std::vector<SuitMap>& group) {
  assert(count >= 0 && keeping(group, from).size() == group.size());
  const std::vector<Card> cards = cards_in(from);
  std::vector<Deal> result;
  std::vector<CardSet> images;
  // Bits are places in `cards`: all numbers of so many bits, ascending, as the sets then are too.
  uint64_t places = (uint64_t{1} << count) - 1;
  while (places < uint64_t{1} << cards.size()) {
    CardSet set = 0;
    for (uint64_t left = places; left != 0; left &= left - 1) set |= set_of(cards[lowest(left)]);
    // A class is met first at its smallest member, which stands for it.
    if (std::ranges::none_of(group, [&](const SuitMap& map) { return rename(map, set) < set; })) {
      Deal deal{.cards = set, .images = {kSameSuits}};
      images.assign(1, set);
      for (const SuitMap& map : group) {
        const CardSet image = rename(map, set);
        if (std::ranges::find(images, image) != images.end()) continue;
        images.push_back(image);
        deal.images.push_back(map);
      }
      result.push_back(std::move(deal));
    }
    if (places == 0) break;
    // Gosper's next number of as many bits: the lowest run moves its top bit up, the rest down.
    const uint64_t moved = places + (places & (~places + 1));
    places = moved | (places ^ moved) >> (2 + std::countr_zero(places));
  }
  return result;
}

}  // namespace cleave::poker
