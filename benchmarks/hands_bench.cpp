#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/aligned.h"
#include "core/random.h"
#include "kernels/plain.h"
#include "poker/evaluator.h"

// The vector engine's kernels against their plain twins (simd:0) and, where a game's worth of nodes
// streams through, against the machine: update_in_place below, `read` in kernels_bench.cpp. Bytes
// are those of the large arrays; items are additions, multiplications and divisions.
namespace {

using namespace cleave;
using kernels::kTile;
template <class Real>
using Row = core::AlignedVector<Real>;

constexpr size_t kHands = 255;  // padded to 256

template <class Real>
Row<Real> random_row(size_t n, double from = -1) {
  core::Random random(n);
  Row<Real> out(n);
  for (Real& x : out) x = static_cast<Real>(from + (1 - from) * random.uniform());
  return out;
}

template <class Real>
const kernels::HandKernels<Real>& table(bool simd) {
  return simd ? kernels::hand_kernels<Real>() : kernels::plain::hand_kernels<Real>();
}

// Runs `work(kernels)` with either table, compares what `results` then hold, and times it.
template <class Real, class Work>
void time(benchmark::State& state, bool simd, const Work& work, std::vector<Row<Real>*> results,
          size_t bytes, size_t flops) {
  std::vector<Row<Real>> before, plain;
  for (const auto* row : results) before.push_back(*row);
  work(table<Real>(false));
  for (size_t i = 0; i < results.size(); ++i) {
    plain.push_back(*results[i]);
    std::ranges::copy(before[i], results[i]->begin());
  }
  work(table<Real>(true));
  for (size_t i = 0; i < results.size(); ++i) {
    if (std::memcmp(results[i]->data(), plain[i].data(), plain[i].size() * sizeof(Real)) != 0) {
      state.SkipWithError("kernel and plain twin differ");
      return;
    }
  }
  before = plain = {};
  for (auto _ : state) {
    work(table<Real>(simd));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(flops));
}

// The measure of the machine for arrays that are read and written back.
void update_in_place(benchmark::State& state) {
  Row<float> row(static_cast<size_t>(state.range(0)) / sizeof(float), 1.0f);
  for (auto _ : state) {
    for (float& x : row) x *= -1.0f;
    benchmark::ClobberMemory();
  }
  if (std::abs(row.front()) != 1 || row.front() != row.back()) state.SkipWithError("wrong");
  state.SetBytesProcessed(state.iterations() * 2 * state.range(0));
}

// Arguments: actions, simd, bytes of the node arrays: either one node in cache or many, one after
// another; reach, children and action values stay in cache, as in the engine.
template <class Real>
struct Nodes {
  size_t actions, width = kernels::padded_hands(kHands), cells, count;
  bool simd;
  Row<Real> regret, average, reach, q, children, value;

  Nodes(const benchmark::State& state, size_t arrays)
      : actions(static_cast<size_t>(state.range(0))),
        cells(actions * width),
        count(std::max<size_t>(
            1, static_cast<size_t>(state.range(2)) / (arrays * cells * sizeof(Real)))),
        simd(state.range(1) != 0),
        regret(random_row<Real>(cells * count)),
        average(arrays == 1 ? cells : cells * count, Real{0.5}),
        reach(random_row<Real>(width, 0)),
        q(random_row<Real>(cells)),
        children(cells),
        value(width) {}
  kernels::NodeRows<Real> node(size_t i) {
    return {.num_actions = actions,
            .width = width,
            .regret = regret.data() + i * cells,
            .average = average.data() + (average.size() > cells ? i * cells : 0)};
  }
  size_t bytes(size_t arrays) const { return arrays * count * cells * sizeof(Real); }
};

template <class Real>
void hands_descend(benchmark::State& state) {
  Nodes<Real> n(state, 2);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    for (size_t i = 0; i < n.count; ++i) {
      kernel.descend(n.node(i), n.reach.data(), Real(0.9), n.children.data());
    }
  };
  time<Real>(state, n.simd, work, {&n.average, &n.children}, n.bytes(3),
             n.count * n.width * (5 * n.actions + 1));
}

template <class Real>
void hands_learn(benchmark::State& state) {
  Nodes<Real> n(state, 1);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    for (size_t i = 0; i < n.count; ++i) {
      kernel.learn({.positive_scale = 0.9, .negative_scale = 0.5}, n.node(i), n.q.data(),
                   n.value.data());
    }
  };
  time<Real>(state, n.simd, work, {&n.regret, &n.value}, n.bytes(2),
             n.count * n.width * (7 * n.actions + 1));
}

