#pragma once

#include <map>
#include <mutex>
#include <unordered_map>

#include "door/hand.h"
#include "games/chip_counter.h"
#include "tree/sight.h"

namespace cleave::door {

// What the players of a compiled game see and call things.
class TreeSight {
 public:
  TreeSight(const games::Game& game, const tree::Tree& tree);

  // To the player of an information set; without the number of the hand.
  const Question& question(uint32_t infoset) const;
  // The information set of the one who was asked; else (kNone) `unknown` says what is not there.
  uint32_t find(const Question& question, Standing& unknown) const;

 private:
  Question make_question(uint32_t infoset) const;
  uint32_t follow(const Question& question, Standing& unknown) const;
  std::array<double, 2> put_after(const std::vector<Event>& events) const;  // zero: not counted

  const games::Game& game_;
  const tree::Tree& tree_;
  games::ChipCounter chips_;
  tree::Members members_;
  tree::Labels labels_;
  std::array<std::unordered_map<std::string, uint32_t>, 2> set_;  // [player]: by its label
  mutable std::mutex mutex_;
  mutable std::map<uint32_t, Question> known_;
};

// One hand of a compiled game.
class TreeHand final : public Hand {
 public:
  // Without a sight nobody can be asked.
  explicit TreeHand(const tree::Tree& tree, const TreeSight* sight = nullptr)
      : tree_(&tree), sight_(sight) {}

  uint32_t history() const { return history_; }
  games::Actor actor() const override { return tree_->actor[history_]; }
  void deal(core::Random& random) override;
  void take(size_t move) override {
    history_ = tree_->child_begin[history_] + static_cast<uint32_t>(move);
  }
  Question question() const override { return sight_->question(tree_->infoset[history_]); }
  double payoff(size_t player) const override;

 private:
  const tree::Tree* tree_;
  const TreeSight* sight_;
  uint32_t history_ = 0;
};

}  // namespace cleave::door
