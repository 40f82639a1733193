#include "server/sight.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "core/number.h"
#include "core/params.h"
#include "games/poker_game.h"

namespace cleave::server {
namespace {

// Sets larger than this are taken to have nothing in common: less is seen, never more.
constexpr size_t kMostCompared = 20'000;
// How far to look for the other player's next decision.
constexpr size_t kMostSearched = 500;

// The moves to the first history of a set, and which of them are the same in all of its histories.
struct SetKnowledge {
  std::vector<uint32_t> path;
  std::vector<std::string> labels;
  std::vector<bool> known, actor_known;
};

SetKnowledge find_knowledge(const OpenGame& game, uint32_t set) {
  const tree::Tree& tree = game.tree();
  const auto members = game.members(set);
  SetKnowledge out;
  out.path = game.path(members[0]);
  out.labels = game.lines(members.first(1))[0];
  const bool small = members.size() <= kMostCompared;
  out.known.assign(out.labels.size(), small);
  out.actor_known.assign(out.labels.size(), small);
  for (const uint32_t member : members.subspan(1)) {
    if (!small) break;
    const std::vector<uint32_t> path = game.path(member);
    const std::vector<std::string> labels = game.lines(std::span(&member, 1))[0];
    for (size_t k = 0; k < out.labels.size(); ++k) {
      const bool there = k < labels.size() && path.size() == out.path.size();
      const bool same_actor = there && tree.actor[path[k]] == tree.actor[out.path[k]];
      if (!same_actor) out.actor_known[k] = false;
      if (!same_actor || labels[k] != out.labels[k]) out.known[k] = false;
    }
  }
  return out;
}

// The other player's last decision on the way after the move, else the next one below.
std::optional<uint32_t> other_decision(const tree::Tree& tree, const std::vector<uint32_t>& path,
                                       size_t step) {
  const auto other = static_cast<tree::Actor>(1 - tree.actor[path.back()]);
  for (size_t i = path.size(); --i > step;) {
    if (tree.actor[path[i]] == other) return path[i];
  }
  std::deque<uint32_t> open = {path.back()};
  for (size_t seen = 0; !open.empty() && seen < kMostSearched; ++seen) {
    const uint32_t h = open.front();
    open.pop_front();
    if (tree.actor[h] == other) return h;
    for (uint32_t child = tree.child_begin[h]; child < tree.child_begin[h + 1]; ++child) {
      open.push_back(child);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<SeenStep> make_sight(const OpenGame& game, uint32_t set) {
  const tree::Tree& tree = game.tree();
  const SetKnowledge mine = find_knowledge(game, set);
  std::optional<std::pair<uint32_t, SetKnowledge>> other;  // most moves have the same
  std::vector<SeenStep> out;
  for (size_t k = 0; k < mine.labels.size(); ++k) {
    SeenStep step{tree.actor[mine.path[k]], mine.labels[k], SeenStep::By::kNobody,
                  mine.actor_known[k]};
    if (mine.known[k]) step.seen = SeenStep::By::kAll;
    if (mine.known[k] && step.actor == tree::kChance) {
      const auto decision = other_decision(tree, mine.path, k);
      if (decision && (!other || other->first != tree.infoset[*decision])) {
        const uint32_t theirs = tree.infoset[*decision];
        other.emplace(theirs, find_knowledge(game, theirs));
      }
      if (!decision || !other->second.known[k]) step.seen = SeenStep::By::kMe;
    }
    out.push_back(std::move(step));
  }
  return out;
}

ChipCounter::ChipCounter(const OpenGame& game) {
  most_.fill(std::numeric_limits<double>::infinity());
  const std::string name = game.game().name();
  if (games::is_poker_spec(name)) {
    const poker::Definition definition = games::parse_poker_spec(name).definition;
    kind_ = Kind::kTotal;
    for (size_t p = 0; p < 2; ++p) {
      start_[p] = static_cast<double>(definition.blind[p]);
      most_[p] = static_cast<double>(definition.stack[p]);
    }
    if (start_[0] == start_[1]) ante_ = start_[0];
    return;
  }
  if (name.ends_with(".efg")) return;
  const core::Call call = core::parse_call(name);
  if (call.name != "kuhn" && call.name != "leduc") return;
  kind_ = Kind::kAdds;
  start_ = {1, 1};
  for (const auto& [key, value] : call.arguments) {
    if (key == "ante") start_.fill(core::parse_number<double>(value).value_or(1));
  }
}

std::array<double, 2> ChipCounter::put(const std::vector<tree::Actor>& actors,
                                       const std::vector<std::string>& labels) const {
  std::array<double, 2> put = start_;
  double round = ante_;  // put in before this round, each
  bool played = false;
  for (size_t k = 0; k < actors.size(); ++k) {
    if (actors[k] == tree::kChance) {
      if (played) round = put[0];
      continue;
    }
    played = true;
    const size_t me = actors[k];
    const std::string& label = labels[k];
    const size_t digits = label.find_first_of("0123456789");
    if (label == "call") {
      put[me] = std::min(put[1 - me], most_[me]);
    } else if (label == "bet") {
      put[me] = put[1 - me] + 1;  // Kuhn's
    } else if (digits != std::string::npos) {
      const double number = core::parse_number<double>(label.substr(digits)).value_or(0);
      put[me] = number + (kind_ == Kind::kAdds ? put[1 - me] : round);
    }
  }
  return put;
}

}  // namespace cleave::server
