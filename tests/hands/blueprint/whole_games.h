#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "core/random.h"
#include "decompose/resolver.h"
#include "hands/blueprint/blueprint.h"
#include "poker/hand_index.h"

// Hold'em from the first bet on, with so few flops that tests are fast.
namespace cleave::hands {

inline constexpr const char* kFlopGame = R"(
stack = 20000
blinds = [100, 50]
[preflop]
bets = 1
sb.bet = "100%"
bb.bet = "50%"
[flop]
bets = 2
bet = "75%"
)";

inline constexpr const char* kTurnGame = R"(
stack = 20000
blinds = [100, 50]
[preflop]
bets = 1
sb.bet = "100%"
bb.bet = ""
[flop]
bets = 1
bet = "75%"
[turn]
bets = 1
bet = "75%"
)";

inline std::shared_ptr<const Problem> few_flops(const char* text, size_t flops) {
  auto problem = std::make_shared<Problem>(parse_game(text, "test.toml"));
  sample_deals(problem->setup, flops, 3);
  return problem;
}

// Random buckets; or, with 0, as many as there are hands on these boards, one for each.
inline poker::Buckets make_test_buckets(const Problem& problem, uint32_t count) {
  const WholeGame game = make_whole_game(problem.setup, 1);
  const hands::Street& street = game.street();
  poker::Buckets out;
  out.board_cards = std::popcount(street.boards[0].cards);
  const poker::HandIndex index({2, out.board_cards});
  out.bucket.assign(index.size(1), 0);
  core::Random random(5);
  if (count > 0) {
    for (uint16_t& b : out.bucket) b = static_cast<uint16_t>(random.below(count));
    out.count = count;
    return out;
  }
  for (const hands::Board& board : street.boards) {
    for (const uint16_t hand : board.side[0].hand) {
      auto cards = poker::cards_in(game.setup().hands[0][hand]);
      for (const poker::Card c : poker::cards_in(board.cards)) cards.push_back(c);
      uint16_t& bucket = out.bucket[index.index(1, cards)];
      if (bucket == 0) bucket = static_cast<uint16_t>(++out.count);
    }
  }
  ++out.count;
  return out;
}

inline double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The same game on the vector engine, no abstraction.
struct WholeEngine {
  HandsPiece piece;
  std::unique_ptr<decompose::Engine> engine;
  std::vector<double> ones;

  WholeEngine(std::shared_ptr<const Problem> problem, const std::string& algorithm,
              int64_t iterations, hands::Storage storage = hands::Storage::kF32)
      : piece(std::move(problem), {}, storage),
        engine(piece.engine()),
        ones(piece.root_reach()[0]) {
    const solve::Schedule schedule = solve::make_schedule(algorithm);
    for (int64_t t = 1; t <= iterations; ++t) {
      decompose::iterate_fixed(*engine, {ones, ones}, schedule(t));
    }
  }
  double best_response(size_t player) {
    std::vector<double> values(ones.size());
    engine->best_response(player, ones, values);
    return sum_of(values);
  }
  double value() {
    std::vector<double> values(ones.size());
    engine->values(0, decompose::Follow::kAverage, ones, values);
    return sum_of(values);
  }
};

}  // namespace cleave::hands
