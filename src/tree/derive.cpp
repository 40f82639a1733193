#include "tree/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/error.h"

namespace cleave::tree {
namespace {

// Walks the source breadth first and writes down what the recipe leaves of it. Information sets
// are numbered as found and renumbered by player at the end.
class Deriver {
 public:
  Deriver(const Tree& source, const Recipe& recipe) : source_(source), recipe_(recipe) {
    Tree& tree = out_.tree;
    tree.name = recipe.name.empty() ? source.name : recipe.name;
    tree.num_players = source.num_players;
    tree.sequence.resize(2);
    tree.perfect_information = false;
    if (recipe.roots.empty()) {
      tree.shift = source.shift;
      tree.payoff_sum_low = tree.payoff_sum_high = 2 * source.shift;
    }
    for (size_t p = 0; p < 2; ++p) {
      first_entry_slot_[p] = num_slots_;
      for (const uint32_t actions : recipe.entry_sets[p]) {
        add_set(p, actions, 0);
        out_.source_slot.insert(out_.source_slot.end(), actions, kNone);
      }
    }
  }

  Derived run() {
    Tree& tree = out_.tree;
    tree.level_begin.push_back(0);
    if (recipe_.roots.empty()) {
      add_history(kNone, 0, 1.0, 0, {kNone, kNone});
    } else {
      add_history(kNone, kNone, 1.0, 0, {kNone, kNone});
      tree.actor[0] = kChance;
    }
    size_t first = 0;
    while (first < tree.num_histories()) {
      const size_t end = tree.num_histories();
      for (size_t h = first; h < end; ++h) {
        tree.child_begin.push_back(static_cast<uint32_t>(tree.num_histories()));
        expand(static_cast<uint32_t>(h));
      }
      tree.level_begin.push_back(static_cast<uint32_t>(end));
      first = end;
    }
    tree.child_begin.push_back(static_cast<uint32_t>(tree.num_histories()));
    renumber();
    return std::move(out_);
  }

 private:
  using Pair = std::array<uint32_t, 2>;

  void add_history(uint32_t parent, uint32_t source, double probability, uint32_t copy,
                   const Pair& sequence) {
    Tree& tree = out_.tree;
    tree.parent.push_back(parent);
    tree.probability.push_back(probability);
    tree.infoset.push_back(kNone);
    for (size_t p = 0; p < 2; ++p) tree.sequence[p].push_back(sequence[p]);
    out_.source.push_back(source);
    copy_.push_back(copy);
    tree.actor.push_back(kTerminal);
    if (source == kNone) return;
    const auto h = static_cast<uint32_t>(tree.num_histories() - 1);
    if (source_.actor[source] == kTerminal) {
      end_here(h, source_.payoff[source_.infoset[source]]);
      return;
    }
    const Treatment treatment = recipe_.treat ? recipe_.treat(source) : Treatment::kKeep;
    if (treatment == Treatment::kEnd) {
      end_here(h, recipe_.value ? recipe_.value(source) : 0);
    } else {
      tree.actor[h] = treatment == Treatment::kFix ? kChance : source_.actor[source];
    }
  }

  void end_here(uint32_t h, double payoff) {
    out_.tree.infoset[h] = static_cast<uint32_t>(out_.tree.payoff.size());
    out_.tree.payoff.push_back(payoff);
  }

  uint32_t add_set(size_t player, uint32_t actions, uint32_t history) {
    out_.tree.first_history.push_back(history);
    set_player_.push_back(static_cast<Actor>(player));
    set_slot_.push_back(num_slots_);
    set_actions_.push_back(actions);
    num_slots_ += actions;
    return static_cast<uint32_t>(set_player_.size() - 1);
  }

  void expand(uint32_t h) {
    const uint32_t source = out_.source[h];
    if (source == kNone) {
      if (h == 0) expand_root();
      return;
    }
    const Actor actor = out_.tree.actor[h];
    if (actor == kTerminal) return;
    children_.clear();
    for (uint32_t c = source_.child_begin[source]; c < source_.child_begin[source + 1]; ++c) {
      if (!recipe_.keeps || recipe_.keeps(c)) children_.push_back(c);
    }
    const bool fixed = actor == kChance && source_.actor[source] != kChance;
    const uint32_t source_first =
        source_.actor[source] < 2 ? source_.slot_begin[source_.infoset[source]] : kNone;
    const uint32_t slot = actor < 2 ? enter_set(h, actor, source) : kNone;
    for (size_t a = 0; a < children_.size(); ++a) {
      const uint32_t child = children_[a];
      Pair sequence = {out_.tree.sequence[0][h], out_.tree.sequence[1][h]};
      if (actor < 2) sequence[actor] = slot + static_cast<uint32_t>(a);
      const double probability = fixed ? (*recipe_.strategy)[source_first + source_.action(child)]
                                       : source_.probability[child];
      add_history(h, child, probability, copy_[h], sequence);
    }
  }

