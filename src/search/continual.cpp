#include "search/continual.h"

#include <fmt/format.h>

#include <algorithm>

#include "decompose/resolver.h"
#include "decompose/summary.h"
#include "decompose/tree_engine.h"
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
  const tree::Tree& tree = setting.problem.tree;
  ContinualOptions options;
  options.algorithm = take_text(call, "algorithm", options.algorithm);
  options.method = decompose::make_method(take_text(call, "method", "resolve"));
  const std::string leaf_algorithm = take_text(call, "leaf_algorithm", "cfr+");
  const std::string blueprint = take_text(call, "blueprint", "");
  core::Params params("agent 'continual'", std::move(call.arguments));
  options.depth = static_cast<int>(params.integer("depth", 0, 0, 1000));
  options.iterations = params.integer("iterations", options.iterations, 1, int64_t{1} << 40);
  options.before_moves = params.choice("carry", "before", {"before", "after"}) == "before";
  const std::string leaves =
      params.choice("leaves", "warm", {"warm", "solved", "blueprint", "zero"});
  const int64_t leaf_iterations = params.integer("leaf_iterations", 10, 1, int64_t{1} << 40);
  params.finish(continual_info().params);
  if ((leaves == "blueprint") != !blueprint.empty()) {
    throw core::InputError(
        "agent 'continual': leaves=blueprint and blueprint=solve(...), uniform or "
        "blueprint(file=...) belong together");
  }
  if (leaves == "blueprint") {
    options.leaves = blueprint_leaves(tree, make_blueprint(blueprint, setting));
  } else if (leaves == "zero") {
    options.leaves = zero_leaves();
  } else {
    solve::make_schedule(leaf_algorithm);  // refuses now
    options.leaves = solved_leaves(tree, leaf_algorithm, leaf_iterations, leaves == "warm");
  }
  return std::make_unique<ContinualAgent>(setting, std::move(options));
}

}  // namespace

