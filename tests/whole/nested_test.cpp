#include "whole/nested.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "decompose/nested.h"
#include "hands/vector_games.h"
#include "random_strategy.h"
#include "solve/evaluate.h"
#include "whole/nested_games.h"

namespace cleave::whole {
namespace {

using hands::CardSet;
using hands::Twin;
using testing::HasSubstr;

const std::vector<std::string> kAll = {"translation",      "translation-anew",
                                       "resolve",          "maxmargin",
                                       "reach-maxmargin",  "reach-maxmargin(bound=false)",
                                       "expensive-unsafe", "expensive-reach-maxmargin"};

// A job and the same game on the tree engine; nothing is merged, so that boards and hands are the
// tree's own.
class Pair {
 public:
  Pair(const poker::Definition& d, NestedOptions options)
      : twin(d, kLarge), job(make(d, kSmall, false), make(d, kLarge, false), std::move(options)) {
    job.solve_small();
    const tree::Tree& tree = twin.problem.tree;
    std::vector<bool> kept(tree.num_slots(), true);
    for (uint32_t h = 1; h < tree.num_histories(); ++h) {
      const uint32_t parent = tree.parent[h];
      if (tree.actor[parent] >= 2) continue;
      kept[tree.slot_begin[tree.infoset[parent]] + tree.action(h)] = !off(twin.places[h].node);
    }
    abstraction = decompose::keep_slots(tree, kept, "small");
  }

  bool off(uint32_t node) const { return job.game().bets.off[node]; }

  // A strategy from the probability of the move into a node with a hand on a board (0: none yet).
  template <class Into>
  void write(size_t player, const Into& into, tree::Strategy& out) const {
    const tree::Tree& tree = twin.problem.tree;
    for (const auto& [key, set] : twin.sets) {
      const auto& [p, node, board, newest, hand] = key;
      if (p != player) continue;
      const auto& hands = twin.setup.hands[p];
      const auto h = static_cast<size_t>(std::ranges::find(hands, hand) - hands.begin());
      for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
        const uint32_t child = twin.setup.tree.nodes[node].first_child + a;
        out[tree.slot_begin[set] + a] = into(child, board, h);
      }
    }
  }

  size_t board_of(CardSet cards) const {
    const auto& boards = job.game().last().boards;
    return static_cast<size_t>(std::ranges::find(boards, cards, &hands::Board::cards) -
                               boards.begin());
  }

  // The small game's solution in the large one: uniform where it says nothing.
  tree::Strategy expanded() const {
    tree::Strategy out(twin.problem.tree.num_slots(), 0.0);
    std::vector<StreetPlay> plays;
    for (size_t b = 0; b < job.num_deals(); ++b)
      plays.emplace_back(job.game(), b).load(job.small());
    const hands::Side& first = job.game().first().boards[0].side[0];
    for (size_t p = 0; p < 2; ++p) {
      write(
          p,
          [&](uint32_t move, CardSet board, size_t hand) -> double {
            if (board == 0) {
              const auto& rows = job.small().into[move];
              return rows.empty() ? 0 : rows[first.row[hand]];
            }
            StreetPlay& play = plays[board_of(board)];
            return play.into(job.game().place[move])[play.board().side[p].row[hand]];
          },
          out);
    }
    spread(out);
    return out;
  }

  // What the job's hero does everywhere.
  tree::Strategy assembled(size_t method, size_t hero) {
    const NestedJob::Heroes heroes = job.make_heroes(method);
    const NestedSolving solving = job.solving();
    std::vector<std::unique_ptr<NestedStreet>> streets;
    std::vector<float> values(job.game().num_lines() * job.game().width()), base(values);
    for (size_t b = 0; b < job.num_deals(); ++b) {
      streets.push_back(std::make_unique<NestedStreet>(job.game(), heroes.hero[hero],
                                                       job.ways()[method], solving, b));
      streets.back()->run(values.data(), base.data());
    }
    tree::Strategy out(twin.problem.tree.num_slots(), 0.0);
    const hands::Side& first = job.game().first().boards[0].side[0];
    write(
        hero,
        [&](uint32_t move, CardSet board, size_t hand) -> double {
          if (board == 0) {
            const auto& rows = heroes.into[hero][move];
            return rows.empty() ? 0 : rows[first.row[hand]];
          }
          StreetPlay& play = streets[board_of(board)]->play();
          return play.into(job.game().place[move])[play.board().side[hero].row[hand]];
        },
        out);
    spread(out);
    return out;
  }

