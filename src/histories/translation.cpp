#include "histories/translation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "core/error.h"
#include "decompose/translation.h"
#include "games/chip_counter.h"

namespace cleave::histories {

using tree::kNone;
using tree::Tree;

namespace {

struct Weighted {
  uint32_t id = kNone;
  double weight = 0;
};
using Counterparts = std::vector<Weighted>;

class Translator {
 public:
  Translator(const games::Game& game, const Tree& tree, const ActionAbstraction& abstraction,
             const BetSize& size, const tree::Strategy& abstract)
      : tree_(tree), abstraction_(abstraction), size_(size), abstract_(abstract) {
    labels_ = tree::make_labels(game, tree);
    std::unordered_map<std::string, uint32_t> number;
    for (const std::string& label : labels_.action) {
      label_.push_back(
          number.try_emplace(label, static_cast<uint32_t>(number.size())).first->second);
    }
    find_reach();
  }

  tree::Strategy run() {
    const auto levels = static_cast<size_t>(tree_.num_levels());
    std::vector<Counterparts> now = {{{0, 1.0}}};  // [history of the level]
    std::vector<std::optional<Counterparts>> of_set(tree_.num_infosets());
    for (size_t level = 0; level < levels; ++level) {
      const uint32_t first = tree_.level_begin[level];
      const uint32_t end = tree_.level_begin[level + 1];
      std::vector<Counterparts> next(level + 1 < levels ? tree_.level_begin[level + 2] - end : 0);
      for (uint32_t h = first; h < end; ++h) {
        if (tree_.actor[h] < 2) note_set(h, now[h - first], of_set[tree_.infoset[h]]);
        for (uint32_t c = tree_.child_begin[h]; c < tree_.child_begin[h + 1]; ++c) {
          step(h, c, now[h - first], next[c - end]);
        }
      }
      now = std::move(next);
    }
    tree::Strategy result = abstract_;
    for (uint32_t set = 0; set < tree_.num_infosets(); ++set) {
      if (of_set[set]) fill(set, *of_set[set], result);
    }
    return result;
  }

 private:
  // [player][history]: own reach by the abstract strategy.
  void find_reach() {
    for (size_t p = 0; p < 2; ++p) reach_[p].assign(tree_.num_histories(), 1.0);
    for (uint32_t h = 1; h < tree_.num_histories(); ++h) {
      const uint32_t parent = tree_.parent[h];
      for (size_t p = 0; p < 2; ++p) {
        reach_[p][h] =
            reach_[p][parent] * (tree_.actor[parent] == p ? abstract_[tree_.slot_into(h)] : 1.0);
      }
    }
  }

  // A player who is to draw by what it sees must see the same at every history of its set.
  void note_set(uint32_t h, const Counterparts& counterparts,
                std::optional<Counterparts>& known) const {
    const uint32_t set = tree_.infoset[h];
    Counterparts sets;
    for (const Weighted& c : counterparts) {
      if (tree_.actor[c.id] != tree_.actor[h]) {
        throw core::InputError(fmt::format(
            "translation: after the dropped bet another player acts than after the one it is "
            "taken for, at information set '{}'",
            labels_.infoset[set]));
      }
      const uint32_t meant = tree_.infoset[c.id];
      const auto at = std::ranges::find(sets, meant, &Weighted::id);
      if (at == sets.end()) {
        sets.push_back({meant, c.weight});
      } else {
        at->weight += c.weight;  // draws that the player does not see the need of
      }
    }
    const auto same = [](const Weighted& a, const Weighted& b) {
      return a.id == b.id && std::abs(a.weight - b.weight) < 1e-12;
    };
    if (known && !std::ranges::equal(sets, *known, same)) {
      throw core::InputError(
          fmt::format("translation: player {} cannot see which move was dropped at information set "
                      "'{}'; the abstraction must drop moves that both players see",
                      tree_.actor[h] + 1, labels_.infoset[set]));
    }
    known = std::move(sets);
  }

  // Counterparts of child c of h from those of h.
  void step(uint32_t h, uint32_t c, const Counterparts& from, Counterparts& to) const {
    if (tree_.actor[h] >= 2) {
      for (const Weighted& g : from) {
        const uint32_t child = tree_.child_begin[g.id] + tree_.action(c);
        if (tree_.actor[g.id] != tree_.actor[h] || child >= tree_.child_begin[g.id + 1]) {
          throw core::InputError(
              "translation: chance does not move alike after a dropped bet and after the one it is "
              "taken for");
        }
        to.push_back({child, g.weight});
      }
      return;
    }
    const Counterparts meant = taken_for(h, c);
    for (const Weighted& g : from) {
      for (const Weighted& m : meant) {
        const uint32_t slot = find_label(tree_.infoset[g.id], label_[tree_.slot_into(m.id)]);
        const uint32_t action = slot - tree_.slot_begin[tree_.infoset[g.id]];
        to.push_back({tree_.child_begin[g.id] + action, g.weight * m.weight});
      }
    }
  }

