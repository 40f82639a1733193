#include <gmock/gmock.h>

#include <cmath>

#include "core/random.h"
#include "desk.h"
#include "hands/view.h"
#include "poker/evaluator.h"

namespace cleave::server {
namespace {

using testing::HasSubstr;

constexpr const char* kTurnSpot = R"(board = "Td9d6hQc"
pot = 100
stack = 150
[range]
oop = "AA,KK:0.5,QJs,T9s,98s,A5s"
ip = "AKs,JJ,TT:0.25,KQs,87s"
[sizes]
bet = "75%,a"
raise = "a"
)";
constexpr double kPot = 100;

// A desk with the spot solved roughly, as spot.h5.
class SpotDesk : public Desk {
 public:
  SpotDesk() {
    hands::SpotSolver solver(hands::make_problem(poker::parse_spot(kTurnSpot, "spot.toml")), {});
    for (int i = 0; i < 60; ++i) solver.iterate();
    const auto c = solver.certify();
    solver.save(path("spot.h5"), {0, {{60, 0, c.exploitability, c.value}}}, false);
  }
  Json start(const Json& seat, int seed) {
    return post("/api/play", {{"solution", "spot.h5"}, {"seat", seat}, {"seed", seed}});
  }
  Json next(const Json& table) { return post("/api/play/next", {{"id", table["id"]}}); }
};

Json finish_hand(Desk& desk, Json table, core::Random& random,
                 const std::function<void(const Json&)>& see = {}) {
  while (!table["finished"].get<bool>()) {
    if (see) see(table);
    const size_t choice = random.below(table["actions"].size());
    table = desk.post("/api/play/act",
                      {{"id", table["id"]}, {"action", table["actions"][choice]["text"]}});
  }
  if (see) see(table);
  return table;
}

poker::CardSet set_of_texts(const Json& texts) {
  poker::CardSet out = 0;
  for (const Json& text : texts) {
    out |= poker::set_of(poker::parse_cards(text.get<std::string>(), "card")[0]);
  }
  return out;
}

// The payoff by the log and the cards alone: chips put in on each street, the rest by strength.
double payoff_by_log(const Json& table) {
  std::array<double, 2> put = {}, before = {};  // you, opponent
  bool folded[2] = {false, false};
  for (const Json& entry : table["log"]) {
    const std::string text = entry["text"].get<std::string>();
    if (entry["who"] == "chance") {
      before = put;
      continue;
    }
    const size_t who = entry["who"] == "you" ? 0 : 1;
    if (text == "fold") folded[who] = true;
    if (text == "call") put[who] = put[1 - who];
    for (const char* word : {"bet ", "raise ", "allin "}) {
      if (text.starts_with(word)) put[who] = before[who] + std::stod(text.substr(text.find(' ')));
    }
  }
  EXPECT_EQ(table["put"], Json::array({put[0], put[1]}));
  EXPECT_EQ(table["stacks"], Json::array({150 - put[0], 150 - put[1]}));
  EXPECT_EQ(table["pot"].get<double>(), kPot + put[0] + put[1]);
  if (folded[0]) return -kPot / 2 - put[0];
  if (folded[1]) return kPot / 2 + put[1];
  const poker::CardSet board = set_of_texts(table["board"]);
  EXPECT_EQ(table["board"].size(), 5U);
  const auto mine = poker::strength_of(board | set_of_texts(table["cards"]));
  const auto theirs = poker::strength_of(board | set_of_texts(table["opponent_cards"]));
  if (mine == theirs) return 0;
  return mine > theirs ? kPot / 2 + put[1] : -kPot / 2 - put[0];
}

TEST(PlaySpot, HandsToTheEnd) {
  SpotDesk desk;
  core::Random random(5);
  Json table = desk.start("alternate", 3);
  EXPECT_EQ(table["kind"], "spot");
  EXPECT_EQ(table["game"], "spot.h5");
  double total = 0;
  for (int hand = 1; hand <= 150; ++hand) {
    EXPECT_EQ(table["seat"], (hand - 1) % 2);
    std::vector<Json> before;
    table = finish_hand(desk, table, random, [&](const Json& now) {
      EXPECT_EQ(now["opponent_cards"].is_null(), !now["finished"].get<bool>());
      EXPECT_EQ(std::popcount(set_of_texts(now["cards"]) | set_of_texts(now["board"])),
                static_cast<int>(2 + now["board"].size()));
      if (!now["finished"].get<bool>()) before.push_back(now);
    });
    const poker::CardSet other = set_of_texts(table["opponent_cards"]);
    EXPECT_EQ(other & (set_of_texts(table["cards"]) | set_of_texts(table["board"])), 0U);
    for (Json& answer : before) {
      for (const Json& card : table["opponent_cards"]) {
        const std::string text = card.get<std::string>();
        EXPECT_EQ(answer.dump().find(text), std::string::npos);
      }
    }
    EXPECT_DOUBLE_EQ(table["payoff"].get<double>(), payoff_by_log(table)) << table.dump(1);
    total += table["payoff"].get<double>();
    EXPECT_DOUBLE_EQ(table["total"].get<double>(), total);
    EXPECT_THAT(table["log"].dump(), HasSubstr("\"had "));
    table = desk.next(table);
  }
}

// What the actions are worth, mixed as the solution does, is what the hand is worth here.
TEST(PlaySpot, HintsAddUpToTheHandsValue) {
  SpotDesk desk;
  hands::Solution solution(desk.path("spot.h5"), 1);
  core::Random random(6);
  Json table = desk.start("alternate", 8);
  int looked = 0;
  for (int hand = 0; hand < 25; ++hand) {
    table = finish_hand(desk, table, random, [&](const Json& now) {
      if (now["finished"].get<bool>()) return;
      std::string line;
      for (const Json& entry : now["log"]) {
        line += (line.empty() ? "" : "/") + entry["text"].get<std::string>();
      }
      const hands::NodeView view = hands::view_node(solution, line);
      const poker::CardSet cards = set_of_texts(now["cards"]);
      for (const auto& seen : view.side[now["seat"].get<size_t>()].hands) {
        if (seen.cards != cards) continue;
        ++looked;
        double mixed = 0;
        for (size_t a = 0; a < now["actions"].size(); ++a) {
          const Json& action = now["actions"][a];
          EXPECT_EQ(action["text"], poker::to_text(view.actions[a]));
          EXPECT_DOUBLE_EQ(action["probability"].get<double>(), seen.strategy[a]);
          mixed += seen.strategy[a] * action["value"].get<double>();
          if (action["text"] == "fold") {
            EXPECT_EQ(action["value"].get<double>(), 0);
          }
        }
        EXPECT_NEAR(mixed, seen.value, 1e-3) << line << " " << poker::to_text(cards);
      }
    });
    table = desk.next(table);
  }
  EXPECT_GT(looked, 25);
}

// Hands by the ranges' weights, and the opponent by its strategy: within five deviations.
TEST(PlaySpot, DealsAndPlaysByTheSolution) {
  constexpr int kHands = 2500;
  SpotDesk desk;
  hands::Solution solution(desk.path("spot.h5"), 1);
  const hands::NodeView root = hands::view_node(solution, "");
  core::Random random(1);
  Json table = desk.start(1, 2);
  std::map<poker::CardSet, std::map<std::string, int>> count;
  std::map<poker::CardSet, int> own;
  for (int hand = 0; hand < kHands; ++hand) {
    table = finish_hand(desk, table, random);
    const std::string first = table["log"][0]["text"].get<std::string>();
    ++count[set_of_texts(table["opponent_cards"])][first];
    ++own[set_of_texts(table["cards"])];
    table = desk.next(table);
  }
  const auto check = [](double times, double n, double p) {
    EXPECT_NEAR(times, n * p, 5 * std::sqrt(n * p * (1 - p)) + 1e-6);
  };
  std::array<double, 2> whole = {};
  for (size_t p = 0; p < 2; ++p) {
    for (const auto& hand : root.side[p].hands) whole[p] += hand.weight;
  }
  for (const auto& hand : root.side[1].hands)
    check(own[hand.cards], kHands, hand.weight / whole[1]);
  for (const auto& hand : root.side[0].hands) {
    double n = 0;
    for (const auto& [text, times] : count[hand.cards]) n += times;
    check(n, kHands, hand.weight / whole[0]);
    for (size_t a = 0; a < root.actions.size(); ++a) {
      check(count[hand.cards][poker::to_text(root.actions[a])], n, hand.strategy[a]);
    }
  }
}

TEST(PlaySpot, OtherFilesAreRefused) {
  SpotDesk desk;
  const Direct direct("kuhn");
  tree::write_strategy(*direct.game, direct.tree(), tree::uniform_strategy(direct.tree()),
                       desk.path("kuhn.h5"));
  EXPECT_NE(desk.refusal([&] { desk.post("/api/play", {{"solution", "kuhn.h5"}}); }), "");
  EXPECT_NE(desk.refusal([&] { desk.post("/api/play", {{"solution", "spot.csv"}}); }), "");
}

}  // namespace
}  // namespace cleave::server
