#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/aligned.h"
#include "core/random.h"
#include "kernels/plain.h"

namespace cleave::kernels {
namespace {

using core::Reals;

Reals random_reals(core::Random& random, size_t n, double zero_share = 0.2) {
  Reals out(n);
  for (double& x : out) x = random.uniform() < zero_share ? 0 : 2 * random.uniform() - 1;
  return out;
}

// Equal to the last bit: the kernels promise it.
testing::AssertionResult same_bits(const Reals& a, const Reals& b) {
  if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0) {
    return testing::AssertionSuccess();
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(double)) != 0) {
      return testing::AssertionFailure() << "at " << i << ": " << a[i] << " and " << b[i];
    }
  }
  return testing::AssertionFailure() << "sizes differ";
}

TEST(Kernels, MultiplyBlocksEqualsPlain) {
  core::Random random(1);
  for (uint32_t rows = 1; rows <= 21; ++rows) {
    for (const uint32_t columns : {1U, 2U, 5U, 6U, 13U}) {
      const size_t stride = (rows + kLanes - 1) / kLanes * kLanes;
      // Two blocks, so that strides, offsets and scattered rows are exercised.
      std::vector<uint32_t> index;
      for (uint32_t b = 0; b < 2; ++b) {
        for (uint32_t r = 0; r < rows; ++r) index.push_back(2 * r + b);
        for (uint32_t c = 0; c < columns; ++c) index.push_back((7 * c + b) % 31);
      }
      const Reals values = random_reals(random, stride * columns);
      std::vector<int16_t> multiples(stride * columns);
      for (int16_t& m : multiples) m = static_cast<int16_t>(random.next());
      const std::vector<Block> blocks = {{0, 0, rows, columns, 0},
                                         {0, rows + columns, rows, columns, 0.37}};
      const Reals x = random_reals(random, 32);
      Reals fast(2 * rows + 2, 7.0);
      Reals slow = fast;
      const Matrix matrix{blocks, index.data(), values.data(), multiples.data()};
      multiply_blocks(matrix, x.data(), fast.data());
      plain::multiply_blocks(matrix, x.data(), slow.data());
      EXPECT_TRUE(same_bits(fast, slow)) << rows << " rows, " << columns << " columns";
    }
  }
}

TEST(Kernels, UpdateGroupEqualsPlain) {
  core::Random random(2);
  for (const RegretUpdate& update :
       {RegretUpdate{}, RegretUpdate{.floor = true}, RegretUpdate{.floor = true, .predict = true},
        RegretUpdate{.positive_scale = 0.7, .negative_scale = 0.3},
        RegretUpdate{.positive_scale = 0.7, .negative_scale = 1e-200, .predict = true}}) {
    for (size_t actions = 1; actions <= 5; ++actions) {
      for (const size_t width : {4, 8, 12, 64}) {
        const size_t n = actions * width;
        const Reals q = random_reals(random, n);
        Reals regret = random_reals(random, n);
        if (update.floor) {
          for (double& r : regret) r = std::max(r, 0.0);
        }
        if (!update.floor) regret[0] = -1e-249;  // close to where regrets become zero
        Reals strategy = random_reals(random, n);
        Reals value(width);
        Reals regret2 = regret;
        Reals strategy2 = strategy;
        Reals value2 = value;
        update_group(update, actions, width, q.data(), regret.data(), strategy.data(),
                     value.data());
        plain::update_group(update, actions, width, q.data(), regret2.data(), strategy2.data(),
                            value2.data());
        EXPECT_TRUE(same_bits(regret, regret2));
        EXPECT_TRUE(same_bits(strategy, strategy2));
        EXPECT_TRUE(same_bits(value, value2));
        for (size_t m = 0; m < width; ++m) {
          double sum = 0;
          for (size_t a = 0; a < actions; ++a) sum += strategy[a * width + m];
          EXPECT_NEAR(sum, 1, 1e-12);
        }
      }
    }
  }
}

TEST(Kernels, DescendAndAverageEqualPlain) {
  core::Random random(3);
  for (size_t actions = 1; actions <= 4; ++actions) {
    for (const size_t width : {4, 16}) {
      const size_t first = 16;
      const size_t n = actions * width;
      std::vector<uint32_t> parent(width);
      for (uint32_t& p : parent) p = static_cast<uint32_t>(random.below(first));
      const Reals strategy = random_reals(random, n);
      Reals reach = random_reals(random, first + n);
      Reals reach2 = reach;
      Reals average = random_reals(random, n);
      Reals average2 = average;
      descend_and_average_group(actions, width, parent.data(), strategy.data(), reach.data(), first,
                                0.9, average.data());
      plain::descend_and_average_group(actions, width, parent.data(), strategy.data(),
                                       reach2.data(), first, 0.9, average2.data());
      EXPECT_TRUE(same_bits(reach, reach2));
      EXPECT_TRUE(same_bits(average, average2));
    }
  }
}

TEST(Kernels, ValuesEqualPlain) {
  core::Random random(4);
  for (size_t actions = 1; actions <= 4; ++actions) {
    const size_t width = 8;
    const Reals q = random_reals(random, actions * width);
    Reals fast(width);
    Reals slow(width);
    maximise_group(actions, width, q.data(), fast.data());
    plain::maximise_group(actions, width, q.data(), slow.data());
    EXPECT_TRUE(same_bits(fast, slow));
  }
}

}  // namespace
}  // namespace cleave::kernels
