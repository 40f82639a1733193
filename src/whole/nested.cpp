#include "whole/nested.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/random.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "decompose/resolver.h"
#include "tree/archive.h"

namespace cleave::whole {
namespace {

using NodeKind = poker::BettingNode::Kind;

std::vector<NestedWay> make_nested_ways(const std::vector<std::string>& names) {
  std::vector<NestedWay> ways;
  for (const std::string& name : names) ways.push_back(make_nested_way(name));
  return ways;
}

core::Stopwatch started_watch() {
  core::Stopwatch watch;
  watch.start();
  return watch;
}

// Best responses on the first street to one hero's moves there.
class FirstStreet {
 public:
  FirstStreet(const NestedGame& game, size_t hero, const std::vector<uint32_t>& moves,
              const float* rows)
      : game_(game), opponent_(static_cast<int>(1 - hero)) {
    hands::Setup setup = game.layout.setup;
    setup.last_street = 0;
    engine_ =
        hands::make_vector_engine(hands::sketch_layout(setup), {.storage = hands::Storage::kF64});
    const auto arrays = engine_->arrays(false);
    auto* to = reinterpret_cast<double*>(arrays[hero].bytes.data());
    for (size_t i = 0; i < moves.size(); ++i) {
      const uint32_t above = game.tree().nodes[moves[i]].parent;
      const hands::Node& node = game.first().nodes[game.place[above]];
      const size_t row = node.storage_row + moves[i] - game.tree().nodes[above].first_child;
      std::copy(rows + i * game.width(), rows + (i + 1) * game.width(), to + row * game.width());
    }
  }

  // `lines`: [line][row], what the deals bring.
  double best_response(const std::vector<double>& lines) {
    for (size_t line = 0; line < game_.num_lines(); ++line) {
      const size_t states = engine_->num_leaf_states(line, opponent_);
      engine_->set_leaf_values(line, opponent_,
                               std::span(lines).subspan(line * game_.width(), states));
    }
    std::vector<double> ones(engine_->num_states(1 - opponent_), 1.0), values(ones.size());
    engine_->best_response(opponent_, ones, values);
    return std::accumulate(values.begin(), values.end(), 0.0);
  }

