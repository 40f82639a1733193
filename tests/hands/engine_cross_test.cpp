#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "decompose/leaf_registry.h"
#include "hands/engine_pieces.h"

// Every gadget above, every leaf evaluator below, on both engines.
namespace cleave::hands {
namespace {

using decompose::Follow;
using decompose::Method;
using Entries = std::array<Entry, 2>;  // [engine]

// Near an equilibrium and playing everything, so that something is given away.
tree::Strategy good_blueprint(const Twin& twin) {
  tree::Strategy strategy = solved(twin, 20);
  const tree::Strategy other = mixed_strategy(twin.problem.tree, 11);
  for (size_t i = 0; i < strategy.size(); ++i) strategy[i] = 0.95 * strategy[i] + 0.05 * other[i];
  return strategy;
}

// A piece below a trunk as the trunk's own engine knows it.
decompose::Entrance enter(const Piece& trunk, const Profile& profile, size_t leaf, size_t number,
                          size_t hero) {
  const size_t opponent = 1 - hero;
  const auto engine = trunk.engine();
  profile.give(trunk, *engine);
  const Vectors start = full_reach(*engine);
  for (size_t p = 0; p < 2; ++p) engine->follow(p, start[p]);
  const std::vector<Vectors> reach = leaf_reaches(*engine);
  std::array<decompose::DecisionValues, 2> values;
  for (const Follow how : {Follow::kAverage, Follow::kBestResponse}) {
    const auto below = profile.values_below(trunk, reach, how, 1);
    for (size_t l = 0; l < below.size(); ++l) {
      engine->set_leaf_values(l, opponent, below[l][opponent]);
    }
    values[how == Follow::kAverage] = engine->decision_values(opponent, how, start[hero]);
  }
  const decompose::Below below = trunk.below(leaf, number);
  const auto inside = below.piece->engine();
  profile.give(*below.piece, *inside);
  decompose::Entrance out;
  for (size_t p = 0; p < 2; ++p) {
    out.summary.reach[p] = below.crossing.spread(p, reach[leaf][p]);
  }
  out.summary.value =
      values_of(profile, *below.piece, *inside, out.summary.reach, Follow::kAverage, 1);
  out.summary.best_response =
      values_of(profile, *below.piece, *inside, out.summary.reach, Follow::kBestResponse, 1);
  out.way = cross(way_to(trunk, leaf, opponent, {}, values[0], values[1]), below.crossing, opponent,
                  out.summary.reach[opponent].size());
  return out;
}

// A stretch of a game and how each engine enters it.
struct Stretch {
  Middle middle;
  std::function<Entries(const Middle& middle, size_t hero, const Method& method)> enter;
};

struct CrossGame {
  CrossGame(const poker::Definition& definition, const std::optional<poker::Sizes>& sizes,
            uint64_t odd)
      : twin(definition, sizes) {
    twin.make_stakes_odd(odd);
    problem = make_problem(twin);
    strategy = good_blueprint(twin);
    profile = {std::make_shared<histories::TreeProfile>(strategy),
               make_profile(twin, *problem, strategy)};
  }

