#include "decompose/nested.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/threads.h"

namespace cleave::decompose {
namespace {

constexpr std::string_view kExpensive = "expensive-";
constexpr size_t kNoStretch = ~size_t{0};
constexpr size_t kTail = 3;  // of a record: a Tally

bool decides(const Engine& engine, size_t player) {
  for (size_t d = 0; d < engine.num_decisions(); ++d) {
    if (engine.decision(d).player == player) return true;
  }
  return false;
}

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

// What an engine's decisions say of one state, looked up once each.
class Rows {
 public:
  explicit Rows(Engine& engine) : engine_(engine) {}
  const std::vector<double>& at(uint32_t decision) {
    std::vector<double>& rows = rows_[decision];
    if (rows.empty()) {
      rows.resize(engine_.decision(decision).num_rows());
      engine_.strategy(decision, rows);
    }
    return rows;
  }
  double probability(const Passage& at) {
    const std::vector<double>& rows = this->at(at.decision);
    return rows[at.action * engine_.decision(at.decision).num_states + at.state];
  }

 private:
  Engine& engine_;
  std::map<uint32_t, std::vector<double>> rows_;
};

}  // namespace

NestedMethod make_nested_method(std::string_view name, std::string_view also) {
  NestedMethod out;
  out.expensive = name.starts_with(kExpensive);
  if (out.expensive) name.remove_prefix(kExpensive.size());
  out.method = make_method(name, fmt::format("; also {} in front of a method{}", kExpensive, also));
  return out;
}

// What is played between two moves outside the abstraction, or two deals.
struct Nested::Stretch {
  std::shared_ptr<const Piece> piece;
  std::shared_ptr<const Profile> profile;
  Crossing crossing;  // to its root from the leaf above
  Vectors reach;      // at its root
  Way way;            // the opponent's, to its root
  size_t depth = 0;   // moves outside the abstraction before it
  double images = 1;

