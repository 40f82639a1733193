#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "decompose/resolve.h"
#include "decompose/second_pass.h"
#include "hands/engine_pieces.h"
#include "histories/tree_engine.h"

// What is asked of engines beyond learning, and whole games re-solved, on both of them.
namespace cleave::hands {
namespace {

using decompose::Follow;
using decompose::Resolution;

// --- values at decisions

// The smallest payoff that can follow a node of the betting.
double least(const poker::BettingTree& tree, uint32_t n, size_t player) {
  const poker::BettingNode& node = tree.nodes[n];
  if (node.num_children == 0) {
    const auto payoffs = tree.payoffs(n, static_cast<int>(player));
    return node.kind == poker::BettingNode::Kind::kFold ? payoffs.win : payoffs.lose;
  }
  double smallest = INFINITY;
  for (uint32_t c = 0; c < node.num_children; ++c) {
    smallest = std::min(smallest, least(tree, node.first_child + c, player));
  }
  return smallest;
}

// Everything that both engines say of decisions, side by side.
void compare_decisions(const Twin& twin, const std::string& name) {
  const histories::TreePiece piece = histories::make_piece(twin.problem.tree, twin.starts());
  const Match match(twin, piece.root, twin.setup.hands);
  histories::TreeEngine tree(piece);
  const tree::Strategy strategy = random_strategy(twin.problem.tree, 3);
  tree.set_strategy(strategy);
  const auto problem = make_problem(twin);
  const auto profile = make_profile(twin, *problem, strategy);
  VectorEngine& vector = profile->engine();
  std::map<uint32_t, size_t> decision_of;  // by first slot in the game
  for (size_t d = 0; d < piece.num_decisions(); ++d) {
    decision_of[piece.source_slot[piece.problem.tree.slot_begin[piece.infoset(d)]]] = d;
  }
  core::Random random(8);
  Vectors reach = full_reach(tree);
  for (auto& own : reach) {
    for (double& x : own) x = 0.1 + random.uniform();
  }
  const Vectors hand_reach = match.to_hands(reach);
  const Layout& layout = vector.layout();
  size_t compared = 0;
  for (const Follow how : {Follow::kAverage, Follow::kBestResponse}) {
    for (size_t p = 0; p < 2; ++p) {
      const auto by_tree = tree.decision_values(p, how, reach[1 - p]);
      const auto by_hand = vector.decision_values(p, how, hand_reach[1 - p]);
      ASSERT_EQ(by_hand.action.size(), vector.num_decisions());
      for (size_t s = 0; s < layout.streets.size(); ++s) {
        const Street& street = layout.streets[s];
        for (size_t b = 0; b < street.boards.size(); ++b) {
          for (uint32_t n = 0; n < street.nodes.size(); ++n) {
            const Node& node = street.nodes[n];
            if (node.kind != poker::BettingNode::Kind::kDecision) continue;
            const size_t v = vector.decision_at(s, b, n);
            if (node.player != p) {
              ASSERT_TRUE(by_hand.action[v].empty() && by_hand.reach[v].empty()) << name;
              continue;
            }
            const Side& side = street.boards[b].side[p];
            const CardSet board = street.boards[b].cards;
            const CardSet before =
                s == 0 ? 0 : layout.streets[s - 1].boards[street.boards[b].parent].cards;
            for (size_t i = 0; i < side.count; ++i) {
              const uint32_t set = twin.set_at(p, node.source, board, board & ~before,
                                               layout.setup.hands[p][side.hand[i]]);
              const size_t t = decision_of.at(twin.problem.tree.slot_begin[set]);
              ASSERT_EQ(by_tree.action[t].size(), node.num_children) << name;
              for (size_t a = 0; a < node.num_children; ++a) {
                ASSERT_NEAR(by_hand.action[v][a * side.count + i], by_tree.action[t][a], 1e-12)
                    << name;
              }
              ASSERT_NEAR(by_hand.reach[v][i], by_tree.reach[t][0], 1e-12) << name;
              // By the betting alone; a tree knows besides which hands cannot lose any more.
              for (uint32_t a = 0; a < node.num_children; ++a) {
                const double sure = by_hand.guaranteed[v][a * side.count + i];
                ASSERT_LE(sure, by_tree.guaranteed[t][a] + 1e-12) << name;
                const double worst =
                    least(twin.setup.tree, twin.setup.tree.nodes[node.source].first_child + a, p);
                ASSERT_NEAR(sure, by_hand.reach[v][i] * worst, 1e-12) << name;
              }
              ++compared;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 500u) << name;
}

TEST(BothEngines, AgreeOnDecisions) {
  compare_decisions(Twin(leduc(), {}, "leduc"), "leduc");
  compare_decisions(Twin(small_nolimit()), "small no-limit");
  compare_decisions(Twin(all_in_streets(), kHalfOrAllIn), "all in");
}

// --- re-solving

// A trunk near an equilibrium, so that there is something to give away, that plays everything.
tree::Strategy good_trunk(const Twin& twin) {
  tree::Strategy strategy = solved(twin, 50);
  const tree::Strategy other = mixed_strategy(twin.problem.tree, 11);
  for (size_t i = 0; i < strategy.size(); ++i) strategy[i] = 0.9 * strategy[i] + 0.1 * other[i];
  return strategy;
}

struct Game {
  Game(const char* n, const poker::Definition& definition, const std::optional<poker::Sizes>& sizes,
       int merged_suits = 1)
      : name(n), twin(definition, sizes) {
    twin.make_stakes_odd(definition.limit ? 2 : 7);  // so that the trunks give something away
    problem = make_problem(twin, merged_suits);
    strategy = symmetric(twin, merged_suits, good_trunk(twin));
    profile = {std::make_shared<histories::TreeProfile>(strategy),
               make_profile(twin, *problem, strategy)};
  }

  std::string name;
  Twin twin;
  std::shared_ptr<const Problem> problem;
  tree::Strategy strategy;
  std::array<std::shared_ptr<const Profile>, 2> profile;  // [engine]
};

// Where histories come to a line of play, all its boards named by "*", one group for each board.
std::vector<std::vector<uint32_t>> line_borders(const Twin& twin, std::string line) {
  for (size_t at; (at = line.find('*')) != line.npos;) line.replace(at, 1, "deal");
  std::map<std::pair<CardSet, CardSet>, std::vector<uint32_t>> groups;
  for (uint32_t h = 0; h < twin.places.size(); ++h) {
    const Moment& at = twin.places[h];
    if (twin.problem.tree.actor[h] >= 2 || line_of(twin.setup.tree, at.node) != line) continue;
    groups[{at.board, at.newest}].push_back(h);
  }
  std::vector<std::vector<uint32_t>> out;
  for (auto& [place, histories] : groups) out.push_back(std::move(histories));
  return out;
}

// The trunk above the last of the cuts, on both engines.
std::array<std::shared_ptr<const Piece>, 2> make_trunks(const Game& game,
                                                        const std::vector<StreetCut>& cuts) {
  if (!cuts[0].line.empty()) {
    return {std::make_shared<histories::TreePiece>(histories::make_piece(
                game.twin.problem.tree, {0}, line_borders(game.twin, cuts[0].line))),
            std::make_shared<HandsPiece>(game.problem, cuts, Storage::kF64)};
  }
  return {
      std::make_shared<histories::TreePiece>(histories::make_piece(
          game.twin.problem.tree, {0}, borders(game.twin, cuts.back().street, cuts.back().dealt))),
      std::make_shared<HandsPiece>(game.problem, cuts, Storage::kF64)};
}

std::vector<std::string> all_ways() {
  std::vector<std::string> names = method_names();
  names.push_back("blueprint");
  return names;
}

// [way]: exploitability of a game of which everything below the cuts is re-solved, chips. `ajar`:
// methods' gadgets are set ajar.
std::vector<double> resolved(const Game& game, const std::shared_ptr<const Piece>& trunk,
                             size_t engine, const std::vector<std::string>& ways, int threads,
                             bool ajar) {
  Resolution::Options options;
  options.solving.algorithm = "cfr";
  options.solving.iterations = 50;
  options.solving.threads = threads;
  for (const std::string& way : ways) {
    auto& method = options.passes.emplace_back(decompose::make_pass(way)).method;
    if (ajar && method) method = set_ajar(*method);
  }
  Resolution job(trunk, game.profile[engine], full_reach(*trunk->engine()), std::move(options));
  job.run();
  std::vector<double> out;
  for (size_t i = 0; i < ways.size(); ++i) {
    out.push_back(job.exploitability(i).value / kUnitsPerChip);
  }
  return out;
}

void compare_resolution(const Game& game, const std::vector<StreetCut>& cuts,
                        const std::vector<std::string>& ways) {
  const auto trunks = make_trunks(game, cuts);
  // Below a first deal that is still to come a hand meets others of every kind.
  const bool ajar = cuts.back().street > 0 || cuts.back().dealt;
  const std::vector<double> tree = resolved(game, trunks[0], 0, ways, 1, ajar);
  const std::vector<double> hands = resolved(game, trunks[1], 1, ways, 2, ajar);
  std::string what = game.name;
  for (const StreetCut& cut : cuts) {
    what += fmt::format(" {}:{} {}", cut.dealt ? "deal" : "street", cut.street + 2, cut.line);
  }
  for (size_t i = 0; i < ways.size(); ++i) {
    EXPECT_NEAR(hands[i], tree[i], 1e-6) << what << ", " << ways[i];
    // No two ways come to the same: what they are made of matters. (At one place there may be
    // nothing to give away.)
    const bool is_last = i + 1 == ways.size();
    for (size_t j = 0; j < i && (is_last || cuts[0].line.empty()); ++j) {
      EXPECT_GT(std::abs(tree[i] - tree[j]), 1e-5) << what << ", " << ways[i] << ", " << ways[j];
    }
  }
}

TEST(BothEngines, AgreeOnResolvingLeduc) {
  const Game game("leduc", leduc(), {});
  compare_resolution(game, {{0, false}}, all_ways());
  compare_resolution(game, {{0, true}}, all_ways());
}

TEST(BothEngines, AgreeOnResolvingThreeStreets) {
  const Game game("all in", all_in_streets(), kHalfOrAllIn);
  compare_resolution(game, {{0, false}}, all_ways());
  compare_resolution(game, {{1, false}}, all_ways());
  compare_resolution(game, {{0, true}, {1, true}}, all_ways());
}

void compare_grafts(const Game& game, const std::vector<StreetCut>& cuts) {
  const auto trunks = make_trunks(game, cuts);
  std::array<std::array<double, 2>, 2> found;  // [engine]
  for (size_t e = 0; e < 2; ++e) {
    const Piece& piece = *trunks[e];
    found[e] = decompose::graft(piece, *game.profile[e], full_reach(*piece.engine()),
                                {.algorithm = "cfr", .iterations = 50});
  }
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(found[1][p] / kUnitsPerChip, found[0][p] / kUnitsPerChip, 1e-6) << game.name;
  }
}

// One node of the betting: the tree is cut there alone, the vector engine's trunk has other leaves.
TEST(BothEngines, AgreeOnResolvingALineOfPlay) {
  const Game leduc_game("leduc", leduc(), {});
  const Game all_in("all in", all_in_streets(), kHalfOrAllIn);
  for (const auto& [game, line, pieces] :
       {std::tuple{&leduc_game, "line:check/bet 2", size_t{1}},
        std::tuple{&leduc_game, "line:bet 2/call/*/check", size_t{6}},
        std::tuple{&all_in, "line:call", size_t{1}},
        std::tuple{&all_in, "line:call/check/*/check", size_t{10}}}) {
    const auto cuts = parse_cuts(*game->problem, line);
    const HandsPiece trunk(game->problem, cuts, Storage::kF64);
    size_t wanted = 0;
    for (size_t leaf = 0; leaf < trunk.num_leaves(); ++leaf) wanted += trunk.is_wanted(leaf);
    EXPECT_EQ(wanted, pieces) << line;
    EXPECT_EQ(make_trunks(*game, cuts)[0]->num_leaves(), pieces) << line;
    compare_resolution(*game, cuts,
                       {"resolve", "maxmargin", "reach-maxmargin", "unsafe", "estimated",
                        "path-recovery", "blueprint"});
    compare_grafts(*game, cuts);
  }
}

// Deals that mirror each other are one subgame to gifts that are not split.
TEST(BothEngines, AgreeOnResolvingWhereSuitsAreMerged) {
  std::vector<std::string> ways = all_ways();
  std::erase_if(ways, [](const std::string& way) { return way.find("single") != way.npos; });
  const Game leduc_merged("leduc, merged", leduc(), {}, 2);
  compare_resolution(leduc_merged, {{0, false}}, all_ways());
  compare_resolution(leduc_merged, {{0, true}}, ways);
  const Game game("all in, merged", all_in_streets(), kHalfOrAllIn, 2);
  compare_resolution(game, {{0, true}, {1, false}}, ways);
  compare_resolution(game, {{1, true}}, ways);
}

TEST(BothEngines, AgreeOnGrafting) {
  compare_grafts(Game("leduc", leduc(), {}), {{0, false}});
  compare_grafts(Game("leduc, merged", leduc(), {}, 2), {{0, true}});
  const Game game("all in", all_in_streets(), kHalfOrAllIn);
  compare_grafts(game, {{0, true}});
  compare_grafts(game, {{1, false}});
}

}  // namespace
}  // namespace cleave::hands
