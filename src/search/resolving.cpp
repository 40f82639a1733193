#include <map>

#include "decompose/resolve.h"
#include "search/blueprint.h"

namespace cleave::search {
namespace {

using decompose::Piece;

// Follows a blueprint in the trunk of a cut; on coming into a subgame, re-solves it for its own
// seat by a method, once.
class ResolvingAgent final : public Agent {
 public:
  ResolvingAgent(const Setting& setting, std::shared_ptr<const decompose::Profile> blueprint,
                 std::string_view cut, decompose::Method method, decompose::ResolveOptions options);
  void act(const door::Question& question, std::span<double> probabilities) override;
  std::shared_ptr<const decompose::Profile> complete() override;

 private:
  // A piece that was entered: part of the trunk, or a subgame.
  struct Entered {
    std::shared_ptr<const decompose::Piece> piece;
    decompose::Arrival arrival;
    decompose::Stretch stretch;                                // of a piece with leaves
    std::array<std::unique_ptr<decompose::Engine>, 2> answer;  // [seat], once it is solved
  };

  Entered& enter(const Path& path);
  decompose::Engine& engine_in(Entered& entered, size_t seat);
  void solve_below(const Path& path, decompose::Recombined& strategy);

  const Setting& setting_;
  std::shared_ptr<const decompose::Profile> blueprint_;
  decompose::Method method_;
  decompose::ResolveOptions options_;
  Follower follower_;
  std::map<Path, Entered> entered_;
  size_t bytes_ = 0;  // of answers; forgotten when they are too many, and solved again
};

bool needs_ways(const decompose::Method& method) {
  return method.detours || method.gifts.kind != decompose::GiftRule::Kind::kNoGifts;
}

std::unique_ptr<Agent> make_resolving_agent(const Setting& setting, core::Params& params) {
  const std::string cut = params.text("cut", "");
  const std::string method = params.text("method", "resolve");
  const std::string blueprint = params.text("blueprint", "solve");
  decompose::ResolveOptions options;
  options.algorithm = params.text("algorithm", options.algorithm);
  options.iterations = params.integer("iterations", 1000, 1, int64_t{1} << 40);
  options.exact = params.boolean("exact", false);
  params.finish(resolving_info().params);
  if (cut.empty()) {
    core::reject(
        "agent 'resolve' needs a cut: resolve(cut=round:R), cut=depth:D or cut=history:...; of "
        "hold'em cut=street:S or cut=deal:S");
  }
  solve::make_schedule(options.algorithm);  // refuses before the blueprint is solved
  decompose::Method made = decompose::make_method(method);
  setting.game.piece(cut);
  return std::make_unique<ResolvingAgent>(setting, make_blueprint(blueprint, setting), cut,
                                          std::move(made), options);
}

}  // namespace

ResolvingAgent::ResolvingAgent(const Setting& setting,
                               std::shared_ptr<const decompose::Profile> blueprint,
                               std::string_view cut, decompose::Method method,
                               decompose::ResolveOptions options)
    : setting_(setting),
      blueprint_(std::move(blueprint)),
      method_(std::move(method)),
      options_(std::move(options)),
      follower_(setting.game, setting.seed) {
  options_.stop = setting.stop;
  // In play the other may come to where the blueprint never does: then the blueprint is kept.
  options_.keep_unreached = true;
  Entered& top = entered_[{}];
  top.piece = setting.game.piece(cut);
  if (top.piece->num_leaves() == 0) core::reject("there is no subgame below the cut");
  top.arrival.reach = setting.game.root_reach();
}

// Pieces on the way are entered first.
ResolvingAgent::Entered& ResolvingAgent::enter(const Path& path) {
  Entered& here = entered_[path];
  if (!here.piece) {
    const Entered& above = enter(Path(path.begin(), path.end() - 1));
    const auto [leaf, number] = path.back();
    const decompose::Below below = above.piece->below(leaf, number);
    here.arrival = decompose::arrive(*above.piece, above.stretch, above.arrival, leaf, below);
    here.piece = below.piece;
  }
  if (here.piece->num_leaves() > 0 && !here.stretch.engine) {
    here.stretch = decompose::begin_stretch(*blueprint_, *here.piece, here.arrival.reach);
    if (needs_ways(method_)) {
      const auto below = [&](decompose::Follow how) {
        return blueprint_->values_below(*here.piece, here.stretch.reach, how, setting_.threads);
      };
      decompose::look_at_decisions(here.arrival.reach, below(decompose::Follow::kBestResponse),
                                   below(decompose::Follow::kAverage), here.stretch);
    }
  }
  return here;
}

// What the seat plays by in a piece.
decompose::Engine& ResolvingAgent::engine_in(Entered& entered, size_t seat) {
  if (entered.stretch.engine) return *entered.stretch.engine;
  auto& answer = entered.answer[seat];
  if (answer) return *answer;
  setting_.check_stop();
  auto engine = entered.piece->engine();
  const auto entrance =
      decompose::enter(*blueprint_, *entered.piece, *engine, entered.arrival, seat);
  const bool solved = setting_.stoppable(
      [&] { return resolve_subgame(*entered.piece, *engine, seat, method_, entrance, options_); });
  if (!solved) {
    engine->reset();
    blueprint_->give(*entered.piece, *engine);
  }
  bytes_ += engine->learning_bytes();
  answer = std::move(engine);
  return *answer;
}

void ResolvingAgent::act(const door::Question& asked, std::span<double> probabilities) {
  if (bytes_ > kMostBytes) {
    std::erase_if(entered_, [](const auto& entry) { return !entry.first.empty(); });
    bytes_ = 0;
  }
  const auto know = [&](const Path& path) -> Known {
    Entered& here = enter(path);
    return {*here.piece, engine_in(here, asked.player)};
  };
  follower_.answer(asked, know, probabilities);
}

void ResolvingAgent::solve_below(const Path& path, decompose::Recombined& strategy) {
  const size_t before = bytes_;
  const std::shared_ptr<const Piece> piece = enter(path).piece;
  if (piece->num_leaves() == 0) {
    for (size_t seat = 0; seat < 2; ++seat) {
      strategy.take(*piece, engine_in(enter(path), seat), seat);
    }
  }
  for (size_t leaf = 0; leaf < piece->num_leaves(); ++leaf) {
    for (size_t number = 0; number < piece->num_below(leaf); ++number) {
      Path next = path;
      next.emplace_back(leaf, number);
      solve_below(next, strategy);
      entered_.erase(next);
    }
  }
  bytes_ = before;
}

std::shared_ptr<const decompose::Profile> ResolvingAgent::complete() {
  std::shared_ptr<decompose::Recombined> strategy = setting_.game.recombine(*blueprint_);
  solve_below({}, *strategy);
  return strategy;
}

AgentInfo resolving_info() {
  return {
      "resolve",
      "a blueprint, with each subgame below a cut re-solved on the way",
      {{"cut", "", "round:R, depth:D or history:ACTION/ACTION/...; of hold'em street:S, deal:S"},
       {"method", "resolve", "how, e.g. unsafe, maxmargin, reach-maxmargin(gifts=single)"},
       {"blueprint", "solve", "uniform, blueprint(file=...) or solve(...)"},
       {"algorithm", "cfr+", "of the CFR family, in the subgame"},
       {"iterations", "1000", "of each re-solve"},
       {"exact", "false", "re-solve by linear program instead"}},
      make_resolving_agent};
}

}  // namespace cleave::search
