#include <gmock/gmock.h>

#include <cmath>

#include "decompose/second_pass.h"
#include "desk.h"
#include "histories/piece.h"
#include "histories/profile.h"
#include "report/history.h"
#include "solve/run.h"

namespace cleave::server {
namespace {

using testing::HasSubstr;

TEST(GameRuns, SolveIsTheLibrarys) {
  for (const std::string algorithm : {"", "dcfr", "external-sampling", "fpira"}) {
    Desk desk;
    Json body = {{"game", "leduc"}, {"name", "a/b"}, {"iterations", 60}, {"seed", 3}};
    if (!algorithm.empty()) body["algorithm"] = algorithm;
    const Json job = desk.wait(desk.post("/api/game/solve", body));
    ASSERT_EQ(job["state"], "done") << job;
    EXPECT_EQ(job["kind"], "solve-game");
    EXPECT_EQ(job["request"], body);
    const Direct direct("leduc");
    const auto solver =
        solve::make_solver(algorithm.empty() ? solve::kDefaultAlgorithm : algorithm, direct.problem,
                           {.threads = 1, .seed = 3, .planned_iterations = 60});
    solve::Record record;
    solve::Limits limits;
    limits.iterations = 60;
    const auto run = solve::run(direct.problem, *solver, limits, 1, {}, record);
    const Json& result = job["result"];
    EXPECT_EQ(result["exploitability"].get<double>(), run.certificate.exploitability);
    EXPECT_EQ(result["value"].get<double>(), run.certificate.value);
    EXPECT_EQ(result["iterations"], 60);
    EXPECT_EQ(result["strategy"], "a/b.csv");
    EXPECT_EQ(result["history"], "a/b.history.csv");
    EXPECT_EQ(tree::read_strategy(*direct.game, direct.tree(), desk.path("a/b.csv")),
              solver->strategy());
    EXPECT_EQ(std::filesystem::exists(desk.path("a/b.cells.csv")), algorithm == "fpira");
    const auto history = report::read_history_csv(desk.path("a/b.history.csv"));
    ASSERT_EQ(history.points.size(), record.history.size());
    for (size_t i = 0; i < record.history.size(); ++i) {
      EXPECT_EQ(history.points[i].exploitability, record.history[i].exploitability);
      EXPECT_EQ(result["points"][i][0], record.history[i].iteration);
      EXPECT_EQ(result["points"][i][2].get<double>(), record.history[i].exploitability);
    }
    const Json shown = desk.get("/api/history", {{"file", "a/b.history.csv"}});
    EXPECT_EQ(shown["game"], "leduc");
    EXPECT_EQ(shown["points"], result["points"]);
  }
}

TEST(GameRuns, DefaultTargetIsTheCommandLines) {
  Desk desk;
  const Json job = desk.wait(desk.post("/api/game/solve", {{"game", "kuhn"}, {"name", "k"}}));
  ASSERT_EQ(job["state"], "done") << job;
  solve::Limits limits;
  solve::add_default_target(Direct("kuhn").problem, solve::kDefaultAlgorithm, limits);
  EXPECT_LE(job["result"]["exploitability"].get<double>(), *limits.target);
}

TEST(GameRuns, CancelSavesWhatWasReached) {
  Desk desk;
  const Json job = desk.post("/api/game/solve",
                             {{"game", "leduc"}, {"name", "long"}, {"iterations", 900'000'000}});
  Json now = job;
  for (int i = 0; i < 2000 && (now["progress"].is_null() || now["progress"]["points"].empty());
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    now = desk.services().jobs.get(job["id"].get<int64_t>());
  }
  ASSERT_FALSE(now["progress"].is_null());
  EXPECT_GE(now["progress"]["share"].get<double>(), 0);
  EXPECT_LE(now["progress"]["share"].get<double>(), 1);
  EXPECT_GT(now["progress"]["iteration"].get<int64_t>(), 0);
  desk.services().jobs.cancel(job["id"].get<int64_t>());
  const Json ended = desk.wait(job);
  EXPECT_EQ(ended["state"], "cancelled");
  ASSERT_FALSE(ended["result"].is_null());
  const Json check = desk.get("/api/game/evaluate", {{"game", "leduc"}, {"strategy", "long.csv"}});
  EXPECT_NEAR(check["exploitability"].get<double>(),
              ended["result"]["exploitability"].get<double>(), 1e-9);
  EXPECT_EQ(desk.get("/api/history", {{"file", "long.history.csv"}})["points"],
            ended["result"]["points"]);
}

TEST(GameRuns, ResolveIsTheLibrarys) {
  Desk desk(2);
  const std::vector<std::string> methods = {"resolve", "reach-maxmargin(scale=10)"};
  const Json body = {{"game", "leduc"},  {"name", "r"},        {"blueprint", "cfr+"},
                     {"cut", "round:1"}, {"methods", methods}, {"blueprint_iterations", 20},
                     {"iterations", 100}};
  const Json job = desk.wait(desk.post("/api/game/resolve", body));
  ASSERT_EQ(job["state"], "done") << job;
  const Json& result = job["result"];

  const Direct direct("leduc");
  const auto solver = solve::make_solver("cfr+", direct.problem, {.planned_iterations = 20});
  for (int i = 0; i < 20; ++i) solver->iterate();
  const tree::Strategy trunk = solver->strategy();
  const auto cut = histories::make_cut(*direct.game, direct.tree(), "round:1");
  decompose::SecondPass work;
  work.trunk =
      std::make_shared<histories::TreePiece>(histories::make_trunk(direct.problem.tree, cut));
  work.profile = std::make_shared<histories::TreeProfile>(trunk);
  work.root_reach = {std::vector<double>{1.0}, std::vector<double>{1.0}};
  work.summaries = decompose::summarise(*work.trunk, *work.profile, work.root_reach, 1);
  work.solving.iterations = 100;
  EXPECT_EQ(result["before"]["exploitability"].get<double>(),
            solve::certify(direct.problem, trunk).exploitability);
  EXPECT_EQ(result["trunk"], "r.trunk.csv");
  EXPECT_EQ(tree::read_strategy(*direct.game, direct.tree(), desk.path("r.trunk.csv")), trunk);
  EXPECT_EQ(result["cut"]["subgames"], cut.roots.size());
  ASSERT_EQ(result["methods"].size(), 2U);
  EXPECT_EQ(result["methods"][1]["strategy"], "r.reach-maxmargin_scale_10.csv");
  for (size_t i = 0; i < methods.size(); ++i) {
    const auto pass = decompose::make_pass(methods[i]);
    histories::TreeProfile into(trunk);
    decompose::apply(pass, work, &into);
    const tree::Strategy& after = into.strategy();
    const auto c = solve::certify(direct.problem, after);
    const Json& entry = result["methods"][i];
    EXPECT_EQ(entry["method"], methods[i]);
    EXPECT_EQ(entry["safe"], pass.safe);
    EXPECT_EQ(entry["exploitability"].get<double>(), c.exploitability);
    EXPECT_EQ(entry["best_response"], Json(c.best_response));
    EXPECT_EQ(tree::read_strategy(*direct.game, direct.tree(),
                                  desk.path(entry["strategy"].get<std::string>())),
              after);
    size_t changed = 0;
    double largest = 0;
    for (uint32_t set = 0; set < direct.tree().num_infosets(); ++set) {
      double distance = 0;
      for (uint32_t s = direct.tree().slot_begin[set]; s < direct.tree().slot_begin[set + 1]; ++s) {
        distance += std::abs(trunk[s] - after[s]) / 2;
      }
      changed += distance > 1e-3 ? 1 : 0;
      largest = std::max(largest, distance);
    }
    EXPECT_EQ(entry["changed"], changed);
    EXPECT_EQ(entry["changes"].size(), std::min<size_t>(changed, 50));
    EXPECT_DOUBLE_EQ(entry["changes"][0]["distance"].get<double>(), largest);
    for (size_t c2 = 1; c2 < entry["changes"].size(); ++c2) {
      EXPECT_LE(entry["changes"][c2]["distance"], entry["changes"][c2 - 1]["distance"]);
    }
  }
}

TEST(GameRuns, ResolveFromAFileAndStopped) {
  Desk desk;
  const Direct direct("leduc");
  write_random_strategy(desk, direct, "t.csv", 2);
  const Json body = {{"game", "leduc"},     {"name", "r"},
                     {"cut", "round:1"},    {"methods", Json::array({"resolve", "maxmargin"})},
                     {"strategy", "t.csv"}, {"iterations", 1'000'000}};
  const Json job = desk.post("/api/game/resolve", body);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  desk.services().jobs.cancel(job["id"].get<int64_t>());
  const Json ended = desk.wait(job);
  EXPECT_EQ(ended["state"], "cancelled");
  EXPECT_TRUE(ended["result"].is_null());  // not one method was done
  EXPECT_FALSE(std::filesystem::exists(desk.path("r.trunk.csv")));

  Json again = body;
  again["iterations"] = 10;
  const Json done = desk.wait(desk.post("/api/game/resolve", again));
  ASSERT_EQ(done["state"], "done") << done;
  EXPECT_EQ(done["result"]["trunk"], "t.csv");
}

TEST(GameRuns, NothingIsReplacedUnasked) {
  Desk desk;
  const Json body = {{"game", "kuhn"}, {"name", "k"}, {"iterations", 5}};
  ASSERT_EQ(desk.wait(desk.post("/api/game/solve", body))["state"], "done");
  EXPECT_THAT(desk.refusal([&] { desk.post("/api/game/solve", body); }), HasSubstr("k.csv"));
  Json more = body;
  more["overwrite"] = true;
  EXPECT_EQ(desk.wait(desk.post("/api/game/solve", more))["state"], "done");
}

// A linear program cannot be stopped.
TEST(GameRuns, LargeLinearProgramsAreRefused) {
  Desk desk;
  EXPECT_THAT(desk.refusal([&] {
    desk.post("/api/game/solve", {{"game", "liars_dice"}, {"name", "n"}, {"algorithm", "lp"}});
  }),
              HasSubstr("cannot be stopped"));
}

TEST(GameRuns, BadArgumentsAreRefused) {
  Desk desk;
  const Json solve = {{"game", "leduc"}, {"name", "n"}};
  const std::vector<std::pair<std::string, Json>> wrong = {{"algorithm", "nosuch"},
                                                           {"algorithm", "dcfr(alpha=x)"},
                                                           {"algorithm", "bi"},
                                                           {"iterations", 0},
                                                           {"iterations", -5},
                                                           {"iterations", 2e9},
                                                           {"iterations", "many"},
                                                           {"target", 0},
                                                           {"target", -1},
                                                           {"seconds", 0},
                                                           {"seconds", 1e9},
                                                           {"seed", -1},
                                                           {"name", "../x"},
                                                           {"name", "/tmp/x"},
                                                           {"name", ""},
                                                           {"name", std::string(5000, 'a')},
                                                           {"game", "nosuch"},
                                                           {"game", 5},
                                                           {"overwrite", "perhaps"}};
  for (const auto& [key, value] : wrong) {
    Json body = solve;
    body[key] = value;
    EXPECT_NE(desk.refusal([&] { desk.post("/api/game/solve", body); }), "") << key << value;
  }
  const Json resolve = {
      {"game", "leduc"}, {"name", "n"}, {"cut", "round:1"}, {"methods", Json::array({"resolve"})}};
  const std::vector<std::pair<std::string, Json>> wrong_resolve = {
      {"methods", Json::array()},
      {"methods", Json::array({"nosuch"})},
      {"methods", Json::array({"resolve", "resolve"})},
      {"methods", Json(std::vector<std::string>(99, "resolve"))},
      {"cut", "nosuch"},
      {"cut", ""},
      {"iterations", 0},
      {"algorithm", "lp"},
      {"blueprint", "nosuch"},
      {"blueprint_iterations", 1e12},
      {"strategy", "none.csv"},
      {"name", "../n"}};
  for (const auto& [key, value] : wrong_resolve) {
    Json body = resolve;
    body[key] = value;
    EXPECT_NE(desk.refusal([&] { desk.post("/api/game/resolve", body); }), "") << key << value;
  }
  EXPECT_TRUE(desk.services().jobs.list().empty());
}

}  // namespace
}  // namespace cleave::server
