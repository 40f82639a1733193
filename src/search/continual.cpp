#include "search/continual.h"

#include <algorithm>

#include "decompose/leaves/plain_leaves.h"
#include "decompose/resolve.h"
#include "search/blueprint.h"

namespace cleave::search {
namespace {

using decompose::Follow;
using decompose::GiftRule;

std::unique_ptr<Agent> make_continual_agent(const Setting& setting, core::Params& params) {
  ContinualOptions options;
  options.algorithm = params.text("algorithm", options.algorithm);
  options.method = decompose::make_method(params.text("method", "resolve"));
  const std::string leaf_algorithm = params.text("leaf_algorithm", "cfr+");
  const std::string blueprint = params.text("blueprint", "");
  core::Call leaves = core::parse_call(params.text("leaves", "warm"));
  options.depth = static_cast<int>(params.integer("depth", 0, 0, 1000));
  options.iterations = params.integer("iterations", options.iterations, 1, int64_t{1} << 40);
  options.before_moves = params.choice("carry", "before", {"before", "after"}) == "before";
  const int64_t leaf_iterations = params.integer("leaf_iterations", 10, 1, int64_t{1} << 40);
  params.finish(continual_info().params);
  const bool goes_by_blueprint = std::ranges::any_of(
      decompose::all_leaves(),
      [&](const auto& info) { return info.name == leaves.name && info.needs_blueprint; });
  const bool may_go_by_one = goes_by_blueprint || leaves.name == "checking";
  if (blueprint.empty() ? goes_by_blueprint : !may_go_by_one) {
    core::reject(
        "agent 'continual': leaves=blueprint (or continuations) and blueprint=solve(...), uniform "
        "or blueprint(file=...) belong together");
  }
  if (!blueprint.empty()) options.blueprint = make_blueprint(blueprint, setting);
  if ((leaves.name == "warm" || leaves.name == "solved") && leaves.arguments.empty()) {
    leaves.arguments = {{"iterations", std::to_string(leaf_iterations)},
                        {"algorithm", leaf_algorithm}};
  }
  options.leaves = decompose::leaves_named(std::move(leaves), options.blueprint != nullptr);
  return std::make_unique<ContinualAgent>(setting, std::move(options));
}

}  // namespace

std::vector<double> carry(const Found& found, size_t leaf, size_t number, size_t opponent,
                          decompose::Follow how, const decompose::Vectors& reach) {
  const decompose::Rest rest = found.step.rest(leaf, number);
  if (rest.is_leaf) return found.horizon[rest.horizon[0]][opponent];
  const auto engine = rest.piece->engine();
  found.profile.give(*rest.piece, *engine);
  decompose::Leaves below(*rest.piece, *engine);
  for (size_t i = 0; i < below.size(); ++i) {
    below.states()[i].values[opponent] = found.horizon[rest.horizon[i]][opponent];
  }
  below.give_values(*engine, opponent);
  std::vector<double> values(reach[opponent].size());
  engine->values(opponent, how, reach[1 - opponent], values);
  return values;
}

ContinualAgent::ContinualAgent(const Setting& setting, ContinualOptions options)
    : setting_(setting), options_(std::move(options)), follower_(setting.game, setting.seed) {
  solve::make_schedule(options_.algorithm);  // refuses now what it would refuse in play
  GiftRule& gifts = options_.method.gifts;
  if (gifts.kind != GiftRule::Kind::kNoGifts) {
    core::reject(
        "agent 'continual': method '{}': the opponent's mistakes are counted by "
        "carry=before; leave 'reach' out",
        options_.method.name);
  }
  if (options_.before_moves) gifts.kind = GiftRule::Kind::kSplit;
  if (options_.depth > 0 && !options_.leaves) {
    core::reject("agent 'continual': looking ahead to a depth needs a leaf evaluator");
  }
}

void ContinualAgent::act(const door::Question& asked, std::span<double> probabilities) {
  if (bytes_ > kMostBytes) {
    thoughts_.clear();
    bytes_ = 0;
  }
  const auto know = [&](const Path& path) -> Known {
    Thought& here = think(asked.player, path);
    return {*here.step, *here.stretch.engine};
  };
  follower_.answer(asked, know, probabilities);
}

// Stops on the way come first.
ContinualAgent::Thought& ContinualAgent::think(size_t seat, const Path& path) {
  const auto known = thoughts_.find({seat, path});
  if (known != thoughts_.end()) return known->second;
  setting_.check_stop();
  Thought thought;
  if (path.empty()) {
    // Nobody has a choice of entering: as the game has it.
    thought.step = setting_.game.steps(seat, options_.depth);
    thought.reach = setting_.game.root_reach();
    solve(seat, decompose::make_method("unsafe"), {{thought.reach, {}, {}}}, thought);
  } else {
    const Thought& from = think(seat, Path(path.begin(), path.end() - 1));
    const auto [leaf, number] = path.back();
    const decompose::Below below = from.step->below(leaf, number);
    thought.step = below.piece;
    const decompose::Entrance entrance = carry_on(seat, from, leaf, number, below);
    thought.reach = entrance.summary.reach;
    solve(seat, options_.method, entrance, thought);
  }
  return thoughts_.emplace(std::pair(seat, path), std::move(thought)).first->second;
}

void ContinualAgent::solve(size_t seat, const decompose::Method& method,
                           const decompose::Entrance& entrance, Thought& thought) {
  thought.ahead = thought.step->ahead();
  const std::shared_ptr<decompose::Engine> engine = thought.ahead->engine(setting_.threads);
  const solve::Schedule schedule = solve::make_schedule(options_.algorithm, options_.iterations);
  std::unique_ptr<decompose::LeafEvaluator> evaluator;
  if (thought.ahead->num_leaves() > 0) {
    evaluator = options_.leaves({thought.ahead, seat, options_.blueprint, setting_.threads});
  }
  decompose::AveragedLeaves leaves(evaluator ? *evaluator : decompose::no_leaves(),
                                   [&](int64_t t) { return schedule(t).average_decay; });
  const auto iterated = [&](int64_t done) {
    if (setting_.progress) setting_.progress("re-solving", done, options_.iterations);
  };
  const decompose::ResolveOptions options{.algorithm = options_.algorithm,
                                          .iterations = options_.iterations,
                                          .stop = setting_.stop,
                                          .iterated = iterated};
  const bool solved = setting_.stoppable([&] {
    return resolve_subgame(*thought.ahead, *engine, seat, method, entrance, options, leaves);
  });
  if (solved) {
    ++num_solves_;
    thought.horizon = leaves.values();
  } else {
    const decompose::Leaves none(*thought.ahead, *engine);
    for (const auto& below : none.states()) thought.horizon.push_back(below.values);
  }
  thought.found = thought.ahead->profile(engine);
  thought.stretch = decompose::begin_stretch(*thought.found, *thought.step, thought.reach);
  if (options_.before_moves) look_back(seat, thought);
  bytes_ += engine->learning_bytes();
}

// What the opponent passes by at its moves of the step.
void ContinualAgent::look_back(size_t seat, Thought& thought) const {
  const size_t opponent = 1 - seat;
  decompose::Engine& engine = *thought.stretch.engine;
  for (const Follow how : {Follow::kBestResponse, Follow::kAverage}) {
    for (size_t leaf = 0; leaf < thought.step->num_leaves(); ++leaf) {
      std::vector<double> values(engine.num_leaf_states(leaf, opponent), 0.0);
      for (size_t number = 0; number < thought.step->num_below(leaf); ++number) {
        const decompose::Below below = thought.step->below(leaf, number);
        const decompose::Vectors reach = below.crossing.spread(thought.stretch.reach[leaf]);
        below.crossing.collect(opponent,
                               carry({*thought.step, *thought.found, thought.horizon}, leaf, number,
                                     opponent, how, reach),
                               values);
      }
      engine.set_leaf_values(leaf, opponent, values);
    }
    auto& found = how == Follow::kAverage ? thought.stretch.average : thought.stretch.best_response;
    found[opponent] = engine.decision_values(opponent, how, thought.reach[seat]);
  }
}

decompose::Entrance ContinualAgent::carry_on(size_t seat, const Thought& from, size_t leaf,
                                             size_t number, const decompose::Below& below) const {
  const size_t opponent = 1 - seat;
  // What was given away before this step is in the values already.
  const decompose::Arrival arrival = arrive(*from.step, from.stretch, {}, leaf, below);
  decompose::Entrance entrance{{arrival.reach, {}, {}}, arrival.way[opponent]};
  const Found found{*from.step, *from.found, from.horizon};
  for (const Follow how : {Follow::kBestResponse, Follow::kAverage}) {
    decompose::Summary& summary = entrance.summary;
    (how == Follow::kAverage ? summary.value : summary.best_response)[opponent] =
        carry(found, leaf, number, opponent, how, arrival.reach);
  }
  return entrance;
}

void ContinualAgent::complete_below(size_t seat, const Path& path,
                                    decompose::Recombined& strategy) {
  const size_t before = bytes_;
  const Thought& here = think(seat, path);
  const std::shared_ptr<const decompose::Piece> step = here.step;
  strategy.take(*step, *here.stretch.engine, seat);
  for (size_t leaf = 0; leaf < step->num_leaves(); ++leaf) {
    for (size_t number = 0; number < step->num_below(leaf); ++number) {
      Path next = path;
      next.emplace_back(leaf, number);
      complete_below(seat, next, strategy);
    }
  }
  thoughts_.erase({seat, path});
  bytes_ = before;
}

std::shared_ptr<const decompose::Profile> ContinualAgent::complete() {
  std::shared_ptr<decompose::Recombined> strategy =
      setting_.game.recombine(*decompose::uniform_profile());
  for (size_t seat = 0; seat < 2; ++seat) complete_below(seat, {}, *strategy);
  return strategy;
}

AgentInfo continual_info() {
  return {
      "continual",
      "continual re-solving: thinks anew at every own decision, keeps no strategy",
      {{"depth", "0",
        "moves to look ahead, at least to the next own one (of hold'em to the end of the street); "
        "0: to the end"},
       {"iterations", "500", "of each solve"},
       {"algorithm", "pcfr+", "of the CFR family"},
       {"method", "resolve", "gadget: resolve, maxmargin, unsafe, estimated, ..."},
       {"carry", "before",
        "the opponent's values that constrain the next solve: those before its own moves "
        "(DeepStack), or after"},
       {"leaves", "warm",
        "at the depth: warm (solvers that go on), solved (afresh), bucket, payoff, blueprint, ..."},
       {"leaf_iterations", "10", "of warm and solved leaves, for every iteration above them"},
       {"leaf_algorithm", "cfr+", "of the CFR family"},
       {"blueprint", "",
        "for leaves=blueprint or continuations: uniform, solve(...), blueprint(file=...)"}},
      make_continual_agent};
}

}  // namespace cleave::search