  double best_response(size_t player, tree::Strategy against) const {
    return solve::best_respond(twin.problem, static_cast<int>(player), against);
  }

  Twin twin;
  NestedJob job;
  decompose::ActionAbstraction abstraction;

 private:
  void spread(tree::Strategy& out) const {
    const tree::Tree& tree = twin.problem.tree;
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      double sum = 0;
      for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) sum += out[s];
      if (sum > 0.5) {
        for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) out[s] /= sum;
        continue;
      }
      double kept = 0;
      for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) {
        kept += abstraction.kept_slot[s] ? 1 : 0;
      }
      for (uint32_t s = tree.slot_begin[set]; s < tree.slot_begin[set + 1]; ++s) {
        out[s] = abstraction.kept_slot[s] ? 1 / kept : 0;
      }
    }
  }
};

TEST(NestedJob, MeasuresWhatTheTreeEngineMeasures) {
  Pair pair(miniature(3, 2, 1, 2), options_for(kAll));
  pair.job.run();
  for (size_t m = 0; m < kAll.size(); ++m) {
    double both = 0;
    for (size_t hero = 0; hero < 2; ++hero) {
      both += pair.best_response(1 - hero, pair.assembled(m, hero)) / 2;
    }
    EXPECT_NEAR(pair.job.exploitability(m).value, both, 1e-4) << kAll[m];
    EXPECT_EQ(pair.job.exploitability(m).error, 0);
  }
}

// Nested solving on the tree engine, by its own code, from the same small game. Few iterations:
// where moves are worth the same, rounding decides about the sign of a regret, and the paths part.
void compare_with_tree(const poker::Definition& d, const std::vector<std::string>& methods,
                       int64_t iterations) {
  Pair pair(d, options_for(methods, iterations));
  const tree::Strategy small = pair.expanded();
  pair.job.run();
  for (size_t m = 0; m < methods.size(); ++m) {
    const NestedWay& way = pair.job.ways()[m];
    double both = 0;
    for (int hero = 0; hero < 2; ++hero) {
      decompose::NestedOptions options;
      options.expensive = way.expensive;
      options.solving.iterations = iterations;
      const auto nested = decompose::solve_nested(pair.twin.problem, pair.abstraction, hero, small,
                                                  *way.method, options);
      both += pair.best_response(static_cast<size_t>(1 - hero), nested.strategy) / 2;
    }
    EXPECT_NEAR(pair.job.exploitability(m).value, both, 2e-4) << methods[m];
  }
}

const std::vector<std::string> kSolving(kAll.begin() + 2, kAll.end());

TEST(NestedJob, AnswersAsTheTreeEngineDoes) {
  compare_with_tree(miniature(3, 2, 1, 2), kSolving, 10);
}
TEST(NestedJob, AnswersBetsInsideOfAnswersAsTheTreeEngineDoes) {
  compare_with_tree(miniature(3, 2, 1, 3), {"reach-maxmargin(bound=false)", "expensive-unsafe"}, 5);
}
TEST(NestedJob, AnswersHandsOfTwoCardsAsTheTreeEngineDoes) {
  compare_with_tree(miniature(3, 2, 2, 1), kSolving, 1);
}

TEST(NestedJob, HasNothingToAnswerWhereNothingIsLeftOut) {
  const poker::Definition d = miniature(4, 2, 2, 2);
  NestedJob job(make(d, kSmall, true), make(d, kSmall, true), options_for(kAll));
  job.run();
  EXPECT_GT(job.small_exploitability(), 0.1);
  for (size_t m = 0; m < kAll.size(); ++m) {
    EXPECT_NEAR(job.exploitability(m).value, job.small_exploitability(), 1e-4) << kAll[m];
  }
  EXPECT_EQ(job.cost().subgames, 0);
}

TEST(NestedJob, MergesBoardsAndHands) {
  for (const auto& [hole_cards, iterations] : {std::pair{1, 5}, std::pair{2, 1}}) {
    const poker::Definition d = miniature(3, 3, hole_cards, 2);
    NestedJob merged(make(d, kSmall, true), make(d, kLarge, true), options_for(kAll, iterations));
    NestedJob apart(make(d, kSmall, false), make(d, kLarge, false), options_for(kAll, iterations));
    merged.run();
    apart.run();
    EXPECT_LT(merged.num_deals(), apart.num_deals());
    for (size_t m = 0; m < kAll.size(); ++m) {
      EXPECT_NEAR(merged.exploitability(m).value, apart.exploitability(m).value, 2e-4) << kAll[m];
    }
  }
}

