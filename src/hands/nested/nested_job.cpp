#include "hands/nested/nested_job.h"

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
#include "hands/meeting.h"
#include "tree/archive.h"

namespace cleave::hands {
namespace {

using NodeKind = poker::BettingNode::Kind;

constexpr size_t kTail = 4;  // single numbers at the end of a record

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
      : game_(game), opponent_(1 - hero) {
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
      order_(decompose::spread_order(num_deals())),
      log_("", "", 0, 0) {
  for (size_t hero = 0; hero < 2; ++hero) find_first_bets(hero);
  log_ = decompose::Journal(options_.file, options_.key, ways_.size() * (num_deals() + 1),
                            result_size());
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
  const size_t moves = (moves_[0].size() + moves_[1].size()) * game_.width();
  return 2 * values_size() + std::max(2 * values_size(), moves) + kTail;
}

std::span<const size_t> NestedJob::wanted(size_t method) const {
  const bool some = options_.deals > 0 && ways_[method].method;
  return std::span(order_).first(some ? std::min(order_.size(), options_.deals) : order_.size());
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
    if (!result.empty()) sum += result[result.size() - kTail + hero];
  }
  return sum;
}

NestedJob::Cost NestedJob::cost() const {
  Cost cost;
  for (size_t m = 0; m < ways_.size(); ++m) {
    const auto& first = log_.result(first_record(m));
    if (first.empty()) continue;
    cost.small_seconds = first[first.size() - kTail + 1];
    cost.preflop_seconds += first[first.size() - kTail + 2];
    for (size_t d = 0; d < num_deals(); ++d) {
      const auto& result = log_.result(record(m, d));
      if (result.empty() || !ways_[m].method) continue;
      cost.subgames += result[result.size() - kTail + 2];
      cost.subgame_seconds += result[result.size() - kTail + 3];
    }
  }
  return cost;
}

double NestedJob::solve_whole(hands::VectorEngine& engine, const std::string& file,
                              const std::string& key, const std::string& what, int64_t iterations,
                              const std::function<void(int64_t)>& iterate) const {
  const auto load = [&]() -> std::optional<double> {
    if (file.empty() || !std::filesystem::exists(file)) return {};
    const tree::ArchiveFile archive(file);
    const tree::Archive head = archive.read();
    if (head.text("key") != key) return {};
    for (const tree::BulkArray& array : engine.arrays(false)) archive.read_bulk(array);
    return head.real("seconds", 1)[0];
  };
  std::optional<double> seconds = load();
  if (!seconds) {
    const core::Stopwatch watch = started_watch();
    for (int64_t t = 1; t <= iterations; ++t) {
      check_stop();
      iterate(t);
      report(what, t, iterations);
    }
    seconds = watch.seconds();
    tree::Archive archive;
    archive.texts["key"] = key;
    archive.reals["seconds"] = {*seconds};
    if (!file.empty()) tree::write_archive(archive, file, engine.arrays(false));
  }
  // The averages are all that a file has: nothing else is to be seen from here on.
  engine.freeze();
  return *seconds;
}

void NestedJob::solve_small() {
  const auto engine =
      hands::make_vector_engine(hands::sketch_layout(small_setup_),
                                {.storage = options_.storage, .threads = options_.threads});
  decompose::Vectors reach;
  for (size_t p = 0; p < 2; ++p) reach[p].assign(small_setup_.hands[p].size(), 1.0);
  const solve::Schedule schedule =
      solve::make_schedule(options_.small_algorithm, options_.small_iterations);
  small_seconds_ = solve_whole(
      *engine, options_.small_file, options_.small_key, "small game", options_.small_iterations,
      [&](int64_t t) { decompose::iterate_fixed(*engine, reach, schedule(t)); });
  small_exploitability_ = 0;
  std::vector<double> values(reach[0].size());
  for (size_t p = 0; p < 2; ++p) {
    engine->best_response(p, reach[0], values);
    small_exploitability_ += std::accumulate(values.begin(), values.end(), 0.0) / 2;
  }
  small_ =
      std::make_unique<Trunk>(read_trunk(game_, *engine, small_copy_, reach, 0, options_.threads));
}

std::string NestedJob::answer_file(const NestedWay& way, uint32_t bet) const {
  if (options_.answer_files.empty()) return "";
  return fmt::format("{}-{}-{}", options_.answer_files, way.name, bet);
}

void NestedJob::remove_answers(size_t method) const {
  if (options_.answer_files.empty()) return;
  for (const auto& bets : first_bets_) {
    for (const uint32_t bet : bets) std::filesystem::remove(answer_file(ways_[method], bet));
  }
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
    step.rho = reach_met(game_.layout.setup.hands[0], game_.layout.setup.hands[0],
                         here.reach[1 - opponent][at]);
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
  const std::vector<Passed> passed = passed_on_way(opponent, decision, nullptr);
  std::vector<const Passed*> steps;
  for (const Passed& step : passed) steps.push_back(&step);
  decompose::Entrance entrance{{reach, {}, {}}};
  entrance.summary.value[opponent] = small_->best[opponent][decision];
  entrance.summary.best_response[opponent] = small_->best[opponent][decision];
  for (size_t h = 0; h < reach[opponent].size(); ++h) {
    entrance.way.push_back(nested_way(steps, h, 0));
  }
  const auto gadget = decompose::make_gadget(
      *way.method, decompose::make_gadget_input(*way.method, *engine, hero, entrance));
  decompose::Resolver resolver(
      *engine, *gadget, hero, reach[hero],
      solve::make_schedule(options_.algorithm, options_.preflop_iterations));
  const std::string what = fmt::format("{}: '{}'", way.name, poker::line_of(game_.tree(), bet));
  answer_seconds_ += solve_whole(*engine, answer_file(way, bet), options_.key + " " + what, what,
                                 options_.preflop_iterations, [&](int64_t) { resolver.iterate(); });
  return read_trunk(game_, *engine, copy, reach, bet, options_.threads);
}

// The same by translation: only what the hero does before the deal; what follows is made board by
// board.
Trunk NestedJob::translate_answer(const NestedWay& way, const NestedHero& hero,
                                  uint32_t bet) const {
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
        const uint32_t from = tree.nodes[c.node].parent;
        const double own = way.anew ? 1 : small_->reach[hero.hero][from][side.hand[i]];
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
                                                              : translate_answer(way, hero, bet)));
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
  const std::span<const size_t> deals = wanted(method);
  std::vector<size_t> open;
  for (const size_t d : deals) {
    if (log_.result(record(method, d)).empty()) open.push_back(d);
  }
  const bool is_begun = !log_.result(first_record(method)).empty();
  if (open.empty() && is_begun) {
    const auto& first = log_.result(first_record(method));
    small_exploitability_ = first[first.size() - kTail];
    return;
  }
  if (!small_) solve_small();
  answer_seconds_ = 0;
  const Heroes heroes = make_heroes(method);
  if (!is_begun) log_.add(first_record(method), first_result(method, heroes));
  size_t done = deals.size() - open.size();
  core::parallel_for(open.size(), options_.threads, [&](size_t i) {
    if (options_.stop && *options_.stop) return;
    std::vector<float> result = solve_deal(method, open[i], heroes);
    const std::lock_guard lock(mutex_);
    log_.add(record(method, open[i]), std::move(result));
    report(ways_[method].name, static_cast<int64_t>(++done), static_cast<int64_t>(deals.size()));
  });
  check_stop();
  if (num_done(method) == num_deals()) remove_answers(method);
}

