#pragma once

#include <mutex>
#include <optional>

#include "door/game.h"
#include "hands/played_hand.h"
#include "hands/spot_solver.h"

namespace cleave::door {

// What the vector engine is for: a hold'em spot or a whole game (.toml), or a `.game` that is too
// large for the tree engine. Empty for every other game.
std::optional<hands::Problem> read_poker(const std::string& game);

// Community-card poker. Pieces are refused where the problem has locked strategies.
class HandsGame final : public AnyGame {
 public:
  HandsGame(std::string name, hands::Problem problem);

  const hands::Problem& problem() const { return *problem_; }

  std::shared_ptr<const decompose::Piece> piece(std::string_view cut) const override;
  std::shared_ptr<const decompose::Piece> steps(size_t player, int depth) const override;
  std::vector<std::string> cuts(std::string_view spec) const override;
  std::string dealt(const std::string& cut) const override;
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

 private:
  void check_locks() const;
  // What an engine of the whole game has learnt: the profile's own, where it has one.
  hands::SpotSolver solver_of(const decompose::Profile& profile, int threads) const;
  hands::SpotSolver make_solver(const hands::SolverOptions& options) const;

  std::shared_ptr<const hands::Problem> problem_;
  mutable std::once_flag dealt_;  // only those who play need it
  mutable std::unique_ptr<const hands::Dealer> dealer_;
};

}  // namespace cleave::door
