#include "decompose/gadget.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "decompose/gadgets/distributional.h"
#include "decompose/method.h"

namespace cleave::decompose {
namespace {

std::string error_of(std::string_view spec) {
  try {
    make_method(spec);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "no error";
}

GadgetInput two_states() {
  return {
      .trunk_reach = {1, 0.5}, .counterfactual_reach = {0.5, 0.25}, .alternatives = {{1, 2}, {}}};
}

TEST(Gadget, UnsafeBringsAsMuchAsEnteringAlways) {
  const auto gadget = make_gadget(make_method("unsafe"), two_states());
  std::vector<double> reach(2);
  gadget->enter(reach);
  EXPECT_DOUBLE_EQ(reach[0], 2 * reach[1]);
  EXPECT_DOUBLE_EQ(0.5 * reach[0] + 0.25 * reach[1], 0.75);
}

TEST(Gadget, UnsafeRefusesATrunkThatNeverComes) {
  GadgetInput input = two_states();
  input.trunk_reach = {0, 0};
  for (const char* name : {"unsafe", "combined"}) {
    EXPECT_THROW(make_gadget(make_method(name), input), core::InputError) << name;
  }
}

// Entering is worth more than the alternative in the first state only.
TEST(Gadget, ResolveLearnsWhereToEnter) {
  const auto gadget = make_gadget(make_method("resolve"), two_states());
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
  const auto gadget = make_gadget(make_method("maxmargin"), two_states());
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
        EXPECT_NEAR(softened_probability(value, 0.2, deviation, temperature),
                    simpson(value, 0.2, deviation, temperature), 4e-3)
            << temperature << " " << deviation << " " << value;
      }
    }
  }
  EXPECT_NEAR(softened_probability(1, 0, 1, 0), 0.841344746, 1e-9);
  EXPECT_EQ(softened_probability(1, 0, 0, 0), 1);
}

TEST(Gadget, DistributionalNarrowsToResolve) {
  GadgetInput input = two_states();
  input.alternatives.deviation = {1e-9, 1e-9};
  const auto gadget = make_gadget(make_method("distributional(form=best-response)"), input);
  gadget->learn({}, std::vector<double>{0.6, 0.4});
  std::vector<double> reach(2);
  gadget->enter(reach);
  EXPECT_EQ(reach[0], 1);
  EXPECT_EQ(reach[1], 0);
}

TEST(Method, NamesCompose) {
  const Method method = make_method("reach-estimated+distributional(gifts=single,form=hedge)");
  EXPECT_EQ(method.gadget->name, "distributional");
  EXPECT_TRUE(method.estimated);
  EXPECT_EQ(method.gifts.kind, GiftRule::Kind::kSingle);
  EXPECT_FALSE(method.safe);
  EXPECT_TRUE(make_method("reach-maxmargin").safe);
  EXPECT_TRUE(make_method("reach-resolve(bound=false)").safe);
  EXPECT_FALSE(make_method("reach-maxmargin(scale=2)").safe);
  EXPECT_FALSE(make_method("estimated").safe);
  EXPECT_EQ(make_method("estimated").gadget->name, "resolve");
  for (const std::string& name : all_methods()) {
    EXPECT_FALSE(make_method(name).condition.empty()) << name;
  }
}

TEST(Method, ErrorsSayWhatIsAllowed) {
  EXPECT_NE(error_of("minmargin").find("allowed are [reach-][estimated+]GADGET"),
            std::string::npos);
  EXPECT_NE(error_of("reach-unsafe").find("has no alternative payoffs"), std::string::npos);
  EXPECT_NE(error_of("maxmargin(gifts=split)").find("gifts"), std::string::npos);
  EXPECT_NE(error_of("combined(weight=2)").find("weight"), std::string::npos);
}

TEST(Method, AlternativesAddGiftsByTheirRule) {
  const std::vector<double> rho = {0.5, 0.0};
  const std::vector<double> best = {0.4, 0.0};
  const std::vector<double> estimate = {0.3, 0.0};
  const std::vector<std::vector<Gift>> gifts = {
      {{.gain = 0.2, .bound = 0.1, .reach = 0.5, .sole = true},
       {.gain = 1, .bound = 0.5, .reach = 0.25, .sole = false}},
      {}};
  const auto mean = [&](const char* name) {
    return make_alternatives(make_method(name), rho, best, estimate, gifts).mean;
  };
  EXPECT_DOUBLE_EQ(mean("resolve")[0], 0.8);
  EXPECT_DOUBLE_EQ(mean("estimated")[0], 0.6);
  EXPECT_DOUBLE_EQ(mean("reach-resolve")[0], 0.8 + 0.6);
  EXPECT_DOUBLE_EQ(mean("reach-resolve(bound=false)")[0], 0.8 + 1.2);
  EXPECT_DOUBLE_EQ(mean("reach-resolve(gifts=single)")[0], 0.8 + 0.4);
  EXPECT_DOUBLE_EQ(mean("reach-resolve(bound=false,scale=3)")[0], 0.8 + 3.6);
  EXPECT_EQ(mean("reach-resolve")[1], 0);
  EXPECT_NEAR(
      make_alternatives(make_method("distributional"), rho, best, estimate, gifts).deviation[0],
      0.2, 1e-15);
}

}  // namespace
}  // namespace cleave::decompose