template <class Real>
void hands_follow(benchmark::State& state) {
  Nodes<Real> n(state, 2);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    for (size_t i = 0; i < n.count; ++i) {
      kernel.follow(n.node(i), n.reach.data(), n.children.data());
    }
  };
  time<Real>(state, n.simd, work, {&n.children}, n.bytes(1),
             n.count * n.width * (3 * n.actions + 1));
}

template <class Real>
void hands_mix(benchmark::State& state) {
  Nodes<Real> n(state, 2);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    for (size_t i = 0; i < n.count; ++i) kernel.mix(n.node(i), n.q.data(), n.value.data());
  };
  time<Real>(state, n.simd, work, {&n.value}, n.bytes(1), n.count * n.width * (4 * n.actions + 1));
}

// A full tile on the river Qs Jh 7c 4h 2d; both have the same kHands hands out of the 1081.
template <class Real>
struct River {
  std::vector<uint8_t> first, own_second, other_second;
  std::vector<uint16_t> same;
  std::vector<kernels::Meeting::Level> levels;
  kernels::TilePayoffs<Real> payoffs;
  Row<Real> reach, out, sums = Row<Real>(kernels::kCardRows * kTile);

  explicit River(size_t hands) : out(hands * kTile) {
    poker::CardSet board = 0;
    for (const poker::Card card : poker::parse_cards("Qs Jh 7c 4h 2d", "board")) {
      board |= poker::set_of(card);
    }
    std::vector<std::pair<poker::Card, poker::Card>> pairs;
    for (poker::Card a = 0; a < poker::kNumCards; ++a) {
      for (poker::Card b = 0; b < a; ++b) pairs.emplace_back(a, b);
    }
    std::erase_if(pairs, [board](const auto& hand) {
      return ((poker::set_of(hand.first) | poker::set_of(hand.second)) & board) != 0;
    });
    core::Random random(1);
    for (size_t i = 0; i < hands; ++i)
      std::swap(pairs[i], pairs[i + random.below(pairs.size() - i)]);
    pairs.resize(hands);
    const auto strength = [board](const auto& hand) {
      return poker::strength_of(board | poker::set_of(hand.first) | poker::set_of(hand.second));
    };
    std::ranges::sort(pairs, {}, strength);
    const auto end = static_cast<uint16_t>(hands);
    for (uint16_t i = 0; i < end; ++i) {
      first.push_back(pairs[i].first);
      own_second.push_back(pairs[i].second);
      same.push_back(i);
      if (i > 0 && strength(pairs[i]) != strength(pairs[i - 1u])) levels.push_back({i, i});
    }
    levels.push_back({end, end});
    reach = random_row<Real>(hands * kTile, 0);
    reach.resize((hands + 1) * kTile);
    const auto numbers = random_row<Real>(4 * kTile);
    std::copy_n(numbers.data(), kTile, payoffs.below);
    std::copy_n(numbers.data() + kTile, kTile, payoffs.up_to);
    std::copy_n(numbers.data() + 2 * kTile, kTile, payoffs.all);
    std::copy_n(numbers.data() + 3 * kTile, kTile, payoffs.same);
  }
  kernels::Meeting meeting() const {
    return {{first, own_second}, {first, own_second}, same, same, levels};
  }
  size_t bytes() const { return (reach.size() + out.size()) * sizeof(Real); }
};

// Arguments here and below: hands, simd.
template <class Real>
void hands_fold(benchmark::State& state) {
  const auto hands = static_cast<size_t>(state.range(0));
  River<Real> river(hands);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    kernel.fold(river.meeting(), river.payoffs, river.reach.data(), river.sums.data(),
                river.out.data());
  };
  time<Real>(state, state.range(1) != 0, work, {&river.out}, river.bytes(), hands * kTile * 8);
}

template <class Real>
void hands_showdown(benchmark::State& state) {
  const auto hands = static_cast<size_t>(state.range(0));
  River<Real> river(hands);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    kernel.showdown(river.meeting(), river.payoffs, river.reach.data(), river.sums.data(),
                    river.out.data());
  };
  time<Real>(state, state.range(1) != 0, work, {&river.out}, river.bytes(), hands * kTile * 16);
}

template <class Real>
void hands_all_in(benchmark::State& state) {
  const auto hands = static_cast<size_t>(state.range(0));
  const auto matrix = random_row<Real>(hands * hands);
  const auto reach = random_row<Real>(hands * kTile, 0), factor = random_row<Real>(kTile);
  Row<Real> out(hands * kTile);
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    kernel.all_in(hands, hands, matrix.data(), hands, 1, factor.data(), reach.data(), out.data());
  };
  time<Real>(state, state.range(1) != 0, work, {&out}, matrix.size() * sizeof(Real),
             kTile * hands * (2 * hands + 2));
}

