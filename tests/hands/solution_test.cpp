
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "hands/view.h"
#include "poker/spot.h"

// Solutions that are read on demand, against the solver that holds all of the file in memory.
namespace cleave::hands {
namespace {

constexpr const char* kFlop = R"(
board = "Td9d6h"
pot = 60
stack = 170
[range]
oop = "TT,99,A9s,KQs,87s:0.5,AhKd"
ip = "66,AT,JTs,76s,KdQd"
[sizes]
bet = "60%,a"
raise = "a"
[river]
bet = "a"
)";
constexpr const char* kLock = R"(
[[lock]]
node = "check"
hands = "JTs"
strategy = { check = 0.25, "bet 36" = 0.5, "allin 170" = 0.25 }
)";

class SolutionFile {
 public:
  SolutionFile(const std::string& text, Storage storage, int64_t iterations)
      : solver_(make_problem(poker::parse_spot(text, "test")), {.storage = storage, .threads = 2}) {
    path_ = std::filesystem::temp_directory_path() /
            ("cleave_solution_" + std::to_string(::getpid()) + ".h5");
    for (int64_t t = 0; t < iterations; ++t) solver_.iterate();
    solver_.save(path_, {}, false);
  }
  ~SolutionFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }
  SpotSolver& solver() { return solver_; }

 private:
  SpotSolver solver_;
  std::string path_;
};

// Nothing but the strategy is loaded: every value is worked out from all that is below.
std::unique_ptr<SpotSolver> loaded(const std::string& path) {
  const PokerFile file(path);
  auto solver = std::make_unique<SpotSolver>(parse_problem(file.problem(), file.name()),
                                             SolverOptions{.storage = file.options().storage});
  file.load(*solver, false);
  return solver;
}

void expect_same_views(const std::string& path) {
  Solution solution(path, 2);
  const auto solver = loaded(path);
  const Layout& layout = solver->engine().layout();
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    const Street& street = layout.streets[s];
    const size_t boards = std::min<size_t>(street.boards.size(), 2);
    for (uint32_t b = 0; b < boards; ++b) {
      for (uint32_t n = 0; n < street.nodes.size(); n += s == 2 ? 7 : 1) {
        const auto at = static_cast<int>(s);
        const auto& reach = solver->problem().reach;
        const View expected = solver->engine().look(at, b, n, reach);
        const View found = solution.engine().look(at, b, n, reach);
        ASSERT_EQ(found.reach, expected.reach) << s << " " << b << " " << n;
        ASSERT_EQ(found.values, expected.values) << s << " " << b << " " << n;
        ASSERT_EQ(found.best_response, expected.best_response) << s << " " << b << " " << n;
        if (street.nodes[n].kind != poker::BettingNode::Kind::kDecision) continue;
        ASSERT_EQ(solution.engine().strategy_at(at, b, n), solver->engine().strategy_at(at, b, n));
      }
    }
  }
}

TEST(Solution, LooksTheSameAsTheWholeFileLoaded) {
  for (const Storage storage : {Storage::kF32, Storage::kF64, Storage::kI16}) {
    const SolutionFile file(kFlop, storage, 7);
    expect_same_views(file.path());
  }
}

TEST(Solution, KeepsToLocks) {
  std::string spot = kFlop;
  spot += kLock;
  const SolutionFile file(spot, Storage::kF32, 5);
  expect_same_views(file.path());
  Solution solution(file.path(), 1);
  const NodeView view = view_node(solution, "check");
  for (const HandView& hand : view.side[1].hands) {
    const std::string name = poker::to_text(hand.cards);
    if (name[0] != 'J' || name[2] != 'T') continue;
    EXPECT_NEAR(hand.strategy[0], 0.25, 1e-6) << name;
    EXPECT_NEAR(hand.strategy[1], 0.5, 1e-6) << name;
  }
}

