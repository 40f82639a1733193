#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "decompose/method.h"
#include "decompose/resolver.h"
#include "hands/spot_solver.h"

// A hold'em subgame is a subgame: what is below a deal of a turn spot, re-solved against the values
// that the opponent has in a coarse solution of the whole.
namespace cleave::hands {
namespace {

Problem turn_spot() {
  return make_problem(poker::parse_spot(R"(
board = "Ts8h5d2c"
pot = 60
stack = 150
[range]
oop = "TT+,AT,KT,98s,76s,AK"
ip = "99+,AT+,T9s,87s,65s,QJs"
[sizes]
bet = "60%,a"
raise = "a"
)",
                                        "turn.toml"));
}

// The largest gain of the opponent at one of its hands, in chips: what a safe method keeps at most
// at its solving error.
double largest_gain(const std::vector<double>& now, const std::vector<double>& before,
                    const std::vector<double>& rho) {
  double gain = -INFINITY;
  for (size_t i = 0; i < rho.size(); ++i) {
    if (rho[i] > 1e-9) gain = std::max(gain, (now[i] - before[i]) / rho[i]);
  }
  return gain;
}

class HoldemSubgame : public testing::TestWithParam<const char*> {};

TEST_P(HoldemSubgame, ReSolvedGivesTheOpponentNoMoreThanBefore) {
  const decompose::Method method = decompose::make_method(GetParam());
  SpotSolver whole(turn_spot(), {.storage = Storage::kF64});
  for (int i = 0; i < 40; ++i) whole.iterate();
  const Layout& layout = whole.engine().layout();
  const Street& turn = layout.streets[0];
  ASSERT_GE(turn.exits.size(), 3u);
  for (size_t exit = 0; exit < turn.exits.size(); ++exit) {
    const uint32_t deal = turn.exits[exit];
    const View view = whole.engine().look(0, 0, deal, whole.problem().reach);
    const auto setup = below(layout.setup, turn.nodes[deal].source, layout.setup.board);
    const auto engine = make_vector_engine(sketch_layout(setup), {Storage::kF64, 1, {}});
    for (size_t h = 0; h < 2; ++h) {
      const size_t o = 1 - h;
      engine->reset();
      std::vector<double> rho(setup.hands[o].size());
      engine->counterfactual_reach(o, view.reach[h], rho);
      const decompose::Entrance entrance{{view.reach, view.values, view.best_response}};
      const auto gadget = decompose::make_gadget(
          method, decompose::make_gadget_input(method, *engine, h, entrance));
      decompose::Resolver resolver(*engine, *gadget, h, view.reach[h],
                                   solve::make_schedule("dcfr(gamma=3)"));
      for (int i = 0; i < 300; ++i) resolver.iterate();
      std::vector<double> now(rho.size());
      engine->best_response(o, view.reach[h], now);
      const double pot =
          60 + 2 * static_cast<double>(layout.setup.tree.nodes[turn.nodes[deal].source].put[0]);
      const double gain = largest_gain(now, view.best_response[o], rho);
      EXPECT_LT(gain, 0.003 * pot) << "exit " << exit << " hero " << h;
      // A coarse solution leaves something to gain: the margins are not all nothing.
      double total = 0;
      for (size_t i = 0; i < now.size(); ++i) total += now[i] - view.best_response[o][i];
      EXPECT_LT(total, 0) << "exit " << exit << " hero " << h;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Safe, HoldemSubgame, testing::Values("resolve", "maxmargin"));

}  // namespace
}  // namespace cleave::hands
