// The checks of walk() must be able to fail: games that break the contract in one way each.

#include "games/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cleave::games {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

enum class Flaw {
  kNone,
  kChanceSum,
  kNotZeroSum,
  kSplitLabel,
  kSplitKey,
  kActionsDiffer,
  kActionsRepeat,
  kForgets,
  kComma
};

// Chance tosses a coin nobody sees, player 1 acts twice.
struct Toy {
  uint8_t moves = 0;
  uint8_t taken[3] = {0, 0, 0};
};

class ToyGame final : public TypedGame<Toy> {
 public:
  explicit ToyGame(Flaw flaw) : flaw_(flaw) {}
  std::string name() const override { return "toy"; }

 protected:
  Toy initial() const override { return {}; }
  Turn turn(const Toy& toy) const override {
    if (toy.moves == 3) return {kTerminal, 0};
    return {toy.moves == 0 ? kChance : Actor{0}, 2};
  }
  void apply(Toy& toy, int action) const override {
    toy.taken[toy.moves++] = static_cast<uint8_t>(action);
  }
  core::Rational chance_probability(const Toy&, int action) const override {
    return action == 1 && flaw_ == Flaw::kChanceSum ? core::Rational(1, 3) : core::Rational(1, 2);
  }
  core::Rational payoff(const Toy&, int player) const override {
    return player == 0 || flaw_ == Flaw::kNotZeroSum ? 1 : -1;
  }
  core::Hash128 infoset_key(const Toy& toy) const override {
    return core::Hasher()
        .add(toy.moves)
        .add(flaw_ == Flaw::kForgets ? 0 : toy.taken[1])
        .add(flaw_ == Flaw::kSplitKey ? toy.taken[0] : 0)
        .finish();
  }
  std::string infoset_label(const Toy& toy) const override {
    std::string label = flaw_ == Flaw::kComma ? "m," : "m";
    label += std::to_string(toy.moves);
    if (flaw_ != Flaw::kForgets) label += std::to_string(toy.taken[1]);
    if (flaw_ == Flaw::kSplitLabel) label += std::to_string(toy.taken[0]);
    return label;
  }
  std::string action_label(const Toy& toy, int action) const override {
    if (flaw_ == Flaw::kActionsRepeat) return "x";
    if (flaw_ == Flaw::kActionsDiffer && toy.moves > 0 && toy.taken[0] == 1) action += 2;
    return std::to_string(action);
  }

 private:
  Flaw flaw_;
};

std::vector<std::string> errors(Flaw flaw) { return walk(ToyGame(flaw)).errors; }

TEST(WalkTest, CountsAGoodGame) {
  const WalkResult result = walk(ToyGame(Flaw::kNone));
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.histories, 15);
  EXPECT_EQ(result.terminals, 8);
  EXPECT_EQ(result.chance_nodes, 1);
  EXPECT_EQ(result.max_depth, 3);
  EXPECT_EQ(result.infosets[0], 3);
  EXPECT_EQ(result.infosets[1], 0);
}

TEST(WalkTest, FindsEveryFlaw) {
  EXPECT_THAT(errors(Flaw::kChanceSum), Contains(HasSubstr("sum to 5/6")));
  EXPECT_THAT(errors(Flaw::kNotZeroSum), Contains(HasSubstr("sum to zero")));
  EXPECT_THAT(errors(Flaw::kSplitLabel), Contains(HasSubstr("one key has the labels")));
  EXPECT_THAT(errors(Flaw::kSplitKey), Contains(HasSubstr("two keys have the label")));
  EXPECT_THAT(errors(Flaw::kActionsDiffer), Contains(HasSubstr("actions differ")));
  EXPECT_THAT(errors(Flaw::kActionsRepeat), Contains(HasSubstr("repeat")));
  EXPECT_THAT(errors(Flaw::kForgets), Contains(HasSubstr("no perfect recall")));
  EXPECT_THAT(errors(Flaw::kComma), Contains(HasSubstr("unfit label")));
}

}  // namespace
}  // namespace cleave::games
