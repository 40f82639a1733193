#pragma once

#include <map>
#include <memory>

#include "decompose/resolver.h"
#include "hands/engine_race.h"
#include "hands/piece.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"

// Stretches of one game with leaves, on both engines.
namespace cleave::hands {

using decompose::Piece;
using decompose::Profile;

// What is below the leaves of a stretch of game, for each engine in the order of its own leaves.
class Leaves {
 public:
  // `roots`: [leaf of the tree engine]: histories; `trunk`: the vector engine's piece, whose leaves
  // are streets.
  Leaves(const Twin& twin, const std::vector<std::vector<uint32_t>>& roots, const Piece& trunk,
         const Problem& problem)
      : twin_(twin), problem_(problem) {
    std::map<std::pair<uint32_t, CardSet>, size_t> by_place;
    for (const auto& leaf : roots) {
      pieces_.push_back(histories::make_piece(twin.problem.tree, leaf));
      const Moment& at = twin.places[leaf[0]];
      by_place[{at.node, at.board}] = by_place.size();
    }
    std::map<size_t, Match> matches;
    for (size_t leaf = 0; leaf < trunk.num_leaves(); ++leaf) {
      EXPECT_EQ(trunk.num_below(leaf), 1u);
      const auto below = trunk.below(leaf, 0).piece;
      const Setup& setup = dynamic_cast<const HandsPiece&>(*below).setup();
      order_.push_back(by_place.at({setup.origin_of(0), setup.board}));
      matches.emplace(order_.back(), Match(twin, pieces_[order_.back()].root, setup.hands));
    }
    EXPECT_EQ(matches.size(), roots.size());
    for (const auto& [number, match] : matches) {
      EXPECT_TRUE(match.one_to_one());
      matches_.push_back(match);
    }
  }

  size_t size() const { return order_.size(); }
  // The tree engine's number of an engine's leaf.
  size_t number(int engine, size_t leaf) const { return engine == 0 ? leaf : order_[leaf]; }
  const Match& match(size_t number) const { return matches_[number]; }
  const histories::TreePiece& piece(size_t number) const { return pieces_[number]; }

  // A strategy of the game for an engine's pieces.
  std::shared_ptr<const Profile> profile(int engine, const tree::Strategy& strategy) const {
    if (engine == 1) return make_profile(twin_, problem_, strategy);
    return std::make_shared<histories::TreeProfile>(strategy);
  }
  // Numbers by the tree's states, in the engine's order.
  Vectors to_engine(int engine, size_t leaf, const Vectors& by_state) const {
    return engine == 0 ? by_state : match(number(engine, leaf)).to_hands(by_state);
  }

  const Twin& twin() const { return twin_; }

 private:
  const Twin& twin_;
  const Problem& problem_;
  std::vector<histories::TreePiece> pieces_;  // [number]
  std::vector<Match> matches_;
  std::vector<size_t> order_;  // [leaf of the vector engine]
};

// A piece below a trunk of the vector engine, and which one.
struct Found {
  std::shared_ptr<const HandsPiece> piece;
  size_t leaf = 0, number = 0;
};
inline Found find_piece(const HandsPiece& trunk, const Moment& at) {
  for (size_t leaf = 0; leaf < trunk.num_leaves(); ++leaf) {
    for (size_t i = 0; i < trunk.num_below(leaf); ++i) {
      auto piece = std::dynamic_pointer_cast<const HandsPiece>(trunk.below(leaf, i).piece);
      if (piece->setup().origin_of(0) == at.node && piece->setup().board == at.board) {
        return {piece, leaf, i};
      }
    }
  }
  ADD_FAILURE() << "the trunk does not come there";
  return {};
}

// Histories where the street ends and play goes on after the next deal, below `roots`, one group
// for each line and board; `dealt`: after that deal.
inline std::vector<std::vector<uint32_t>> borders(const Twin& twin, int street, bool dealt,
                                                  const std::vector<uint32_t>& roots = {0}) {
  const tree::Tree& tree = twin.problem.tree;
  std::vector<char> is_below(tree.num_histories(), 0);
  for (const uint32_t h : roots) is_below[h] = 1;
  for (uint32_t h = 1; h < tree.num_histories(); ++h) is_below[h] |= is_below[tree.parent[h]];
  std::map<std::tuple<uint32_t, CardSet, CardSet>, std::vector<uint32_t>> groups;
  const auto add = [&](uint32_t h) {
    groups[{twin.places[h].node, twin.places[h].board, twin.places[h].newest}].push_back(h);
  };
  for (const uint32_t h : twin.deals_of(street)) {
    if (is_below[h] == 0 || tree.actor[h] != tree::kChance) continue;
    if (!dealt) add(h);
    for (uint32_t c = tree.child_begin[h]; dealt && c < tree.child_begin[h + 1]; ++c) add(c);
  }
  std::vector<std::vector<uint32_t>> out;
  for (auto& [place, histories] : groups) out.push_back(std::move(histories));
  return out;
}

// A stretch of game that ends before the deal after `street`, on both engines.
struct Middle {
  // `whole`: the game that `h` is a piece of.
  Middle(const Twin& twin, const std::vector<uint32_t>& roots, int street,
         std::shared_ptr<const HandsPiece> h, const Problem& whole)
      : tree(std::make_shared<histories::TreePiece>(
            histories::make_piece(twin.problem.tree, roots, borders(twin, street, false, roots)))),
        hands(std::move(h)),
        match(twin, tree->root, hands->setup().hands),
        leaves(twin, borders(twin, street, false, roots), *hands, whole) {
    EXPECT_TRUE(match.one_to_one());
  }