// Proposition 1: answers cost at most what the new bets get more than the moves that were there
// before; and well solved ones cost little.
TEST(NestedJob, AnswersCostAtMostTheirGains) {
  const poker::Definition d = miniature(4, 2, 1, 3);
  const std::vector<std::string> methods = {"resolve", "maxmargin", "reach-maxmargin"};
  for (const int64_t iterations : {3, 300}) {
    NestedOptions options = options_for(methods, iterations);
    options.small_iterations = 300;
    NestedJob job(make(d, kSmall, true), make(d, kLarge, true), options);
    job.run();
    for (size_t m = 0; m < methods.size(); ++m) {
      const NestedJob::Heroes heroes = job.make_heroes(m);
      double gain = 0;
      for (size_t hero = 0; hero < 2; ++hero) {
        gain += job.total_gain(m, hero) / 2;
        // The last decision before a deal behind a new bet is that bet.
        for (size_t line = 0; line < job.game().num_lines(); ++line) {
          if (!heroes.hero[hero].trunk[line] || heroes.hero[hero].trunk[line] == &job.small())
            continue;
          const Passed& bet = heroes.hero[hero].passed[line].back();
          for (size_t h = 0; h < bet.taken.size(); ++h) {
            gain += std::max(0.0, bet.taken[h] - bet.other[h]) / 2;
          }
        }
      }
      const double cost = job.exploitability(m).value - job.small_exploitability();
      EXPECT_LE(cost, gain + 1e-4) << methods[m];
      EXPECT_GE(cost, -1e-4) << methods[m];
      EXPECT_LT(cost, iterations == 300 ? 0.3 : 300) << methods[m];
    }
  }
}

TEST(NestedJob, TranslatesThreeQuartersOfThePotAsThreeToFour) {
  const poker::Definition d = miniature(3, 2, 1, 3);
  const auto large = poker::build_betting_tree(poker::make_betting(d, kLarge));
  const BetMap bets = map_bets(poker::build_betting_tree(poker::make_betting(d, kSmall)), large);
  const auto counterparts = find_counterparts(large, bets, 0);
  const auto node = [&](const char* line) { return poker::find_node(large, line); };
  const auto& one = counterparts[node("raise 250")];
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].node, node("raise 200"));
  EXPECT_NEAR(one[0].weight, 3.0 / 7, 1e-12);
  EXPECT_EQ(one[1].node, node("raise 300"));
  EXPECT_NEAR(one[1].weight, 4.0 / 7, 1e-12);
  const auto& two = counterparts[node("raise 250/call/deal/check/bet 375")];
  ASSERT_EQ(two.size(), 4u);
  EXPECT_EQ(two[1].node, node("raise 200/call/deal/check/bet 400"));
  EXPECT_NEAR(two[1].weight, 3.0 / 7 * 4 / 7, 1e-12);
  EXPECT_TRUE(counterparts[node("raise 250/call/deal/bet 375")].empty());  // the hero's own
}

// The hero draws once for every bet: against any opponent it gets the mean over all draws of what
// it gets with the draws known beforehand.
TEST(NestedJob, TranslationIsAMixtureOfDraws) {
  Pair pair(miniature(3, 2, 1, 3), options_for({"translation"}));
  const NestedGame& game = pair.job.game();
  const poker::BettingTree& tree = game.tree();
  const tree::Strategy small = pair.expanded();
  for (size_t hero = 0; hero < 2; ++hero) {
    const tree::Strategy opponent = random_strategy(pair.twin.problem.tree, 7 + hero);
    const auto value = [&](tree::Strategy strategy) {
      const tree::Tree& t = pair.twin.problem.tree;
      for (uint32_t set = 0; set < t.num_infosets(); ++set) {
        if (t.player(set) == static_cast<int>(hero)) continue;
        std::copy(opponent.begin() + t.slot_begin[set], opponent.begin() + t.slot_begin[set + 1],
                  strategy.begin() + t.slot_begin[set]);
      }
      return solve::certify(pair.twin.problem, strategy).value;
    };
    double mean = 0;
    for (int draws = 0; draws < 8; ++draws) {
      double weight = 1;
      for (int i = 0; i < 3; ++i) weight *= (draws >> i & 1) != 0 ? 4.0 / 7 : 3.0 / 7;
      // Bets stand in the order of their sizes: the next smaller one or the next larger one.
      const auto meant = [&](uint32_t node) {
        std::vector<uint32_t> way;
        for (; node != 0; node = tree.nodes[node].parent) way.push_back(node);
        uint32_t at = 0;
        int met = 0;
        for (; !way.empty(); way.pop_back()) {
          uint32_t action = way.back() - tree.nodes[tree.nodes[way.back()].parent].first_child;
          const bool own = tree.nodes[at].player == hero;
          if (pair.off(way.back()) && !own) action += (draws >> met++ & 1) != 0 ? 1 : -1;
          at = tree.nodes[at].first_child + action;
        }
        return at;
      };
      tree::Strategy fixed = small;
      pair.write(
          hero,
          [&](uint32_t move, CardSet board, size_t hand) {
            const uint32_t to = meant(move);
            const uint32_t above = tree.nodes[to].parent;
            const uint32_t set =
                pair.twin.set_at(hero, above, board, board, pair.twin.setup.hands[hero][hand]);
            return small[pair.twin.problem.tree.slot_begin[set] + to -
                         tree.nodes[above].first_child];
          },
          fixed);
      mean += weight * value(fixed);
    }
    EXPECT_NEAR(value(pair.assembled(0, hero)), mean, 1e-3);
    EXPECT_GT(std::abs(value(small) - mean), 0.1);
  }
}

