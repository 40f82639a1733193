#include "search/continual.h"

#include <fmt/format.h>

#include <algorithm>

#include "decompose/leaves/averaged_leaves.h"
#include "decompose/resolver.h"
#include "histories/profile.h"
#include "histories/summary.h"
#include "histories/tree_engine.h"
#include "search/blueprint.h"
#include "search/spec.h"

namespace cleave::search {
namespace {

using decompose::Gadget;
using decompose::Vectors;
using tree::kNone;

// At the game's root nobody has a choice of entering: one private state, reach 1.
class RootEntry final : public Gadget {
 public:
  void enter(std::span<double> reach) override { std::ranges::fill(reach, 1.0); }
  void learn(const kernels::RegretUpdate&, std::span<const double>) override {}
  decompose::EntryForm form() const override { return {.always = {1}, .doors = {}}; }
};

std::unique_ptr<Agent> make_continual_agent(const Setting& setting, core::Call call) {
  const auto* game = dynamic_cast<const door::TreeGame*>(&setting.game);
  if (!game) throw core::InputError("agent 'continual' plays games of the tree engine");
  ContinualOptions options;
  options.algorithm = take_text(call, "algorithm", options.algorithm);
  options.method = decompose::make_method(take_text(call, "method", "resolve"));
  const std::string leaf_algorithm = take_text(call, "leaf_algorithm", "cfr+");
  const std::string blueprint = take_text(call, "blueprint", "");
  core::Call leaves = core::parse_call(take_text(call, "leaves", "warm"));
  core::Params params("agent 'continual'", std::move(call.arguments));
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
    throw core::InputError(
        "agent 'continual': leaves=blueprint (or continuations) and blueprint=solve(...), uniform "
        "or blueprint(file=...) belong together");
  }
  if (!blueprint.empty()) options.blueprint = make_blueprint(blueprint, setting);
  if ((leaves.name == "warm" || leaves.name == "solved") && leaves.arguments.empty()) {
    leaves.arguments = {{"iterations", std::to_string(leaf_iterations)},
                        {"algorithm", leaf_algorithm}};
  }
  options.leaves = decompose::leaves_named(std::move(leaves), options.blueprint != nullptr);
  return std::make_unique<ContinualAgent>(setting, *game, std::move(options));
}

}  // namespace

ContinualAgent::ContinualAgent(const Setting& setting, const door::TreeGame& game,
                               ContinualOptions options)
    : TreeAgent(game),
      setting_(setting),
      options_(std::move(options)),
      chance_(histories::chance_reach(tree_)) {
  solve::make_schedule(options_.algorithm);  // refuses now what it would refuse in play
  if (options_.method.gifts.kind != decompose::GiftRule::Kind::kNoGifts) {
    throw core::InputError(
        fmt::format("agent 'continual': method '{}': the opponent's mistakes are counted by "
                    "carry=before; leave 'reach' out",
                    options_.method.name));
  }
  if (options_.depth > 0 && !options_.leaves) {
    throw core::InputError("agent 'continual': looking ahead to a depth needs a leaf evaluator");
  }
}

ContinualAgent::Seat& ContinualAgent::seat(size_t player) {
  auto& seat = seats_[player];
  if (seat) return *seat;
  seat.emplace();
  seat->places = find_places(tree_, player, options_.depth);
  seat->strategy = tree::uniform_strategy(tree_);
  seat->is_solved.assign(seat->places.all.size(), false);
  seat->best_response.resize(seat->places.all.size());
  seat->estimate.resize(seat->places.all.size());
  return *seat;
}

void ContinualAgent::act_at(uint32_t infoset, std::span<double> probabilities) {
  const size_t player = tree_.player(infoset);
  Seat& mine = seat(player);
  const uint32_t place = mine.places.place_of_set[infoset - tree_.infoset_begin[player]];
  std::vector<uint32_t> way;
  for (uint32_t at = place; at != kNone && !mine.is_solved[at]; at = mine.places.all[at].parent) {
    way.push_back(at);
  }
  while (!way.empty()) {
    solve(mine, player, way.back());
    way.pop_back();
  }
  std::copy_n(mine.strategy.begin() + tree_.slot_begin[infoset], probabilities.size(),
              probabilities.begin());
}

std::unique_ptr<Gadget> ContinualAgent::make_gadget(const Seat& seat, uint32_t place,
                                                    const decompose::Engine& engine, size_t hero,
                                                    const Vectors& reach) const {
  if (place == 0) return std::make_unique<RootEntry>();
  decompose::Entrance entrance{{reach, {}, {}}};
  entrance.summary.value[1 - hero] = seat.estimate[place];
  entrance.summary.best_response[1 - hero] = seat.best_response[place];
  return decompose::make_gadget(
      options_.method, decompose::make_gadget_input(options_.method, engine, hero, entrance));
}

void ContinualAgent::solve(Seat& seat, size_t hero, uint32_t place) {
  const Place& here = seat.places.all[place];
  const histories::Border border = histories::make_border(tree_, here.roots);
  const Vectors reach = histories::border_reach(tree_, border, seat.strategy);
  if (std::ranges::all_of(reach[hero], [](double r) { return r == 0; })) {
    seat.is_solved[place] = true;  // and what is below has no reach either
    return;
  }
  const histories::TreePiece piece = histories::make_piece(tree_, here.roots, here.leaves);
  histories::TreeEngine engine(piece);
  const auto gadget = make_gadget(seat, place, engine, hero, reach);
  const solve::Schedule schedule = solve::make_schedule(options_.algorithm, options_.iterations);
  std::unique_ptr<decompose::LeafEvaluator> evaluator;
  if (!here.leaves.empty()) {
    evaluator = options_.leaves({{std::shared_ptr<void>(), &piece}, hero, options_.blueprint, 1});
  }
  decompose::AveragedLeaves leaves(evaluator ? *evaluator : decompose::no_leaves(),
                                   [&](int64_t t) { return schedule(t).average_decay; });
  auto resolver =
      here.leaves.empty()
          ? decompose::Resolver(engine, *gadget, hero, reach[hero], schedule)
          : decompose::Resolver(engine, *gadget, hero, reach[hero], schedule, piece, leaves);
  while (resolver.iterations() < options_.iterations) {
    setting_.check_stop();
    resolver.iterate();
    if (setting_.progress) {
      setting_.progress("re-solving", resolver.iterations(), options_.iterations);
    }
  }
  ++num_solves_;
  for (size_t p = 0; p < 2; ++p) engine.copy_strategy(p, seat.strategy);
  Carried carried = carry(
      {tree_, chance_, seat.places, place, 1 - hero, seat.strategy, piece.leaves, leaves.values()});
  for (size_t i = 0; i < here.children.size(); ++i) {
    const uint32_t child = here.children[i];
    seat.best_response[child] =
        std::move((options_.before_moves ? carried.before_moves : carried.best_response)[i]);
    seat.estimate[child] = std::move(carried.estimate[i]);
  }
  seat.is_solved[place] = true;
}

AgentInfo continual_info() {
  return {
      "continual",
      "continual re-solving: thinks anew at every own decision, keeps no strategy",
      {{"depth", "0", "moves to look ahead, at least to the next own one; 0: to the end"},
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
