#include "door/tree_hand.h"

#include <algorithm>

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::door {
namespace {

using games::kChance;

// Hidden cards make many states of one; more than this are not followed.
constexpr size_t kMostStates = 1'000'000;

using State = std::vector<std::byte>;

std::vector<State> children(const games::Game& game, const State& state, const Event& event) {
  std::vector<State> out;
  const games::Turn turn = game.turn(state.data());
  if (turn.actor != event.actor) return out;
  for (int a = 0; a < turn.num_actions; ++a) {
    if (!event.name.empty() && game.action_label(state.data(), a) != event.name) continue;
    out.emplace_back(game.state_bytes());
    game.child(state.data(), a, out.back().data());
  }
  return out;
}

}  // namespace

TreeSight::TreeSight(const games::Game& game, const tree::Tree& tree)
    : game_(game),
      tree_(tree),
      chips_(game),
      members_(tree),
      labels_(tree::make_labels(game, tree)) {
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    set_[tree.player(set)].emplace(labels_.infoset[set], set);
  }
}

const Question& TreeSight::question(uint32_t infoset) const {
  const std::lock_guard lock(mutex_);
  const auto at = known_.find(infoset);
  return at != known_.end() ? at->second
                            : known_.emplace(infoset, make_question(infoset)).first->second;
}

Question TreeSight::make_question(uint32_t set) const {
  Question out;
  out.player = tree_.player(set);
  out.knows = labels_.infoset[set];
  std::vector<Event> all;  // also where the player does not see them
  for (const tree::SeenStep& step : tree::make_sight(game_, tree_, members_, set)) {
    all.push_back({step.actor, step.label, 0});
    if (!step.actor_known) continue;
    const bool seen = step.seen != tree::SeenStep::By::kNobody;
    out.events.push_back({step.actor, seen ? step.label : "", 0});
    if (seen && step.actor < 2) out.events.back().chips = put_after(all)[step.actor];
  }
  all.push_back({static_cast<games::Actor>(out.player), "", 0});
  out.call = std::ranges::max(put_after(all));
  for (uint32_t slot = tree_.slot_begin[set]; slot < tree_.slot_begin[set + 1]; ++slot) {
    all.back().name = labels_.action[slot];
    out.moves.push_back({labels_.action[slot], put_after(all)[out.player]});
  }
  return out;
}

uint32_t TreeSight::find(const Question& question, Standing& unknown) const {
  const auto at = set_[question.player].find(question.knows);
  return at != set_[question.player].end() ? at->second : follow(question, unknown);
}

// By the events alone: all states of the rules that they leave possible.
uint32_t TreeSight::follow(const Question& question, Standing& unknown) const {
  std::vector<State> states = {State(game_.state_bytes())};
  game_.root(states[0].data());
  for (size_t i = 0; i < question.events.size(); ++i) {
    const Event& event = question.events[i];
    std::vector<State> next;
    for (const State& state : states) {
      for (State& child : children(game_, state, event)) next.push_back(std::move(child));
      if (next.size() > kMostStates) {
        throw core::RunError(
            fmt::format("{}: too much is hidden to follow the hand", game_.name()));
      }
    }
    if (next.empty()) {
      unknown = {.event = i};
      const games::Turn turn = game_.turn(states[0].data());
      if (turn.actor != event.actor || turn.actor == kChance) return tree::kNone;
      std::vector<Event> events(question.events.begin(),
                                question.events.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      events.back().name.clear();
      unknown.call = std::ranges::max(put_after(events));
      for (int a = 0; a < turn.num_actions; ++a) {
        events.back().name = game_.action_label(states[0].data(), a);
        unknown.moves.push_back({events.back().name, put_after(events)[turn.actor]});
      }
      return tree::kNone;
    }
    states = std::move(next);
  }
  for (const State& state : states) {
    if (game_.turn(state.data()).actor != question.player) continue;
    return set_[question.player].at(game_.infoset_label(state.data()));
  }
  unknown = {.event = question.events.size()};
  return tree::kNone;
}

std::array<double, 2> TreeSight::put_after(const std::vector<Event>& events) const {
  if (!chips_.known()) return {};
  std::vector<games::Actor> actors;
  std::vector<std::string> names;
  for (const Event& event : events) {
    actors.push_back(event.actor);
    names.push_back(event.name);
  }
  return chips_.put(actors, names);
}

void TreeHand::deal(core::Random& random) {
  const uint32_t first = tree_->child_begin[history_];
  take(random.draw(
      std::span(tree_->probability).subspan(first, tree_->child_begin[history_ + 1] - first)));
}

double TreeHand::payoff(size_t player) const {
  const double one = tree_->payoff[tree_->infoset[history_]];
  return tree_->shift + (player == 0 ? one : -one);
}

}  // namespace cleave::door
