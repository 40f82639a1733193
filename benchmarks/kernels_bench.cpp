#include <benchmark/benchmark.h>

#include <cstring>

#include "core/aligned.h"
#include "core/random.h"
#include "kernels/plain.h"

// Kernels against the machine: bytes per second beside what plain copying reaches in the same run.
// Sizes: 64 KiB stays in L2, 8 MiB in L3, 256 MiB comes from memory.
namespace {

using namespace cleave;
using core::Reals;

Reals random_reals(size_t n) {
  core::Random random(n);
  Reals out(n);
  for (double& x : out) x = random.uniform();
  return out;
}

void report(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}

// The measure of the machine: the C library's search for a byte that is not there reads as fast as
// one core can.
void read(benchmark::State& state) {
  const std::vector<char> a(static_cast<size_t>(state.range(0)), 1);
  for (auto _ : state) benchmark::DoNotOptimize(std::memchr(a.data(), 0, a.size()));
  report(state, a.size());
}

// Blocks of 6 x 6 as in Liar's Dice, as doubles or as multiples of a unit; bytes are the values
// with their padding.
template <class Value>
void multiply_blocks(benchmark::State& state) {
  constexpr uint32_t kRows = 6;
  constexpr uint32_t kColumns = 6;
  constexpr size_t kStride = 8;
  constexpr bool kWhole = sizeof(Value) == sizeof(int16_t);
  const size_t count = static_cast<size_t>(state.range(0)) / (kStride * kColumns * sizeof(Value));
  const Reals values = random_reals(kWhole ? 0 : count * kStride * kColumns);
  const std::vector<int16_t> multiples(kWhole ? count * kStride * kColumns : 0, 3);
  std::vector<kernels::Block> blocks;
  std::vector<uint32_t> index;
  for (uint32_t b = 0; b < count; ++b) {
    blocks.push_back(
        {b * kStride * kColumns, index.size(), kRows, kColumns, kWhole ? 1.0 / 36 : 0});
    for (uint32_t i = 0; i < kRows + kColumns; ++i) index.push_back(b * kRows + i % kRows);
  }
  const Reals x = random_reals(count * kRows);
  Reals out(count * kRows);
  Reals check(count * kRows);
  const kernels::Matrix matrix{blocks, index.data(), values.data(), multiples.data()};
  kernels::multiply_blocks(matrix, x.data(), out.data());
  kernels::plain::multiply_blocks(matrix, x.data(), check.data());
  if (std::memcmp(out.data(), check.data(), out.size() * sizeof(double)) != 0) {
    state.SkipWithError("kernel and plain twin differ");
    return;
  }
  for (auto _ : state) {
    kernels::multiply_blocks(matrix, x.data(), out.data());
    benchmark::ClobberMemory();
  }
  report(state, count * kStride * kColumns * sizeof(Value));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(count) * kRows * kColumns);
}

// One group after another, two actions: reads q, regret and strategy, writes the last two and
// values.
void update_groups(benchmark::State& state) {
  constexpr size_t kWidth = 512;
  constexpr size_t kActions = 2;
  const size_t group = kWidth * kActions;
  const size_t count = static_cast<size_t>(state.range(0)) / (group * sizeof(double) * 3);
  const Reals q = random_reals(count * group);
  Reals regret = random_reals(count * group);
  Reals strategy = random_reals(count * group);
  Reals value(count * kWidth);
  for (auto _ : state) {
    for (size_t g = 0; g < count; ++g) {
      kernels::update_group({.floor = true}, kActions, kWidth, q.data() + g * group,
                            regret.data() + g * group, strategy.data() + g * group,
                            value.data() + g * kWidth);
    }
    benchmark::ClobberMemory();
  }
  report(state, count * (5 * group + kWidth) * sizeof(double));
}

void descend_groups(benchmark::State& state) {
  constexpr size_t kWidth = 512;
  constexpr size_t kActions = 2;
  const size_t group = kWidth * kActions;
  const size_t count = static_cast<size_t>(state.range(0)) / (group * sizeof(double) * 3);
  const Reals strategy = random_reals(count * group);
  Reals average = random_reals(count * group);
  Reals reach = random_reals((count + 1) * group);
  std::vector<uint32_t> parent(count * kWidth);
  for (size_t i = 0; i < parent.size(); ++i) {
    parent[i] = static_cast<uint32_t>(i / kWidth * group + i % group);
  }
  for (auto _ : state) {
    for (size_t g = 0; g < count; ++g) {
      kernels::descend_and_average_group(kActions, kWidth, parent.data() + g * kWidth,
                                         strategy.data() + g * group, reach.data(), (g + 1) * group,
                                         0.9, average.data() + g * group);
    }
    benchmark::ClobberMemory();
  }
  report(state,
         count * (4 * group * sizeof(double) + kWidth * (sizeof(double) + sizeof(uint32_t))));
}

BENCHMARK(read)->Arg(64 << 10)->Arg(8 << 20)->Arg(256 << 20);
BENCHMARK(multiply_blocks<double>)->Arg(64 << 10)->Arg(8 << 20)->Arg(256 << 20);
BENCHMARK(multiply_blocks<int16_t>)->Arg(16 << 10)->Arg(2 << 20)->Arg(64 << 20);
BENCHMARK(update_groups)->Arg(64 << 10)->Arg(8 << 20)->Arg(256 << 20);
BENCHMARK(descend_groups)->Arg(64 << 10)->Arg(8 << 20)->Arg(256 << 20);

}  // namespace
