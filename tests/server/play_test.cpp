#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <set>

#include "core/random.h"
#include "desk.h"
#include "source_path.h"

namespace cleave::server {
namespace {

using testing::HasSubstr;

// Plays one hand by a rule; every answer on the way is given to `see`.
Json play_hand(Desk& desk, Json table, core::Random& random,
               const std::function<void(const Json&)>& see = {}) {
  for (int moves = 0; !table["finished"].get<bool>() && moves < 200; ++moves) {
    if (see) see(table);
    const size_t choice = random.below(table["actions"].size());
    table = desk.post("/api/play/act",
                      {{"id", table["id"]}, {"action", table["actions"][choice]["text"]}});
  }
  EXPECT_TRUE(table["finished"].get<bool>());
  if (see) see(table);
  return table;
}

std::string log_text(const Json& table) {
  std::string out;
  for (const Json& entry : table["log"]) {
    out += entry["who"].get<std::string>() + ": " + entry["text"].get<std::string>() + "\n";
  }
  return out;
}

// What every answer has to be like.
void check_answer(const Json& table) {
  const bool over = table["finished"].get<bool>();
  EXPECT_EQ(table["opponent_cards"].is_null(), !over);
  EXPECT_EQ(table["payoff"].is_null(), !over);
  EXPECT_EQ(table["actions"].empty(), over);
  double sum = 0;
  for (const Json& action : table["actions"]) sum += action["probability"].get<double>();
  if (!over) {
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(Play, ManyHandsOfManyGames) {
  for (const std::string game : {"kuhn", "leduc", "coin_toss", "rps", "nim", "goofspiel(cards=3)",
                                 "goofspiel(cards=3,prizes=random)", "random(chance=0.4,stop=0.2)",
                                 "leduc(distinct=false,ante=2,bets=1:3/2:5)"}) {
    Desk desk;
    core::Random random(7);
    Json table = desk.post("/api/play", {{"game", game}, {"seat", "alternate"}, {"seed", 1}});
    double total = 0;
    for (int hand = 1; hand <= 60; ++hand) {
      EXPECT_EQ(table["hand"], hand);
      EXPECT_EQ(table["seat"], (hand - 1) % 2);
      table = play_hand(desk, table, random, check_answer);
      total += table["payoff"].get<double>();
      EXPECT_DOUBLE_EQ(table["total"].get<double>(), total) << game;
      EXPECT_EQ(table["hands"], hand);
      EXPECT_EQ(desk.get("/api/play", {{"id", table["id"].dump()}}), table);
      table = desk.post("/api/play/next", {{"id", table["id"]}});
    }
  }
}

// The hand's end is a history of the game, its payoff the game's: found by the log's moves alone.
TEST(Play, PayoffsAreTheGames) {
  for (const std::string game : {"kuhn", "leduc"}) {
    Desk desk;
    const Direct direct(game);
    core::Random random(3);
    Json table = desk.post("/api/play", {{"game", game}, {"seat", "alternate"}, {"seed", 9}});
    for (int hand = 0; hand < 200; ++hand) {
      table = play_hand(desk, table, random);
      std::vector<std::byte> state(direct.game->state_bytes()), next = state;
      direct.game->root(state.data());
      for (const Json& entry : table["log"]) {
        const games::Turn turn = direct.game->turn(state.data());
        if (turn.actor == games::kTerminal) break;
        const std::string label = entry["text"].get<std::string>();
        int found = -1;
        for (int a = 0; a < turn.num_actions; ++a) {
          const std::string action = direct.game->action_label(state.data(), a);
          if (label.substr(0, label.find(' ')) == action) found = a;
        }
        ASSERT_GE(found, 0) << log_text(table);
        const bool mine = turn.actor == table["seat"].get<int>();
        EXPECT_EQ(entry["who"], turn.actor == games::kChance ? "chance"
                                : mine                       ? "you"
                                                             : "opponent");
        direct.game->child(state.data(), found, next.data());
        state.swap(next);
      }
      ASSERT_EQ(direct.game->turn(state.data()).actor, games::kTerminal) << log_text(table);
      EXPECT_EQ(table["payoff"].get<double>(),
                direct.game->payoff(state.data(), table["seat"].get<int>()).to_double());
      // Nobody wins more than the other has put in.
      const double lost = table["payoff"].get<double>();
      if (lost < 0) {
        EXPECT_EQ(-lost, table["put"][0].get<double>()) << log_text(table);
      }
      if (lost > 0) {
        EXPECT_EQ(lost, table["put"][1].get<double>()) << log_text(table);
      }
      EXPECT_EQ(table["pot"].get<double>(),
                table["put"][0].get<double>() + table["put"][1].get<double>());
      table = desk.post("/api/play/next", {{"id", table["id"]}});
    }
  }
}

TEST(Play, ChipsOfGameFiles) {
  for (const std::string file : {"leduc.game", "small_nolimit.game", "kuhn.game"}) {
    Desk desk;
    std::filesystem::copy_file(source_path("examples/games/") + file, desk.path(file));
    core::Random random(3);
    Json table = desk.post("/api/play", {{"game", file}, {"seat", "alternate"}, {"seed", 9}});
    EXPECT_EQ(table["game"], file);
    for (int hand = 0; hand < 60; ++hand) {
      table = play_hand(desk, table, random, check_answer);
      EXPECT_EQ(table["cards"].size(), 1U) << log_text(table);
      EXPECT_EQ(table["opponent_cards"].size(), 1U) << log_text(table);
      const double lost = table["payoff"].get<double>();
      // What is not called is returned.
      const double matched = std::min(table["put"][0].get<double>(), table["put"][1].get<double>());
      if (lost != 0) {
        EXPECT_EQ(std::abs(lost), matched) << log_text(table);
      }
      table = desk.post("/api/play/next", {{"id", table["id"]}});
    }
  }
}

TEST(Play, TwoCardsAreTwo) {
  Desk desk;
  std::ofstream(desk.path("two.game"))
      << "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1 2\nraiseSize = 2 2\n"
         "firstPlayer = 1 2\nmaxRaises = 1 1\nnumSuits = 2\nnumRanks = 3\nnumHoleCards = 2\n"
         "numBoardCards = 0 1\nEND GAMEDEF\n";
  core::Random random(3);
  Json table = desk.post("/api/play", {{"game", "two.game"}, {"seat", "alternate"}, {"seed", 1}});
  for (int hand = 0; hand < 40; ++hand) {
    table = play_hand(desk, table, random, [](const Json& now) {
      // A first fold leaves who has not acted with what chance gave.
      EXPECT_EQ(now["cards"].size(), 2U) << log_text(now);
      if (now["finished"].get<bool>()) {
        EXPECT_EQ(now["opponent_cards"].size(), 2U) << log_text(now);
      }
    });
    table = desk.post("/api/play/next", {{"id", table["id"]}});
  }
}

TEST(Play, LeducShowsOwnCardBoardAndAtTheEndTheOthers) {
  Desk desk;
  core::Random random(3);
  Json table = desk.post("/api/play", {{"game", "leduc"}, {"seat", "alternate"}, {"seed", 4}});
  bool with_board = false;
  for (int hand = 0; hand < 100; ++hand) {
    table = play_hand(desk, table, random, [&](const Json& now) {
      EXPECT_EQ(now["cards"].size(), 1U) << log_text(now);
      const std::string label = now["cards"][0].get<std::string>();
      EXPECT_EQ(label.size(), 2U);
      EXPECT_LE(now["board"].size(), 1U);
      const std::string log = log_text(now);
      if (!now["board"].empty()) {
        with_board = true;
        EXPECT_THAT(log, HasSubstr("chance: " + now["board"][0].get<std::string>() + "\n"));
      }
      EXPECT_THAT(log, HasSubstr("chance: " + label + " to you\n"));
      if (!now["finished"].get<bool>()) {
        EXPECT_THAT(log, HasSubstr("hidden from you"));
      }
    });
    ASSERT_EQ(table["opponent_cards"].size(), 1U);
    EXPECT_THAT(log_text(table),
                HasSubstr("opponent: had " + table["opponent_cards"][0].get<std::string>()));
    table = desk.post("/api/play/next", {{"id", table["id"]}});
  }
  EXPECT_TRUE(with_board);
}

// The information sets at which the person acted, by the moves in the log of a hand that is over.
std::vector<std::string> sets_of_hand(const games::Game& game, const Json& table) {
  std::vector<std::string> sets;
  std::vector<std::byte> state(game.state_bytes()), next = state;
  game.root(state.data());
  for (const Json& entry : table["log"]) {
    const games::Turn turn = game.turn(state.data());
    if (turn.actor == table["seat"].get<int>()) {
      sets.push_back(table["seat"].dump() + game.infoset_label(state.data()));
    }
    const std::string text = entry["text"].get<std::string>();
    for (int a = 0; a < turn.num_actions; ++a) {
      if (game.action_label(state.data(), a) != text.substr(0, text.find(' '))) continue;
      game.child(state.data(), a, next.data());
      state.swap(next);
      break;
    }
  }
  return sets;
}

// Whoever is at the same information set gets the same answer, whatever the opponent holds and did
// in secret.
TEST(Play, NothingLeaks) {
  for (const std::string game :
       {"kuhn", "leduc", "rps", "goofspiel(cards=3)", "liars_dice(faces=3)", "random(seed=3)"}) {
    Desk desk;
    const Direct direct(game);
    std::map<std::string, std::string> answer;           // by information set
    std::map<std::string, std::set<std::string>> hands;  // that came to it
    core::Random random(1);
    Json table = desk.post("/api/play", {{"game", game}, {"seat", "alternate"}, {"seed", 31}});
    for (int hand = 0; hand < 300; ++hand) {
      std::vector<std::string> seen;
      table = play_hand(desk, table, random, [&](Json now) {
        for (const char* key : {"hand", "hands", "total"}) now.erase(key);
        if (!now["finished"].get<bool>()) seen.push_back(now.dump());
      });
      const auto sets = sets_of_hand(*direct.game, table);
      ASSERT_EQ(sets.size(), seen.size()) << game << "\n" << log_text(table);
      for (size_t i = 0; i < sets.size(); ++i) {
        EXPECT_EQ(answer.emplace(sets[i], seen[i]).first->second, seen[i]) << game;
        hands[sets[i]].insert(log_text(table));
      }
      table = desk.post("/api/play/next", {{"id", table["id"]}});
    }
    size_t several = 0;
    for (const auto& [set, different] : hands) several += different.size() > 1 ? 1 : 0;
    EXPECT_GT(several, 0U) << game;
  }
}

// An answer comes from the information set: the opponent's card is in no text while it is hidden.
TEST(Play, TheOpponentsCardIsInNoText) {
  Desk desk;
  core::Random random(8);
  Json table = desk.post("/api/play", {{"game", "leduc"}, {"seat", "alternate"}, {"seed", 12}});
  for (int hand = 0; hand < 200; ++hand) {
    std::vector<std::string> before;
    table = play_hand(desk, table, random, [&](const Json& now) {
      if (!now["finished"].get<bool>()) before.push_back(now.dump());
    });
    const std::string card = table["opponent_cards"][0].get<std::string>();
    for (const std::string& answer : before) EXPECT_EQ(answer.find(card), std::string::npos);
    table = desk.post("/api/play/next", {{"id", table["id"]}});
  }
}

// The opponent's frequencies are its strategy's, within five standard deviations.
TEST(Play, TheOpponentPlaysItsStrategy) {
  Desk desk;
  const Direct direct("kuhn");
  write_random_strategy(desk, direct, "s.csv", 21);
  const auto strategy = random_strategy(direct.tree(), 21);
  const auto labels = tree::make_labels(*direct.game, direct.tree());
  Json table =
      desk.post("/api/play", {{"game", "kuhn"}, {"strategy", "s.csv"}, {"seat", 1}, {"seed", 5}});
  EXPECT_THAT(table["opponent"].get<std::string>(), HasSubstr("s.csv"));
  core::Random random(2);
  std::map<std::string, std::array<int, 2>> count;  // by the opponent's card
  for (int hand = 0; hand < 4000; ++hand) {
    table = play_hand(desk, table, random);
    for (const Json& entry : table["log"]) {
      if (entry["who"] != "opponent") continue;
      ++count[table["opponent_cards"][0].get<std::string>()][entry["text"] == "bet" ? 1 : 0];
      break;
    }
    table = desk.post("/api/play/next", {{"id", table["id"]}});
  }
  ASSERT_EQ(count.size(), 3U);
  for (const auto& [card, times] : count) {
    const int n = times[0] + times[1];
    EXPECT_NEAR(n, 4000.0 / 3, 5 * std::sqrt(4000.0 * 2 / 9));
    for (uint32_t set = 0; set < direct.tree().num_infosets(); ++set) {
      if (labels.infoset[set] != card + ":" || direct.tree().player(set) != 0) continue;
      const double p = strategy[direct.tree().slot_begin[set] + 1];
      EXPECT_NEAR(times[1], n * p, 5 * std::sqrt(n * p * (1 - p)) + 1e-9) << card;
    }
  }
}

// Hints count from now on: a fold is worth nothing more, and the mix is worth the set's value.
TEST(Play, HintsAreTheStrategys) {
  Desk desk;
  core::Random random(4);
  Json table = desk.post("/api/play", {{"game", "leduc"}, {"seat", "alternate"}, {"seed", 2}});
  int folds = 0;
  for (int hand = 0; hand < 100; ++hand) {
    table = play_hand(desk, table, random, [&](const Json& now) {
      for (const Json& action : now["actions"]) {
        if (action["text"] != "fold") continue;
        ++folds;
        EXPECT_NEAR(action["value"].get<double>(), 0, 1e-12);
      }
    });
    table = desk.post("/api/play/next", {{"id", table["id"]}});
  }
  EXPECT_GT(folds, 10);
}

TEST(Play, TheSameSeedTheSameHands) {
  Desk desk;
  std::array<std::string, 2> logs;
  for (std::string& all : logs) {
    core::Random random(4);
    Json table = desk.post("/api/play", {{"game", "leduc"}, {"seat", 0}, {"seed", 77}});
    for (int hand = 0; hand < 20; ++hand) {
      table = play_hand(desk, table, random);
      all += log_text(table);
      table = desk.post("/api/play/next", {{"id", table["id"]}});
    }
  }
  EXPECT_EQ(logs[0], logs[1]);
}

TEST(Play, BadArgumentsAreRefused) {
  Desk desk;
  const auto refused = [&](const std::string& path, const Json& body) {
    return desk.refusal([&] { desk.post(path, body); });
  };
  EXPECT_NE(refused("/api/play", {{"game", "nosuch"}}), "");
  EXPECT_NE(refused("/api/play", Json::object()), "");
  EXPECT_NE(refused("/api/play", {{"game", "kuhn"}, {"seat", 2}}), "");
  EXPECT_NE(refused("/api/play", {{"game", "kuhn"}, {"seat", "left"}}), "");
  EXPECT_NE(refused("/api/play", {{"game", "kuhn"}, {"seed", -1}}), "");
  EXPECT_NE(refused("/api/play", {{"game", "kuhn"}, {"strategy", "../x.csv"}}), "");
  EXPECT_NE(refused("/api/play", {{"solution", "../x.h5"}}), "");
  EXPECT_NE(refused("/api/play", {{"solution", "none.h5"}}), "");
  const Json table = desk.post("/api/play", {{"game", "kuhn"}, {"seat", 0}});
  EXPECT_THAT(refused("/api/play/act", {{"id", table["id"]}, {"action", "raise"}}),
              HasSubstr("check, bet"));
  EXPECT_NE(refused("/api/play/act", {{"id", table["id"]}}), "");
  EXPECT_NE(refused("/api/play/next", {{"id", table["id"]}}), "");  // the hand is not over
  EXPECT_NE(refused("/api/play/act", {{"id", 12345}, {"action", "bet"}}), "");
  EXPECT_NE(refused("/api/play/act", {{"id", -1}, {"action", "bet"}}), "");
}

TEST(Play, OldTablesAreForgotten) {
  Desk desk;
  const Json first = desk.post("/api/play", {{"game", "kuhn"}, {"seat", 0}});
  for (int i = 0; i < 63; ++i) desk.post("/api/play", {{"game", "kuhn"}, {"seat", 0}});
  EXPECT_NO_THROW(desk.get("/api/play", {{"id", first["id"].dump()}}));
  desk.post("/api/play", {{"game", "kuhn"}, {"seat", 0}});
  EXPECT_THAT(desk.refusal([&] {
    desk.get("/api/play", {{"id", first["id"].dump()}});
  }),
              HasSubstr("start a new one"));
}

}  // namespace
}  // namespace cleave::server
