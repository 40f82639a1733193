#include "games/efg_game.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace cleave::games {

uint32_t LabelPool::intern(std::string_view label) {
  const std::hash<std::string_view> hash;
  const auto [id, is_new] = index_->insert(
      hash(label), static_cast<uint32_t>(ends_.size() - 1),
      [&](uint32_t i) { return hash((*this)[i]); },
      [&](uint32_t i) { return (*this)[i] == label; });
  if (is_new) {
    chars_ += label;
    ends_.push_back(chars_.size());
  }
  return id;
}

namespace {

// A label that only one owner has stays as it is; the others get their owner's number. Labels from
// the file are settled first, so that a made-up one can never take the place of a real one.
void make_unique(LabelPool& pool, std::span<uint32_t> labels, std::span<const uint32_t> numbers) {
  std::vector<uint32_t> sorted(labels.begin(), labels.end());
  std::ranges::sort(sorted);
  const bool all_named = sorted.empty() || sorted.front() != 0;
  if (all_named && std::ranges::adjacent_find(sorted) == sorted.end()) return;
  const auto stays = [&](uint32_t label) {
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), label);
    return label != 0 && end - begin == 1;
  };
  std::unordered_set<uint32_t> used;
  for (const uint32_t label : labels) {
    if (stays(label)) used.insert(label);
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    if (stays(labels[i])) continue;
    std::string candidate(pool[labels[i]]);
    do {
      candidate.append(1, '#').append(std::to_string(numbers[i]));
      labels[i] = pool.intern(candidate);
    } while (!used.insert(labels[i]).second);
  }
}

class EfgGame final : public TypedGame<uint32_t> {
 public:
  EfgGame(EfgTables tables, std::string name) : t_(std::move(tables)), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  int num_players() const override { return t_.num_players; }

 protected:
  Turn turn(const uint32_t& node) const override {
    if (t_.nodes[node].set == EfgNode::kNoSet) return {};
    const EfgSet& set = set_of(node);
    return {set.actor, static_cast<int>(set.num_actions)};
  }
  void apply(uint32_t& node, int action) const override {
    node = t_.children[t_.nodes[node].first + static_cast<uint32_t>(action)];
  }
  core::Rational chance_probability(const uint32_t& node, int action) const override {
    return t_.probabilities[set_of(node).first_probability + static_cast<uint64_t>(action)];
  }
  core::Rational payoff(const uint32_t& node, int player) const override {
    const size_t row = size_t{t_.nodes[node].first} * static_cast<size_t>(t_.num_players);
    return t_.payoffs[row + static_cast<size_t>(player)];
  }
  core::Hash128 infoset_key(const uint32_t& node) const override {
    const EfgSet& set = set_of(node);
    return core::Hasher().add(set.actor).add(set.number).finish();
  }
  std::string infoset_label(const uint32_t& node) const override {
    return std::string(t_.labels[set_of(node).label]);
  }
  std::string action_label(const uint32_t& node, int action) const override {
    const uint64_t index = set_of(node).first_action + static_cast<uint64_t>(action);
    return std::string(t_.labels[t_.action_labels[index]]);
  }

 private:
  const EfgSet& set_of(uint32_t node) const { return t_.sets[t_.nodes[node].set]; }

  EfgTables t_;
  std::string name_;
};

}  // namespace

void make_labels_unique(EfgTables& tables) {
  std::vector<std::vector<uint32_t>> sets_of(static_cast<size_t>(tables.num_players));
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < tables.sets.size(); ++i) {
    const EfgSet& set = tables.sets[i];
    if (set.actor != kChance) sets_of[set.actor].push_back(i);
    if (numbers.size() < set.num_actions) {
      numbers.resize(set.num_actions);
      std::iota(numbers.begin(), numbers.end(), 1U);
    }
    make_unique(tables.labels,
                std::span(tables.action_labels).subspan(set.first_action, set.num_actions),
                numbers);
  }
  for (const auto& sets : sets_of) {
    std::vector<uint32_t> labels;
    numbers.clear();
    for (const uint32_t i : sets) {
      labels.push_back(tables.sets[i].label);
      numbers.push_back(tables.sets[i].number);
    }
    make_unique(tables.labels, labels, numbers);
    for (size_t i = 0; i < sets.size(); ++i) tables.sets[sets[i]].label = labels[i];
  }
}

std::unique_ptr<Game> make_efg_game(EfgTables tables, std::string name) {
  return std::make_unique<EfgGame>(std::move(tables), std::move(name));
}

}  // namespace cleave::games
