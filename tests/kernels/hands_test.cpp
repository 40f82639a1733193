#include "kernels/hands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/aligned.h"
#include "core/random.h"
#include "kernels/plain.h"

namespace cleave::kernels {
namespace {

template <class Real>
using Row = core::AlignedVector<Real>;

template <class Real>
Row<Real> random_row(core::Random& random, size_t n, double zero_share = 0.2) {
  Row<Real> out(n);
  for (Real& x : out) {
    x = random.uniform() < zero_share ? 0 : static_cast<Real>(2 * random.uniform() - 1);
  }
  return out;
}

// Equal to the last bit: the kernels promise it.
template <class Real>
testing::AssertionResult same_bits(const Row<Real>& a, const Row<Real>& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(Real)) != 0) {
      return testing::AssertionFailure() << "at " << i << ": " << a[i] << " and " << b[i];
    }
  }
  if (a.size() != b.size()) return testing::AssertionFailure() << "sizes differ";
  return testing::AssertionSuccess();
}

// A node with memory of its own. One spare number before and eight behind: rows need not be
// aligned, and what stands beyond them must stay.
template <class Real>
struct Node {
  size_t actions, width;
  Row<Real> regret, prediction, average, children, value;

  Node(core::Random& random, size_t num_actions, size_t hands, bool predict, double empty_share)
      : actions(num_actions),
        width(hands),
        regret(random_row<Real>(random, actions * width + 9)),
        prediction(predict ? random_row<Real>(random, actions * width + 9) : Row<Real>()),
        average(random_row<Real>(random, actions * width + 9)),
        children(actions * width + 9, Real{7}),
        value(width + 9, Real{7}) {
    for (size_t m = 0; m < width; ++m) {
      const bool empty = random.uniform() < empty_share;
      for (size_t a = 0; a < actions; ++a) {
        Real& x = average[1 + a * width + m];
        x = empty ? 0 : std::abs(x) + static_cast<Real>(0.01);
      }
    }
    for (size_t a = 0; a < actions; ++a) regret[1 + a * width] = -Real{0};
  }

  NodeRows<Real> rows() {
    return {.num_actions = actions,
            .width = width,
            .regret = regret.data() + 1,
            .prediction = prediction.empty() ? nullptr : prediction.data() + 1,
            .average = average.data() + 1};
  }

  testing::AssertionResult equals(const Node& other) const {
    const Row<Real>* own[] = {&regret, &prediction, &average, &children, &value};
    const Row<Real>* others[] = {&other.regret, &other.prediction, &other.average, &other.children,
                                 &other.value};
    const char* names[] = {"regret", "prediction", "average", "children", "value"};
    for (size_t k = 0; k < 5; ++k) {
      if (auto result = same_bits(*own[k], *others[k]); !result) return result << ", " << names[k];
    }
    return testing::AssertionSuccess();
  }
};

template <class Real>
class HandKernelsTest : public testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;
  const HandKernels<Real>& fast_ = hand_kernels<Real>();
  const HandKernels<Real>& slow_ = plain::hand_kernels<Real>();
  core::Random random_{5};

  // Nodes of all the shapes that the kernels treat differently.
  template <class Check>
  void for_each_node(const Check& check) {
    for (size_t actions = 2; actions <= 7; ++actions) {
      for (const size_t width : {8, 16, 40, 256}) {
        for (const bool predict : {false, true}) {
          for (const double empty : {0.0, 0.3, 1.0}) {
            check(Node<Real>(random_, actions, width, predict, empty));
            if (this->HasFailure()) {
              FAIL() << actions << " actions, " << width << " hands, predict " << predict
                     << ", share of empty averages " << empty;
            }
          }
        }
      }
    }
  }
};

using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(HandKernelsTest, RealTypes);

TYPED_TEST(HandKernelsTest, DescendEqualsPlain) {
  this->for_each_node([&](Node<TypeParam> a) {
    const auto reach = random_row<TypeParam>(this->random_, a.width);
    auto b = a;
    this->fast_.descend(a.rows(), reach.data(), TypeParam(0.9), a.children.data() + 1);
    this->slow_.descend(b.rows(), reach.data(), TypeParam(0.9), b.children.data() + 1);
    EXPECT_TRUE(a.equals(b));
    for (size_t m = 0; m < a.width; ++m) {
      double sum = 0;
      for (size_t k = 0; k < a.actions; ++k) sum += a.children[1 + k * a.width + m];
      EXPECT_NEAR(sum, reach[m], this->kTolerance);
    }
  });
}

