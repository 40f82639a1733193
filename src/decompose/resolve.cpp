#include "decompose/resolve.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "decompose/resolver.h"

namespace cleave::decompose {
namespace {

// Whether there is anything to solve: the hero must come to the subgame and, if those are kept to
// which the opponent does not, so must it.
bool is_reached(const Engine& engine, size_t hero, const Method& method, const Summary& summary,
                bool keep_unreached) {
  std::vector<double> rho(summary.reach[1 - hero].size());
  engine.counterfactual_reach(1 - hero, summary.reach[hero], rho);
  const bool by_reach = keep_unreached && method.gadget->needs_trunk_reach;
  double mass = 0;
  for (size_t s = 0; s < rho.size(); ++s) {
    mass += rho[s] * (by_reach ? summary.reach[1 - hero][s] : 1);
  }
  return mass > 0;
}

}  // namespace

void ResolveOptions::check_stop() const {
  if (stop && stop->load(std::memory_order_relaxed))
    throw core::RunError("stopped while re-solving");
}

bool resolve_subgame(const Piece& piece, Engine& engine, size_t hero, const Method& method,
                     const Entrance& entrance, const ResolveOptions& options,
                     LeafEvaluator& leaves) {
  if (!is_reached(engine, hero, method, entrance.summary, options.keep_unreached)) return false;
  const auto gadget = make_gadget(method, make_gadget_input(method, engine, hero, entrance));
  const std::vector<double>& hero_reach = entrance.summary.reach[hero];
  if (options.exact) {
    piece.solve_exactly(gadget->form(), hero, hero_reach, engine);
    return true;
  }
  engine.reset();
  const solve::Schedule schedule = solve::make_schedule(options.algorithm, options.iterations);
  Resolver resolver = piece.num_leaves() > 0
                          ? Resolver(engine, *gadget, hero, hero_reach, schedule, piece, leaves)
                          : Resolver(engine, *gadget, hero, hero_reach, schedule);
  while (resolver.iterations() < options.iterations) {
    options.check_stop();
    resolver.iterate();
    if (options.iterated) options.iterated(resolver.iterations());
  }
  return true;
}

Resolution::Resolution(std::shared_ptr<const Piece> trunk, std::shared_ptr<const Profile> profile,
                       Vectors root_reach, Options options)
    : trunk_(std::move(trunk)),
      profile_(std::move(profile)),
      root_{std::move(root_reach)},
      options_(std::move(options)),
      journal_("", "", 0, 0) {
  if (trunk_->num_leaves() == 0) throw core::InputError("there is no subgame below the cut");
  for (const Pass& pass : options_.passes) {
    if (pass.grafts) throw core::InputError("graft solves the whole game: it cannot be streamed");
    if (!pass.method) continue;
    needs_ways_ |= pass.method->detours || pass.method->gifts.kind != GiftRule::Kind::kNoGifts;
  }
  make_tasks();
  make_top();
  size_t size = 0;
  for (const Task& task : tasks_) {
    for (size_t hero = 0; hero < 2; ++hero) {
      size_t states = 0;
      for (const size_t leaf : task.leaves) states += base_[leaf][1 - hero].size();
      size = std::max(size, states);
    }
  }
  wanted_ = spread_order(tasks_.size());
  if (options_.deals > 0) wanted_.resize(std::min(wanted_.size(), options_.deals));
  journal_ = Journal(options_.file, options_.key, tasks_.size(), 2 * options_.passes.size() * size);
}

void Resolution::make_tasks() {
  tasks_.resize(trunk_->num_deals());
  size_t number = 0;
  for (size_t leaf = 0; leaf < trunk_->num_leaves(); ++leaf) {
    first_summary_.push_back(number);
    number += trunk_->num_below(leaf);
    if (options_.solving.subgame && *options_.solving.subgame != leaf) continue;
    if (!trunk_->is_wanted(leaf)) continue;
    for (size_t i = 0; i < trunk_->num_below(leaf); ++i) {
      Task& task = tasks_[trunk_->deal_of(leaf, i)];
      if (task.pieces.empty()) {
        task.images = static_cast<double>(trunk_->below(leaf, i).crossing.num_images());
      }
      task.pieces.emplace_back(leaf, i);
      if (task.leaves.empty() || task.leaves.back() != leaf) task.leaves.push_back(leaf);
    }
  }
}

void Resolution::make_top() {
  top_ = begin_stretch(*profile_, *trunk_, root_.reach);
  base_ = values_below(*trunk_, top_, Follow::kBestResponse);
  if (needs_ways_) {
    look_at_decisions(root_.reach, base_, values_below(*trunk_, top_, Follow::kAverage), top_);
  }
  // Where pieces end the game, what the profile itself brings is known of all deals.
  has_base_ = std::ranges::any_of(options_.passes, [](const auto& pass) { return !pass.method; }) &&
              trunk_->below(0, 0).piece->num_leaves() == 0;
}

std::vector<Vectors> Resolution::values_below(const Piece& piece, const Stretch& stretch,
                                              Follow how) const {
  const int threads = options_.solving.threads;
  if (&piece != trunk_.get() || options_.summaries.empty()) {
    return profile_->values_below(piece, stretch.reach, how, &piece == trunk_.get() ? threads : 1);
  }
  std::vector<Vectors> out(stretch.reach.size());
  for (size_t leaf = 0; leaf < out.size(); ++leaf) {
    for (size_t p = 0; p < 2; ++p) out[leaf][p].assign(stretch.reach[leaf][p].size(), 0.0);
    for (size_t i = 0; i < piece.num_below(leaf); ++i) {
      const Summary& summary = options_.summaries[first_summary_[leaf] + i];
      const Crossing crossing = piece.below(leaf, i).crossing;
      const Vectors& values = how == Follow::kAverage ? summary.value : summary.best_response;
      for (size_t p = 0; p < 2; ++p) crossing.collect(p, values[p], out[leaf][p]);
    }
  }
  return out;
}

Arrival Resolution::arrive_at(size_t leaf, size_t number, const Below& below) const {
  Arrival arrival = arrive(*trunk_, top_, root_, leaf, below);
  if (!options_.summaries.empty()) {
    arrival.summary = options_.summaries[first_summary_[leaf] + number];
  }
  return arrival;
}

Resolution::Values Resolution::solve(const Piece& piece, const Arrival& arrival) {
  return piece.num_leaves() > 0 ? solve_stretch(piece, arrival) : solve_end(piece, arrival);
}

Resolution::Values Resolution::nothing_at(const Vectors& leaf) const {
  Values out;
  for (size_t i = 0; i < 2 * options_.passes.size(); ++i) {
    out.emplace_back(leaf[1 - i / options_.passes.size()].size(), 0.0);
  }
  return out;
}

void Resolution::add(const Below& below, const Arrival& arrival, Values& leaf) {
  options_.solving.check_stop();
  const Values values = solve(*below.piece, arrival);
  for (size_t i = 0; i < values.size(); ++i) {
    below.crossing.collect(1 - i / options_.passes.size(), values[i], leaf[i]);
  }
}

// Part of the trunk still: what is below it first, then the opponent's best response in it.
Resolution::Values Resolution::solve_stretch(const Piece& piece, const Arrival& arrival) {
  Stretch stretch = begin_stretch(*profile_, piece, arrival.reach);
  if (needs_ways_) {
    look_at_decisions(arrival.reach, values_below(piece, stretch, Follow::kBestResponse),
                      values_below(piece, stretch, Follow::kAverage), stretch);
  }
  std::vector<Values> leaves(stretch.reach.size());  // [leaf]
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    leaves[leaf] = nothing_at(stretch.reach[leaf]);
    for (size_t n = 0; n < piece.num_below(leaf); ++n) {
      const Below below = piece.below(leaf, n);
      add(below, arrive(piece, stretch, arrival, leaf, below), leaves[leaf]);
    }
  }
  Values out(2 * options_.passes.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t hero = i / options_.passes.size(), opponent = 1 - hero;
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      stretch.engine->set_leaf_values(leaf, opponent, leaves[leaf][i]);
    }
    out[i].resize(arrival.reach[opponent].size());
    stretch.engine->best_response(opponent, arrival.reach[hero], out[i]);
  }
  return out;
}

