#include "solve/sampling.h"

#include <algorithm>

#include "core/error.h"

namespace cleave::solve {
namespace {

bool uniform_chance(const tree::Tree& tree, uint32_t history) {
  const auto begin = tree.probability.begin() + tree.child_begin[history];
  const auto end = tree.probability.begin() + tree.child_begin[history + 1];
  return std::all_of(begin, end, [&](double p) { return p == *begin; });
}

}  // namespace

std::vector<Step> make_steps(const tree::Tree& tree) {
  std::vector<Step> steps(tree.num_histories());
  for (uint32_t h = 0; h < steps.size(); ++h) {
    Step& step = steps[h];
    step.actor = tree.actor[h];
    if (step.actor == tree::kTerminal) {
      step.data = std::bit_cast<uint64_t>(tree.payoff[tree.infoset[h]]);
      continue;
    }
    step.num_actions = tree.child_begin[h + 1] - tree.child_begin[h];
    step.data = tree.child_begin[h];
    if (step.actor == tree::kChance) {
      if (uniform_chance(tree, h)) step.actor = kUniformChance;
    } else {
      step.data |= uint64_t{tree.slot_begin[tree.infoset[h]]} << 32;
    }
  }
  return steps;
}

tree::Strategy RegretTable::average() const {
  tree::Strategy strategy(cells_.size());
  for (uint32_t set = 0; set < tree_.num_infosets(); ++set) {
    const uint32_t begin = tree_.slot_begin[set], end = tree_.slot_begin[set + 1];
    double average = 0, regret = 0;
    for (uint32_t slot = begin; slot < end; ++slot) {
      average += cells_[slot].average;
      regret += std::max(cells_[slot].regret, 0.0);
    }
    for (uint32_t slot = begin; slot < end; ++slot) {
      strategy[slot] = average > 0  ? cells_[slot].average / average
                       : regret > 0 ? std::max(cells_[slot].regret, 0.0) / regret
                                    : 1.0 / (end - begin);
    }
  }
  return strategy;
}

void RegretTable::save(tree::Archive& archive) const {
  std::vector<double>& regret = archive.reals["regret"];
  std::vector<double>& average = archive.reals["average"];
  regret.clear();
  average.clear();
  for (const Cell& cell : cells_) {
    regret.push_back(cell.regret);
    average.push_back(cell.average);
  }
}

void RegretTable::load(const tree::Archive& archive) {
  const std::vector<double>& regret = archive.real("regret", cells_.size());
  const std::vector<double>& average = archive.real("average", cells_.size());
  for (size_t i = 0; i < cells_.size(); ++i) cells_[i] = {regret[i], average[i]};
}

void save_random(tree::Archive& archive, int64_t iterations, const core::Random& random) {
  archive.words["iterations"] = {static_cast<uint64_t>(iterations)};
  archive.words["random"].assign(random.state().begin(), random.state().end());
}

int64_t load_random(const tree::Archive& archive, core::Random& random) {
  core::Random::State state;
  const std::vector<uint64_t>& words = archive.word("random", state.size());
  std::copy(words.begin(), words.end(), state.begin());
  random.set_state(state);
  return static_cast<int64_t>(archive.word("iterations", 1)[0]);
}

void RegretSampler::save(tree::Archive& archive) const {
  save_random(archive, iterations_, random_);
  table_.save(archive);
}

void RegretSampler::load(const tree::Archive& archive) {
  table_.load(archive);
  iterations_ = load_random(archive, random_);
}

core::ParamInfo plus_param() {
  return {"plus", "false", "cut regrets at zero (regret matching plus)"};
}

core::ParamInfo weights_param() {
  return {"weights", "uniform",
          "weight of iteration t: uniform (1) or linear (t; with plus in the average only)"};
}

}  // namespace cleave::solve