// Drawn at every decision again, the mapping forgets which draw led the hero there.
TEST(NestedJob, TranslationAnewIsAMixtureAtEveryDecision) {
  Pair pair(miniature(3, 2, 1, 2), options_for({"translation", "translation-anew"}));
  const poker::BettingTree& tree = pair.job.game().tree();
  const tree::Strategy small = pair.expanded();
  const tree::Strategy once = pair.assembled(0, 0), anew = pair.assembled(1, 0);
  // The hero has called a bet of three quarters before the flop and is to act on it.
  const auto entry = [&](const char* raise) {
    return poker::find_node(tree, fmt::format("{}/call/deal", raise));
  };
  bool differs = false;
  for (const auto& [key, set] : pair.twin.sets) {
    const auto& [player, node, board, newest, hand] = key;
    if (player != 0 || node != entry("raise 250")) continue;
    const auto at = [&](const char* raise) {
      const uint32_t other = pair.twin.set_at(0, entry(raise), board, newest, hand);
      return small.begin() + pair.twin.problem.tree.slot_begin[other];
    };
    const uint32_t first = pair.twin.problem.tree.slot_begin[set];
    for (uint32_t a = 0; a < tree.nodes[node].num_children; ++a) {
      if (pair.off(tree.nodes[node].first_child + a)) continue;
      EXPECT_NEAR(anew[first + a], 3.0 / 7 * at("raise 200")[a] + 4.0 / 7 * at("raise 300")[a],
                  1e-6);
      differs = differs || std::abs(anew[first + a] - once[first + a]) > 1e-3;
    }
  }
  EXPECT_TRUE(differs);
}

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() /
          fmt::format("cleave_nested_{}_{}", ::getpid(), name))
      .string();
}

TEST(NestedJob, GoesOnAfterAStopWithTheSameBits) {
  const poker::Definition d = miniature(4, 2, 2, 2);
  const std::vector<std::string> methods = {"translation", "reach-maxmargin"};
  NestedOptions options = options_for(methods);
  options.storage = hands::Storage::kF32;
  NestedJob straight(make(d, kSmall, true), make(d, kLarge, true), options);
  straight.run();
  std::atomic<bool> stop = false;
  options.threads = 2;
  options.file = temporary("log");
  options.key = "a";
  options.small_file = temporary("small");
  options.answer_files = temporary("answer");
  options.stop = &stop;
  options.progress = [&](const std::string& what, size_t done, size_t) {
    if (what == "reach-maxmargin" && done >= 2) stop = true;
  };
  const auto num_answers = [&] {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(options.answer_files).parent_path())) {
      count += entry.path().string().starts_with(options.answer_files) ? 1 : 0;
    }
    return count;
  };
  {
    NestedJob first(make(d, kSmall, true), make(d, kLarge, true), options);
    EXPECT_THROW(first.run(), core::RunError);
    EXPECT_LT(first.num_done(1), first.num_wanted(1));
    EXPECT_EQ(first.num_done(0), first.num_wanted(0));
  }
  stop = false;
  EXPECT_EQ(num_answers(), 2u);
  // Neither the small game nor answers before the flop are solved again.
  options.progress = [](const std::string& what, size_t, size_t) {
    EXPECT_EQ(what, "reach-maxmargin");
  };
  NestedJob second(make(d, kSmall, true), make(d, kLarge, true), options);
  EXPECT_GE(second.num_done(1), 2u);
  second.run();
  for (size_t m = 0; m < methods.size(); ++m) {
    EXPECT_EQ(second.exploitability(m).value, straight.exploitability(m).value) << methods[m];
  }
  EXPECT_EQ(static_cast<float>(second.small_exploitability()),
            static_cast<float>(straight.small_exploitability()));
  EXPECT_EQ(num_answers(), 0u);
  EXPECT_GT(second.cost().small_seconds, 0);
  EXPECT_GT(second.cost().preflop_seconds, 0);
  EXPECT_EQ(second.cost().subgames, straight.cost().subgames);
  // Nothing is left to do.
  options.progress = [](const std::string& what, size_t, size_t) { ADD_FAILURE() << what; };
  NestedJob third(make(d, kSmall, true), make(d, kLarge, true), options);
  third.run();
  EXPECT_EQ(third.exploitability(1).value, straight.exploitability(1).value);
  std::filesystem::remove(options.file);
  std::filesystem::remove(options.small_file);
}