Resolution::Values Resolution::solve_end(const Piece& piece, const Arrival& arrival) {
  Values out(2 * options_.passes.size());
  const auto engine = piece.engine();
  size_t solved = 0;
  for (size_t hero = 0; hero < 2; ++hero) {
    const size_t opponent = 1 - hero;
    const Entrance entrance = enter(*profile_, piece, *engine, arrival, hero);
    for (size_t pass = 0; pass < options_.passes.size(); ++pass) {
      std::vector<double>& values = out[index(hero, pass)];
      values = entrance.summary.best_response[opponent];
      const auto& method = options_.passes[pass].method;
      if (!method || !wants(hero)) continue;
      if (!resolve_subgame(piece, *engine, hero, *method, entrance, options_.solving)) continue;
      engine->best_response(opponent, entrance.summary.reach[hero], values);
      if (options_.take) options_.take(hero, pass, piece, *engine);
      ++solved;
    }
  }
  const std::lock_guard lock(mutex_);
  num_solved_ += solved;
  return out;
}

std::vector<float> Resolution::solve_task(const Task& task) {
  std::vector<Values> leaves;
  for (const size_t leaf : task.leaves) leaves.push_back(nothing_at(base_[leaf]));
  size_t l = 0;
  for (const auto& [leaf, number] : task.pieces) {
    while (task.leaves[l] != leaf) ++l;
    const Below below = trunk_->below(leaf, number);
    add(below, arrive_at(leaf, number, below), leaves[l]);
  }
  std::vector<float> out;
  out.reserve(journal_.result_size());
  for (size_t i = 0; i < 2 * options_.passes.size(); ++i) {
    for (const Values& leaf : leaves) out.insert(out.end(), leaf[i].begin(), leaf[i].end());
    out.resize((i + 1) * journal_.result_size() / (2 * options_.passes.size()), 0);
  }
  return out;
}

