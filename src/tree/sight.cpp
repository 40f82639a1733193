#include "tree/sight.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace cleave::tree {

std::vector<std::string> line_to(const games::Game& game, const Tree& tree, uint32_t history) {
  const std::vector<uint32_t> way = path_to(tree, history);
  std::vector<std::string> out;
  replay(game, tree, std::span(way).first(way.size() - 1), [&](uint32_t, const std::byte* state) {
    const uint32_t child = way[out.size() + 1];
    out.push_back(game.action_label(state, static_cast<int>(tree.action(child))));
  });
  return out;
}

std::array<double, 2> payoffs_at(const games::Game& game, const Tree& tree, uint32_t history) {
  std::array<double, 2> out = {};
  replay(game, tree, std::span(&history, 1), [&](uint32_t, const std::byte* state) {
    for (size_t p = 0; p < 2; ++p) out[p] = game.payoff(state, static_cast<int>(p)).to_double();
  });
  return out;
}

Members::Members(const Tree& tree) : begin_(1, 0) {
  for (const uint32_t size : tree.infoset_size) begin_.push_back(begin_.back() + size);
  member_.resize(begin_.back());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] < 2) member_[next[tree.infoset[h]]++] = h;
  }
}

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

SetKnowledge find_knowledge(const games::Game& game, const Tree& tree,
                            std::span<const uint32_t> members) {
  SetKnowledge out;
  out.path = path_to(tree, members[0]);
  out.labels = line_to(game, tree, members[0]);
  const bool small = members.size() <= kMostCompared;
  out.known.assign(out.labels.size(), small);
  out.actor_known.assign(out.labels.size(), small);
  if (!small) return out;
  for (const uint32_t member : members.subspan(1)) {
    const std::vector<uint32_t> path = path_to(tree, member);
    const std::vector<std::string> labels = line_to(game, tree, member);
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
std::optional<uint32_t> other_decision(const Tree& tree, const std::vector<uint32_t>& path,
                                       size_t step) {
  const auto other = static_cast<Actor>(1 - tree.actor[path.back()]);
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

std::vector<SeenStep> make_sight(const games::Game& game, const Tree& tree, const Members& members,
                                 uint32_t set) {
  const SetKnowledge mine = find_knowledge(game, tree, members[set]);
  std::optional<std::pair<uint32_t, SetKnowledge>> other;  // most moves have the same
  std::vector<SeenStep> out;
  for (size_t k = 0; k < mine.labels.size(); ++k) {
    SeenStep step{tree.actor[mine.path[k]], mine.labels[k], SeenStep::By::kNobody,
                  mine.actor_known[k]};
    if (mine.known[k]) step.seen = SeenStep::By::kAll;
    if (mine.known[k] && step.actor == kChance) {
      const auto decision = other_decision(tree, mine.path, k);
      if (decision && (!other || other->first != tree.infoset[*decision])) {
        const uint32_t theirs = tree.infoset[*decision];
        other.emplace(theirs, find_knowledge(game, tree, members[theirs]));
      }
      if (!decision || !other->second.known[k]) step.seen = SeenStep::By::kMe;
    }
    out.push_back(std::move(step));
  }
  return out;
}

uint32_t last_set(const Tree& tree, uint32_t history, int player) {
  for (uint32_t h = history; h != kNone; h = tree.parent[h]) {
    if (tree.actor[h] == player) return tree.infoset[h];
  }
  return kNone;
}

std::vector<ShownStep> show_all(const games::Game& game, const Tree& tree, const Members& members,
                                uint32_t history) {
  using By = SeenStep::By;
  std::array<std::vector<SeenStep>, 2> sight;
  for (int p = 0; p < 2; ++p) {
    const uint32_t set = last_set(tree, history, p);
    if (set != kNone) sight[static_cast<size_t>(p)] = make_sight(game, tree, members, set);
  }
  const auto holder_of = [&](size_t step) -> Actor {
    const bool asked[] = {step < sight[0].size(), step < sight[1].size()};
    const By one = asked[0] ? sight[0][step].seen : By::kNobody;
    const By two = asked[1] ? sight[1][step].seen : By::kNobody;
    if (one == By::kAll || two == By::kAll) return kChance;
    if (one != two) return one == By::kMe ? 0 : 1;
    // Nobody has shown to know it: it belongs to who was never asked.
    if (asked[0] == asked[1]) return kChance;
    return asked[0] ? 1 : 0;
  };
  const auto path = path_to(tree, history);
  const auto labels = line_to(game, tree, history);
  std::vector<ShownStep> out;
  for (size_t k = 0; k < labels.size(); ++k) {
    const Actor actor = tree.actor[path[k]];
    out.push_back({actor, labels[k], actor == kChance ? holder_of(k) : kChance});
  }
  return out;
}

}  // namespace cleave::tree