TEST(NestedJob, SomeDealsStandForAll) {
  const poker::Definition d = miniature(13, 2, 1, 1);
  NestedOptions options = options_for({"maxmargin"});
  NestedJob all(make(d, kSmall, true), make(d, kLarge, true), options);
  options.deals = 8;
  NestedJob some(make(d, kSmall, true), make(d, kLarge, true), options);
  all.run();
  some.run();
  EXPECT_EQ(all.num_deals(), 13u);
  EXPECT_EQ(some.num_done(0), 8u);
  EXPECT_EQ(all.exploitability(0).error, 0);
  EXPECT_GT(some.exploitability(0).error, 0);
  EXPECT_NEAR(some.exploitability(0).value, all.exploitability(0).value,
              2 * some.exploitability(0).error);
}

// Deals that are not solved are known without the bets that have to be answered on them.
TEST(NestedJob, EstimatesOnlyWhatAnswersAfterTheDealChange) {
  const poker::Definition without = miniature(6, 2, 1, 0), with = miniature(6, 2, 1, 1);
  const auto check = [&](const poker::Definition& d, const poker::Sizes& large) {
    NestedOptions options = options_for(kAll);
    NestedJob all(make(d, kSmall, true), make(d, large, true), options);
    options.deals = 1;
    NestedJob one(make(d, kSmall, true), make(d, large, true), options);
    all.run();
    one.run();
    for (size_t m = 0; m < kAll.size(); ++m) {
      EXPECT_EQ(one.num_done(m), one.ways()[m].method ? 1u : one.num_deals());
      EXPECT_NEAR(one.exploitability(m).value, all.exploitability(m).value, 1e-4) << kAll[m];
      EXPECT_NEAR(one.exploitability(m).error, 0, 1e-4) << kAll[m];
    }
  };
  check(without, kLarge);  // answers before the flop only
  check(with, kSmall);     // none
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NestedJob, SaysWhatItCannotDo) {
  const auto way = [](const char* name) { return error_of([&] { make_nested_way(name); }); };
  EXPECT_THAT(way("unsafe"), HasSubstr("expensive-unsafe"));
  EXPECT_THAT(way("estimated"), HasSubstr("estimates"));
  EXPECT_THAT(way("nonsense"), HasSubstr("also translation"));
  poker::Definition d = miniature(3, 2, 1, 1);
  const auto job = [&](const poker::Sizes& small, const poker::Sizes& large) {
    return error_of(
        [&] { NestedJob(make(d, small, true), make(d, large, true), options_for({})); });
  };
  EXPECT_THAT(job(kLarge, kSmall), HasSubstr("left out"));
  EXPECT_THAT(job(kSmall, poker::parse_sizes("50%,100%,700", "sizes")), HasSubstr("percentage"));
  d.rounds[0].max_raises = 3;
  EXPECT_THAT(job(kSmall, kLarge), HasSubstr("before the first deal"));
  d = miniature(3, 2, 1, 1);
  d.stack = {300, 300};
  EXPECT_THAT(job(kSmall, kLarge), HasSubstr("all in"));
  d = miniature(3, 2, 1, 1);
  d.rounds.push_back({1, 0, 1, 0});
  EXPECT_THAT(job(kSmall, kLarge), HasSubstr("two streets"));
}

}  // namespace
}  // namespace cleave::whole