ContinualAgent::ContinualAgent(const Setting& setting, ContinualOptions options)
    : setting_(setting),
      options_(std::move(options)),
      chance_(decompose::chance_reach(setting.problem.tree)) {
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

ContinualAgent::Seat& ContinualAgent::seat(int player) {
  auto& seat = seats_[static_cast<size_t>(player)];
  if (seat) return *seat;
  const tree::Tree& tree = setting_.problem.tree;
  seat.emplace();
  seat->places = find_places(tree, player, options_.depth);
  seat->strategy = tree::uniform_strategy(tree);
  seat->is_solved.assign(seat->places.all.size(), false);
  seat->best_response.resize(seat->places.all.size());
  seat->estimate.resize(seat->places.all.size());
  return *seat;
}

void ContinualAgent::act(uint32_t infoset, std::span<double> probabilities) {
  const tree::Tree& tree = setting_.problem.tree;
  const int player = tree.player(infoset);
  Seat& mine = seat(player);
  const uint32_t place =
      mine.places.place_of_set[infoset - tree.infoset_begin[static_cast<size_t>(player)]];
  std::vector<uint32_t> way;
  for (uint32_t at = place; at != kNone && !mine.is_solved[at]; at = mine.places.all[at].parent) {
    way.push_back(at);
  }
  while (!way.empty()) {
    solve(mine, player, way.back());
    way.pop_back();
  }
  std::copy_n(mine.strategy.begin() + tree.slot_begin[infoset], probabilities.size(),
              probabilities.begin());
}

std::unique_ptr<Gadget> ContinualAgent::make_gadget(const Seat& seat, uint32_t place,
                                                    const decompose::Engine& engine, int hero,
                                                    const Vectors& reach) const {
  if (place == 0) return std::make_unique<RootEntry>();
  const auto h = static_cast<size_t>(hero);
  decompose::GadgetInput input;
  input.trunk_reach = reach[1 - h];
  input.counterfactual_reach.resize(reach[1 - h].size());
  engine.counterfactual_reach(1 - hero, reach[h], input.counterfactual_reach);
  double mass = 0;
  for (size_t s = 0; s < input.trunk_reach.size(); ++s) {
    mass += input.trunk_reach[s] * input.counterfactual_reach[s];
  }
  // The other did what the last solve thought it never would: nothing is known about its hand.
  if (mass <= 0) std::ranges::fill(input.trunk_reach, 1.0);
  input.alternatives =
      decompose::make_alternatives(options_.method, input.counterfactual_reach,
                                   seat.best_response[place], seat.estimate[place], {});
  return decompose::make_gadget(options_.method, input);
}

void ContinualAgent::solve(Seat& seat, int hero, uint32_t place) {
  const tree::Tree& tree = setting_.problem.tree;
  const Place& here = seat.places.all[place];
  const auto h = static_cast<size_t>(hero);
  const decompose::Border border = decompose::make_border(tree, here.roots);
  const Vectors reach = decompose::border_reach(tree, border, seat.strategy);
  if (std::ranges::all_of(reach[h], [](double r) { return r == 0; })) {
    seat.is_solved[place] = true;  // and what is below has no reach either
    return;
  }
  const decompose::Piece piece = decompose::make_piece(tree, here.roots, here.leaves);
  decompose::TreeEngine engine(piece);
  const auto gadget = make_gadget(seat, place, engine, hero, reach);
  const solve::Schedule schedule = solve::make_schedule(options_.algorithm, options_.iterations);
  std::unique_ptr<decompose::LeafEvaluator> evaluator;
  std::optional<AveragedLeaves> leaves;
  if (!here.leaves.empty()) {
    evaluator = options_.leaves(piece, hero);
    leaves.emplace(
        *evaluator, 1 - h, [&](int64_t t) { return schedule(t).average_decay; },
        here.leaves.size());
  }
  decompose::Resolver resolver(engine, *gadget, hero, reach[h], schedule,
                               leaves ? &*leaves : nullptr);
  while (resolver.iterations() < options_.iterations) {
    setting_.check_stop();
    resolver.iterate();
    if (setting_.progress) {
      setting_.progress("re-solving", resolver.iterations(), options_.iterations);
    }
  }
  ++num_solves_;
  for (int p = 0; p < 2; ++p) engine.copy_strategy(p, seat.strategy);
  const auto leaf_values = leaves ? leaves->averages() : std::vector<std::vector<double>>{};
  Carried carried =
      carry({tree, chance_, seat.places, place, 1 - h, seat.strategy, piece.leaves, leaf_values});
  for (size_t i = 0; i < here.children.size(); ++i) {
    const uint32_t child = here.children[i];
    seat.best_response[child] =
        std::move((options_.before_moves ? carried.before_moves : carried.best_response)[i]);
    seat.estimate[child] = std::move(carried.estimate[i]);
  }
  seat.is_solved[place] = true;
}

AgentInfo continual_info() {
  return {"continual",
          "continual re-solving: thinks anew at every own decision, keeps no strategy",
          {{"depth", "0", "moves to look ahead, at least to the next own one; 0: to the end"},
           {"iterations", "500", "of each solve"},
           {"algorithm", "pcfr+", "of the CFR family"},
           {"method", "resolve", "gadget: resolve, maxmargin, unsafe, estimated, ..."},
           {"carry", "before",
            "the opponent's values that constrain the next solve: those before its own moves "
            "(DeepStack), or after"},
           {"leaves", "warm",
            "at the depth: warm (solvers that go on), solved (afresh), blueprint, zero"},
           {"leaf_iterations", "10", "of each leaf, for every iteration above it"},
           {"leaf_algorithm", "cfr+", "of the CFR family"},
           {"blueprint", "", "for leaves=blueprint: uniform, solve(...), blueprint(file=...)"}},
          make_continual_agent};
}

}  // namespace cleave::search
