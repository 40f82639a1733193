#include "hands/nested/nested_street.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "decompose/resolver.h"
#include "hands/meeting.h"

namespace cleave::hands {
namespace {

using NodeKind = poker::BettingNode::Kind;

constexpr std::string_view kTranslation = "translation", kAnew = "translation-anew",
                           kExpensive = "expensive-";

bool any_positive(const std::vector<double>& rows) {
  return std::ranges::any_of(rows, [](double x) { return x > 0; });
}

}  // namespace

NestedWay make_nested_way(std::string_view name) {
  NestedWay way{std::string(name), {}, false, name == kAnew};
  if (name == kTranslation || way.anew) return way;
  way.expensive = name.starts_with(kExpensive);
  if (way.expensive) name.remove_prefix(kExpensive.size());
  way.method = decompose::make_method(
      name,
      fmt::format("; also {}, {}, and {} in front of a method", kTranslation, kAnew, kExpensive));
  if (way.method->gadget->needs_trunk_reach && !way.expensive) {
    throw core::InputError(
        fmt::format("method '{0}' needs the opponent's reach of a bet that the small abstraction "
                    "does not have; "
                    "only {1}{0} has it",
                    name, kExpensive));
  }
  if (way.method->estimated || way.method->gadget->name == "distributional") {
    throw core::InputError(
        fmt::format("nested solving knows no estimates: '{}' is not to be had", way.name));
  }
  return way;
}

std::map<uint32_t, TreeCopy> find_subgames(const NestedGame& game, size_t hero, bool expensive) {
  std::map<uint32_t, TreeCopy> out;
  for (uint32_t n = 0; n < game.last().nodes.size(); ++n) {
    const uint32_t bet = game.source(n);
    if (!game.bets.off[bet] || game.node(game.parent[n]).player == hero) continue;
    const uint32_t root = expensive ? game.tree().nodes[bet].parent : bet;
    out[n] =
        copy_tree(game.tree(), root, [&](uint32_t c) { return c == bet || !game.bets.off[c]; });
  }
  return out;
}

std::vector<decompose::Passed> nested_way(std::span<const Passed* const> steps, size_t hand,
                                          double delta) {
  std::vector<decompose::Passed> way;
  for (size_t s = steps.size(); s-- > 0;) {
    const Passed& step = *steps[s];
    const double taken = step.taken[hand] + delta;
    const double best = std::max(step.other[hand], taken);
    delta = best - step.base[hand];
    way.push_back({.rho = step.rho[hand],
                   .best = best,
                   .best_taken = taken,
                   .guaranteed = step.guaranteed * step.rho[hand],
                   .sole = true});  // a hand stays the same hand
  }
  return way;
}

NestedStreet::NestedStreet(const NestedGame& game, const NestedHero& hero, const NestedWay& way,
                           const NestedSolving& solving, size_t board)
    : game_(game), hero_(hero), way_(way), solving_(solving), play_(game, board) {
  const auto& hands = game.layout.setup.hands[0];
  for (size_t h = 0; h < hands.size(); ++h) {
    if ((hands[h] & play_.board().cards) == 0) hands_.push_back(static_cast<uint16_t>(h));
  }
  if (way.method) {
    below_ = hands::below(game.layout.setup, game.source(0), play_.board().cards);
    below_.tree = {};
  }
  const Trunk* loaded = nullptr;
  for (size_t line = 0; line < game.num_lines(); ++line) {
    const Trunk* trunk = hero.trunk[line];
    if (!trunk) continue;
    if (trunk != loaded) play_.load(*trunk);
    loaded = trunk;
    const uint32_t deal = game.first().nodes[game.first().exits[line]].source;
    for (size_t p = 0; p < 2; ++p) {
      if (!trunk->reach[p][deal].empty()) play_.set_entry_reach(p, line, trunk->reach[p][deal]);
    }
  }
}

void NestedStreet::run(float* out, float* base) {
  std::vector<bool> known = game_.known[0];
  StreetPlay::Values after;
  for (size_t line = 0; line < game_.num_lines(); ++line) {
    if (!hero_.trunk[line]) continue;
    const uint32_t entry = game_.entry[line];
    if (way_.method) {
      play_.best_response(hero_.opponent(), line, known, base_);
      add_line(line, base_.at(entry), base);
      answer_below(entry, known, base_);
    } else {
      translate(entry);
    }
    play_.best_response(hero_.opponent(), line, game_.known[1], after);
    add_line(line, after.at(entry), out);
  }
}

// Every bet outside the small abstraction that the opponent can make without another one before.
void NestedStreet::answer_below(uint32_t node, std::vector<bool>& known,
                                const StreetPlay::Values& before) {
  const hands::Node& n = game_.node(node);
  if (n.kind != NodeKind::kDecision) return;
  for (uint32_t c = n.first_child; c < n.first_child + n.num_children; ++c) {
    if (!game_.bets.off[game_.source(c)]) {
      answer_below(c, known, before);
    } else if (n.player == hero_.opponent()) {
      answer(c, known, before);
    }
  }
}

bool NestedStreet::is_answered_below(uint32_t node) const {
  const hands::Node& n = game_.node(node);
  if (n.kind != NodeKind::kDecision) return false;
  for (uint32_t c = n.first_child; c < n.first_child + n.num_children; ++c) {
    const bool off = game_.bets.off[game_.source(c)];
    if (off ? n.player == hero_.opponent() : is_answered_below(c)) return true;
  }
  return false;
}

void NestedStreet::answer(uint32_t bet, std::vector<bool>& known,
                          const StreetPlay::Values& before) {
  const uint32_t decision = game_.parent[bet];
  const std::vector<double> hero_reach = play_.reach(hero_.hero, decision);
  if (!any_positive(hero_reach)) return fill_uniformly(bet);
  solve(bet, known, before, hero_reach);
  ++num_solved_;
  if (!is_answered_below(bet)) return;
  known[bet] = true;
  StreetPlay::Values after;
  play_.best_response(hero_.opponent(), game_.line[bet], known, after);
  answer_below(bet, known, after);
  known[bet] = false;
}

std::vector<double> NestedStreet::by_hand(const double* rows) const {
  const std::vector<uint16_t>& row = play_.board().side[hero_.hero].row;
  std::vector<double> out;
  out.reserve(hands_.size());
  for (const uint16_t h : hands_) out.push_back(rows[row[h]]);
  return out;
}

// The opponent's decisions of this street before another one, [hand that the board leaves].
std::vector<Passed> NestedStreet::steps_to(uint32_t decision, const std::vector<bool>& known,
                                           const StreetPlay::Values& values) const {
  std::vector<Passed> steps;
  for (uint32_t taken = decision; game_.parent[taken] != taken; taken = game_.parent[taken]) {
    const uint32_t at = game_.parent[taken];
    const hands::Node& node = game_.node(at);
    if (node.player == hero_.hero) continue;
    Passed step;
    step.rho =
        reach_met(below_.hands[0], below_.hands[0], by_hand(play_.reach(hero_.hero, at).data()));
    for (double& x : step.rho) x *= below_.pair_weight;
    step.taken = by_hand(values.at(taken));
    step.other.assign(hands_.size(), -std::numeric_limits<double>::infinity());
    step.guaranteed = -std::numeric_limits<double>::infinity();
    for (uint32_t c = node.first_child; c < node.first_child + node.num_children; ++c) {
      if (!known[c]) continue;
      const double least = game_.bets.least[hero_.opponent()][game_.source(c)];
      step.guaranteed = std::max(step.guaranteed, least);
      if (c == taken) continue;
      const std::vector<double> value = by_hand(values.at(c));
      for (size_t i = 0; i < value.size(); ++i) step.other[i] = std::max(step.other[i], value[i]);
    }
    step.base = by_hand(values.at(at));
    steps.insert(steps.begin(), std::move(step));
  }
  return steps;
}

void NestedStreet::solve(uint32_t bet, const std::vector<bool>& known,
                         const StreetPlay::Values& before, const std::vector<double>& hero_reach) {
  const uint32_t decision = game_.parent[bet];
  const size_t line = game_.line[bet];
  const auto opponent = hero_.opponent();
  const TreeCopy& copy = hero_.subgames.at(bet);
  hands::Setup setup = below_;
  setup.tree = copy.tree;
  const auto engine =
      hands::make_vector_engine(hands::sketch_layout(setup), {.storage = solving_.storage});
  const std::vector<double> reach = by_hand(hero_reach.data());
  const std::vector<double> best = by_hand(before.at(decision));
  decompose::Entrance entrance;
  entrance.summary.reach[hero_.hero] = reach;
  entrance.summary.reach[opponent] = by_hand(play_.reach(opponent, decision).data());
  entrance.summary.value[opponent] = entrance.summary.best_response[opponent] = best;
  if (way_.method->gifts.kind != decompose::GiftRule::Kind::kNoGifts) {
    const std::vector<Passed> here = steps_to(decision, known, before);
    std::vector<const Passed*> steps, earlier;
    for (const Passed& step : here) steps.push_back(&step);
    for (const Passed& step : hero_.passed[line]) earlier.push_back(&step);
    const auto now = by_hand(before.at(game_.entry[line]));
    const auto then = by_hand(base_.at(game_.entry[line]));
    for (size_t i = 0; i < hands_.size(); ++i) {
      auto& way = entrance.way.emplace_back(nested_way(steps, i, 0));
      auto more = nested_way(earlier, hands_[i], now[i] - then[i]);
      for (decompose::Passed& at : more) {
        at.images = static_cast<double>(play_.board().images.size());
      }
      way.insert(way.end(), more.begin(), more.end());
    }
  }
  const auto gadget = decompose::make_gadget(
      *way_.method, decompose::make_gadget_input(*way_.method, *engine, hero_.hero, entrance));
  decompose::Resolver resolver(*engine, *gadget, hero_.hero, reach,
                               solve::make_schedule(solving_.algorithm, solving_.iterations));
  for (int64_t t = 0; t < solving_.iterations; ++t) resolver.iterate();
  take_solution(bet, *engine, copy);
  if (way_.expensive) return;
  std::vector<double> value(hands_.size());
  engine->best_response(opponent, reach, value);
  const auto images = static_cast<double>(play_.board().images.size());
  for (size_t i = 0; i < value.size(); ++i) {
    total_gain_ += images * std::max(0.0, value[i] - best[i]);
  }
}

// Only what follows the bet is played; the bet itself tells how often the opponent is thought to
// make it.
void NestedStreet::take_solution(uint32_t bet, hands::VectorEngine& engine, const TreeCopy& copy) {
  const hands::Street& street = engine.layout().streets[0];
  for (uint32_t n = 0; n < street.nodes.size(); ++n) {
    const hands::Node& node = street.nodes[n];
    if (node.kind != NodeKind::kDecision) continue;
    uint32_t at = game_.place[copy.source[node.source]];
    const bool is_root = game_.parent[bet] == at;
    while (at > bet) at = game_.parent[at];
    if (at != bet && !is_root) continue;
    const std::vector<double> rows = engine.strategy_at(0, 0, n);
    const size_t count = rows.size() / node.num_children;
    for (uint32_t a = 0; a < node.num_children; ++a) {
      const uint32_t child = game_.place[copy.source[street.nodes[node.first_child + a].source]];
      if (is_root && child != bet) continue;
      double* to = play_.into(child);
      for (size_t i = 0; i < count; ++i) to[i] = rows[a * count + i];
    }
  }
}

// Where the hero never comes any answer will do.
void NestedStreet::fill_uniformly(uint32_t node) {
  const hands::Node& n = game_.node(node);
  if (n.kind != NodeKind::kDecision) return;
  std::vector<uint32_t> kept;
  for (uint32_t c = n.first_child; c < n.first_child + n.num_children; ++c) {
    const bool off = game_.bets.off[game_.source(c)];
    if (!off) kept.push_back(c);
    if (!off || n.player != hero_.hero) fill_uniformly(c);
  }
  if (n.player != hero_.hero) return;
  const size_t count = play_.board().side[hero_.hero].count;
  for (const uint32_t c : kept) {
    std::fill_n(play_.into(c), count, 1 / static_cast<double>(kept.size()));
  }
}

// The mean of what is done at the counterparts, weighted by the draws and by the hero's own reach;
// where that is zero, or draws are made anew, by the draws alone.
void NestedStreet::translate(uint32_t node) {
  const hands::Node& n = game_.node(node);
  if (n.kind != NodeKind::kDecision) return;
  const auto& counterparts = hero_.counterparts[n.source];
  const bool is_itself = counterparts.size() == 1 && counterparts[0].node == n.source;
  if (n.player == hero_.hero && !is_itself) {
    const size_t count = play_.board().side[hero_.hero].count;
    std::vector<std::vector<double>> share;
    std::vector<double> total(count, 0);
    for (const Counterpart& c : counterparts) {
      auto& own = share.emplace_back(way_.anew ? std::vector<double>(count, 1)
                                               : play_.reach(hero_.hero, game_.place[c.node]));
      for (size_t i = 0; i < count; ++i) total[i] += own[i] *= c.weight;
    }
    for (uint32_t child = n.first_child; child < n.first_child + n.num_children; ++child) {
      double* to = play_.into(child);
      std::fill_n(to, count, 0.0f);
      for (const Counterpart& meant : hero_.counterparts[game_.source(child)]) {
        const uint32_t move = game_.place[meant.node];
        const uint32_t above = game_.tree().nodes[meant.node].parent;
        const auto k = static_cast<size_t>(
            std::ranges::find(counterparts, above, &Counterpart::node) - counterparts.begin());
        const double weight = counterparts[k].weight;
        const double* from = play_.into(move);
        for (size_t i = 0; i < count; ++i) {
          to[i] += (total[i] > 0 ? share[k][i] / total[i] : weight) * from[i];
        }
      }
    }
  }
  for (uint32_t c = n.first_child; c < n.first_child + n.num_children; ++c) {
    if (!hero_.counterparts[game_.source(c)].empty()) translate(c);
  }
}

void NestedStreet::add_line(size_t line, const double* values, float* out) const {
  const hands::Board& board = play_.board();
  const size_t width = game_.width();
  for (size_t image = 0; image < board.images.size(); ++image) {
    const uint16_t* back = board.side[hero_.opponent()].back.data() + image * width;
    for (size_t j = 0; j < width; ++j) out[line * width + j] += static_cast<float>(values[back[j]]);
  }
}

}  // namespace cleave::hands
