#include "signature.h"

#include "decompose/resolver.h"
#include "hands/spot_game.h"
#include "poker/definition.h"
#include "source_path.h"

namespace cleave::hands {
namespace {

Spot river_spot() {
  return make_spot("Qh9s6s2c3d",
                   {"AsKs,QdQc:0.5,7h6h,AdTc:0.25,9c9d,KcJc", "AhKh,8s7s:0.75,AcTd,JJ"},
                   spot_betting(1, "50%,a", "60%,a"));
}
Spot turn_spot() {
  return make_spot("Qh9s6s2c", {"AsKs,QdQc:0.5,7h6h,AdTc:0.25,9c9d", "AhKh,QhQs,8s7s:0.75,AcTd"},
                   spot_betting(2, "50%,a", "a"));
}
// All suits are alike.
Spot leduc_spot(bool merged) {
  Spot spot;
  spot.setup = make_setup(poker::read_definition(source_path("examples/games/leduc.game")));
  if (merged) {
    spot.setup.symmetry = poker::all_suit_maps(2);
    spot.setup.merge_hands = true;
  }
  for (size_t p = 0; p < 2; ++p) spot.reach[p].assign(spot.setup.hands[p].size(), 1.0);
  return spot;
}

// The average strategies at every decision, street by street and board by board.
std::vector<double> strategies(VectorEngine& engine) {
  std::vector<double> all;
  const auto& streets = engine.layout().streets;
  for (size_t s = 0; s < streets.size(); ++s) {
    for (uint32_t b = 0; b < streets[s].boards.size(); ++b) {
      for (uint32_t n = 0; n < streets[s].nodes.size(); ++n) {
        if (streets[s].nodes[n].kind != poker::BettingNode::Kind::kDecision) continue;
        const std::vector<double> one = engine.strategy_at(static_cast<int>(s), b, n);
        all.insert(all.end(), one.begin(), one.end());
      }
    }
  }
  return all;
}

TEST(Signature, OfTheVectorEngineIsUnchanged) {
  Signature signature;
  for (const auto& [name, spot] :
       {std::pair{"leduc", leduc_spot(false)}, std::pair{"leduc, merged", leduc_spot(true)},
        std::pair{"river", river_spot()}, std::pair{"turn", turn_spot()}}) {
    for (const Storage storage : {Storage::kF64, Storage::kF32, Storage::kI16}) {
      for (const char* algorithm : {"cfr", "cfr+", "dcfr", "pcfr+"}) {
        const auto engine = make_vector_engine(sketch_layout(spot.setup), {.storage = storage});
        const auto schedule = solve::make_schedule(algorithm);
        for (int64_t t = 1; t <= 40; ++t) iterate_fixed(*engine, spot.reach, schedule(t));
        const std::string line = fmt::format("{} {} {}", name, to_string(storage), algorithm);
        signature.add(line, strategies(*engine));
        std::vector<double> best(spot.reach[0].size());
        engine->best_response(0, spot.reach[1], best);
        signature.add(line + ", best response", best);
      }
    }
  }
  signature.expect_unchanged("hands");
}

}  // namespace
}  // namespace cleave::hands
