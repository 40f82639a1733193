#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decompose/piece.h"
#include "hands/cut.h"

namespace cleave::hands {

// Deals that mirror each other are solved as one: the boards that stand for those really dealt,
// [street of the game], and the renaming of suits that makes the one of the other.
struct StandIn {
  std::vector<poker::CardSet> boards;
  poker::SuitMap map = poker::kSameSuits;
};
StandIn find_stand_in(const Setup& setup, std::span<const poker::CardSet> dealt);

// The vector engine's stretch of game.
class HandsPiece final : public decompose::Piece {
 public:
  // The game from its beginning down to the first of the cuts; with none, all of it.
  HandsPiece(std::shared_ptr<const Problem> problem, const std::vector<StreetCut>& cuts,
             Storage storage = Storage::kF32);
  // The same, cut at every deal and at the opponent's bets outside the abstraction.
  HandsPiece(const std::shared_ptr<const Problem>& problem, Storage storage,
             const std::shared_ptr<const Outside>& outside);
  // The same, cut at every deal and at a player's decisions.
  HandsPiece(const std::shared_ptr<const Problem>& problem, Storage storage, const Stops& stops);
  ~HandsPiece() override;

  std::string key() const override;
  std::unique_ptr<decompose::Engine> engine(int threads = 1) const override;
  size_t num_leaves() const override;
  size_t num_below(size_t leaf) const override;
  bool is_wanted(size_t leaf) const override;
  decompose::Below below(size_t leaf, size_t number) const override;
  size_t num_deals() const override;
  size_t num_possible_deals() const override;
  size_t deal_of(size_t leaf, size_t number) const override;
  std::vector<decompose::Trail> way(size_t leaf, size_t player) const override;
  std::shared_ptr<const decompose::Profile> profile(
      std::shared_ptr<decompose::Engine> engine) const override;
  bool is_outside(size_t leaf) const override;
  std::shared_ptr<const decompose::Piece> model() const override;
  decompose::Around around(size_t leaf) const override;
  std::shared_ptr<const decompose::Piece> ahead() const override;
  decompose::Rest rest(size_t leaf, size_t number) const override;

  std::shared_ptr<const decompose::Piece> whole() const override;
  std::vector<size_t> trunk_decisions() const override;

  const Problem& problem() const { return *problem_; }
  const Setup& setup() const { return setup_; }
  const BetMap& bets() const { return outside_->bets; }  // of a piece that is cut at some
  int first_street() const { return first_street_; }     // of the game, where it begins
  // [street of the game]: what is out, down to the first street here. The same cards dealt in
  // another order are another place of the game.
  const std::vector<poker::CardSet>& boards() const { return boards_; }
  std::vector<poker::CardSet> boards_at(size_t leaf) const;  // the same down to a leaf
  const Street& leaf_street() const;                         // of a piece with leaves
  // The leaf and the deal there that somebody has come by; none: still in the piece. `path`: nodes
  // of the game's betting; `boards`: out on each street of the game, as StandIn has them.
  std::optional<std::pair<size_t, size_t>> leaf_on(std::span<const uint32_t> path,
                                                   std::span<const poker::CardSet> boards) const;
  // The private states' reach where the game begins.
  const decompose::Vectors& root_reach() const { return problem_->reach; }

  // From key(), by the same program elsewhere.
  static std::shared_ptr<const HandsPiece> remake(std::string_view key);

 private:
  struct Trunk;  // what a piece with leaves knows of them

  HandsPiece(std::shared_ptr<const Problem> problem, std::string all_cuts,
             std::vector<StreetCut> cuts, std::shared_ptr<const Outside> outside,
             std::optional<Stops> stops, Storage storage);
  HandsPiece(const HandsPiece& above, std::vector<StreetCut> cuts,
             std::shared_ptr<const Outside> outside, std::optional<Stops> stops, Setup setup,
             std::vector<poker::CardSet> boards, std::string path);
  std::shared_ptr<const HandsPiece> look_ahead() const;
  void look_for_leaves();
  Setup trim();                           // what engines of a piece with leaves are made from
  uint32_t look_for_line();               // the node of the setup's tree
  bool is_off(uint32_t node) const;       // of the setup's tree
  bool is_stop(uint32_t node) const;      // of the setup's tree
  bool is_dealt(size_t leaf) const;       // one piece for each deal
  uint32_t exit_node(size_t leaf) const;  // of the setup's tree
  // From a node of the setup's tree on, without bets outside the abstraction but one.
  std::shared_ptr<const HandsPiece> within(uint32_t node, uint32_t with) const;

  std::shared_ptr<const Problem> problem_;
  std::vector<StreetCut> cuts_;  // from here on
  std::string all_cuts_;         // of the game, as text; or the bets outside
  std::shared_ptr<const Outside> outside_;
  std::optional<Stops> stops_;
  Storage storage_;
  Setup setup_;  // all of the betting, also where engines have less of it
  int first_street_ = 0;
  std::vector<poker::CardSet> boards_;
  std::string path_;  // "/leaf.number", "/withinNODE.WITH" or "/ahead", from the game's beginning
  std::unique_ptr<Trunk> trunk_;
};

}  // namespace cleave::hands