  std::shared_ptr<const Piece> piece(int engine) const {
    return engine == 0 ? std::static_pointer_cast<const Piece>(tree) : hands;
  }

  std::shared_ptr<const histories::TreePiece> tree;
  std::shared_ptr<const HandsPiece> hands;
  Match match;
  Leaves leaves;
};

// How a subgame is entered on one of the engines, by its own private states.
struct Entry {
  decompose::GadgetInput input;
  std::vector<double> hero_reach;
};

// One engine at work in the middle: a gadget above, an evaluator below.
struct MiddleRun {
  MiddleRun(const Middle& m, int e, size_t h, const decompose::Method& method, const Entry& entry,
            std::unique_ptr<decompose::LeafEvaluator> l)
      : middle(m),
        engine(e),
        hero(h),
        reach(entry.hero_reach),
        leaves(std::move(l)),
        stretch(m.piece(e)->engine()),
        gadget(make_gadget(method, entry.input)),
        resolver(*stretch, *gadget, h, reach, solve::make_schedule("cfr+"), *m.piece(e), *leaves) {}

  // What the opponent got; now and then also what both can get against what was learnt and what the
  // opponent brings next.
  std::vector<double> step(int64_t t) {
    resolver.iterate();
    std::vector<double> out;
    const auto add = [&](size_t player, const std::vector<double>& x) {
      const auto mapped = engine == 1 ? middle.match.to_states(player, x) : x;
      out.insert(out.end(), mapped.begin(), mapped.end());
    };
    add(1 - hero, resolver.opponent_values());
    if (t % 10 != 0) return out;
    std::vector<double> best(stretch->num_states(1 - hero)), brought(best.size());
    stretch->best_response(1 - hero, reach, best);
    add(1 - hero, best);
    gadget->enter(brought);
    add(1 - hero, brought);
    best.resize(reach.size());
    stretch->best_response(hero, brought, best);
    add(hero, best);
    return out;
  }

  const Middle& middle;
  int engine;
  size_t hero;
  std::vector<double> reach;
  std::unique_ptr<decompose::LeafEvaluator> leaves;
  std::unique_ptr<decompose::Engine> stretch;
  std::unique_ptr<decompose::Gadget> gadget;
  decompose::Resolver resolver;
};

// A subgame of a cut game as the tree engine sees it, [engine].
inline std::array<Entry, 2> enter_by_tree(const CutTwin& cut, size_t subgame, const Middle& middle,
                                          size_t hero, const decompose::Method& method) {
  const Entry tree = {
      make_gadget_input(cut.parts, cut.strategy, cut.summaries, subgame, hero, method),
      cut.summaries[subgame].reach[hero]};
  return {tree, Entry{to_hands(middle.match, 1 - hero, tree.input),
                      middle.match.to_hands(hero, tree.hero_reach)}};
}

}  // namespace cleave::hands