// Values are kept for the strategy in the file, not for what the solver goes on to learn.
TEST(Solution, LearningForgetsWhatWasMeasured) {
  SolutionFile file(kFlop, Storage::kF64, 3);
  SpotSolver& solver = file.solver();
  solver.iterate();
  const auto& reach = solver.problem().reach;
  const View looked = solver.engine().look(0, 0, 0, reach);
  std::vector<double> values(reach[0].size());
  solver.engine().values(0, decompose::Follow::kAverage, reach[1], values);
  EXPECT_EQ(looked.values[0], values);
}

TEST(Solution, OldFilesWithoutValuesAreReadToo) {
  const SolutionFile file(kFlop, Storage::kF32, 4);
  const auto solver = loaded(file.path());
  tree::Archive archive = tree::read_archive(file.path());
  const std::string old = file.path() + ".old.h5";
  tree::write_archive(archive, old, solver->engine().arrays(false));
  EXPECT_LT(std::filesystem::file_size(old), std::filesystem::file_size(file.path()));
  expect_same_views(old);
  std::filesystem::remove(old);
}

// What a deal is worth is the mean over its cards, by the chance of each. Without symmetry: hands
// that suits make of each other are learnt each by itself, and drift apart where actions tie.
TEST(Solution, RunoutsMakeUpTheDeal) {
  const SolutionFile file(std::string(kFlop) + "[tree]\nsymmetry = false\n", Storage::kF64, 10);
  Solution solution(file.path(), 1);
  for (const char* line : {"check/check", "check/check/2c/check/check"}) {
    const NodeView deal = view_node(solution, line);
    double weight = 0, value = 0;
    for (const Runout& runout : runouts(solution, deal)) {
      for (const poker::CardSet card : runout.cards) {
        const NodeView view = view_node(solution, deal.line + "/" + poker::to_text(card));
        double met = 0;
        for (const HandView& hand : view.side[0].hands) met += hand.weight;
        weight += met;
        value += met * view.side[0].value;
        EXPECT_NEAR(view.side[0].value, runout.view.side[0].value, 1e-9) << poker::to_text(card);
      }
    }
    EXPECT_NEAR(value / weight, deal.side[0].value, 1e-9) << line;
  }
}

TEST(Solution, OneHandIsAsInTheView) {
  const SolutionFile file(kFlop, Storage::kF64, 10);
  Solution solution(file.path(), 1);
  for (const char* line : {"", "check", "check/check/Qs", "check/check/Qc/bet 36"}) {
    const NodeView view = view_node(solution, line);
    const auto player = static_cast<size_t>(view.player);
    std::vector<double> combos(view.actions.size());
    for (const HandView& hand : view.side[player].hands) {
      EXPECT_EQ(strategy_at(solution, line, hand.cards), hand.strategy) << line;
      EXPECT_EQ(value_at(solution, line, player, hand.cards), hand.value) << line;
      for (size_t a = 0; a < combos.size(); ++a) combos[a] += hand.reach * hand.strategy[a];
    }
    EXPECT_EQ(view.combos, combos) << line;
  }
  EXPECT_TRUE(std::isnan(value_at(solution, "", 0, 0)));
}

TEST(Solution, StepsOfALine) {
  const SolutionFile file(kFlop, Storage::kF32, 1);
  Solution solution(file.path(), 1);
  const auto steps = follow_line(solution.engine().layout(), "check / bet 36/call/Qs");
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[1].text, "bet 36");
  EXPECT_EQ(steps[1].line, "check");
  EXPECT_EQ(steps[1].node.player, 1);
  EXPECT_EQ(steps[3].line, "check/bet 36/call");
  EXPECT_EQ(steps[3].node.kind, poker::BettingNode::Kind::kDeal);
  EXPECT_EQ(steps[3].node.put, (std::array<poker::Chips, 2>{36, 36}));
  EXPECT_TRUE(follow_line(solution.engine().layout(), "").empty());
}

}  // namespace
}  // namespace cleave::hands
