#include "histories/public_chance_sampling.h"

#include <algorithm>

#include "core/error.h"
#include "core/groups.h"

namespace cleave::histories {

using tree::kChance;
using tree::kNone;
using tree::Tree;

namespace {

// Histories below the piece's root, chance's moves there made, and the numbers of the root
// histories that they come from.
struct Deals {
  std::vector<uint32_t> history, root;

  void add(uint32_t h, uint32_t from) {
    history.push_back(h);
    root.push_back(from);
  }
};

Deals make_deals(const Tree& game, const TreePiece& piece) {
  Deals deals;
  for (uint32_t i = 0; i < piece.root.histories.size(); ++i) {
    const uint32_t h = piece.root.histories[i];
    const bool chance = game.actor[h] == kChance;
    const uint32_t end = chance ? game.child_begin[h + 1] : h + 1;
    for (uint32_t child = chance ? game.child_begin[h] : h; child < end; ++child) {
      deals.add(child, i);
    }
  }
  return deals;
}

// Apart where they share no information set, in order of first deals.
std::vector<Deals> find_components(const Tree& game, const Deals& deals) {
  core::Groups groups(deals.history.size());
  std::vector<uint32_t> deal_of(game.num_histories(), kNone);
  for (uint32_t d = 0; d < deals.history.size(); ++d) deal_of[deals.history[d]] = d;
  std::vector<uint32_t> first(game.num_infosets(), kNone);
  for (uint32_t h = 1; h < game.num_histories(); ++h) {
    if (deal_of[h] == kNone) deal_of[h] = deal_of[game.parent[h]];
    if (deal_of[h] == kNone || game.actor[h] >= 2) continue;
    uint32_t& other = first[game.infoset[h]];
    if (other == kNone) other = deal_of[h];
    groups.join(other, deal_of[h]);
  }
  std::vector<Deals> components;
  std::vector<size_t> number(deals.history.size());
  for (uint32_t d = 0; d < number.size(); ++d) {
    const uint32_t top = groups.find(d);
    number[d] = top == d ? components.size() : number[top];
    if (top == d) components.emplace_back();
    components[number[d]].add(deals.history[d], deals.root[d]);
  }
  return components;
}

}  // namespace

PublicChanceSampling::Component::Component(const Tree& game, const TreePiece& whole,
                                           const std::vector<uint32_t>& roots,
                                           const std::vector<uint32_t>& parents)
    : piece(make_piece(game, roots)), engine(piece) {
  for (size_t p = 0; p < 2; ++p) {
    const size_t states = piece.root.states[p].size();
    state_above[p].resize(states);
    reach[p].resize(states);
    values[p].resize(states);
    // By perfect recall histories that share a state here share one above.
    for (size_t i = 0; i < parents.size(); ++i) {
      state_above[p][piece.root.state_of[p][i]] = whole.root.state_of[p][parents[i]];
    }
  }
}

PublicChanceSampling::PublicChanceSampling(const Tree& game, const TreePiece& piece, uint64_t seed)
    : num_states_{piece.root.states[0].size(), piece.root.states[1].size()},
      seed_(seed),
      random_(seed) {
  if (!piece.leaves.empty()) {
    throw core::InputError(
        "public chance sampling works on pieces that reach to the end of the game; this one has "
        "leaves to be evaluated");
  }
  double total = 0;
  for (const Deals& deals : find_components(game, make_deals(game, piece))) {
    auto made = std::make_unique<Component>(game, piece, deals.history, deals.root);
    const auto& chance = made->piece.chance;
    made->probability = std::accumulate(chance.begin(), chance.end(), 0.0);
    total += made->probability;
    if (made->probability > 0) components_.push_back(std::move(made));
  }
  for (auto& c : components_) c->probability /= total;
}

void PublicChanceSampling::counterfactual_reach(size_t p, std::span<const double> other_reach,
                                                std::span<double> rho) const {
  std::ranges::fill(rho, 0.0);
  for (const auto& c : components_) {
    c->spread(1 - p, other_reach);
    c->engine.counterfactual_reach(p, c->reach[1 - p], c->values[p]);
    c->collect(p, 1, rho);
  }
}

void PublicChanceSampling::reset() {
  for (auto& c : components_) {
    c->engine.reset();
    c->decay = {1, 1};
  }
  random_ = core::Random(seed_);
  begins_ = true;
}

size_t PublicChanceSampling::draw() {
  if (components_.size() == 1) return 0;
  double left = random_.uniform();
  size_t c = 0;
  while (c + 1 < components_.size() && left >= components_[c]->probability) {
    left -= components_[c++]->probability;
  }
  return c;
}

void PublicChanceSampling::descend(size_t p, std::span<const double> root_reach, double decay) {
  if (begins_) drawn_ = draw();
  begins_ = !begins_;
  // The averages of all the others decay too: an iteration's weight must not depend on how often
  // its component was drawn since.
  if (decay != 1) {
    for (auto& c : components_) c->decay[p] *= decay;
  }
  Component& c = *components_[drawn_];
  c.spread(p, root_reach);
  c.engine.descend(p, c.reach[p], c.decay[p]);
  c.decay[p] = 1;
}

void PublicChanceSampling::learn(size_t p, const kernels::RegretUpdate& update,
                                 std::span<double> values) {
  Component& c = *components_[drawn_];
  c.engine.learn(p, update, c.values[p]);
  std::ranges::fill(values, 0.0);
  c.collect(p, 1 / c.probability, values);
}

void PublicChanceSampling::follow(size_t player, std::span<const double> root_reach) {
  for (auto& c : components_) {
    c->spread(player, root_reach);
    c->engine.follow(player, c->reach[player]);
  }
}

void PublicChanceSampling::values(size_t player, decompose::Follow how,
                                  std::span<const double> other_reach, std::span<double> values) {
  std::ranges::fill(values, 0.0);
  for (auto& c : components_) {
    c->spread(1 - player, other_reach);
    c->engine.values(player, how, c->reach[1 - player], c->values[player]);
    c->collect(player, 1, values);
  }
}

decompose::DecisionValues PublicChanceSampling::decision_values(size_t, decompose::Follow,
                                                                std::span<const double>) {
  throw core::RunError("public chance sampling has no trunk to look at");
}

size_t PublicChanceSampling::sum_over(size_t (TreeEngine::*count)() const) const {
  size_t sum = 0;
  for (const auto& c : components_) sum += (c->engine.*count)();
  return sum;
}

TreeEngine& PublicChanceSampling::engine_of(size_t& decision) const {
  size_t c = 0;
  while (decision >= components_[c]->engine.num_decisions()) {
    decision -= components_[c++]->engine.num_decisions();
  }
  return components_[c]->engine;
}

}  // namespace cleave::histories