  void expand_root() {
    const auto sequence = [&](const Pair& entry) {
      Pair result = entry;
      for (size_t p = 0; p < 2; ++p) {
        if (entry[p] != kNone) result[p] += first_entry_slot_[p];
      }
      return result;
    };
    for (const DerivedRoot& root : recipe_.roots) {
      add_history(0, root.history, root.weight, root.copy, sequence(root.entry));
    }
    for (const DerivedEnd& end : recipe_.ends) {
      add_history(0, kNone, end.weight, 0, sequence(end.entry));
      end_here(static_cast<uint32_t>(out_.tree.num_histories() - 1), end.payoff);
    }
  }

  // The information set of history h, whose source is given. Returns its first slot.
  uint32_t enter_set(uint32_t h, Actor actor, uint32_t source) {
    Tree& tree = out_.tree;
    const uint32_t set = source_.infoset[source];
    const uint64_t cell = recipe_.cell ? recipe_.cell(set, copy_[h])
                                       : set + uint64_t{copy_[h]} * source_.num_infosets();
    const auto actions = static_cast<uint32_t>(children_.size());
    const auto [place, is_new] = cells_[actor].try_emplace(cell, 0);
    if (is_new) {
      place->second = add_set(actor, actions, h);
      for (const uint32_t child : children_) {
        out_.source_slot.push_back(source_.slot_begin[set] + source_.action(child));
      }
    } else {
      if (set_actions_[place->second] != actions) {
        throw core::InputError(fmt::format(
            "{}: information sets of player {} that are merged have {} and {} actions; only sets "
            "with the same actions can be one",
            tree.name, actor + 1, set_actions_[place->second], actions));
      }
      const uint32_t first = tree.first_history[place->second];
      if (tree.sequence[actor][first] != tree.sequence[actor][h] && bad_recall_ == kNone) {
        bad_recall_ = place->second;
      }
    }
    tree.infoset[h] = place->second;
    return set_slot_[place->second];
  }

  // Each player's information sets become contiguous; within a player they stay as found.
  void renumber() {
    Tree& tree = out_.tree;
    const size_t n = set_player_.size();
    std::vector<uint32_t> new_set(n);
    std::vector<uint32_t> new_slot(num_slots_);
    std::vector<uint32_t> first_history, source_slot(num_slots_);
    tree.slot_begin.assign(1, 0);
    tree.infoset_begin.assign(3, 0);
    for (size_t p = 0; p < 2; ++p) {
      for (size_t set = 0; set < n; ++set) {
        if (set_player_[set] != p) continue;
        new_set[set] = static_cast<uint32_t>(first_history.size());
        first_history.push_back(tree.first_history[set]);
        for (uint32_t a = 0; a < set_actions_[set]; ++a) {
          new_slot[set_slot_[set] + a] = tree.slot_begin.back() + a;
          source_slot[tree.slot_begin.back() + a] = out_.source_slot[set_slot_[set] + a];
        }
        tree.slot_begin.push_back(tree.slot_begin.back() + set_actions_[set]);
      }
      tree.infoset_begin[p + 1] = static_cast<uint32_t>(first_history.size());
    }
    tree.first_history = std::move(first_history);
    tree.infoset_size.assign(n, 0);
    out_.source_slot = std::move(source_slot);
    if (bad_recall_ != kNone) tree.imperfect_recall_infoset = new_set[bad_recall_];
    for (size_t h = 0; h < tree.num_histories(); ++h) {
      if (tree.actor[h] < 2) {
        tree.infoset[h] = new_set[tree.infoset[h]];
        ++tree.infoset_size[tree.infoset[h]];
      }
      for (auto& sequence : tree.sequence) {
        if (sequence[h] != kNone) sequence[h] = new_slot[sequence[h]];
      }
    }
  }

  const Tree& source_;
  const Recipe& recipe_;
  Derived out_;
  std::vector<uint32_t> copy_;      // [history]
  std::vector<uint32_t> children_;  // of the history being expanded, in the source
  std::vector<Actor> set_player_;   // [set as found]
  std::vector<uint32_t> set_slot_, set_actions_;
  std::array<std::unordered_map<uint64_t, uint32_t>, 2> cells_;
  std::array<uint32_t, 2> first_entry_slot_ = {};
  uint32_t num_slots_ = 0;
  uint32_t bad_recall_ = kNone;
};

}  // namespace

Derived derive(const Tree& source, const Recipe& recipe) { return Deriver(source, recipe).run(); }

}  // namespace cleave::tree