  Twin twin;
  std::shared_ptr<const Problem> problem;
  tree::Strategy strategy;
  std::array<std::shared_ptr<const Profile>, 2> profile;  // [engine]
  std::vector<Stretch> stretches;
};

// Leduc from the middle of its first street on, down to the deal.
std::unique_ptr<CrossGame> make_leduc() {
  auto game = std::make_unique<CrossGame>(leduc(), std::nullopt, 5);
  const Twin& twin = game->twin;
  std::vector<uint32_t> seeds;
  for (uint32_t h = 0; h < twin.places.size(); ++h) {
    const std::string line = line_of(twin.setup.tree, twin.places[h].node);
    if (line == "check/bet 2" || line == "bet 2/raise 4") seeds.push_back(h);
  }
  const auto cut = std::make_shared<CutTwin>(twin, seeds, game->strategy);
  for (size_t s = 0; s < cut->parts.subgames.size(); ++s) {
    auto part = std::make_shared<Problem>(*game->problem);
    part->setup = cut->setup(s);
    const auto hands =
        std::make_shared<HandsPiece>(part, std::vector<StreetCut>{{0, false}}, Storage::kF64);
    game->stretches.push_back({Middle(twin, cut->parts.cut.roots[s], 0, hands, *game->problem),
                               [cut, s](const Middle& middle, size_t hero, const Method& method) {
                                 return enter_by_tree(*cut, s, middle, hero, method);
                               }});
  }
  return game;
}

// The second street of three on one board. Each engine finds out by itself how
// it is entered.
std::unique_ptr<CrossGame> make_all_in() {
  auto game = std::make_unique<CrossGame>(all_in_streets(), kHalfOrAllIn, 7);
  const Twin& twin = game->twin;
  const auto roots = borders(twin, 0, true);
  const histories::TreePiece tree = histories::make_piece(twin.problem.tree, {0}, roots);
  const HandsPiece hands(game->problem, {{0, true}, {1, false}}, Storage::kF64);
  constexpr size_t kLeaf = 3;
  const Found at = find_piece(hands, twin.places[roots[kLeaf][0]]);
  std::array<std::array<decompose::Entrance, 2>, 2> entrance;  // [hero][engine]
  for (size_t hero = 0; hero < 2; ++hero) {
    entrance[hero][0] = enter(tree, *game->profile[0], kLeaf, 0, hero);
    entrance[hero][1] = enter(hands, *game->profile[1], at.leaf, at.number, hero);
  }
  game->stretches.push_back({Middle(twin, roots[kLeaf], 1, at.piece, *game->problem),
                             [entrance](const Middle& middle, size_t hero, const Method& method) {
                               Entries out;
                               for (const size_t e : {0u, 1u}) {
                                 const auto engine = middle.piece(static_cast<int>(e))->engine();
                                 out[e] = {
                                     make_gadget_input(method, *engine, hero, entrance[hero][e]),
                                     entrance[hero][e].summary.reach[hero]};
                               }
                               return out;
                             }});
  return game;
}

const CrossGame& cross_game(bool all_in) {
  static std::array<std::unique_ptr<CrossGame>, 2> games;
  auto& game = games[all_in];
  if (!game) game = all_in ? make_all_in() : make_leduc();
  return *game;
}

std::vector<std::string> leaf_names() {
  std::vector<std::string> names;
  for (const decompose::LeafInfo& info : decompose::all_leaves()) names.push_back(info.name);
  return names;
}

// What everything below a stretch is worth by its blueprint, in a file.
std::string keep_values(const Piece& stretch, const std::shared_ptr<const Profile>& blueprint,
                        int engine) {
  const auto above = stretch.engine();
  for (size_t p = 0; p < 2; ++p) above->follow(p, full_reach(*above)[p]);
  decompose::Leaves leaves(stretch, *above);
  leaves.take_reach(*above);
  std::vector<decompose::Summary> summaries;
  for (const decompose::LeafState& leaf : leaves.states()) {
    const auto below = leaf.piece->engine();
    blueprint->give(*leaf.piece, *below);
    summaries.push_back(decompose::summarise(*below, leaf.reach));
  }
  const std::string path = fmt::format("{}cross_{}_{}.h5", testing::TempDir(), getpid(), engine);
  decompose::KeptSummaries(stretch, std::move(summaries)).write(path);
  return path;
}

// What solves learns by CFR: updates alternate in it.
std::string leaves_spec(const std::string& name) {
  if (name == "solved") return "solved(iterations=3,algorithm=cfr)";
  if (name == "warm") return "warm(iterations=1,algorithm=cfr)";
  if (name == "parked") return "parked(iterations=1,algorithm=cfr)";
  if (name == "checking") return "checking(first=bucket(classes=5),second=blueprint)";
  if (name == "bucket") return "bucket(classes=9)";
  return name;
}

// Which game, and which leaves.
class CrossProduct : public testing::TestWithParam<std::tuple<bool, std::string>> {};

TEST_P(CrossProduct, EnginesAgreeBelowEveryGadget) {
  const auto& [all_in, name] = GetParam();
  const CrossGame& game = cross_game(all_in);
  size_t compared = 0;
  std::map<std::string, std::vector<double>> alternatives;  // [method], of all cases
  for (const std::string& spec : method_names()) {
    const Method method = set_ajar(decompose::make_method(spec));
    for (const Stretch& stretch : game.stretches) {
      const Middle& middle = stretch.middle;
      EXPECT_GE(middle.tree->num_leaves(), 1u);
      std::array<core::Call, 2> call;  // [engine]
      for (const size_t e : {0u, 1u}) {
        call[e] = core::parse_call(leaves_spec(name));
        if (name != "stored") continue;
        const int engine = static_cast<int>(e);
        call[e].arguments = {{"file", keep_values(*middle.piece(engine), game.profile[e], engine)}};
      }
      for (size_t hero = 0; hero < 2; ++hero) {
        const Entries entries = stretch.enter(middle, hero, method);
        const auto expected = to_hands(middle.match, 1 - hero, entries[0].input);
        expect_close(entries[1].input.alternatives.mean, expected.alternatives.mean,
                     1e-9 * kUnitsPerChip, spec + " alternatives");
        auto& all = alternatives[spec];
        all.insert(all.end(), expected.alternatives.mean.begin(), expected.alternatives.mean.end());
        expect_together(
            [&](int e) -> Step {
              const auto engine = static_cast<size_t>(e);
              auto leaves = decompose::make_leaves(
                  call[engine],
                  {.trunk = middle.piece(e), .hero = hero, .blueprint = game.profile[engine]});
              const auto run = std::make_shared<MiddleRun>(middle, e, hero, method, entries[engine],
                                                           std::move(leaves));
              return [run](int64_t t) { return run->step(t); };
            },
            kUnitsPerChip, fmt::format("{} for {}", spec, hero));
        ++compared;
      }
      for (const core::Call& c : call) {
        if (name == "stored") std::filesystem::remove(c.arguments[0].second);
      }
    }
  }
  EXPECT_EQ(compared,
            all_in ? 13u * 2 : 13u * 2 * 2);  // methods, heroes, stretches
  // There is something to give away, and a difference between estimates and
  // best responses.
  EXPECT_NE(alternatives["reach-resolve"], alternatives["resolve"]);
  EXPECT_NE(alternatives["reach-maxmargin(gifts=single)"], alternatives["reach-maxmargin"]);
  EXPECT_NE(alternatives["estimated"], alternatives["resolve"]);
  EXPECT_NE(alternatives["path-recovery"], alternatives["estimated"]);
}

INSTANTIATE_TEST_SUITE_P(Games, CrossProduct,
                         testing::Combine(testing::Bool(), testing::ValuesIn(leaf_names())),
                         [](const auto& info) {
                           return (std::get<0>(info.param) ? "all_in_" : "leduc_") +
                                  std::get<1>(info.param);
                         });

TEST(CrossProducts, HaveEveryEvaluator) { EXPECT_EQ(leaf_names().size(), 11u); }

// Deals that mirror each other are solved as one, so what was given away on the way to one of them
// is shared by all; everything else is what it is on the way to a single deal.
TEST(Ways, AreSharedByDealsThatAreMerged) {
  Twin twin(leduc());
  twin.make_stakes_odd(5);
  const tree::Strategy strategy = symmetric(twin, 2, good_blueprint(twin));
  const auto apart = make_problem(twin), merged = make_problem(twin, 2);
  const HandsPiece one(apart, {{0, true}}, Storage::kF64), many(merged, {{0, true}}, Storage::kF64);
  const auto profile = make_profile(twin, *apart, strategy);
  const auto profile_merged = make_profile(twin, *merged, strategy);
  size_t compared = 0;
  for (size_t leaf = 0; leaf < many.num_leaves(); ++leaf) {
    double deals = 0;
    for (size_t number = 0; number < many.num_below(leaf); ++number) {
      const decompose::Below below = many.below(leaf, number);
      const auto& piece = dynamic_cast<const HandsPiece&>(*below.piece);
      const auto images = static_cast<double>(below.crossing.num_images());
      deals += images;
      const Found at = find_piece(
          one, {.board = piece.setup().board, .newest = 0, .node = piece.setup().origin_of(0)});
      ASSERT_EQ(at.piece->setup().hands, piece.setup().hands);
      for (size_t hero = 0; hero < 2; ++hero) {
        const auto x = enter(one, *profile, at.leaf, at.number, hero);
        const auto y = enter(many, *profile_merged, leaf, number, hero);
        std::vector<double> rho(x.way.size());
        at.piece->engine()->counterfactual_reach(1 - hero, x.summary.reach[hero], rho);
        ASSERT_EQ(x.way.size(), y.way.size());
        for (size_t s = 0; s < x.way.size(); ++s) {
          const auto gifts = find_gifts(x.way[s], rho[s]), shared = find_gifts(y.way[s], rho[s]);
          ASSERT_EQ(gifts.size(), shared.size());
          for (size_t g = 0; g < gifts.size(); ++g) {
            EXPECT_NEAR(shared[g].gain, gifts[g].gain, 1e-9 * kUnitsPerChip);
            EXPECT_NEAR(shared[g].bound, gifts[g].bound, 1e-9 * kUnitsPerChip);
            EXPECT_NEAR(shared[g].reach, gifts[g].reach * images, 1e-12);
            EXPECT_EQ(shared[g].sole, gifts[g].sole);
            compared += images > 1 && gifts[g].gain > 0;
          }
        }
      }
    }
    EXPECT_EQ(deals, 6);
  }
  EXPECT_GT(compared, 50u);
}

}  // namespace
}  // namespace cleave::hands