 private:
  const NestedGame& game_;
  int opponent_;
  std::unique_ptr<hands::VectorEngine> engine_;
};

}  // namespace

NestedJob::NestedJob(hands::Setup small, const hands::Setup& large, NestedOptions options)
    : options_(std::move(options)),
      ways_(make_nested_ways(options_.methods)),
      small_setup_(std::move(small)),
      game_(small_setup_, large, options_.threads),
      small_copy_(copy_tree(game_.tree(), 0, [&](uint32_t n) { return !game_.bets.off[n]; })),
      wanted_(spread_order(num_deals())),
      log_("", "", 0, 0) {
  for (size_t hero = 0; hero < 2; ++hero) find_first_bets(hero);
  if (options_.deals > 0) wanted_.resize(std::min(wanted_.size(), options_.deals));
  log_ = DealLog(options_.file, options_.key, ways_.size() * (num_deals() + 1), result_size());
}

// The bets of the first street that the hero has to answer, and all of its own moves.
void NestedJob::find_first_bets(size_t hero) {
  const poker::BettingTree& tree = game_.tree();
  std::vector<size_t> off(game_.num_first_nodes(), 0);  // the opponent's on the way
  std::vector<bool> is_played(game_.num_first_nodes(), true);
  for (uint32_t n = 1; n < game_.num_first_nodes(); ++n) {
    const uint32_t above = tree.nodes[n].parent;
    const bool own = tree.nodes[above].player == hero;
    off[n] = off[above];
    is_played[n] = is_played[above] && !(own && game_.bets.off[n]);
    if (!is_played[n]) continue;
    if (own) moves_[hero].push_back(n);
    if (!game_.bets.off[n]) continue;
    first_bets_[hero].push_back(n);
    if (++off[n] > 1) {
      throw core::InputError(fmt::format(
          "nested solving: one bet outside the small game may be answered before the first deal, "
          "not another one after it as in '{}': allow fewer bets there",
          poker::line_of(tree, n)));
    }
  }
}

size_t NestedJob::result_size() const {
  const size_t moves = moves_[0].size() + moves_[1].size();
  return std::max(2 * game_.num_lines(), moves) * game_.width() + 2;
}

void NestedJob::check_stop() const {
  if (options_.stop && *options_.stop) throw core::RunError("stopped");
}

void NestedJob::report(const std::string& what, int64_t done, int64_t all) const {
  if (options_.progress) {
    options_.progress(what, static_cast<size_t>(done), static_cast<size_t>(all));
  }
}

size_t NestedJob::num_done(size_t method) const {
  size_t done = 0;
  for (size_t d = 0; d < num_deals(); ++d) done += log_.result(record(method, d)).empty() ? 0 : 1;
  return done;
}

double NestedJob::total_gain(size_t method, size_t hero) const {
  double sum = 0;
  for (size_t d = 0; d < num_deals(); ++d) {
    const auto& result = log_.result(record(method, d));
    if (!result.empty()) sum += result[result.size() - 2 + hero];
  }
  return sum;
}

bool NestedJob::load_small(hands::VectorEngine& engine) const {
  if (options_.small_file.empty() || !std::filesystem::exists(options_.small_file)) return false;
  const tree::ArchiveFile file(options_.small_file);
  if (file.read().text("key") != options_.small_key) return false;
  for (const tree::BulkArray& array : engine.arrays(false)) file.read_bulk(array);
  return true;
}

void NestedJob::solve_small() {
  const core::Stopwatch watch = started_watch();
  const auto engine =
      hands::make_vector_engine(hands::sketch_layout(small_setup_),
                                {.storage = options_.storage, .threads = options_.threads});
  decompose::Vectors reach;
  for (size_t p = 0; p < 2; ++p) reach[p].assign(small_setup_.hands[p].size(), 1.0);
  if (!load_small(*engine)) {
    const solve::Schedule schedule =
        solve::make_schedule(options_.small_algorithm, options_.small_iterations);
    for (int64_t t = 1; t <= options_.small_iterations; ++t) {
      check_stop();
      decompose::iterate_fixed(*engine, reach, schedule(t));
      report("small game", t, options_.small_iterations);
    }
    tree::Archive archive;
    archive.texts["key"] = options_.small_key;
    if (!options_.small_file.empty()) {
      tree::write_archive(archive, options_.small_file, engine->arrays(false));
    }
  }
  // The averages are all that a file has: nothing else is to be seen from here on.
  engine->freeze();
  small_exploitability_ = 0;
  std::vector<double> values(reach[0].size());
  for (int p = 0; p < 2; ++p) {
    engine->best_response(p, reach[0], values);
    small_exploitability_ += std::accumulate(values.begin(), values.end(), 0.0) / 2;
  }
  small_ =
      std::make_unique<Trunk>(read_trunk(game_, *engine, small_copy_, reach, 0, options_.threads));
  small_seconds_ = watch.seconds();
}

// `answer`: the trunk that has what follows a bet outside the small game, if there is one on the
// way.
std::vector<Passed> NestedJob::passed_on_way(size_t opponent, uint32_t node,
                                             const Trunk* answer) const {
  const poker::BettingTree& tree = game_.tree();
  std::vector<Passed> steps;
  bool is_behind = answer != nullptr;  // the bet
  for (uint32_t taken = node; taken != 0; taken = tree.nodes[taken].parent) {
    const uint32_t at = tree.nodes[taken].parent;
    const bool is_bet = game_.bets.off[taken];
    if (is_bet) is_behind = false;
    if (tree.nodes[at].player != opponent || tree.nodes[at].kind != NodeKind::kDecision) continue;
    const Trunk& here = is_behind ? *answer : *small_;
    const Trunk& after = is_bet ? *answer : here;
    Passed step;
    step.rho = reach_met(game_.layout.setup.hands[0], here.reach[1 - opponent][at]);
    for (double& x : step.rho) x *= game_.first().weight;
    step.taken = after.best[opponent][taken];
    step.base = here.best[opponent][at];
    step.other.assign(step.taken.size(), -std::numeric_limits<double>::infinity());
    step.guaranteed = -std::numeric_limits<double>::infinity();
    const uint32_t first = tree.nodes[at].first_child;
    for (uint32_t c = first; c < first + tree.nodes[at].num_children; ++c) {
      if (game_.bets.off[c] && c != taken) continue;
      step.guaranteed = std::max(step.guaranteed, game_.bets.least[opponent][c]);
      if (c == taken) continue;
      const std::vector<double>& value = here.best[opponent][c];
      for (size_t h = 0; h < value.size(); ++h) step.other[h] = std::max(step.other[h], value[h]);
    }
    steps.insert(steps.begin(), std::move(step));
  }
  return steps;
}

// A bet before the first deal: one subgame with all boards in it.
Trunk NestedJob::solve_answer(const NestedWay& way, size_t hero, uint32_t bet) {
  const core::Stopwatch watch = started_watch();
  const size_t opponent = 1 - hero;
  const uint32_t decision = game_.tree().nodes[bet].parent;
  const TreeCopy copy = copy_tree(game_.tree(), way.expensive ? decision : bet,
                                  [&](uint32_t n) { return n == bet || !game_.bets.off[n]; });
  hands::Setup setup = game_.layout.setup;
  setup.tree = copy.tree;
  const auto engine = hands::make_vector_engine(
      hands::sketch_layout(setup), {.storage = options_.storage, .threads = options_.threads});
  decompose::Vectors reach;
  for (size_t p = 0; p < 2; ++p) reach[p] = small_->reach[p][decision];
  decompose::GadgetInput input{reach[opponent], reach[opponent], {}};
  std::vector<double>& rho = input.counterfactual_reach;
  engine->counterfactual_reach(static_cast<int>(opponent), reach[hero], rho);
  if (std::inner_product(rho.begin(), rho.end(), input.trunk_reach.begin(), 0.0) <= 0) {
    std::ranges::fill(input.trunk_reach, 1.0);
  }
  const std::vector<Passed> passed = passed_on_way(opponent, decision, nullptr);
  std::vector<const Passed*> steps;
  for (const Passed& step : passed) steps.push_back(&step);
  std::vector<std::vector<decompose::Gift>> gifts;
  for (size_t h = 0; h < rho.size(); ++h) gifts.push_back(nested_gifts(steps, h, rho[h], 0));
  const std::vector<double>& best = small_->best[opponent][decision];
  input.alternatives = decompose::make_alternatives(*way.method, rho, best, best, gifts);
  const auto gadget = decompose::make_gadget(*way.method, input);
  decompose::Resolver resolver(
      *engine, *gadget, static_cast<int>(hero), reach[hero],
      solve::make_schedule(options_.algorithm, options_.preflop_iterations));
  for (int64_t t = 1; t <= options_.preflop_iterations; ++t) {
    check_stop();
    resolver.iterate();
    report(fmt::format("{}: '{}'", way.name, poker::line_of(game_.tree(), bet)), t,
           options_.preflop_iterations);
  }
  Trunk trunk = read_trunk(game_, *engine, copy, reach, bet, options_.threads);
  preflop_seconds_ += watch.seconds();
  return trunk;
}

// The same by translation: only what the hero does before the deal; what follows is made board by
// board.
Trunk NestedJob::translate_answer(const NestedHero& hero, uint32_t bet) const {
  const poker::BettingTree& tree = game_.tree();
  const hands::Side& side = game_.first().boards[0].side[hero.hero];
  Trunk trunk;
  trunk.into.resize(game_.num_first_nodes());
  for (auto& reach : trunk.reach) reach.resize(game_.num_first_nodes());
  auto& reach = trunk.reach[hero.hero];
  for (uint32_t n = bet; n < game_.num_first_nodes(); ++n) {
    const uint32_t above = tree.nodes[n].parent;
    if (n == bet) reach[n] = small_->reach[hero.hero][above];
    if (reach[above].empty() || hero.counterparts[n].empty()) continue;
    reach[n] = reach[above];
    if (tree.nodes[above].player != hero.hero) continue;
    trunk.into[n].assign(side.count, 0);
    for (size_t i = 0; i < side.count; ++i) {
      double reached = 0, done = 0, drawn = 0;
      for (const Counterpart& c : hero.counterparts[n]) {
        const double own = small_->reach[hero.hero][tree.nodes[c.node].parent][side.hand[i]];
        reached += c.weight * own;
        done += c.weight * own * small_->into[c.node][i];
        drawn += c.weight * small_->into[c.node][i];
      }
      trunk.into[n][i] = static_cast<float>(reached > 0 ? done / reached : drawn);
    }
    for (size_t h = 0; h < reach[n].size(); ++h) reach[n][h] *= trunk.into[n][side.row[h]];
  }
  return trunk;
}

void NestedJob::add_answer(const NestedWay& way, uint32_t bet, Heroes& heroes, NestedHero& hero) {
  heroes.answers.push_back(std::make_unique<Trunk>(way.method ? solve_answer(way, hero.hero, bet)
                                                              : translate_answer(hero, bet)));
  const Trunk& answer = *heroes.answers.back();
  for (const uint32_t move : moves_[hero.hero]) {
    if (!answer.into[move].empty()) heroes.into[hero.hero][move] = answer.into[move];
  }
  for (size_t line = 0; line < game_.num_lines(); ++line) {
    const uint32_t deal = game_.first().nodes[game_.first().exits[line]].source;
    if (answer.reach[hero.hero][deal].empty()) continue;
    hero.trunk[line] = &answer;
    if (way.method) hero.passed[line] = passed_on_way(hero.opponent(), deal, &answer);
  }
}

NestedJob::Heroes NestedJob::make_heroes(size_t method) {
  const NestedWay& way = ways_[method];
  Heroes heroes;
  for (size_t h = 0; h < 2; ++h) {
    NestedHero& hero = heroes.hero[h];
    hero.hero = h;
    hero.trunk.assign(game_.num_lines(), nullptr);
    hero.passed.resize(game_.num_lines());
    if (way.method) {
      hero.subgames = find_subgames(game_, h, way.expensive);
    } else {
      hero.counterparts = find_counterparts(game_.tree(), game_.bets, h);
    }
    heroes.into[h] = small_->into;
    for (size_t line = 0; line < game_.num_lines(); ++line) {
      const uint32_t deal = game_.first().nodes[game_.first().exits[line]].source;
      if (small_->reach[h][deal].empty()) continue;
      hero.trunk[line] = small_.get();
      if (way.method) hero.passed[line] = passed_on_way(1 - h, deal, nullptr);
    }
    for (const uint32_t bet : first_bets_[h]) add_answer(way, bet, heroes, hero);
  }
  return heroes;
}

void NestedJob::run() {
  for (size_t m = 0; m < ways_.size(); ++m) run_method(m);
}

void NestedJob::run_method(size_t method) {
  std::vector<size_t> open;
  for (const size_t d : wanted_) {
    if (log_.result(record(method, d)).empty()) open.push_back(d);
  }
  const bool is_begun = !log_.result(first_record(method)).empty();
  if (open.empty() && is_begun) {
    small_exploitability_ = log_.result(first_record(method)).back();
    return;
  }
  if (!small_) solve_small();
  const Heroes heroes = make_heroes(method);
  if (!is_begun) {
    std::vector<float> first(result_size(), 0);
    float* to = first.data();
    for (size_t h = 0; h < 2; ++h) {
      for (const uint32_t move : moves_[h]) {
        std::ranges::copy(heroes.into[h][move], to);
        to += game_.width();
      }
    }
    first.back() = static_cast<float>(small_exploitability_);
    log_.add(first_record(method), std::move(first));
  }
  size_t done = wanted_.size() - open.size();
  core::parallel_for(open.size(), options_.threads, [&](size_t i) {
    if (options_.stop && *options_.stop) return;
    const core::Stopwatch watch = started_watch();
    std::vector<float> result = solve_deal(method, open[i], heroes);
    const std::lock_guard lock(mutex_);
    solving_seconds_ += watch.seconds();
    log_.add(record(method, open[i]), std::move(result));
    report(ways_[method].name, static_cast<int64_t>(++done), static_cast<int64_t>(wanted_.size()));
  });
  check_stop();
}

std::vector<float> NestedJob::solve_deal(size_t method, size_t deal, const Heroes& heroes) {
  const kernels::FlushToZero flush;
  const NestedSolving solving = this->solving();
  std::vector<float> out(result_size(), 0);
  for (size_t h = 0; h < 2; ++h) {
    NestedStreet street(game_, heroes.hero[h], ways_[method], solving, deal);
    street.run(out.data() + h * game_.num_lines() * game_.width());
    out[out.size() - 2 + h] = static_cast<float>(street.total_gain());
    const std::lock_guard lock(mutex_);
    num_solved_ += street.num_solved();
  }
  return out;
}

Estimate NestedJob::exploitability(size_t method) const {
  const auto& boards = game_.last().boards;
  const size_t size = game_.num_lines() * game_.width();
  std::vector<size_t> known;
  double all = 0;
  for (size_t d = 0; d < num_deals(); ++d) {
    all += static_cast<double>(boards[d].images.size());
    if (!log_.result(record(method, d)).empty()) known.push_back(d);
  }
  if (known.empty()) throw core::RunError("no deal has been measured yet");
  const float* moves = log_.result(first_record(method)).data();
  std::vector<FirstStreet> streets;
  for (size_t h = 0; h < 2; ++h) {
    streets.emplace_back(game_, h, moves_[h], moves);
    moves += moves_[h].size() * game_.width();
  }
  const auto measure = [&](const std::vector<double>& weight) {
    double dealt = 0, sum = 0;
    for (const size_t d : known) dealt += weight[d] * static_cast<double>(boards[d].images.size());
    std::vector<double> lines(size);
    for (size_t h = 0; h < 2; ++h) {
      std::ranges::fill(lines, 0.0);
      for (const size_t d : known) {
        const float* from = log_.result(record(method, d)).data() + h * size;
        if (weight[d] == 0) continue;
        for (size_t i = 0; i < size; ++i) lines[i] += weight[d] * all / dealt * from[i];
      }
      sum += streets[h].best_response(lines);
    }
    return sum / 2;
  };
  return resampled(known, num_deals(), num_deals(), measure);
}

}  // namespace cleave::whole