TYPED_TEST(HandKernelsTest, LearnEqualsPlain) {
  for (const RegretUpdate& update :
       {RegretUpdate{}, RegretUpdate{.floor = true},
        RegretUpdate{.positive_scale = 0.7, .negative_scale = 0.3},
        RegretUpdate{.positive_scale = 0.7, .negative_scale = 0, .floor = true}}) {
    this->for_each_node([&](Node<TypeParam> a) {
      if (update.floor) {
        for (TypeParam& r : a.regret) r = std::max(r, TypeParam{0});
      }
      auto q = random_row<TypeParam>(this->random_, a.actions * a.width);
      q[0] = -TypeParam{0};
      auto b = a;
      auto strategy = a;
      this->fast_.learn(update, a.rows(), q.data(), a.value.data() + 1);
      this->slow_.learn(update, b.rows(), q.data(), b.value.data() + 1);
      EXPECT_TRUE(a.equals(b));
      // The value is that of the strategy with which one descends.
      const Row<TypeParam> ones(a.width, TypeParam{1});
      this->slow_.descend(strategy.rows(), ones.data(), 1, strategy.children.data() + 1);
      for (size_t m = 0; m < a.width; ++m) {
        double v = 0;
        for (size_t i = m; i < q.size(); i += a.width) v += strategy.children[1 + i] * q[i];
        EXPECT_NEAR(v, a.value[1 + m], this->kTolerance);
      }
    });
  }
}

TYPED_TEST(HandKernelsTest, FollowAndMixEqualPlain) {
  this->for_each_node([&](Node<TypeParam> a) {
    const auto q = random_row<TypeParam>(this->random_, a.actions * a.width);
    const Row<TypeParam> ones(a.width, TypeParam{1});
    auto b = a;
    this->fast_.follow(a.rows(), ones.data(), a.children.data() + 1);
    this->slow_.follow(b.rows(), ones.data(), b.children.data() + 1);
    this->fast_.mix(a.rows(), q.data(), a.value.data() + 1);
    this->slow_.mix(b.rows(), q.data(), b.value.data() + 1);
    EXPECT_TRUE(a.equals(b));
    auto current = a;
    this->slow_.descend(current.rows(), ones.data(), 1, current.children.data() + 1);
    for (size_t m = 0; m < a.width; ++m) {
      double v = 0, sum = 0;
      for (size_t i = m; i < q.size(); i += a.width) sum += a.average[1 + i];
      for (size_t i = m; i < q.size(); i += a.width) {
        const double p = sum > 0 ? a.average[1 + i] / sum : current.children[1 + i];
        EXPECT_NEAR(a.children[1 + i], p, this->kTolerance);
        v += p * q[i];
      }
      EXPECT_NEAR(a.value[1 + m], v, this->kTolerance);
    }
  });
}

TYPED_TEST(HandKernelsTest, RowsEqualPlain) {
  for (size_t rows = 1; rows <= 7; ++rows) {
    for (const size_t width : {8, 24, 256}) {
      const auto in = random_row<TypeParam>(this->random_, rows * width);
      Row<TypeParam> a(width + 8, TypeParam{7}), b = a;
      this->fast_.add_rows(rows, width, in.data(), a.data());
      this->slow_.add_rows(rows, width, in.data(), b.data());
      EXPECT_TRUE(same_bits(a, b));
      this->fast_.maximise_rows(rows, width, in.data(), a.data());
      this->slow_.maximise_rows(rows, width, in.data(), b.data());
      EXPECT_TRUE(same_bits(a, b));
    }
  }
}

TYPED_TEST(HandKernelsTest, GatherEqualsPlain) {
  for (const size_t count : {8, 24, 1088}) {
    const auto in = random_row<TypeParam>(this->random_, 1327);
    std::vector<uint16_t> index(count);
    for (uint16_t& i : index) i = static_cast<uint16_t>(this->random_.below(in.size()));
    Row<TypeParam> a(count + 8, TypeParam{7}), b = a;
    this->fast_.gather(count, index.data(), in.data(), a.data());
    this->slow_.gather(count, index.data(), in.data(), b.data());
    EXPECT_TRUE(same_bits(a, b));
    this->fast_.gather_add(count, index.data(), in.data(), a.data());
    this->slow_.gather_add(count, index.data(), in.data(), b.data());
    EXPECT_TRUE(same_bits(a, b));
    EXPECT_EQ(a[count - 1], 2 * in[index[count - 1]]);
  }
}

