#include "search/blueprint.h"

namespace cleave::search {
namespace {

using OwnGame = std::shared_ptr<const door::AnyGame>;

const core::ParamInfo kGame = {
    "game", "", "the agent's own where it is smaller; moves that it lacks are translated"};

OwnGame take_game(core::Params& params) {
  const std::string game = params.text("game", "");
  return game.empty() ? nullptr : OwnGame(door::open_game(game));
}

std::unique_ptr<Agent> make_uniform(const Setting& setting, core::Params& params) {
  params.finish({});
  return std::make_unique<BlueprintAgent>(setting, nullptr, decompose::uniform_profile());
}

std::unique_ptr<Agent> make_from_file(const Setting& setting, core::Params& params) {
  const std::string file = params.text("file", "");
  const OwnGame own = take_game(params);
  params.finish(blueprint_info().params);
  if (file.empty()) {
    core::reject("agent 'blueprint' needs a strategy: blueprint(file=NAME.csv) or .h5");
  }
  auto profile = (own ? *own : setting.game).read(file, setting.threads);
  return std::make_unique<BlueprintAgent>(setting, own, std::move(profile));
}

std::unique_ptr<Agent> make_solved(const Setting& setting, core::Params& params) {
  const OwnGame own = take_game(params);
  const door::AnyGame& game = own ? *own : setting.game;
  const std::string algorithm = params.text("algorithm", game.default_algorithm());
  const int64_t iterations = params.integer("iterations", 1000, 1, int64_t{1} << 50);
  params.finish(solve_info().params);
  door::Watch watch{setting.threads, setting.seed, setting.stop, {}};
  if (setting.progress) {
    watch.progress = [&](int64_t done) { setting.progress("solving", done, iterations); };
  }
  auto profile = setting.stoppable([&] { return game.solve(algorithm, iterations, watch); });
  return std::make_unique<BlueprintAgent>(setting, own, std::move(profile));
}

}  // namespace

BlueprintAgent::BlueprintAgent(const Setting& setting, std::shared_ptr<const door::AnyGame> own,
                               std::shared_ptr<const decompose::Profile> profile)
    : own_(std::move(own)),
      game_(own_ ? *own_ : setting.game),
      profile_(std::move(profile)),
      follower_(game_, setting.seed) {}

void BlueprintAgent::act(const door::Question& asked, std::span<double> probabilities) {
  if (!engine_) {
    piece_ = game_.piece("");
    engine_ = piece_->engine();
    profile_->give(*piece_, *engine_);
  }
  const auto know = [&](const Path&) -> Known { return {*piece_, *engine_}; };
  follower_.answer(asked, know, probabilities);
}

std::shared_ptr<const decompose::Profile> BlueprintAgent::complete() {
  check_complete();
  return profile_;
}

void BlueprintAgent::check_complete() const {
  if (!own_) return;
  core::reject(
      "an agent that plays by a game of its own translates as it goes; its strategy cannot be "
      "written down");
}

std::shared_ptr<const decompose::Profile> make_blueprint(std::string_view spec,
                                                         const Setting& setting) {
  const auto agent = make_agent(spec, setting);
  if (auto* blueprint = dynamic_cast<BlueprintAgent*>(agent.get())) return blueprint->complete();
  core::reject(
      "'{}' cannot be a blueprint; allowed are uniform, blueprint(file=...) and solve(...)", spec);
}

AgentInfo uniform_info() {
  return {"uniform", "every action with the same probability", {}, make_uniform};
}

AgentInfo blueprint_info() {
  return {"blueprint",
          "a strategy from a file",
          {{"file", "", "a strategy that `cleave solve` wrote: .csv or .h5"}, kGame},
          make_from_file};
}

AgentInfo solve_info() {
  return {"solve",
          "the whole game solved before the first hand",
          {{"algorithm", "best known", "see `cleave algorithms`; also dcfr(gamma=3)"},
           {"iterations", "1000", "how many; exact algorithms end by themselves"},
           kGame},
          make_solved};
}

}  // namespace cleave::search
