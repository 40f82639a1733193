#include "core/error.h"
#include "hands/blueprint/whole_games.h"

namespace cleave::hands {
namespace {

TEST(WholeGame, FilesSayWhereTheyAreWrong) {
  const auto message = [](const std::string& text) {
    try {
      parse_game(text, "game.toml");
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("stack = 100\n").find("game.toml"), std::string::npos);
  const std::string rules = "stack = 1000\nblinds = [2, 1]\n[preflop]\nbets = 1\n";
  EXPECT_EQ(message(rules + "bet = \"50%\"\n"), "");
  EXPECT_NE(message(rules + "bet = \"50&\"\n").find("game.toml:5"), std::string::npos);
  EXPECT_NE(message(rules + "bat = \"50%\"\n").find("game.toml:5"), std::string::npos);
  EXPECT_NE(message("stack = 1000\nblinds = [1, 2]\n[preflop]\nbets = 1\n").find("game.toml:2"),
            std::string::npos);
}

TEST(WholeGame, PlayersMayHaveSizesOfTheirOwn) {
  const hands::Setup setup = parse_game(kFlopGame, "test.toml").setup;
  std::vector<std::string> lines;
  for (uint32_t n = 0; n < setup.tree.nodes.size(); ++n) {
    const poker::BettingNode& node = setup.tree.nodes[n];
    if (node.kind == poker::BettingNode::Kind::kDeal) lines.push_back(line_of(setup.tree, n));
  }
  EXPECT_EQ(lines,
            (std::vector<std::string>{"call/check", "raise 300/call", "call/raise 200/call"}));
}

TEST(WholeGame, SampledFlopsStandForAll) {
  hands::Setup setup = parse_game(kFlopGame, "test.toml").setup;
  const hands::Layout all = hands::sketch_layout(setup);
  double dealt = 0;
  for (const hands::Board& board : all.streets[1].boards) {
    dealt += static_cast<double>(board.images.size());
  }
  EXPECT_EQ(dealt, 22100);
  sample_deals(setup, 20, 1);
  const hands::Layout some = hands::sketch_layout(setup);
  EXPECT_EQ(some.streets[1].boards.size(), 20u);
  double kept = 0;
  for (const hands::Board& board : some.streets[1].boards) {
    kept += static_cast<double>(board.images.size());
  }
  EXPECT_NEAR(kept * some.streets[1].weight, dealt * all.streets[1].weight, 1e-12 * dealt);
  const hands::Board& board = some.streets[1].boards[3];
  const hands::Setup below = hands::below(
      setup, setup.tree.nodes[some.streets[0].nodes[some.streets[0].exits[0]].source].first_child,
      board.cards);
  EXPECT_NEAR(below.pair_weight, some.streets[1].weight, 1e-18);
}

// With a bucket for every hand a blueprint is CFR in the game itself: the vector engine's numbers.
TEST(Blueprint, WithoutAbstractionIsTheGameItself) {
  for (const auto& [text, flops] :
       {std::pair{kFlopGame, size_t{3}}, std::pair{kTurnGame, size_t{1}}}) {
    const auto game = few_flops(text, flops);
    const poker::Buckets buckets = make_test_buckets(*game, 0);
    Blueprint blueprint(game, buckets, {.algorithm = "dcfr"});
    for (int t = 0; t < 2; ++t) blueprint.iterate();
    blueprint.finish();
    WholeEngine whole(game, "dcfr", 2);
    for (size_t p = 0; p < 2; ++p) {
      const double exact = whole.best_response(p);
      EXPECT_NEAR(blueprint.best_response(p), exact, 1e-3 * std::abs(exact));
    }
  }
}

// A best response that streams over boards against one that holds the whole strategy.
TEST(Blueprint, BestResponsesAreThoseOfTheWholeGame) {
  for (const auto& [text, flops] :
       {std::pair{kFlopGame, size_t{3}}, std::pair{kTurnGame, size_t{2}}}) {
    const auto game = few_flops(text, flops);
    const poker::Buckets buckets = make_test_buckets(*game, 7);
    Blueprint blueprint(game, buckets, {.algorithm = "cfr+", .batches = 2});
    for (int t = 0; t < 6; ++t) blueprint.iterate();
    blueprint.finish();
    WholeEngine whole(game, "cfr+", 0);
    blueprint.give(whole.piece, *whole.engine);
    EXPECT_NEAR(blueprint.value(), whole.value(), 1e-2);
    for (size_t p = 0; p < 2; ++p) {
      const double exact = whole.best_response(p);
      EXPECT_NEAR(blueprint.best_response(p), exact, 1e-4 * std::abs(exact));
    }
  }
}

// What is given to an engine, against the blueprint's own numbers: those of the trunk's engine, and
// what the bucket of every hand does.
TEST(Blueprint, GivesWhatItHasLearnt) {
  const auto game = few_flops(kFlopGame, 3);
  const poker::Buckets buckets = make_test_buckets(*game, 7);
  Blueprint blueprint(game, buckets, {.algorithm = "cfr+", .batches = 2});
  for (int t = 0; t < 6; ++t) blueprint.iterate();
  blueprint.finish();
  const auto made = HandsPiece(game, {}).engine();
  auto& whole = dynamic_cast<VectorEngine&>(*made);
  blueprint.give(HandsPiece(game, {}), whole);
  const hands::Street& street = whole.layout().streets[1];
  const LastStreet& last = blueprint.leaves().last_street();
  size_t compared = 0;
  for (size_t p = 0; p < 2; ++p) {
    for (uint32_t b = 0; b < street.boards.size(); ++b) {
      const hands::Side& side = street.boards[b].side[p];
      for (const Block& block : last.blocks(p)) {
        for (const Block::Decision& d : block.decisions) {
          const std::vector<double> rows = whole.strategy_at(1, b, d.node);
          for (size_t i = 0; i < d.actions * side.count; ++i) {
            const size_t a = i / side.count, k = i % side.count;
            ASSERT_NEAR(rows[i],
                        blueprint.leaves().strategy(
                            p)[block.first + last.buckets_of(b)[k] * block.rows + d.row + a],
                        1e-6);
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 10'000u);
}

TEST(Blueprint, ThreadsAndPausesChangeNothing) {
  const std::string path = testing::TempDir() + "/blueprint.h5";
  std::filesystem::remove(path);
  const auto game = few_flops(kFlopGame, 3);
  const poker::Buckets buckets = make_test_buckets(*game, 9);
  Blueprint once(game, buckets, {.threads = 1}), twice(game, buckets, {.threads = 3});
  EXPECT_FALSE(twice.load(path, "key"));
  for (int t = 0; t < 5; ++t) once.iterate();
  for (int t = 0; t < 2; ++t) twice.iterate();
  twice.save(path, "key");
  Blueprint later(game, buckets, {.threads = 2});
  EXPECT_FALSE(later.load(path, "another key"));
  ASSERT_TRUE(later.load(path, "key"));
  EXPECT_EQ(later.iterations(), 2);
  for (int t = 0; t < 3; ++t) later.iterate();
  once.finish();
  later.finish();
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(once.leaves().strategy(p), later.leaves().strategy(p));
    EXPECT_EQ(once.best_response(p), later.best_response(p));
  }
}

TEST(Blueprint, RefusesBucketsOfAnotherStreet) {
  const auto game = few_flops(kTurnGame, 1);
  poker::Buckets buckets;
  buckets.board_cards = 3;
  EXPECT_THROW(Blueprint(game, buckets, {}), core::InputError);
}

}  // namespace
}  // namespace cleave::hands
