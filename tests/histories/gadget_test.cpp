#include "decompose/gadget.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "decompose/gadgets/gadgets.h"
#include "decompose/method.h"

namespace cleave::histories {
namespace {

std::string error_of(std::string_view spec) {
  try {
    decompose::make_method(spec);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

decompose::GadgetInput two_states() {
  return {
      .trunk_reach = {1, 0.5}, .counterfactual_reach = {0.5, 0.25}, .alternatives = {{1, 2}, {}}};
}

TEST(Gadget, UnsafeBringsAsMuchAsEnteringAlways) {
  const auto gadget = decompose::make_gadget(decompose::make_method("unsafe"), two_states());
  std::vector<double> reach(2);
  gadget->enter(reach);
  EXPECT_DOUBLE_EQ(reach[0], 2 * reach[1]);
  EXPECT_DOUBLE_EQ(0.5 * reach[0] + 0.25 * reach[1], 0.75);
}

TEST(Gadget, UnsafeRefusesToEnterWithNothing) {
  decompose::GadgetInput input = two_states();
  input.trunk_reach = {0, 0};
  for (const char* name : {"unsafe", "combined"}) {
    EXPECT_THROW(decompose::make_gadget(decompose::make_method(name), input), core::InputError)
        << name;
  }
}

// Entering is worth more than the alternative in the first state only.
TEST(Gadget, ResolveLearnsWhereToEnter) {
  const auto gadget = decompose::make_gadget(decompose::make_method("resolve"), two_states());
  std::vector<double> reach(2);
  for (int t = 0; t < 100; ++t) {
    gadget->enter(reach);
    gadget->learn({}, std::vector<double>{0.6, 0.4});  // V = 1.2 and 1.6
  }
  gadget->enter(reach);
  EXPECT_NEAR(reach[0], 1, 1e-12);
  EXPECT_NEAR(reach[1], 0, 1e-12);
}

TEST(Gadget, MaxmarginPicksTheSmallestMargin) {
  const auto gadget = decompose::make_gadget(decompose::make_method("maxmargin"), two_states());
  std::vector<double> reach(2);
  for (int t = 0; t < 100; ++t) {
    gadget->enter(reach);
    EXPECT_NEAR(reach[0] * 0.5 + reach[1] * 0.25, 1, 1e-12);
    gadget->learn({}, std::vector<double>{0.6, 0.4});  // margins -0.2 and 0.4
  }
  gadget->enter(reach);
  EXPECT_NEAR(reach[0], 2, 1e-12);
}

double simpson(double value, double mean, double deviation, double temperature) {
  const int n = 20000;
  const double width = 20 * deviation / n;
  double sum = 0;
  for (int i = 0; i <= n; ++i) {
    const double x = mean - 10 * deviation + width * i;
    const double z = (x - mean) / deviation;
    const double density = std::exp(-z * z / 2) / (deviation * std::sqrt(2 * M_PI));
    const double f = density / (1 + std::exp((x - value) / temperature));
    sum += f * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum * width / 3;
}

TEST(Gadget, HedgeIntegralEqualsSimpsonsRule) {
  for (const double temperature : {0.01, 0.3, 1.0, 5.0}) {
    for (const double deviation : {0.1, 1.0, 4.0}) {
      for (const double value : {-3.0, 0.0, 0.5, 2.0}) {
        EXPECT_NEAR(decompose::softened_probability(value, 0.2, deviation, temperature),
                    simpson(value, 0.2, deviation, temperature), 4e-3)
            << temperature << " " << deviation << " " << value;
      }
    }
  }
  EXPECT_NEAR(decompose::softened_probability(1, 0, 1, 0), 0.841344746, 1e-9);
  EXPECT_EQ(decompose::softened_probability(1, 0, 0, 0), 1);
}

TEST(Gadget, DistributionalNarrowsToResolve) {
  decompose::GadgetInput input = two_states();
  input.alternatives.deviation = {1e-9, 1e-9};
  const auto gadget =
      decompose::make_gadget(decompose::make_method("distributional(form=best-response)"), input);
  gadget->learn({}, std::vector<double>{0.6, 0.4});
  std::vector<double> reach(2);
  gadget->enter(reach);
  EXPECT_EQ(reach[0], 1);
  EXPECT_EQ(reach[1], 0);
}

TEST(Method, NamesCompose) {
  const decompose::Method method =
      decompose::make_method("reach-estimated+distributional(gifts=single,form=hedge)");
  EXPECT_EQ(method.gadget->name, "distributional");
  EXPECT_TRUE(method.estimated);
  EXPECT_EQ(method.gifts.kind, decompose::GiftRule::Kind::kSingle);
  EXPECT_FALSE(method.safe);
  EXPECT_TRUE(decompose::make_method("reach-maxmargin").safe);
  EXPECT_TRUE(decompose::make_method("reach-resolve(bound=false)").safe);
  EXPECT_FALSE(decompose::make_method("reach-maxmargin(scale=2)").safe);
  EXPECT_FALSE(decompose::make_method("estimated").safe);
  EXPECT_EQ(decompose::make_method("estimated").gadget->name, "resolve");
  for (const std::string& name : decompose::all_methods()) {
    EXPECT_FALSE(decompose::make_method(name).condition.empty()) << name;
  }
}

TEST(Method, ErrorsSayWhatIsAllowed) {
  EXPECT_NE(error_of("minmargin").find("allowed are [reach-][estimated+]GADGET"),
            std::string::npos);
  EXPECT_NE(error_of("reach-unsafe").find("has no alternative payoffs"), std::string::npos);
  EXPECT_NE(error_of("maxmargin(gifts=split)").find("gifts"), std::string::npos);
  EXPECT_NE(error_of("combined(weight=2)").find("weight"), std::string::npos);
}

// A place where the opponent has two private states, the second impossible.
class TwoStates final : public decompose::Engine {
 public:
  size_t num_states(size_t) const override { return 2; }
  void counterfactual_reach(size_t, std::span<const double> other_reach,
                            std::span<double> rho) const override {
    rho[0] = 0.5 * other_reach[0];
    rho[1] = 0;
  }
  void reset() override { FAIL(); }
  void descend(size_t, std::span<const double>, double) override { FAIL(); }
  void follow(size_t, std::span<const double>) override { FAIL(); }
  void learn(size_t, const kernels::RegretUpdate&, std::span<double>) override { FAIL(); }
  void values(size_t, decompose::Follow, std::span<const double>, std::span<double>) override {
    FAIL();
  }
  decompose::DecisionValues decision_values(size_t, decompose::Follow,
                                            std::span<const double>) override {
    return {};
  }
  size_t num_leaves() const override { return 0; }
  size_t num_leaf_states(size_t, size_t) const override { return 0; }
  void leaf_reach(size_t, size_t, std::span<double>) const override { FAIL(); }
  void set_leaf_values(size_t, size_t, std::span<const double>) override { FAIL(); }
  size_t num_decisions() const override { return 0; }
  decompose::Decision decision(size_t) const override { return {}; }
  void strategy(size_t, std::span<double>) override { FAIL(); }
  void set_strategy(size_t, std::span<const double>) override { FAIL(); }
  void fix(size_t, std::span<const double>) override { FAIL(); }
  size_t learning_bytes() const override { return 0; }
};

// For player two; player one passed two of its decisions on the way to the first state.
decompose::Entrance entrance() {
  decompose::Summary summary;
  summary.reach = {{{0.25, 0.75}, {1, 1}}};
  summary.value = {{{0.3, 0}, {0, 0}}};
  summary.best_response = {{{0.4, 0}, {0, 0}}};
  return {.summary = summary,
          .way = {{{.rho = 1, .best = 0.2, .guaranteed = 0.1, .other = 0.15, .sole = true},
                   {.rho = 2, .best = 2, .guaranteed = 1, .other = 0.05, .sole = false}},
                  {}}};
}

decompose::GadgetInput input_of(const char* method, const decompose::Entrance& from) {
  return decompose::make_gadget_input(decompose::make_method(method), TwoStates(), 1, from);
}

TEST(Method, AlternativesAddGiftsByTheirRule) {
  const auto mean = [](const char* name) { return input_of(name, entrance()).alternatives.mean; };
  EXPECT_DOUBLE_EQ(mean("resolve")[0], 0.8);
  EXPECT_DOUBLE_EQ(mean("estimated")[0], 0.6);
  EXPECT_DOUBLE_EQ(mean("reach-resolve")[0], 0.8 + 0.6);
  EXPECT_DOUBLE_EQ(mean("reach-resolve(bound=false)")[0], 0.8 + 1.2);
  EXPECT_DOUBLE_EQ(mean("reach-resolve(gifts=single)")[0], 0.8 + 0.4);
  EXPECT_DOUBLE_EQ(mean("reach-resolve(bound=false,scale=3)")[0], 0.8 + 3.6);
  EXPECT_EQ(mean("reach-resolve")[1], 0);
  EXPECT_NEAR(input_of("distributional", entrance()).alternatives.deviation[0], 0.2, 1e-15);
  // The best way out brought 0.15 more than coming here.
  EXPECT_DOUBLE_EQ(mean("path-recovery")[0], 0.6 + 0.3);
  // Of two deals that are solved as one each is half of what a gift leads to.
  decompose::Entrance two_deals = entrance();
  for (decompose::Passed& at : two_deals.way[0]) at.images = 2;
  EXPECT_DOUBLE_EQ(input_of("reach-resolve(gifts=single)", two_deals).alternatives.mean[0],
                   0.8 + 0.2);
  EXPECT_DOUBLE_EQ(input_of("reach-resolve", two_deals).alternatives.mean[0], 0.8 + 0.6);
}

TEST(Method, AnOpponentWhoNeverComesMayComeWithAnything) {
  decompose::Entrance from = entrance();
  EXPECT_EQ(input_of("unsafe", from).trunk_reach, (std::vector<double>{0.25, 0.75}));
  for (const std::vector<double>& never : {std::vector<double>{0, 0}, std::vector<double>{0, 1}}) {
    from.summary.reach[0] = never;
    for (const char* name : {"unsafe", "combined"}) {
      const decompose::GadgetInput input = input_of(name, from);
      EXPECT_EQ(input.trunk_reach, (std::vector<double>{1, 1})) << name;
      EXPECT_NO_THROW(decompose::make_gadget(decompose::make_method(name), input)) << name;
    }
  }
}

}  // namespace
}  // namespace cleave::histories