std::vector<float> NestedJob::first_result(size_t method, const Heroes& heroes) const {
  std::vector<float> out(result_size(), 0);
  float* to = out.data();
  for (const NestedHero& hero : heroes.hero) {
    const std::vector<uint16_t>& row = game_.first().boards[0].side[hero.opponent()].row;
    for (size_t line = 0; line < game_.num_lines(); ++line, to += game_.width()) {
      const Trunk* trunk = hero.trunk[line];
      if (!trunk || !ways_[method].method) continue;
      const uint32_t deal = game_.first().nodes[game_.first().exits[line]].source;
      const std::vector<double>& best = trunk->best[hero.opponent()][deal];
      for (size_t h = 0; h < best.size(); ++h) to[row[h]] = static_cast<float>(best[h]);
    }
  }
  for (size_t h = 0; h < 2; ++h) {
    for (const uint32_t move : moves_[h]) {
      std::ranges::copy(heroes.into[h][move], to);
      to += game_.width();
    }
  }
  float* tail = out.data() + out.size() - kTail;
  tail[0] = static_cast<float>(small_exploitability_);
  tail[1] = static_cast<float>(small_seconds_);
  tail[2] = static_cast<float>(answer_seconds_);
  return out;
}

std::vector<float> NestedJob::solve_deal(size_t method, size_t deal, const Heroes& heroes) const {
  const kernels::FlushToZero flush;
  const core::Stopwatch watch = started_watch();
  const NestedSolving solving = this->solving();
  std::vector<float> out(result_size(), 0);
  float* tail = out.data() + out.size() - kTail;
  for (size_t h = 0; h < 2; ++h) {
    NestedStreet street(game_, heroes.hero[h], ways_[method], solving, deal);
    street.run(out.data() + h * values_size(), out.data() + (2 + h) * values_size());
    tail[h] = static_cast<float>(street.total_gain());
    tail[2] += static_cast<float>(street.num_solved());
  }
  tail[3] = static_cast<float>(watch.seconds());
  return out;
}

decompose::Estimate NestedJob::exploitability(size_t method) const {
  const auto& boards = game_.last().boards;
  const size_t size = values_size();
  std::vector<size_t> known;
  double all = 0;
  for (size_t d = 0; d < num_deals(); ++d) {
    all += static_cast<double>(boards[d].images.size());
    if (!log_.result(record(method, d)).empty()) known.push_back(d);
  }
  if (known.empty()) throw core::RunError("no deal has been measured yet");
  const float* base = log_.result(first_record(method)).data();
  const float* moves = base + 2 * size;
  std::vector<FirstStreet> streets;
  for (size_t h = 0; h < 2; ++h) {
    streets.emplace_back(game_, h, moves_[h], moves);
    moves += moves_[h].size() * game_.width();
  }
  const auto measure = [&](const std::vector<double>& weight) {
    double dealt = 0, sum = 0;
    for (const size_t d : known) dealt += weight[d] * static_cast<double>(boards[d].images.size());
    for (size_t h = 0; h < 2; ++h) {
      std::vector<double> lines(base + h * size, base + (h + 1) * size);
      for (const size_t d : known) {
        if (weight[d] == 0) continue;
        const float* value = log_.result(record(method, d)).data() + h * size;
        const float* before = value + 2 * size;
        const double share = weight[d] * all / dealt;
        for (size_t i = 0; i < size; ++i) lines[i] += share * (value[i] - before[i]);
      }
      sum += streets[h].best_response(lines);
    }
    return sum / 2;
  };
  return decompose::resampled(known, num_deals(), num_deals(), measure);
}

}  // namespace cleave::hands
