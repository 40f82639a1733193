#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "decompose/translation.h"
#include "hands/profile.h"
#include "histories/profile.h"
#include "search/blueprint.h"
#include "search/match.h"
#include "search/twins.h"

// The same agents at the same tables, on either engine.
namespace cleave::search {
namespace {

using door::Question;
using testing::HasSubstr;

std::vector<double> ask(Agent& agent, const Question& question) {
  std::vector<double> probabilities(question.moves.size());
  agent.act(question, probabilities);
  return probabilities;
}

// The largest difference of two agents over all that can be asked at a table, and how many
// questions had an answer that was not uniform.
double distance(const door::TreeGame& table, Agent& a, Agent& b, size_t& pointed) {
  double largest = 0;
  for (uint32_t set = 0; set < table.problem().tree.num_infosets(); ++set) {
    for (uint64_t hand = 0; hand < 2; ++hand) {
      Question question = table.sight().question(set);
      question.hand = hand;
      const auto one = ask(a, question), two = ask(b, question);
      for (size_t i = 0; i < one.size(); ++i) {
        largest = std::max(largest, std::abs(one[i] - two[i]));
      }
      pointed += std::ranges::max(one) > 1.01 / static_cast<double>(one.size()) ? 1 : 0;
    }
  }
  return largest;
}

// What an agent answers at every information set of a tree, as a strategy of it.
std::shared_ptr<const decompose::Profile> asked(const door::TreeGame& game, Agent& agent) {
  const tree::Tree& tree = game.problem().tree;
  tree::Strategy strategy(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    std::ranges::copy(ask(agent, game.sight().question(set)),
                      strategy.begin() + tree.slot_begin[set]);
  }
  return std::make_shared<histories::TreeProfile>(std::move(strategy));
}

// Agents of the vector engine at the table of the tree engine, which they know by what happens at
// it only: what they do there is as good as what they say they do.
TEST(HandsAgents, SitAtTablesOfTheTreeEngine) {
  const Twins game(hands::all_in_streets(), "100%,a");
  const Setting setting{*game.hands};
  const std::string blueprint = "solve(iterations=6)";
  for (const std::string& spec :
       {std::string("uniform"), blueprint,
        "resolve(cut=street:2,iterations=9,blueprint=" + blueprint + ")",
        "resolve(cut=deal:3,method=reach-maxmargin,iterations=9,blueprint=" + blueprint + ")"}) {
    const auto agent = make_agent(spec, setting);
    const auto written = agent->complete();
    const auto done = asked(*game.tree, *agent);
    const solve::Certificate expected = game.hands->certify(*written, 1);
    const solve::Certificate found = game.tree->certify(*done, 1);
    EXPECT_NEAR(found.exploitability, expected.exploitability, 1e-5) << spec;
    EXPECT_NEAR(found.value, expected.value, 1e-5) << spec;
    EXPECT_GT(expected.exploitability, 0.01);
  }
}

TEST(HandsAgents, SitThereAndThinkAnew) {
  const Twins game(hands::small_nolimit(), "100%,a");
  const Setting setting{*game.hands};
  for (const std::string spec :
       {"continual(iterations=5)", "continual(depth=1,iterations=5,leaf_iterations=3)"}) {
    const auto agent = make_agent(spec, setting);
    const solve::Certificate expected = game.hands->certify(*agent->complete(), 1);
    const solve::Certificate found = game.tree->certify(*asked(*game.tree, *agent), 1);
    EXPECT_NEAR(found.exploitability, expected.exploitability, 1e-5) << spec;
    EXPECT_NEAR(found.value, expected.value, 1e-5) << spec;
    EXPECT_GT(expected.exploitability, 0.01);
  }
}

// The same agents on both engines. Where moves are worth the same the engines may choose
// differently, so values are compared; the vector engine counts in floats.
TEST(HandsAgents, PlayAsWellAsAgentsOfTheTreeEngine) {
  const Twins game(hands::all_in_streets(), "100%,a");
  const Setting on_tree{*game.tree}, on_hands{*game.hands};
  const std::string blueprint = "blueprint=solve(algorithm=cfr+,iterations=6)";
  for (const auto& [one, two] : std::vector<std::array<std::string, 2>>{
           {"resolve(cut=round:1,iterations=9," + blueprint + ")",
            "resolve(cut=street:2,iterations=9," + blueprint + ")"},
           {"resolve(cut=round:2,method=reach-maxmargin,iterations=9," + blueprint + ")",
            "resolve(cut=street:3,method=reach-maxmargin,iterations=9," + blueprint + ")"}}) {
    const auto a = make_agent(one, on_tree)->complete(), b = make_agent(two, on_hands)->complete();
    const auto uniform = decompose::uniform_profile();
    EXPECT_NEAR(exact_match(*game.tree, *a, *uniform).mean,
                exact_match(*game.hands, *b, *uniform).mean, 1e-4);
    EXPECT_NEAR(game.tree->certify(*a, 1).exploitability, game.hands->certify(*b, 1).exploitability,
                5e-4);
  }
}

TEST(HandsAgents, MatchesComeToTheirExactValue) {
  const Twins game(hands::all_in_streets(), "100%,a");
  const Setting setting{*game.hands};
  const auto a =
      make_agent("resolve(cut=deal:2,iterations=20,blueprint=solve(iterations=5))", setting);
  const auto b = make_agent("uniform", setting);
  const ExactMatch exact = exact_match(*game.hands, *a->complete(), *b->complete());
  for (const bool duplicate : {false, true}) {
    const MatchResult result =
        play_match(*game.hands, *a, *b, {.hands = 6000, .seed = 4, .duplicate = duplicate});
    EXPECT_NEAR(result.total.mean, exact.mean, 4 * result.total.error);
    for (size_t s = 0; s < 2; ++s) {
      EXPECT_NEAR(result.seat[s].mean, exact.seat[s], 4 * result.seat[s].error);
    }
    EXPECT_GT(exact.mean, 4 * result.total.error);
  }
}

// Antes of four and eighty chips each, two streets.
poker::Definition deep() {
  poker::Definition d = hands::small_nolimit();
  d.stack = {80, 80};
  d.blind = {4, 4};
  d.rounds = {{0, 0, 1, 0}, {1, 0, 1, 0}};
  return d;
}

// A bet that the agent's own game does not have.
TEST(Translation, OfBetsAtTheTable) {
  const Twins table(deep(), "50%,75%,100%,a"), own(deep(), "100%");
  const Setting setting{*table.tree};
  BlueprintAgent b(setting, own.hands, make_agent("solve(iterations=9)", {*own.hands})->complete());
  BlueprintAgent a(setting, own.tree, asked(*own.tree, b));
  size_t pointed = 0;
  EXPECT_LT(distance(*table.tree, a, b, pointed), 1e-6);
  EXPECT_GT(pointed, 100U);
  EXPECT_THROW(a.complete(), core::InputError);
  // The second player, asked after a bet of half the pot: as after a check or after a pot bet, as
  // often as the mapping says, and always the same within a hand.
  size_t tried = 0;
  for (uint32_t set = 0; set < table.tree->problem().tree.num_infosets(); ++set) {
    Question question = table.tree->sight().question(set);
    if (question.events.size() != 3 || question.player != 1) continue;
    const door::Event bet = question.events[2];
    if (!bet.name.starts_with("bet")) continue;
    const double x = (bet.chips - 4) / 8;  // behind the antes, in pots
    if (x >= 1) continue;
    ++tried;
    question.hand = 0;
    std::map<std::vector<double>, int> seen;
    for (; question.hand < 4000; ++question.hand) {
      const auto answer = ask(a, question);
      EXPECT_NEAR(std::accumulate(answer.begin(), answer.end(), 0.0), 1, 1e-9);
      EXPECT_EQ(ask(a, question), answer);
      ++seen[answer];
    }
    ASSERT_EQ(seen.size(), 2U);
    const double share = decompose::pseudo_harmonic(0, x, 1);
    const auto is_check = [&](const auto& entry) { return entry.first[0] == 0; };  // no fold then
    const auto as_check = std::ranges::find_if(seen, is_check);
    ASSERT_NE(as_check, seen.end());
    EXPECT_NEAR(as_check->second / 4000.0, share, 4 * std::sqrt(share * (1 - share) / 4000));
  }
  EXPECT_GT(tried, 5U);
}

// Cards that mirror each other: the agent's answers are those at the address of the line.
TEST(HandsAgents, KnowMirroredBoards) {
  const auto spot =
      std::make_shared<door::HandsGame>("spot", hands::make_problem(poker::parse_spot(R"(
board = "Td9d6h"
pot = 100
stack = 150
[range]
oop = "AA,KK,QJs,T8s"
ip = "AKs,JJ,98s"
[sizes]
bet = "75%"
raise = "a"
)",
                                                                                      "spot")));
  const Setting setting{*spot};
  const auto agent = make_agent("solve(iterations=20)", setting);
  const auto profile = agent->complete();
  auto& engine = dynamic_cast<const hands::EngineProfile&>(*profile).engine();
  const hands::Layout& layout = engine.layout();
  ASSERT_GT(layout.setup.symmetry.size(), 1U);
  core::Random random(5);
  std::set<std::string> boards;
  size_t mirrored = 0;
  for (int i = 0; i < 400; ++i) {
    const auto hand = spot->begin_hand();
    std::string line;
    door::play_on(*hand, random, [&](size_t player) {
      const Question question = hand->question();
      EXPECT_EQ(question.events[1 - player].name, "") << "the other's cards";
      line.clear();
      for (size_t e = 2; e < question.events.size(); ++e) {
        line += (line.empty() ? "" : "/") + question.events[e].name;
      }
      const hands::Address at = hands::find_address(layout, line);
      mirrored += at.map != poker::kSameSuits ? 1 : 0;
      poker::CardSet cards = 0;
      for (const poker::Card card : poker::parse_cards(question.events[player].name, "hand")) {
        cards |= poker::set_of(card);
      }
      const auto& street = layout.streets[static_cast<size_t>(at.street)];
      const auto& side = street.boards[at.board].side[player];
      const auto& all = layout.setup.hands[player];
      const auto number = std::ranges::find(all, poker::rename(at.map, cards)) - all.begin();
      const auto rows = engine.strategy_at(at.street, at.board, at.node);
      const auto answer = ask(*agent, question);
      for (size_t m = 0; m < answer.size(); ++m) {
        EXPECT_NEAR(answer[m], rows[m * side.count + side.row[static_cast<size_t>(number)]], 1e-6)
            << line;
      }
      return std::optional<size_t>(random.below(question.moves.size()));
    });
  }
  EXPECT_GT(mirrored, 100U);
}

TEST(HandsAgents, SayWhatTheyCannotDo) {
  const Twins game(hands::small_nolimit(), "100%");
  const Setting setting{*game.hands};
  const auto refusal = [&](const std::string& spec) -> std::string {
    try {
      make_agent(spec, setting);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("search"), HasSubstr("perfect information"));
  EXPECT_THAT(refusal("resolve(cut=round:1)"), HasSubstr("allowed are street:S"));
  EXPECT_THAT(refusal("blueprint(file=nowhere.h5)"), HasSubstr("nowhere.h5"));
}

}  // namespace
}  // namespace cleave::search
