#pragma once

#include <numeric>

#include "decompose/nested.h"
#include "decompose/resolver.h"
#include "hands/profile.h"
#include "hands/vector_games.h"

// The game of table 4 with few cards, for tests of nested solving.
namespace cleave::hands {

// One bet before the flop of one card, `bets` on it.
inline poker::Definition miniature(int ranks, int suits, int hole_cards, int bets) {
  poker::Definition d;
  d.name = "miniature";
  d.stack = {20000, 20000};
  d.blind = {100, 50};
  d.ranks = ranks;
  d.suits = suits;
  d.hole_cards = hole_cards;
  d.rounds = {{0, 1, 1, 0}, {1, 0, bets, 0}};
  return d;
}

inline const poker::Sizes kSmall = poker::parse_sizes("50%,100%", "small");
inline const poker::Sizes kLarge = poker::parse_sizes("50%,75%,100%", "large");

struct Learning {
  std::string algorithm = "cfr+", small_algorithm = "dcfr(gamma=3)";
  int64_t iterations = 30, small_iterations = 30;
  Storage storage = Storage::kF64;
};

// A large game, a small one inside of it, and the small one's solution.
class NestedGame {
 public:
  // `odd`: seed of odd stakes; 0: as they are by the rules.
  NestedGame(const poker::Definition& d, const poker::Sizes& small, const poker::Sizes& large,
             bool merge, Learning with = {}, uint64_t odd = 0)
      : learning(std::move(with)) {
    Problem whole = make_problem(d, large);
    if (!merge) {
      whole.setup.symmetry = {poker::kSameSuits};
      whole.setup.merge_hands = false;
    }
    bets = map_bets(poker::make_betting(d, small), whole.setup.tree);
    if (odd > 0) {
      make_stakes_odd(whole.setup.tree, odd);
      bets = map_bets(whole.setup.tree, bets.off);
    }
    problem = std::make_shared<const Problem>(std::move(whole));
    for (size_t hero = 0; hero < 2; ++hero) {
      game[hero] = std::make_shared<const HandsPiece>(
          problem, learning.storage, std::make_shared<const Outside>(Outside{bets, hero}));
    }
    model = game[0]->model();
    engine = std::dynamic_pointer_cast<VectorEngine>(
        std::shared_ptr<decompose::Engine>(model->engine()));
    const solve::Schedule schedule =
        solve::make_schedule(learning.small_algorithm, learning.small_iterations);
    for (int64_t t = 1; t <= learning.small_iterations; ++t) {
      decompose::iterate_fixed(*engine, problem->reach, schedule(t));
    }
    engine->freeze();  // as if it came from a file: where averages are empty it is uniform
    small_profile = std::make_shared<const EngineProfile>(engine);
  }

  double small_best_response(size_t player) const {
    std::vector<double> values(problem->reach[player].size());
    engine->best_response(player, problem->reach[1 - player], values);
    return std::accumulate(values.begin(), values.end(), 0.0);
  }
  double small_exploitability() const {
    return (small_best_response(0) + small_best_response(1)) / 2;
  }

  decompose::NestedOptions options() const {
    decompose::NestedOptions options;
    options.solving.algorithm = learning.algorithm;
    options.solving.iterations = learning.iterations;
    options.keep = [](const std::string&, decompose::Engine& answer) {
      dynamic_cast<VectorEngine&>(answer).freeze();
    };
    return options;
  }
  std::unique_ptr<decompose::Nested> nested(const std::string& method, size_t hero,
                                            decompose::NestedOptions options) const {
    auto out = std::make_unique<decompose::Nested>(game[hero], small_profile, problem->reach, hero,
                                                   decompose::make_nested_method(method),
                                                   std::move(options));
    out->run();
    return out;
  }
  TranslatedProfile translated(bool anew) const {
    return {small_profile, problem->setup.tree, bets, anew};
  }
  double translation(bool anew) const {
    const TranslatedProfile profile = translated(anew);
    const HandsPiece trunk(problem, parse_cuts(*problem, "deal:2"), learning.storage);
    const auto at_work = trunk.engine();
    profile.give(trunk, *at_work);
    const auto values = decompose::values_of(profile, trunk, *at_work, problem->reach,
                                             decompose::Follow::kBestResponse, 1);
    double sum = 0;
    for (const auto& own : values) sum += std::accumulate(own.begin(), own.end(), 0.0) / 2;
    return sum;
  }
  // Mean over both heroes; "translation" and "translation-anew" too.
  double exploitability(const std::string& method) const {
    if (method.starts_with("translation")) return translation(method != "translation");
    return (nested(method, 0, options())->best_response().value +
            nested(method, 1, options())->best_response().value) /
           2;
  }

  Learning learning;
  std::shared_ptr<const Problem> problem;
  BetMap bets;
  std::array<std::shared_ptr<const HandsPiece>, 2> game;  // [hero]
  std::shared_ptr<const decompose::Piece> model;
  std::shared_ptr<VectorEngine> engine;
  std::shared_ptr<const EngineProfile> small_profile;
};

}  // namespace cleave::hands
