#include <gmock/gmock.h>

#include "core/file.h"
#include "desk.h"
#include "hands/view.h"
#include "poker/spot.h"

// What the explorer shows of spots, against the library's own answers.
namespace cleave::server {
namespace {

using testing::HasSubstr;

constexpr const char* kTurn = R"(board = "Td9d6hQc"
pot = 60
stack = [170, 200]
[range]
oop = "TT,99,A9s,KQs,87s:0.5,AhKd"
ip = "66,AT,JTs,76s,KdQd"
[sizes]
bet = "60%,a"
raise = "a"
[rake]
percent = 5
cap = 3
[tree]
add_allin = "150%"
remove = ["check/bet 36/allin 170"]
[[lock]]
node = "check"
hands = "JTs"
strategy = { check = 0.25, "bet 36" = 0.75 }
)";

class SpotDesk : public Desk {
 public:
  SpotDesk() : Desk(2) {}
  Json solve(const std::string& text, const std::string& name, const Json& more = {}) {
    Json body = {{"text", text}, {"name", name}};
    if (more.is_object()) body.update(more);
    return wait(post("/api/spot/solve", body));
  }
};

TEST(SpotRoutes, RangesGoBothWays) {
  SpotDesk desk;
  const Json read = desk.post("/api/range", {{"text", "QTs+:0.5, AhKh,77-55"}});
  const poker::Range range = poker::parse_range("QTs+:0.5,AhKh,77-55");
  ASSERT_EQ(read["weights"].size(), poker::kNumCombos);
  for (size_t i = 0; i < poker::kNumCombos; ++i) EXPECT_EQ(read["weights"][i], range.weight[i]);
  EXPECT_EQ(read["text"], poker::to_text(range));
  EXPECT_EQ(read["hands"], poker::num_hands(range));
  EXPECT_EQ(desk.post("/api/range", {{"weights", read["weights"]}}), read);
  EXPECT_THAT(desk.refusal([&] {
    desk.post("/api/range", {{"text", "QT+,zz"}});
  }),
              HasSubstr("character"));
  EXPECT_THAT(desk.refusal([&] {
    desk.post("/api/range", {{"weights", {1, 2}}});
  }),
              HasSubstr("1326"));
  Json wrong = read["weights"];
  wrong[3] = 1.5;
  EXPECT_THAT(desk.refusal([&] {
    desk.post("/api/range", {{"weights", wrong}});
  }),
              HasSubstr("from 0 to 1"));
}

// The form says everything that the file does: written out again it is the same spot.
TEST(SpotRoutes, ChecksAndCounts) {
  SpotDesk desk;
  const Json reply = desk.post("/api/spot/check", {{"text", kTurn}});
  const Json& form = reply["spot"];
  EXPECT_EQ(form["board"], "Td9d6hQc");
  EXPECT_EQ(form["stack"], Json({170, 200}));
  EXPECT_TRUE(form["streets"][0].is_null());
  EXPECT_EQ(form["streets"][1]["oop"]["bet"], "60%,a");
  EXPECT_EQ(form["streets"][2]["ip"]["raise"], Json({"a"}));
  EXPECT_EQ(form["rake"], Json({{"percent", 5.0}, {"cap", 3}}));
  EXPECT_EQ(form["tree"]["remove"], Json({"check/bet 36/allin 170"}));
  EXPECT_EQ(form["locks"][0]["parts"][0]["hands"], "JTs");
  EXPECT_EQ(form["locks"][0]["parts"][0]["strategy"]["bet 36"], 0.75);
  const hands::Problem problem = hands::make_problem(poker::parse_spot(kTurn, "spot"));
  const hands::Layout sketch = hands::sketch_layout(problem.setup);
  EXPECT_EQ(reply["memory"]["f32"], hands::plan_memory(sketch, hands::Storage::kF32, 1).total());
  EXPECT_EQ(reply["streets"].size(), 2U);
  EXPECT_EQ(desk.post("/api/spot/check", {{"text", reply["text"]}})["spot"], form);
}

TEST(SpotRoutes, RefusesWhatIsNoSpot) {
  SpotDesk desk;
  const auto said = [&](const std::string& text) {
    return desk.refusal([&] { desk.post("/api/spot/check", {{"text", text}}); });
  };
  EXPECT_THAT(said("board = \"Td9d6hTd\""), HasSubstr("spot:1"));
  EXPECT_THAT(said("= 7"), HasSubstr("spot:1"));
  EXPECT_THAT(said(std::string(300'000, 'x')), HasSubstr("text"));
  // A tree that a browser may not ask for: every number of chips on three streets.
  EXPECT_THAT(said("board = \"Td9d6h\"\npot = 100\nstack = 5000\n[range]\noop = \"AA\"\nip = "
                   "\"KK\"\n[sizes]\nbet = \"any\"\nraise = \"any\"\n"),
              HasSubstr("nodes"));
  EXPECT_THAT(said(std::string(kTurn) + "[[lock]]\nnode = \"fold\"\nstrategy = \"check\"\n"),
              HasSubstr("fold"));
}

// The same bytes as the library's own solve, so `cleave show` and the page read one file.
TEST(SpotRoutes, SolvesAndShowsWhatTheLibraryDoes) {
  SpotDesk desk;
  const Json job = desk.solve(kTurn, "folder/mine", {{"iterations", 20}});
  ASSERT_EQ(job["state"], "done") << job;
  EXPECT_EQ(job["result"]["file"], "folder/mine.h5");
  EXPECT_EQ(job["result"]["iterations"], 20);
  hands::Solution solution(desk.path("folder/mine.h5"), 1);
  const Json about = desk.get("/api/solution", {{"file", "folder/mine.h5"}});
  EXPECT_EQ(about["name"], "mine");
  EXPECT_EQ(about["exploitability"], job["result"]["exploitability"]);
  for (const std::string line : {"", "check", "check/bet 36/call", "check/check/2c",
                                 "check/check/2s/check", "bet 36/fold"}) {
    const Json node = desk.get("/api/solution/node", {{"file", "folder/mine.h5"}, {"node", line}});
    const hands::NodeView view = hands::view_node(solution, line);
    EXPECT_EQ(node["pot"], view.pot) << line;
    EXPECT_EQ(node["frequencies"].get<std::vector<double>>(), view.frequency) << line;
    EXPECT_EQ(node["locked"], line == "check");
    EXPECT_EQ(node["path"].size(), poker::split_line(line).size());
    EXPECT_EQ(node["cards"].empty(), view.kind != poker::BettingNode::Kind::kDeal);
    for (size_t p = 0; p < 2; ++p) {
      const Json& side = node["players"][p];
      EXPECT_EQ(side["ev"], view.side[p].value);
      EXPECT_EQ(side["equity"], view.side[p].equity);
      ASSERT_EQ(side["hands"]["hand"].size(), view.side[p].hands.size());
      double reach = 0;
      for (const Json& cell : side["cells"]) reach += cell["reach"].get<double>();
      EXPECT_NEAR(reach, view.side[p].combos, 1e-9);
      for (size_t h = 0; h < view.side[p].hands.size(); ++h) {
        const hands::HandView& hand = view.side[p].hands[h];
        EXPECT_EQ(side["hands"]["ev"][h], hand.value);
        EXPECT_EQ(side["hands"]["reach"][h], hand.reach);
        for (size_t a = 0; a < hand.strategy.size(); ++a) {
          EXPECT_EQ(side["hands"]["strategy"][a][h], hand.strategy[a]);
        }
      }
    }
  }
}

TEST(SpotRoutes, RunoutsAreThoseOfTheLibrary) {
  SpotDesk desk;
  ASSERT_EQ(desk.solve(kTurn, "mine", {{"iterations", 5}})["state"], "done");
  hands::Solution solution(desk.path("mine.h5"), 1);
  const Json reply =
      desk.get("/api/solution/runouts", {{"file", "mine.h5"}, {"node", "check/check"}});
  const auto expected = hands::runouts(solution, hands::view_node(solution, "check/check"));
  ASSERT_EQ(reply["runouts"].size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(reply["runouts"][i]["ev"][1], expected[i].view.side[1].value);
    EXPECT_EQ(reply["runouts"][i]["frequencies"].get<std::vector<double>>(),
              expected[i].view.frequency);
  }
  EXPECT_THAT(desk.refusal([&] {
    desk.get("/api/solution/runouts", {{"file", "mine.h5"}, {"node", "check"}});
  }),
              HasSubstr("no card is dealt"));
}

TEST(SpotRoutes, CancelKeepsWhatWasReached) {
  SpotDesk desk;
  const Json job = desk.post("/api/spot/solve",
                             {{"text", kTurn}, {"name", "long"}, {"iterations", 100'000'000}});
  const auto id = job["id"].get<int64_t>();
  while (desk.services().jobs.get(id)["progress"].is_null()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  desk.services().jobs.cancel(id);
  const Json ended = desk.wait(job);
  EXPECT_EQ(ended["state"], "cancelled");
  EXPECT_GT(ended["result"]["iterations"], 0);
  const Json about = desk.get("/api/solution", {{"file", "long.h5"}});
  EXPECT_EQ(about["iterations"], ended["result"]["iterations"]);
}

TEST(SpotRoutes, FilesThatChangeAreOpenedAgain) {
  SpotDesk desk;
  ASSERT_EQ(desk.solve(kTurn, "mine", {{"iterations", 3}})["state"], "done");
  EXPECT_EQ(desk.get("/api/solution", {{"file", "mine.h5"}})["iterations"], 3);
  EXPECT_THAT(desk.refusal([&] {
    desk.post("/api/spot/solve", {{"text", kTurn}, {"name", "mine"}, {"iterations", 4}});
  }),
              HasSubstr("mine.h5"));
  const Json again = desk.solve(kTurn, "mine", {{"iterations", 4}, {"overwrite", true}});
  ASSERT_EQ(again["state"], "done");
  EXPECT_EQ(desk.get("/api/solution", {{"file", "mine.h5"}})["iterations"], 4);
}

// Both were asked for when there was no such file yet.
TEST(SpotRoutes, AJobDoesNotReplaceWhatAnotherWrote) {
  std::atomic<bool> asked{false};
  SpotDesk desk;
  desk.services().jobs.add("wait", "wait", {}, [&](JobContext& context) {
    while (!asked && !context.stop()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Json();
  });
  const Json body = {{"text", kTurn}, {"name", "mine"}, {"iterations", 3}};
  const Json first = desk.post("/api/spot/solve", body);
  Json other = body;
  other["iterations"] = 4;
  const Json second = desk.post("/api/spot/solve", other);
  asked = true;
  EXPECT_EQ(desk.wait(first)["state"], "done");
  const Json ended = desk.wait(second);
  EXPECT_EQ(ended["state"], "failed");
  EXPECT_THAT(ended["error"].get<std::string>(), HasSubstr("mine.h5: is there already"));
  EXPECT_EQ(desk.get("/api/solution", {{"file", "mine.h5"}})["iterations"], 3);
}

// A link beside the solution, put there by whoever owns the folder.
TEST(SpotRoutes, TheHistoryStaysInTheWorkspace) {
  SpotDesk desk;
  std::filesystem::create_symlink("/tmp", desk.path("mine.history.csv"));
  EXPECT_THAT(desk.refusal([&] {
    desk.post("/api/spot/solve", {{"text", kTurn}, {"name", "mine"}, {"iterations", 3}});
  }),
              HasSubstr("mine.history.csv: leads out"));
}

TEST(SpotRoutes, RefusesWrongArguments) {
  SpotDesk desk;
  const auto said = [&](const Json& more) {
    Json body = {{"text", kTurn}, {"name", "mine"}};
    body.update(more);
    return desk.refusal([&] { desk.post("/api/spot/solve", body); });
  };
  EXPECT_THAT(said({{"target", "-1%"}}), HasSubstr("target"));
  EXPECT_THAT(said({{"target", "much"}}), HasSubstr("target"));
  EXPECT_THAT(said({{"algorithm", "magic"}}), HasSubstr("magic"));
  EXPECT_THAT(said({{"storage", "i8"}}), HasSubstr("i8"));
  EXPECT_THAT(said({{"iterations", 0}}), HasSubstr("iterations"));
  for (const char* name : {"../mine", "/tmp/mine", ".mine", "a/../../b", "", "a\\b"}) {
    EXPECT_NE(said({{"name", name}}), "") << name;
  }
  core::write_file_atomically(desk.path("no.h5"), [](std::ostream& out) { out << "text"; });
  EXPECT_NE(desk.refusal([&] { desk.get("/api/solution", {{"file", "no.h5"}}); }), "");
  EXPECT_NE(desk.refusal([&] { desk.get("/api/solution", {{"file", "../no.h5"}}); }), "");
  EXPECT_NE(desk.refusal([&] {
    desk.get("/api/solution/node", {{"file", "../../etc/passwd"}, {"node", ""}});
  }),
            "");
}

}  // namespace
}  // namespace cleave::server
