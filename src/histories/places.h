#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "histories/piece.h"

namespace cleave::histories {

// Where one player stops to think: a subgame that begins at (a closure around) a public state where
// the player acts. Places are nested; an information set is played by the smallest that holds it.
struct Place {
  uint32_t parent = tree::kNone;
  std::vector<uint32_t> roots;                // histories
  std::vector<std::vector<uint32_t>> leaves;  // where looking ahead ends; none: the game's end
  std::vector<uint32_t> children;             // the player's next places
};

// All of one player's places. Stage 0 is the whole game; stage k + 1 is a cut below every k-th own
// decision, which makes places of one stage disjoint and each part of one place of the stage before
// (closures of nested sets are nested, and what joins two roots joins the roots above them).
struct Places {
  std::vector<Place> all;                       // parents first; [0] begins at the game's root
  std::vector<std::vector<uint32_t>> place_at;  // [stage][history]: kNone outside
  std::vector<uint32_t> stage_of;               // [place]
  std::vector<uint32_t> place_of_set;           // [infoset - first of the player]
  // The next own place that a history of `place` lies in; kNone: before it.
  uint32_t child_at(uint32_t place, uint32_t history) const {
    const uint32_t next = stage_of[place] + 1;
    return next < place_at.size() ? place_at[next][history] : tree::kNone;
  }
};

// `depth`: moves to look ahead from the roots of a place (chance's counted), but always as far as
// the next own decision, since the next place needs the opponent's values there; 0: to the end.
Places find_places(const tree::Tree& tree, size_t player, int depth);

// A place as a piece of the player's way through the game: it ends at the next ones.
class PlacePiece final : public TreePiece {
 public:
  PlacePiece(const tree::Tree& tree, std::shared_ptr<const Places> places, uint32_t place = 0);
  decompose::Below below(size_t leaf, size_t number) const override;
  std::shared_ptr<const decompose::Piece> ahead() const override;
  decompose::Rest rest(size_t leaf, size_t number) const override;

 private:
  const Place& here() const { return places_->all[place_]; }

  std::shared_ptr<const Places> places_;
  uint32_t place_;
};

}  // namespace cleave::histories