  // The kept moves that the move into c may be taken for, siblings of it or itself.
  Counterparts taken_for(uint32_t h, uint32_t c) const {
    if (abstraction_.kept[c]) return {{c, 1.0}};
    const double x = size_(c);
    Weighted low{kNone, -std::numeric_limits<double>::infinity()};
    Weighted high{kNone, std::numeric_limits<double>::infinity()};
    for (uint32_t s = tree_.child_begin[h]; s < tree_.child_begin[h + 1]; ++s) {
      const double size = abstraction_.kept[s] ? size_(s) : std::nan("");
      if (size <= x && size > low.weight) low = {s, size};
      if (size >= x && size < high.weight) high = {s, size};
    }
    if (std::isnan(x) || (low.id == kNone && high.id == kNone)) {
      throw core::InputError(fmt::format(
          "translation: the dropped move '{}' at information set '{}' {}",
          labels_.action[tree_.slot_into(c)], labels_.infoset[tree_.infoset[h]],
          std::isnan(x) ? "is not a bet with a size" : "has no kept bet to be taken for"));
    }
    if (low.id == kNone) return {{high.id, 1.0}};
    if (high.id == kNone || high.id == low.id) return {{low.id, 1.0}};
    const double p = decompose::pseudo_harmonic(low.weight, x, high.weight);
    return {{low.id, p}, {high.id, 1 - p}};
  }

  uint32_t find_label(uint32_t set, uint32_t label) const {
    for (uint32_t slot = tree_.slot_begin[set]; slot < tree_.slot_begin[set + 1]; ++slot) {
      if (label_[slot] == label) return slot;
    }
    const auto at = static_cast<size_t>(std::ranges::find(label_, label) - label_.begin());
    throw core::InputError(
        fmt::format("translation: information set '{}' stands for another but has no move '{}'; "
                    "counterparts must offer the same moves",
                    labels_.infoset[set], labels_.action[at]));
  }

  void fill(uint32_t set, const Counterparts& counterparts, tree::Strategy& out) const {
    const bool itself = counterparts.size() == 1 && counterparts[0].id == set;
    if (counterparts.empty() || itself) return;
    const auto own = [&](const Weighted& c) {
      return c.weight * reach_[tree_.player(set)][tree_.first_history[c.id]];
    };
    double reached = 0, drawn = 0;
    for (const Weighted& c : counterparts) {
      reached += own(c);
      drawn += c.weight;
    }
    std::fill(out.begin() + tree_.slot_begin[set], out.begin() + tree_.slot_begin[set + 1], 0.0);
    for (const Weighted& c : counterparts) {
      const double share = reached > 0 ? own(c) / reached : c.weight / drawn;
      for (uint32_t s = tree_.slot_begin[c.id]; s < tree_.slot_begin[c.id + 1]; ++s) {
        if (abstraction_.kept_slot[s]) out[find_label(set, label_[s])] += share * abstract_[s];
      }
    }
  }

  const Tree& tree_;
  const ActionAbstraction& abstraction_;
  const BetSize& size_;
  const tree::Strategy& abstract_;
  tree::Labels labels_;
  std::vector<uint32_t> label_;  // [slot]: number of its label
  std::array<std::vector<double>, 2> reach_;
};

}  // namespace

std::vector<double> bet_sizes(const games::Game& game, const Tree& tree) {
  const games::ChipCounter counter(game);
  if (!counter.known()) {
    throw core::InputError(
        fmt::format("the sizes of bets in pots are known for poker only, not for {}", game.name()));
  }
  const tree::Labels labels = tree::make_labels(game, tree);
  std::vector<double> size(tree.num_histories(), std::nan(""));
  for (uint32_t h = 1; h < tree.num_histories(); ++h) {
    const tree::Actor actor = tree.actor[tree.parent[h]];
    if (actor >= 2) continue;
    std::vector<games::Actor> actors;
    std::vector<std::string> moves;
    for (uint32_t at = h; at != 0; at = tree.parent[at]) {
      actors.insert(actors.begin(), tree.actor[tree.parent[at]]);
      moves.insert(moves.begin(), actors[0] < 2 ? labels.action[tree.slot_into(at)] : "");
    }
    const double put = counter.put(actors, moves)[actor];
    moves.back().clear();
    const double called = counter.put(actors, moves)[1 - actor];
    if (put > called) size[h] = (put - called) / (2 * called);
  }
  return size;
}

tree::Strategy translate(const games::Game& game, const Tree& tree,
                         const ActionAbstraction& abstraction, const BetSize& size,
                         const tree::Strategy& abstract) {
  return Translator(game, tree, abstraction, size, abstract).run();
}

}  // namespace cleave::histories