template <class Real, bool kAdd>
void hands_gather(benchmark::State& state) {
  const auto hands = static_cast<size_t>(state.range(0));
  const auto in = random_row<Real>(hands);
  Row<Real> out(hands);
  core::Random random(2);
  std::vector<uint16_t> index(hands);
  for (uint16_t& i : index) i = static_cast<uint16_t>(random.below(hands));
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    (kAdd ? kernel.gather_add : kernel.gather)(hands, index.data(), in.data(), out.data());
  };
  time<Real>(state, state.range(1) != 0, work, {&out},
             hands * ((kAdd ? 3 : 2) * sizeof(Real) + sizeof(uint16_t)), kAdd ? hands : 0);
}

template <class Real, bool kBack>
void hands_tile(benchmark::State& state) {
  const auto hands = static_cast<size_t>(state.range(0));
  Row<Real> rows = random_row<Real>(hands * kTile), tile = random_row<Real>(hands * kTile);
  const Real* from[kTile];
  Real* to[kTile];
  for (size_t lane = 0; lane < kTile; ++lane) from[lane] = to[lane] = rows.data() + lane * hands;
  const auto work = [&](const kernels::HandKernels<Real>& kernel) {
    kBack ? kernel.from_tile(hands, tile.data(), to) : kernel.to_tile(hands, from, tile.data());
  };
  time<Real>(state, state.range(1) != 0, work, {kBack ? &rows : &tile},
             2 * rows.size() * sizeof(Real), 0);
}

// 16-bit storage.
template <bool kEncode>
void hands_storage(benchmark::State& state) {
  const auto count = static_cast<size_t>(state.range(0));
  const bool simd = state.range(1) != 0;
  const Row<float> values = random_row<float>(count);
  std::vector<int16_t> stored(count), check(count);
  Row<float> out(count), out_check(count);
  const float scale = kernels::encode(count, values.data(), stored.data());
  kernels::decode(count, stored.data(), scale, out.data());
  kernels::plain::decode(count, stored.data(), scale, out_check.data());
  if (kernels::plain::encode(count, values.data(), check.data()) != scale || stored != check ||
      out != out_check) {
    state.SkipWithError("kernel and plain twin differ");
    return;
  }
  for (auto _ : state) {
    if constexpr (kEncode) {
      benchmark::DoNotOptimize(
          (simd ? kernels::encode : kernels::plain::encode)(count, values.data(), stored.data()));
    } else {
      (simd ? kernels::decode : kernels::plain::decode)(count, stored.data(), scale, out.data(), 0);
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(count * (sizeof(float) + sizeof(int16_t))));
}

void in_cache(benchmark::internal::Benchmark* b) {
  b->ArgNames({"actions", "simd", "bytes"})->ArgsProduct({{2, 3}, {0, 1}, {1}});
}
void streaming(benchmark::internal::Benchmark* b) {
  b->ArgNames({"actions", "simd", "bytes"})->ArgsProduct({{2, 3}, {1}, {512 << 20}});
}
void by_hands(benchmark::internal::Benchmark* b) {
  b->ArgNames({"hands", "simd"})->ArgsProduct({{256, 1080}, {0, 1}});
}

BENCHMARK(update_in_place)->Arg(8 << 20)->Arg(512 << 20);
BENCHMARK(hands_descend<float>)->Apply(in_cache)->Apply(streaming);
BENCHMARK(hands_descend<double>)->Apply(in_cache);
BENCHMARK(hands_learn<float>)->Apply(in_cache)->Apply(streaming);
BENCHMARK(hands_learn<double>)->Apply(in_cache);
BENCHMARK(hands_follow<float>)->Apply(in_cache);
BENCHMARK(hands_mix<float>)->Apply(in_cache);
BENCHMARK(hands_fold<float>)->Apply(by_hands);
BENCHMARK(hands_fold<double>)->Apply(by_hands);
BENCHMARK(hands_showdown<float>)->Apply(by_hands);
BENCHMARK(hands_showdown<double>)->Apply(by_hands);
BENCHMARK(hands_all_in<float>)->Apply(by_hands);
BENCHMARK(hands_gather<float, false>)->Apply(by_hands);
BENCHMARK(hands_gather<float, true>)->Apply(by_hands);
BENCHMARK(hands_tile<float, false>)->Apply(by_hands);
BENCHMARK(hands_tile<float, true>)->Apply(by_hands);
BENCHMARK(hands_storage<false>)->Apply(by_hands);
BENCHMARK(hands_storage<true>)->Apply(by_hands);

}  // namespace