void Resolution::run() {
  const auto solve = [&](size_t deal) {
    options_.solving.check_stop();
    auto watch = core::Stopwatch::started();
    std::vector<float> result = solve_task(tasks_[deal]);
    const std::lock_guard lock(mutex_);
    solving_seconds_ += watch.seconds();
    return result;
  };
  std::vector<size_t> wanted;
  std::ranges::copy_if(wanted_, std::back_inserter(wanted),
                       [&](size_t deal) { return !tasks_[deal].pieces.empty(); });
  journal_.fill(wanted, options_.solving.threads, solve, options_.solving.progress);
}

// Deals that are known stand for all; where the profile's own values are known of all deals, only
// what differs from them is estimated.
double Resolution::measure(size_t pass, size_t player, const std::vector<double>& weight) const {
  const size_t num_passes = options_.passes.size(), hero = 1 - player;
  const size_t part = journal_.result_size() / (2 * num_passes);
  const auto keep = static_cast<size_t>(
      std::ranges::find_if(options_.passes, [](const auto& p) { return !p.method; }) -
      options_.passes.begin());
  std::vector<double> all(base_.size(), 0.0), known(base_.size(), 0.0);  // [leaf]: deals there
  std::vector<std::vector<double>> sums(base_.size());  // [leaf]; empty: nothing was solved
  for (size_t d = 0; d < tasks_.size(); ++d) {
    for (const size_t l : tasks_[d].leaves) all[l] += tasks_[d].images;
    const std::vector<float>& result = journal_.result(d);
    if (result.empty() || weight[d] == 0) continue;
    for (const size_t l : tasks_[d].leaves) known[l] += weight[d] * tasks_[d].images;
    const float* value = result.data() + index(hero, pass) * part;
    const float* base = result.data() + index(hero, has_base_ ? keep : 0) * part;
    for (const size_t l : tasks_[d].leaves) {
      sums[l].resize(base_[l][player].size(), 0.0);
      for (double& x : sums[l]) {
        x += weight[d] * (*value++ - (has_base_ ? *base : 0));
        ++base;
      }
    }
  }
  std::vector<double> values(root_.reach[player].size());
  const std::lock_guard lock(top_mutex_);
  for (size_t leaf = 0; leaf < sums.size(); ++leaf) {
    for (size_t s = 0; s < sums[leaf].size(); ++s) {
      sums[leaf][s] *= all[leaf] / known[leaf];
      if (has_base_) sums[leaf][s] += base_[leaf][player][s];
    }
    if (sums[leaf].empty()) sums[leaf] = base_[leaf][player];
    top_.engine->set_leaf_values(leaf, player, sums[leaf]);
  }
  top_.engine->best_response(player, root_.reach[hero], values);
  return std::inner_product(values.begin(), values.end(), root_.reach[player].begin(), 0.0);
}

Estimate Resolution::estimate(
    const std::function<double(const std::vector<double>& weight)>& figure) const {
  const std::vector<size_t> known = journal_.known();
  const bool some = std::ranges::any_of(tasks_, [](const Task& t) { return t.pieces.empty(); });
  if (known.empty()) throw core::RunError("no deal has been solved yet");
  return resampled(known, tasks_.size(), some ? known.size() : trunk_->num_possible_deals(),
                   figure);
}

Estimate Resolution::best_response(size_t pass, size_t player) const {
  return estimate([&](const auto& weight) { return measure(pass, player, weight); });
}

Estimate Resolution::exploitability(size_t pass) const {
  return estimate([&](const auto& weight) {
    return (measure(pass, 0, weight) + measure(pass, 1, weight)) / 2;
  });
}

}  // namespace cleave::decompose
