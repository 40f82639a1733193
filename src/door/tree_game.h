#pragma once

#include <mutex>

#include "door/game.h"
#include "door/tree_hand.h"
#include "games/game.h"
#include "solve/problem.h"
#include "tree/strategy.h"

namespace cleave::door {

// Any game that can be compiled to a tree.
class TreeGame final : public AnyGame {
 public:
  TreeGame(std::shared_ptr<const games::Game> game, std::shared_ptr<const solve::Problem> problem);

  const games::Game& game() const { return *game_; }
  const solve::Problem& problem() const { return *problem_; }
  tree::Strategy strategy(const decompose::Profile& profile) const;

  std::shared_ptr<const decompose::Piece> piece(std::string_view cut) const override;
  std::shared_ptr<const decompose::Piece> steps(size_t player, int depth) const override;
  std::vector<std::string> cuts(std::string_view spec) const override;
  std::string describe(std::string_view cut) const override;
  size_t learning_bytes() const override;
  std::shared_ptr<const decompose::Profile> read(const std::string& path,
                                                 int threads) const override;
  std::shared_ptr<const decompose::Profile> solve(const std::string& algorithm, int64_t iterations,
                                                  const Watch& watch) const override;
  std::unique_ptr<decompose::Recombined> recombine(
      const decompose::Profile& profile) const override;
  solve::Certificate certify(const decompose::Profile& profile, int threads) const override;
  void check_out(const std::string& path) const override;
  void write(const decompose::Profile& profile, const std::string& path) const override;
  std::unique_ptr<Hand> begin_hand() const override;
  Standing find(const Question& question, const decompose::Piece& piece,
                const decompose::Engine& engine) const override;
  const TreeSight& sight() const;

 private:
  std::shared_ptr<const games::Game> game_;
  std::shared_ptr<const solve::Problem> problem_;
  mutable std::once_flag looked_;  // only those who play need it
  mutable std::unique_ptr<const TreeSight> sight_;
};

// What an algorithm plays after so many iterations, fewer where it ends by itself. Throws RunError
// when stopped.
tree::Strategy solve_tree(const solve::Problem& problem, const std::string& algorithm,
                          int64_t iterations, const Watch& watch);

}  // namespace cleave::door