TYPED_TEST(HandKernelsTest, TilesAndBack) {
  for (const size_t count : {8, 16, 40, 1088}) {
    std::vector<Row<TypeParam>> rows, back(kTile, Row<TypeParam>(count + 8, TypeParam{7}));
    for (size_t lane = 0; lane < kTile; ++lane) {
      rows.push_back(random_row<TypeParam>(this->random_, count));
    }
    const TypeParam* in[kTile];
    TypeParam* out[kTile];
    for (size_t lane = 0; lane < kTile; ++lane) in[lane] = rows[lane].data();
    for (size_t lane = 0; lane < kTile; ++lane) out[lane] = back[lane].data();
    Row<TypeParam> a(count * kTile + 8, TypeParam{7}), b = a;
    this->fast_.to_tile(count, in, a.data());
    this->slow_.to_tile(count, in, b.data());
    EXPECT_TRUE(same_bits(a, b));
    EXPECT_EQ(a[5 * kTile + 3], rows[3][5]);
    for (const auto* kernels : {&this->fast_, &this->slow_}) {
      for (auto& row : back) std::fill(row.begin(), row.begin() + count, TypeParam{3});
      kernels->from_tile(count, a.data(), out);
      for (size_t lane = 0; lane < kTile; ++lane) {
        EXPECT_EQ(std::vector(back[lane].begin() + count, back[lane].end()),
                  std::vector<TypeParam>(8, 7));
        EXPECT_TRUE(
            same_bits(Row<TypeParam>(back[lane].begin(), back[lane].begin() + count), rows[lane]));
      }
    }
  }
}

TEST(HandStorage, EncodesToANeighbouringStep) {
  core::Random random(6);
  for (const size_t count : {8, 16, 72, 2048}) {
    for (const float size : {1e-20f, 1.0f, 3e6f}) {
      auto values = random_row<float>(random, count);
      for (float& x : values) x *= size;
      std::vector<int16_t> a(count + 8, 7), b = a;
      const float scale = encode(count, values.data(), a.data());
      EXPECT_EQ(scale, plain::encode(count, values.data(), b.data()));
      EXPECT_EQ(a, b);
      Row<float> decoded(count + 8, 7.0f), check = decoded;
      decode(count, a.data(), scale, decoded.data());
      plain::decode(count, a.data(), scale, check.data());
      EXPECT_TRUE(same_bits(decoded, check));
      int largest = 0;
      for (size_t i = 0; i < count; ++i) {
        // A step, and the rounding of the scale itself.
        EXPECT_LE(std::abs(decoded[i] - values[i]), 1.01f * scale);
        EXPECT_TRUE(values[i] != 0 || decoded[i] == 0);
        largest = std::max(largest, std::abs(int{a[i]}));
      }
      EXPECT_GE(largest, 32766);
    }
  }
}

// A tenth of a step must come back as a tenth on average: to the nearest it would never come back.
TEST(HandStorage, RoundingIsRightOnAverage) {
  core::Random random(7);
  for (const float part : {0.1f, 0.37f, 0.5f, 0.9f}) {
    constexpr size_t kCount = 40000;
    Row<float> values(kCount + 8);
    std::vector<int16_t> stored(values.size());
    for (size_t i = 0; i < kCount; ++i) {
      const auto step = static_cast<float>(random.below(200)) - 100;
      values[i] = step + part + 1e-3f * static_cast<float>(random.below(100));
    }
    values[kCount] = 32767;  // makes a step 1
    const float scale = encode(values.size(), values.data(), stored.data());
    double error = 0;
    for (size_t i = 0; i < kCount; ++i) error += stored[i] * scale - values[i];
    // The deviation of one is at most half a step.
    EXPECT_LT(std::abs(error / kCount), 5 * 0.5 / std::sqrt(kCount)) << part;
  }
}

TEST(HandStorage, NothingToStoreHasScaleZero) {
  // Also what is so small that its scale would not be a normal number.
  for (const float size : {0.0f, 1e-36f, std::numeric_limits<float>::denorm_min()}) {
    Row<float> values(16);
    values[3] = size;
    values[5] = -size;
    std::vector<int16_t> a(16, 7), b(16, 7);
    EXPECT_EQ(encode(16, values.data(), a.data()), 0) << size;
    EXPECT_EQ(plain::encode(16, values.data(), b.data()), 0) << size;
    EXPECT_EQ(a, std::vector<int16_t>(16, 0)) << size;
    EXPECT_EQ(b, std::vector<int16_t>(16, 0)) << size;
  }
}

#if defined(__SSE2__)
TEST(FlushToZero, LastsAsLongAsItLives) {
  const volatile float tiny = 1e-40f, one = 1;
  volatile float product;
  const auto flushed = [&] {
    product = tiny * one;
    uint32_t bits;
    const float x = product;
    std::memcpy(&bits, &x, sizeof(bits));
    return bits == 0;
  };
  EXPECT_FALSE(flushed());
  {
    const FlushToZero outer;
    EXPECT_TRUE(flushed());
    { const FlushToZero inner; }
    EXPECT_TRUE(flushed());
  }
  EXPECT_FALSE(flushed());
}
#endif

}  // namespace
}  // namespace cleave::kernels
