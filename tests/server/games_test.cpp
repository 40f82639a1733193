#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "core/error.h"
#include "decompose/method.h"
#include "desk.h"
#include "games/efg.h"
#include "games/registry.h"
#include "random_games.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/evaluate.h"
#include "solve/solver.h"
#include "source_path.h"
#include "tree/strategy_file.h"

namespace cleave::server {
namespace {

using testing::HasSubstr;

// Payoffs to player 1 below a state of the game itself: neither trees nor values are used. The
// strategy is looked up by the labels that its file has.
using Table = std::map<std::pair<int, std::string>, std::map<std::string, double>>;
double expectation(const games::Game& game, const std::vector<std::byte>& state,
                   const Table& table) {
  const games::Turn turn = game.turn(state.data());
  if (turn.actor == games::kTerminal) return game.payoff(state.data(), 0).to_double();
  double sum = 0;
  std::vector<std::byte> child(game.state_bytes());
  for (int a = 0; a < turn.num_actions; ++a) {
    game.child(state.data(), a, child.data());
    const double step = turn.actor == games::kChance
                            ? game.chance_probability(state.data(), a).to_double()
                            : table.at({turn.actor, game.infoset_label(state.data())})
                                  .at(game.action_label(state.data(), a));
    sum += step * expectation(game, child, table);
  }
  return sum;
}

// From the answers about the strategy, page by page.
Table read_table(Desk& desk, const std::string& game, const std::string& file) {
  Table table;
  for (size_t from = 0;;) {
    const Json page = desk.get(
        "/api/game/strategy", {{"game", game}, {"strategy", file}, {"from", std::to_string(from)}});
    for (const Json& set : page["infosets"]) {
      auto& row = table[{set["player"].get<int>(), set["label"].get<std::string>()}];
      for (size_t a = 0; a < set["actions"].size(); ++a) {
        row[set["actions"][a].get<std::string>()] = set["probabilities"][a].get<double>();
      }
    }
    from += page["infosets"].size();
    if (page["infosets"].empty() || from >= page["total"].get<size_t>()) return table;
  }
}

TEST(Games, ListsWhatThereIs) {
  Desk desk;
  const Json all = desk.get("/api/games");
  EXPECT_EQ(all["games"].size(), games::all_games().size());
  EXPECT_EQ(all["algorithms"].size(), solve::all_solvers().size());
  EXPECT_EQ(all["methods"].size(), decompose::all_passes().size());
  EXPECT_EQ(all["games"][0]["name"], games::all_games()[0].name);
}

TEST(Games, CountsOfAGame) {
  Desk desk;
  const Json info = desk.get("/api/game", {{"game", "leduc"}});
  const Direct direct("leduc");
  EXPECT_EQ(info["game"], "leduc");
  EXPECT_EQ(info["histories"], direct.tree().num_histories());
  EXPECT_EQ(info["terminals"], direct.tree().payoff.size());
  EXPECT_EQ(info["infosets"],
            Json::array({direct.tree().infoset_begin[1],
                         direct.tree().infoset_begin[2] - direct.tree().infoset_begin[1]}));
  EXPECT_EQ(info["infosets"][0].get<int>() + info["infosets"][1].get<int>(), 936);
  EXPECT_EQ(info["public_states"], direct.tree().num_public_states);
  EXPECT_TRUE(info["perfect_recall"].get<bool>());
  EXPECT_TRUE(info["zero_sum"].get<bool>());
  EXPECT_EQ(info["cuts"],
            Json::array({"round:1", "depth:1", "depth:2", "depth:3", "depth:4", "depth:5"}));
  for (const Json& cut : info["cuts"]) {
    EXPECT_NO_THROW(histories::make_cut(*direct.game, direct.tree(), cut.get<std::string>()));
  }
}

TEST(Games, TheSameNameForTheSameGame) {
  Desk desk;
  EXPECT_EQ(desk.get("/api/game", {{"game", "leduc( ranks = 3 )"}})["game"], "leduc");
}

TEST(Games, TreeAgreesWithTheCompiledOne) {
  Desk desk;
  const Direct direct("leduc");
  const tree::Tree& tree = direct.tree();
  write_random_strategy(desk, direct, "s.csv", 5);
  const auto strategy = random_strategy(tree, 5);
  const histories::Cut cut = histories::make_cut(*direct.game, tree, "round:1");
  std::map<uint32_t, Json> seen;
  for (const uint32_t root : {0U, 7U, 40U, 200U, 1000U}) {
    const Json reply = desk.get("/api/game/tree", {{"game", "leduc"},
                                                   {"root", std::to_string(root)},
                                                   {"depth", "9"},
                                                   {"cut", "round:1"},
                                                   {"strategy", "s.csv"}});
    EXPECT_LE(reply["nodes"].size(), 600U);
    EXPECT_EQ(reply["cut"]["subgames"], cut.roots.size());
    EXPECT_EQ(reply["cut"]["pulled"], cut.num_pulled);
    EXPECT_EQ(reply["cut"]["text"], histories::describe(tree, cut));
    for (const Json& node : reply["nodes"]) seen[node["id"].get<uint32_t>()] = node;
  }
  EXPECT_GT(seen.size(), 600U);
  const auto reach0 = reference::reach(tree, strategy, 0);
  const auto reach1 = reference::reach(tree, strategy, 1);
  const auto chance = reference::reach(tree, strategy, tree::kChance);
  const auto values = reference::values(tree, strategy);
  for (const auto& [h, node] : seen) {
    EXPECT_EQ(node["parent"].get<int64_t>(), h == 0 ? -1 : int64_t{tree.parent[h]});
    EXPECT_EQ(node["subgame"].get<int64_t>(),
              cut.subgame[h] == tree::kNone ? -1 : int64_t{cut.subgame[h]});
    EXPECT_NEAR(node["reach"].get<double>(), reach0[h] * reach1[h] * chance[h], 1e-14);
    EXPECT_NEAR(node["value"].get<double>(), values[h] + tree.shift, 1e-12);
    const bool plays = tree.actor[h] < 2;
    EXPECT_EQ(node["infoset"].get<int64_t>(), plays ? int64_t{tree.infoset[h]} : -1);
    EXPECT_EQ(node["label"].get<std::string>().empty(), !plays);
  }
}

TEST(Games, TreeWithoutAStrategyKnowsChanceAndPayoffs) {
  Desk desk;
  const Json reply = desk.get("/api/game/tree", {{"game", "kuhn"}, {"depth", "50"}});
  EXPECT_EQ(reply["nodes"].size(), 58U);
  EXPECT_TRUE(reply["cut"].is_null());
  for (const Json& node : reply["nodes"]) {
    EXPECT_TRUE(node["reach"].is_null());
    EXPECT_EQ(node["value"].is_null(), node["player"] != 3);
    const int64_t parent = node["parent"].get<int64_t>();
    const bool by_chance =
        parent >= 0 && reply["nodes"][static_cast<size_t>(parent)]["player"] == 2;
    EXPECT_EQ(node["probability"].is_null(), parent >= 0 && !by_chance);
  }
  EXPECT_EQ(reply["nodes"][1]["action"], "J");
  EXPECT_DOUBLE_EQ(reply["nodes"][1]["probability"].get<double>(), 1.0 / 3);
}

TEST(Games, DepthAndSizeAreLimits) {
  Desk desk;
  const auto nodes = [&](const std::string& depth) {
    return desk.get("/api/game/tree", {{"game", "leduc"}, {"depth", depth}})["nodes"];
  };
  EXPECT_EQ(nodes("0").size(), 1U);
  EXPECT_EQ(nodes("1").size(), 7U);
  EXPECT_EQ(nodes("2").size(), 37U);
  EXPECT_EQ(nodes("900").size(), 600U);
}

// Values of histories against a recursion over the rules alone; the root's is the certificate's.
TEST(Games, ValuesAgreeWithTheRules) {
  std::vector<std::string> names = {"kuhn", "coin_toss", "leduc"};
  for (int i = 0; i < 6; ++i) names.push_back(random_game_name(i));
  for (const std::string& name : names) {
    Desk desk;
    const Direct direct(name);
    write_random_strategy(desk, direct, "s.csv", 3);
    const Table table = read_table(desk, name, "s.csv");
    std::vector<uint32_t> some = {0, 1};
    const auto n = static_cast<uint32_t>(direct.tree().num_histories());
    for (uint32_t i = 2; i < 20; ++i) some.push_back(i * (n - 1) / 20);
    tree::replay(*direct.game, direct.tree(), some, [&](uint32_t h, const std::byte* state) {
      const Json node = desk.get(
          "/api/game/node", {{"game", name}, {"id", std::to_string(h)}, {"strategy", "s.csv"}});
      const std::vector<std::byte> copy(state, state + direct.game->state_bytes());
      EXPECT_NEAR(node["node"]["value"].get<double>(), expectation(*direct.game, copy, table),
                  1e-10)
          << name << " " << h;
    });
    const auto c = solve::certify(direct.problem, random_strategy(direct.tree(), 3));
    const Json reply = desk.get("/api/game/evaluate", {{"game", name}, {"strategy", "s.csv"}});
    EXPECT_EQ(reply["value"].get<double>(), c.value) << name;
    EXPECT_EQ(reply["exploitability"].get<double>(), c.exploitability) << name;
    EXPECT_EQ(reply["best_response"], Json(c.best_response)) << name;
    const Json root = desk.get("/api/game/node", {{"game", name}, {"strategy", "s.csv"}});
    EXPECT_NEAR(root["node"]["value"].get<double>(), c.value, 1e-10) << name;
  }
}

// Payoffs that sum to a constant other than 0 are put back everywhere.
TEST(Games, ConstantSumIsShiftedBack) {
  Desk desk;
  std::ofstream(desk.path("c.efg")) << "EFG 2 R \"c\" { \"a\" \"b\" }\n"
                                       "p \"\" 1 1 \"top\" { \"l\" \"r\" } 0\n"
                                       "t \"\" 1 \"x\" { 7 3 }\n"
                                       "p \"\" 2 1 \"low\" { \"u\" \"d\" } 0\n"
                                       "t \"\" 2 \"y\" { 2 8 }\n"
                                       "t \"\" 3 \"z\" { 9 1 }\n";
  std::ofstream(desk.path("c.csv")) << "player,infoset,action,probability\n1,top,l,0.25\n1,top,r,"
                                       "0.75\n2,low,u,0.5\n2,low,d,0.5\n";
  const auto node = [&](int id) {
    return desk.get("/api/game/node",
                    {{"game", "c.efg"}, {"strategy", "c.csv"}, {"id", std::to_string(id)}});
  };
  EXPECT_FALSE(desk.get("/api/game", {{"game", "c.efg"}})["zero_sum"].get<bool>());
  EXPECT_DOUBLE_EQ(node(0)["node"]["value"].get<double>(), 0.25 * 7 + 0.75 * 5.5);
  EXPECT_EQ(node(0)["infoset"]["action_values"], Json::array({7.0, 5.5}));
  EXPECT_EQ(node(0)["infoset"]["best_response"], 7.0);
  EXPECT_EQ(node(2)["infoset"]["action_values"], Json::array({8.0, 1.0}));
  EXPECT_EQ(node(2)["infoset"]["best_response"], 8.0);
  EXPECT_EQ(node(1)["payoff"], Json::array({7.0, 3.0}));
  EXPECT_EQ(node(4)["payoff"], Json::array({9.0, 1.0}));
}

// The answers about a set are what the library finds, and null where that is not a number.
TEST(Games, SetValuesAreTheLibrarys) {
  for (const std::string& name : {std::string("leduc"), random_game_name(2)}) {
    Desk desk;
    const Direct direct(name);
    const tree::Tree& tree = direct.tree();
    write_random_strategy(desk, direct, "s.csv", 11);
    const solve::Worth worth = solve::find_worth(direct.problem, random_strategy(tree, 11));
    for (uint32_t set = 0; set < tree.num_infosets(); set += 7) {
      const Json info = desk.get(
          "/api/game/node",
          {{"game", name}, {"infoset", std::to_string(set)}, {"strategy", "s.csv"}})["infoset"];
      EXPECT_EQ(info["size"], tree.infoset_size[set]);
      EXPECT_EQ(info["reach"], worth.own_reach[set]);
      EXPECT_EQ(info["action_values"].is_null(), std::isnan(worth.set_value[set]));
      EXPECT_EQ(info["best_response"].is_null(), std::isnan(worth.best[set]));
      if (info["value"].is_null()) continue;
      EXPECT_EQ(info["value"], worth.set_value[set]);
      EXPECT_EQ(info["best_response"], worth.best[set]);
      for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
        EXPECT_EQ(info["action_values"][a], worth.action_value[tree.slot_begin[set] + a]);
      }
    }
  }
}

TEST(Games, AHistoryHasItsPathChildrenAndMembers) {
  Desk desk;
  const Json node = desk.get("/api/game/node", {{"game", "kuhn"}, {"id", "4"}});
  ASSERT_EQ(node["path"].size(), 2U);
  EXPECT_EQ(node["path"][0]["id"], 0);
  EXPECT_EQ(node["infoset"]["label"].get<std::string>().back(), ':');
  EXPECT_EQ(node["infoset"]["actions"], Json::array({"check", "bet"}));
  EXPECT_EQ(node["infoset"]["members"].size(), 2U);
  EXPECT_EQ(node["children"].size(), 2U);
  EXPECT_TRUE(node["payoff"].is_null());
  std::set<std::string> paths;
  for (const Json& member : node["infoset"]["members"]) paths.insert(member["path"]);
  EXPECT_EQ(paths.size(), 2U);
  const Json end = desk.get("/api/game/node", {{"game", "kuhn"}, {"id", "57"}});
  EXPECT_TRUE(end["infoset"].is_null());
  EXPECT_EQ(end["payoff"][0].get<double>(), -end["payoff"][1].get<double>());
}

TEST(Games, StrategyPagesAndSearch) {
  Desk desk;
  const Direct direct("leduc");
  write_random_strategy(desk, direct, "s.csv", 1);
  const auto ask = [&](std::map<std::string, std::string> more) {
    more["game"] = "leduc";
    more["strategy"] = "s.csv";
    return desk.get("/api/game/strategy", more);
  };
  EXPECT_EQ(ask({})["total"], 936);
  EXPECT_EQ(ask({})["infosets"].size(), 200U);
  EXPECT_EQ(ask({{"from", "900"}})["infosets"].size(), 36U);
  EXPECT_EQ(ask({{"from", "99999"}})["infosets"].size(), 0U);
  EXPECT_EQ(ask({{"player", "0"}})["total"].get<int>() + ask({{"player", "1"}})["total"].get<int>(),
            936);
  const Json found = ask({{"search", "ks:CRC|"}});
  EXPECT_GT(found["total"].get<int>(), 0);
  for (const Json& set : found["infosets"]) {
    EXPECT_THAT(set["label"].get<std::string>(), HasSubstr("Ks:crc|"));
  }
}

TEST(Games, FilesBelowTheWorkspaceOnly) {
  Desk desk;
  std::filesystem::copy_file(source_path("examples/games/small_nolimit.game"),
                             desk.path("small.game"));
  const Json info = desk.get("/api/game", {{"game", "small.game(sizes=100%:a)"}});
  EXPECT_EQ(info["game"], "small.game(sizes=100%:a)");
  EXPECT_GT(info["histories"].get<int>(), 100);
  for (const std::string& spec : std::vector<std::string>{
           "/etc/passwd", "../small.game", "/etc/x.efg", "x/../../small.game(sizes=a)",
           source_path("examples/games/leduc.game"), "none.game", "none.efg", "", "leduc(",
           "leduc(ranks=99)", "spot.toml", ".game(x)", "nosuch"}) {
    EXPECT_NE(desk.refusal([&] { desk.get("/api/game", {{"game", spec}}); }), "") << spec;
  }
  // Changed on disk, it is read again.
  const Json before = desk.get("/api/game", {{"game", "small.game"}});
  std::filesystem::copy_file(source_path("examples/games/kuhn.game"), desk.path("small.game"),
                             std::filesystem::copy_options::overwrite_existing);
  const Json after = desk.get("/api/game", {{"game", "small.game"}});
  EXPECT_NE(before["histories"], after["histories"]);
}

TEST(Games, LargeGamesAreRefusedAtOnce) {
  Desk desk;
  std::filesystem::copy_file(source_path("examples/games/holdem_limit.game"),
                             desk.path("holdem.game"));
  for (const char* spec : {"holdem.game", "liars_dice(dice=2)", "leduc(ranks=13,suits=4)",
                           "random(depth=16,branching=16)", "goofspiel(cards=10)"}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(desk.refusal([&] {
      desk.get("/api/game", {{"game", spec}});
    }),
                HasSubstr("more than a million histories"))
        << spec;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
}

TEST(Games, BadArgumentsAreRefused) {
  Desk desk;
  const Direct direct("leduc");
  write_random_strategy(desk, direct, "s.csv", 1);
  std::ofstream(desk.path("bad.csv")) << "player,infoset,action,probability\n1,x,y,2\n";
  using Query = std::map<std::string, std::string>;
  for (const Query& query :
       {Query{{"root", "-1"}}, Query{{"root", "9457"}}, Query{{"root", "99999999999999999999"}},
        Query{{"root", "1e9"}}, Query{{"depth", "-1"}}, Query{{"depth", "x"}},
        Query{{"cut", "round:9"}}, Query{{"cut", "depth:-3"}}, Query{{"cut", "all"}},
        Query{{"cut", "history:nothing"}}, Query{{"strategy", "../s.csv"}},
        Query{{"strategy", "none.csv"}}, Query{{"strategy", "bad.csv"}},
        Query{{"strategy", "/etc/passwd"}}}) {
    Query whole = query;
    whole["game"] = "leduc";
    EXPECT_NE(desk.refusal([&] { desk.get("/api/game/tree", whole); }), "")
        << query.begin()->first << "=" << query.begin()->second;
  }
  // A strategy of another game.
  EXPECT_NE(desk.refusal([&] {
    desk.get("/api/game/evaluate", {{"game", "kuhn"}, {"strategy", "s.csv"}});
  }),
            "");
}

// Several people at once get what one gets.
TEST(Games, ManyAtOnce) {
  Desk desk;
  const Direct direct("leduc");
  write_random_strategy(desk, direct, "s.csv", 1);
  const auto ask = [&](int number) {
    const std::string id = std::to_string(37 * number % 9000);
    std::string out = desk.get("/api/game", {{"game", "leduc"}}).dump();
    out += desk.get("/api/game/node", {{"game", "leduc"},
                                       {"strategy", "s.csv"},
                                       {"cut", fmt::format("depth:{}", 1 + number % 5)},
                                       {"id", id}})
               .dump();
    out += desk.get("/api/game/strategy",
                    {{"game", "leduc"}, {"strategy", "s.csv"}, {"search", "Ks:c"}})
               .dump();
    Json table = desk.post("/api/play", {{"game", "kuhn"}, {"seat", 0}, {"seed", number}});
    table.erase("id");
    return out + table.dump();
  };
  std::vector<std::vector<std::string>> answers(4);
  std::vector<std::thread> people;
  for (auto& mine : answers) {
    people.emplace_back([&] {
      for (int i = 0; i < 12; ++i) mine.push_back(ask(i));
    });
  }
  for (std::thread& person : people) person.join();
  for (int i = 0; i < 12; ++i) {
    const std::string alone = ask(i);
    for (const auto& mine : answers) EXPECT_EQ(mine[static_cast<size_t>(i)], alone);
  }
}

TEST(Games, AnInformationSetLeadsToOneOfItsHistories) {
  Desk desk;
  const Direct direct("kuhn");
  for (uint32_t set = 0; set < direct.tree().num_infosets(); ++set) {
    const Json node =
        desk.get("/api/game/node", {{"game", "kuhn"}, {"infoset", std::to_string(set)}});
    EXPECT_EQ(node["node"]["infoset"], set);
  }
  EXPECT_NE(desk.refusal([&] {
    desk.get("/api/game/node", {{"game", "kuhn"}, {"infoset", "99"}});
  }),
            "");
}

}  // namespace
}  // namespace cleave::server
