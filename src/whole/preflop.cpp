#include "whole/preflop.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/random.h"

namespace cleave::whole {
namespace {

constexpr int kResamples = 200;

std::unique_ptr<hands::VectorEngine> make_preflop_engine(const Game& game, Blueprint& blueprint) {
  hands::Setup setup = game.setup();
  setup.last_street = 0;
  auto engine = hands::make_vector_engine(hands::sketch_layout(setup), {});
  // Averages of the first street stand first.
  const auto from = blueprint.trunk().arrays(false), to = engine->arrays(false);
  for (size_t i = 0; i < to.size(); ++i) {
    std::memcpy(to[i].bytes.data(), from[i].bytes.data(), to[i].bytes.size());
  }
  return engine;
}

}  // namespace

Preflop::Preflop(const Game& game, Blueprint& blueprint)
    : game_(game),
      engine_(make_preflop_engine(game, blueprint)),
      ones_(game.setup().hands[0].size(), 1.0) {}

void Preflop::add_deal(size_t deal, size_t player, size_t line, const float* values,
                       float* out) const {
  const hands::Board& board = game_.layout.streets[1].boards[deal];
  for (size_t image = 0; image < board.images.size(); ++image) {
    const uint16_t* back = board.side[player].back.data() + image * width();
    for (size_t j = 0; j < width(); ++j) out[line * width() + j] += values[back[j]];
  }
}

double Preflop::best_response(size_t player, const Deals& deals,
                              const std::vector<double>& weight) {
  const auto& boards = game_.layout.streets[1].boards;
  double all = 0, known = 0;
  std::vector<double> sum(size(), 0);
  for (size_t d = 0; d < deals.value.size(); ++d) {
    const auto images = static_cast<double>(boards[d].images.size());
    all += images;
    if (!deals.value[d] || weight[d] == 0) continue;
    known += weight[d] * images;
    for (size_t i = 0; i < sum.size(); ++i) {
      const float base = deals.base.empty() ? 0 : deals.base[d][i];
      sum[i] += weight[d] * (deals.value[d][i] - base);
    }
  }
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i] *= all / known;
    if (!deals.base.empty()) sum[i] += deals.base_of_all[i];
  }
  const auto p = static_cast<int>(player);
  std::vector<double> values;
  for (size_t line = 0; line < num_lines(); ++line) {
    values.assign(engine_->num_leaf_states(line, p), 0);
    std::copy_n(sum.begin() + static_cast<ptrdiff_t>(line * width()), values.size(),
                values.begin());
    engine_->set_leaf_values(line, p, values);
  }
  values.resize(ones_.size());
  engine_->best_response(p, ones_, values);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Estimate Preflop::best_responses(const std::array<Deals, 2>& deals) {
  const auto together = [&](const std::vector<double>& weight) {
    double sum = 0;
    for (size_t p = 0; p < 2; ++p) {
      if (!deals[p].value.empty()) sum += best_response(p, deals[p], weight);
    }
    return sum;
  };
  const auto& some = deals[0].value.empty() ? deals[1].value : deals[0].value;
  std::vector<size_t> known;
  for (size_t d = 0; d < some.size(); ++d) {
    if (some[d]) known.push_back(d);
  }
  return resampled(known, some.size(), hands::first_deals(game_.setup()).size(), together);
}

Estimate resampled(const std::vector<size_t>& known, size_t num_deals, size_t all,
                   const std::function<double(const std::vector<double>& weight)>& measure) {
  std::vector<double> weight(num_deals, 1);
  Estimate out{measure(weight), 0};
  // Deals that are left out are few where most are in: the error of a sample without repetition.
  const double left = 1 - static_cast<double>(known.size()) / static_cast<double>(all);
  if (left <= 0) return out;
  core::Random random(1);
  double sum = 0, squares = 0;
  for (int r = 0; r < kResamples; ++r) {
    std::ranges::fill(weight, 0.0);
    for (size_t i = 0; i < known.size(); ++i) weight[known[random.below(known.size())]] += 1;
    const double x = measure(weight) - out.value;
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kResamples;
  out.error = 1.96 * std::sqrt(std::max(0.0, squares / kResamples - mean * mean) * left);
  return out;
}

}  // namespace cleave::whole