  std::unique_ptr<Engine> engine;  // leaf values: those of `base`
  std::vector<Vectors> leaf_reach;
  // The opponent's best response as far as the hero's model goes: [leaf], closed behind moves
  // outside of it, and at the root.
  std::vector<std::vector<double>> base;
  std::vector<double> root_base;
  std::vector<std::vector<double>> mean;  // [leaf]: when both follow the model
  DecisionValues best_response, average;
  std::vector<size_t> inner;  // [leaf]: the stretch of the top behind it
};

struct Nested::Tally {
  double gain = 0, subgames = 0, seconds = 0;
};

Nested::Nested(std::shared_ptr<const Piece> game, std::shared_ptr<const Profile> profile,
               Vectors root_reach, size_t hero, NestedMethod method, NestedOptions options)
    : profile_(std::move(profile)),
      root_reach_(std::move(root_reach)),
      hero_(hero),
      opponent_(1 - hero),
      method_(std::move(method)),
      options_(std::move(options)),
      journal_("", "", 0, 0) {
  if (method_.method.gadget->needs_trunk_reach && !method_.expensive) {
    throw core::InputError(
        fmt::format("method '{0}' needs the opponent's reach of a move that the hero's model does "
                    "not have; only {1}{0} has it",
                    method_.method.name, kExpensive));
  }
  top_.emplace_back().piece = std::move(game);
}

Nested::~Nested() = default;

Nested::Stretch Nested::begin(std::shared_ptr<const Piece> piece,
                              std::shared_ptr<const Profile> profile, Vectors reach, Way way,
                              size_t depth, double images, int threads) const {
  Stretch s;
  s.piece = std::move(piece);
  s.profile = std::move(profile);
  s.reach = std::move(reach);
  s.way = std::move(way);
  s.depth = depth;
  s.images = images;
  s.engine = s.piece->engine(threads);
  s.profile->give(*s.piece, *s.engine);
  for (size_t p = 0; p < 2; ++p) s.engine->follow(p, s.reach[p]);
  s.leaf_reach = leaf_reaches(*s.engine);
  s.inner.assign(s.leaf_reach.size(), kNoStretch);
  for (size_t leaf = 0; leaf < s.leaf_reach.size(); ++leaf) {
    const size_t states = s.leaf_reach[leaf][opponent_].size();
    const bool outside = s.piece->is_outside(leaf);
    std::vector<double>& base = s.base.emplace_back(states, outside ? kClosed : 0.0);
    std::vector<double>& mean = s.mean.emplace_back(states, 0.0);
    if (outside) continue;
    // Deals side by side; what they bring is added up in their order.
    std::vector<std::array<std::vector<double>, 2>> values(s.piece->num_below(leaf));
    std::vector<Crossing> crossings(values.size());
    core::parallel_for(values.size(), threads, [&](size_t i) {
      Below below = s.piece->below(leaf, i);
      const auto model = below.piece->model();
      const auto engine = model->engine();
      s.profile->give(*model, *engine);
      const auto hero = below.crossing.spread(hero_, s.leaf_reach[leaf][hero_]);
      for (auto& to : values[i]) to.resize(engine->num_states(opponent_));
      engine->values(opponent_, Follow::kBestResponse, hero, values[i][0]);
      engine->values(opponent_, Follow::kAverage, hero, values[i][1]);
      crossings[i] = std::move(below.crossing);
    });
    for (size_t i = 0; i < values.size(); ++i) {
      crossings[i].collect(opponent_, values[i][0], base);
      crossings[i].collect(opponent_, values[i][1], mean);
    }
  }
  look(s);
  return s;
}

void Nested::look(Stretch& s) const {
  const std::vector<double>& reach = s.reach[hero_];
  if (!s.base.empty()) {
    for (size_t l = 0; l < s.mean.size(); ++l) {
      s.engine->set_leaf_values(l, opponent_, s.mean[l]);
    }
    s.average = s.engine->decision_values(opponent_, Follow::kAverage, reach);
    for (size_t l = 0; l < s.base.size(); ++l) {
      s.engine->set_leaf_values(l, opponent_, s.base[l]);
    }
    s.best_response = s.engine->decision_values(opponent_, Follow::kBestResponse, reach);
  }
  s.root_base.resize(s.reach[opponent_].size());
  s.engine->values(opponent_, Follow::kBestResponse, reach, s.root_base);
}

// Over a deal, by the same strategies.
Nested::Stretch Nested::go_on(const Stretch& above, size_t leaf, size_t number) const {
  options_.solving.check_stop();
  const Below below = above.piece->below(leaf, number);
  Vectors reach = below.crossing.spread(above.leaf_reach[leaf]);
  Way way =
      cross(way_to(*above.piece, leaf, opponent_, above.way, above.best_response, above.average),
            below.crossing, opponent_, reach[opponent_].size());
  Stretch out = begin(below.piece, above.profile, std::move(reach), std::move(way), above.depth,
                      above.images * static_cast<double>(below.crossing.num_images()), 1);
  out.crossing = below.crossing;
  return out;
}

// Over a move that the hero's model does not have: it is answered first.
Nested::Stretch Nested::answer(const Stretch& above, size_t leaf, bool first, Tally& tally) const {
  options_.solving.check_stop();
  const Below below = above.piece->below(leaf, 0);
  Vectors reach = below.crossing.spread(above.leaf_reach[leaf]);
  NestedStep step{.piece = above.piece.get(), .leaf = leaf, .depth = above.depth + 1};
  const auto model = below.piece->model();
  std::shared_ptr<Engine> engine = model->engine(first ? options_.solving.threads : 1);
  std::vector<double> rho(reach[opponent_].size());
  engine->counterfactual_reach(opponent_, reach[hero_], rho);
  step.reached = sum(rho) > 0;
  // Where the hero never goes any answer will do: what nobody has learnt is uniform.
  std::shared_ptr<const Profile> profile = model->profile(engine);
  if (step.reached && decides(*engine, hero_)) {
    Around around =
        method_.expensive ? above.piece->around(leaf) : behind(above, leaf, below, reach, model);
    // Behind the move the engine itself has the answer.
    const std::shared_ptr<Engine> solved =
        method_.expensive ? around.piece->engine(first ? options_.solving.threads : 1) : engine;
    solve(above, leaf, around, first, *solved, step, tally);
    profile = around.piece->profile(solved);
    if (method_.expensive) profile->give(*model, *engine);
  }
  if (options_.take) options_.take(*below.piece, *profile);

  // What the move is worth, per information set the best of those that lead here.
  std::vector<double> value(rho.size()), after(above.leaf_reach[leaf][opponent_].size(), 0.0);
  engine->values(opponent_, Follow::kBestResponse, reach[hero_], value);
  below.crossing.collect(opponent_, value, after);
  const std::vector<Trail> trails = above.piece->way(leaf, opponent_);
  std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, double>> gains;
  step.margin = std::numeric_limits<double>::infinity();
  for (size_t s = 0; s < value.size(); ++s) {
    const Passage& at = trails[below.crossing.above(opponent_, s)].passages.back();
    const double gain = value[s] - best_at(above.best_response, at);
    gains[{at.decision, at.state}][at.action] += std::max(0.0, gain);
    const double met = above.best_response.reach[at.decision][at.state];
    if (met > 0) step.margin = std::min(step.margin, -gain / met);
  }
  for (const auto& [set, by_action] : gains) {
    double most = 0;
    for (const auto& [action, gain] : by_action) most = std::max(most, gain);
    step.gain += above.images * most;
  }
  tally.gain += step.gain;
  if (options_.step) {
    const std::lock_guard lock(mutex_);
    options_.step(step);
  }

  if (method_.expensive && step.reached) {
    // The answer also says how often the opponent is thought to make the move.
    const auto both = above.piece->engine();
    above.profile->give(*above.piece, *both);
    profile->give(*above.piece, *both);
    both->follow(opponent_, above.reach[opponent_]);
    std::vector<double> at_leaf(after.size());
    both->leaf_reach(leaf, opponent_, at_leaf);
    reach[opponent_] = below.crossing.spread(opponent_, at_leaf);
  }
  Stretch out;
  if (below.piece->num_leaves() == 0) {
    out.piece = below.piece;
    out.root_base = std::move(value);
  } else {
    // On the way to what is inside the move counts as one that the model has.
    above.engine->set_leaf_values(leaf, opponent_, after);
    const DecisionValues best_response =
        above.engine->decision_values(opponent_, Follow::kBestResponse, above.reach[hero_]);
    above.engine->set_leaf_values(leaf, opponent_, above.base[leaf]);
    Way way = cross(way_to(*above.piece, leaf, opponent_, above.way, best_response, above.average),
                    below.crossing, opponent_, value.size());
    out = begin(below.piece, std::move(profile), std::move(reach), std::move(way), above.depth + 1,
                above.images, first ? options_.solving.threads : 1);
  }
  out.crossing = below.crossing;
  return out;
}

// The subgame that begins behind the move.
Around Nested::behind(const Stretch& above, size_t leaf, const Below& below, const Vectors& reach,
                      std::shared_ptr<const Piece> model) const {
  Around around{std::move(model)};
  for (size_t p = 0; p < 2; ++p) {
    const std::vector<Trail> trails = above.piece->way(leaf, p);
    for (size_t s = 0; s < reach[p].size(); ++s) {
      around.trails[p].push_back(trails[below.crossing.above(p, s)]);
    }
  }
  for (Trail& trail : around.trails[opponent_]) {
    around.at.push_back(trail.passages.back());
    trail.passages.pop_back();
  }
  return around;
}

void Nested::solve(const Stretch& above, size_t leaf, const Around& around, bool first,
                   Engine& engine, NestedStep& step, Tally& tally) const {
  const auto watch = core::Stopwatch::started();
  Rows rows(*above.engine);
  Entrance entrance;
  for (size_t p = 0; p < 2; ++p) {
    for (const Trail& trail : around.trails[p]) {
      double& own = entrance.summary.reach[p].emplace_back(above.reach[p][trail.root]);
      for (const Passage& at : trail.passages) own *= rows.probability(at);
    }
  }
  auto& opponent_reach = entrance.summary.reach[opponent_];
  if (!method_.expensive) std::ranges::fill(opponent_reach, 0.0);  // the model has no such move
  for (const Passage& at : around.at) {
    const std::vector<double>& strategy = rows.at(at.decision);
    const std::vector<double>& mean = above.average.action[at.decision];
    const size_t states = above.average.reach[at.decision].size();
    double value = 0;
    for (size_t i = at.state; i < mean.size(); i += states) value += strategy[i] * mean[i];
    entrance.summary.value[opponent_].push_back(value);
    entrance.summary.best_response[opponent_].push_back(best_at(above.best_response, at));
  }
  if (method_.method.gadget->needs_trunk_reach) {
    std::vector<double> rho(opponent_reach.size());
    engine.counterfactual_reach(opponent_, entrance.summary.reach[hero_], rho);
    step.assumed = std::inner_product(rho.begin(), rho.end(), opponent_reach.begin(), 0.0) <= 0;
  }
  // On the way to I, not at I itself: CBV(I) for CBV(I, a) has given that one already.
  entrance.way = way_along(around.trails[opponent_], above.way, above.best_response, above.average);
  ResolveOptions solving = options_.solving;
  if (first && options_.first_iterations > 0) solving.iterations = options_.first_iterations;
  const std::string name = first ? fmt::format("{}.{}", &above - top_.data(), leaf) : std::string();
  if (!first || !options_.recall || !options_.recall(name, engine)) {
    resolve_subgame(*around.piece, engine, hero_, method_.method, entrance, solving);
    if (first && options_.keep) options_.keep(name, engine);
  }
  ++tally.subgames;
  tally.seconds += watch.seconds();
}

// What the opponent's best response with all moves gets at the root of a stretch.
std::vector<double> Nested::finish(const Stretch& s, Tally& tally) const {
  if (s.base.empty()) return s.root_base;
  std::vector<std::vector<double>> final(s.base.size());
  for (size_t leaf = 0; leaf < s.base.size(); ++leaf) {
    final[leaf].assign(s.base[leaf].size(), 0.0);
    const auto add = [&](const Stretch& below) {
      below.crossing.collect(opponent_, finish(below, tally), final[leaf]);
    };
    if (s.piece->is_outside(leaf)) {
      add(answer(s, leaf, false, tally));
    } else {
      for (size_t i = 0; i < s.piece->num_below(leaf); ++i) add(go_on(s, leaf, i));
    }
  }
  std::vector<double> values(s.reach[opponent_].size());
  for (size_t leaf = 0; leaf < final.size(); ++leaf) {
    s.engine->set_leaf_values(leaf, opponent_, final[leaf]);
  }
  s.engine->values(opponent_, Follow::kBestResponse, s.reach[hero_], values);
  return values;
}

void Nested::answer_top() {
  Tally tally;
  top_[0] = begin(top_[0].piece, profile_, root_reach_, {}, 0, 1, options_.solving.threads);
  for (size_t t = 0; t < top_.size(); ++t) {
    for (size_t leaf = 0; leaf < top_[t].base.size(); ++leaf) {
      if (!top_[t].piece->is_outside(leaf)) continue;
      Stretch below = answer(top_[t], leaf, true, tally);
      top_[t].inner[leaf] = top_.size();
      top_.push_back(std::move(below));
    }
  }
  first_gain_ = tally.gain;
  first_seconds_ = tally.seconds;
}

void Nested::make_tasks() {
  size_t size = 0;
  for (size_t t = 0; t < top_.size(); ++t) {
    const Piece& piece = *top_[t].piece;
    for (size_t leaf = 0; leaf < top_[t].base.size(); ++leaf) {
      if (piece.is_outside(leaf)) continue;
      for (size_t i = 0; i < piece.num_below(leaf); ++i) {
        const size_t deal = piece.deal_of(leaf, i);
        if (tasks_.size() <= deal) tasks_.resize(deal + 1);
        tasks_[deal].pieces.push_back({t, leaf, i});
      }
    }
  }
  for (Task& task : tasks_) {
    size_t states = 0;
    for (const auto& [t, leaf, i] : task.pieces) states += top_[t].base[leaf].size();
    size = std::max(size, states);
    if (task.pieces.empty()) continue;
    const auto& [t, leaf, i] = task.pieces.front();
    task.images = static_cast<double>(top_[t].piece->below(leaf, i).crossing.num_images());
  }
  wanted_ = spread_order(tasks_.size());
  if (options_.deals > 0) wanted_.resize(std::min(wanted_.size(), options_.deals));
  journal_ = Journal(options_.file, options_.key, tasks_.size(), 2 * size + kTail);
}

std::vector<float> Nested::solve_task(const Task& task) const {
  Tally tally;
  const auto watch = core::Stopwatch::started();
  std::vector<float> out, base;
  for (const auto& [t, leaf, number] : task.pieces) {
    const Stretch below = go_on(top_[t], leaf, number);
    std::vector<double> without(top_[t].base[leaf].size(), 0.0), with = without;
    below.crossing.collect(opponent_, below.root_base, without);
    below.crossing.collect(opponent_, finish(below, tally), with);
    out.insert(out.end(), with.begin(), with.end());
    base.insert(base.end(), without.begin(), without.end());
  }
  out.insert(out.end(), base.begin(), base.end());
  out.resize(journal_.result_size(), 0);
  const std::array<double, kTail> tail = {tally.gain, tally.subgames, watch.seconds()};
  std::ranges::copy(tail, out.end() - kTail);
  return out;
}

void Nested::run() {
  answer_top();
  make_tasks();
  const auto solve = [&](size_t deal) {
    options_.solving.check_stop();
    return solve_task(tasks_[deal]);
  };
  journal_.fill(wanted_, options_.solving.threads, solve, options_.solving.progress);
}

// `leaves`: [stretch of the top][leaf], what deals bring.
std::vector<double> Nested::top_values(
    size_t top, const std::vector<std::vector<std::vector<double>>>& leaves) const {
  const Stretch& s = top_[top];
  if (s.base.empty()) return s.root_base;
  for (size_t leaf = 0; leaf < s.base.size(); ++leaf) {
    std::vector<double> values = leaves[top][leaf];
    if (s.inner[leaf] != kNoStretch) {
      std::ranges::fill(values, 0.0);
      top_[s.inner[leaf]].crossing.collect(opponent_, top_values(s.inner[leaf], leaves), values);
    }
    s.engine->set_leaf_values(leaf, opponent_, values);
  }
  std::vector<double> values(s.reach[opponent_].size());
  s.engine->values(opponent_, Follow::kBestResponse, s.reach[hero_], values);
  return values;
}

// Without answers after it every deal is known; what these change is estimated.
double Nested::measure(const std::vector<double>& weight) const {
  std::vector<std::vector<std::vector<double>>> leaves;
  std::vector<std::vector<double>> all, known;  // [stretch][leaf]: deals there
  for (const Stretch& s : top_) {
    leaves.push_back(s.base);
    all.emplace_back(s.base.size(), 0.0);
    known.emplace_back(s.base.size(), 0.0);
  }
  const auto counts = [&](size_t d) { return !journal_.result(d).empty() && weight[d] > 0; };
  for (size_t d = 0; d < tasks_.size(); ++d) {
    for (const auto& [t, leaf, number] : tasks_[d].pieces) {
      all[t][leaf] += tasks_[d].images;
      if (counts(d)) known[t][leaf] += weight[d] * tasks_[d].images;
    }
  }
  for (size_t d = 0; d < tasks_.size(); ++d) {
    if (!counts(d)) continue;
    size_t size = 0;
    for (const auto& [t, leaf, number] : tasks_[d].pieces) size += leaves[t][leaf].size();
    const float* with = journal_.result(d).data();
    const float* without = with + size;
    for (const auto& [t, leaf, number] : tasks_[d].pieces) {
      const double share = weight[d] * all[t][leaf] / known[t][leaf];
      for (double& x : leaves[t][leaf]) x += share * (*with++ - *without++);
    }
  }
  const std::vector<double> values = top_values(0, leaves);
  return std::inner_product(values.begin(), values.end(), root_reach_[opponent_].begin(), 0.0);
}

Estimate Nested::best_response() const {
  if (tasks_.empty()) return {measure({}), 0};
  const std::vector<size_t> known = journal_.known();
  if (known.empty()) throw core::RunError("no deal has been measured yet");
  return resampled(known, tasks_.size(), tasks_.size(),
                   [&](const auto& weight) { return measure(weight); });
}

// Of all deals together.
Nested::Tally Nested::sum_tallies() const {
  Tally sum;
  for (const size_t deal : journal_.known()) {
    const auto tail = std::span(journal_.result(deal)).last<kTail>();
    sum.gain += tail[0];
    sum.subgames += tail[1];
    sum.seconds += tail[2];
  }
  return sum;
}

double Nested::total_gain() const { return first_gain_ + sum_tallies().gain; }

Nested::Cost Nested::cost() const {
  const Tally sum = sum_tallies();
  return {sum.subgames, sum.seconds, first_seconds_};
}

}  // namespace cleave::decompose
