#include "tree/derive.h"

#include <fmt/format.h>

#include <unordered_map>

#include "core/error.h"
#include "tree/tree_builder.h"

namespace cleave::tree {
namespace {

// Walks the source breadth first and writes down what the recipe leaves of it.
class Deriver : TreeBuilder {
 public:
  Deriver(const Tree& source, const Recipe& recipe)
      : TreeBuilder(2), source_(source), recipe_(recipe) {
    tree_.name = recipe.name.empty() ? source.name : recipe.name;
    tree_.perfect_information = false;
    if (recipe.roots.empty()) {
      tree_.shift = source.shift;
      tree_.payoff_sum_low = tree_.payoff_sum_high = 2 * source.shift;
    }
    for (size_t p = 0; p < 2; ++p) {
      first_entry_slot_[p] = num_slots_;
      for (const uint32_t actions : recipe.entry_sets[p])
        add_set(static_cast<Actor>(p), actions, 0);
    }
    source_slot_.assign(num_slots_, kNone);
  }

  Derived run() {
    add_source(kNone, recipe_.roots.empty() ? 0 : kNone, 1.0, 0, {kNone, kNone});
    if (!recipe_.roots.empty()) tree_.actor[0] = kChance;
    expand_levels([] {}, [&](uint32_t h) { expand(h); });
    const std::vector<uint32_t> new_slot = renumber();
    Derived out{std::move(tree_), std::move(source_of_), std::vector<uint32_t>(num_slots_)};
    for (size_t slot = 0; slot < num_slots_; ++slot) {
      out.source_slot[new_slot[slot]] = source_slot_[slot];
    }
    return out;
  }

 private:
  using Pair = std::array<uint32_t, 2>;

  void add_source(uint32_t parent, uint32_t source, double probability, uint32_t copy,
                  const Pair& sequence) {
    const uint32_t h = add_history(parent, probability);
    for (size_t p = 0; p < 2; ++p) tree_.sequence[p].push_back(sequence[p]);
    source_of_.push_back(source);
    copy_.push_back(copy);
    if (source == kNone) return;
    if (source_.actor[source] == kTerminal) {
      end_here(h, source_.payoff[source_.infoset[source]]);
      return;
    }
    const Treatment treatment = recipe_.treat ? recipe_.treat(source) : Treatment::kKeep;
    if (treatment == Treatment::kEnd) {
      end_here(h, recipe_.value ? recipe_.value(source) : 0);
    } else {
      tree_.actor[h] = treatment == Treatment::kFix ? kChance : source_.actor[source];
    }
  }

  void expand(uint32_t h) {
    const uint32_t source = source_of_[h];
    if (source == kNone) {
      if (h == 0) expand_root();
      return;
    }
    const Actor actor = tree_.actor[h];
    if (actor == kTerminal) return;
    children_.clear();
    for (uint32_t c = source_.child_begin[source]; c < source_.child_begin[source + 1]; ++c) {
      if (!recipe_.keeps || recipe_.keeps(c)) children_.push_back(c);
    }
    const bool fixed = actor == kChance && source_.actor[source] != kChance;
    const uint32_t slot = actor < 2 ? enter_cell(h, actor, source_.infoset[source]) : kNone;
    for (size_t a = 0; a < children_.size(); ++a) {
      const uint32_t child = children_[a];
      Pair sequence = {tree_.sequence[0][h], tree_.sequence[1][h]};
      if (actor < 2) sequence[actor] = slot + static_cast<uint32_t>(a);
      const double probability =
          fixed ? (*recipe_.strategy)[source_.slot_into(child)] : source_.probability[child];
      add_source(h, child, probability, copy_[h], sequence);
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
      add_source(0, root.history, root.weight, root.copy, sequence(root.entry));
    }
    for (const DerivedEnd& end : recipe_.ends) {
      add_source(0, kNone, end.weight, 0, sequence(end.entry));
      end_here(static_cast<uint32_t>(tree_.num_histories() - 1), end.payoff);
    }
  }

  // The information set of history h, from one of the source. Returns its first slot.
  uint32_t enter_cell(uint32_t h, Actor actor, uint32_t source_set) {
    const uint64_t cell = recipe_.cell ? recipe_.cell(source_set, copy_[h])
                                       : source_set + uint64_t{copy_[h]} * source_.num_infosets();
    const auto actions = static_cast<uint32_t>(children_.size());
    const auto [place, is_new] = cells_[actor].try_emplace(cell, 0);
    if (is_new) {
      place->second = add_set(actor, actions, h);
      for (const uint32_t child : children_) source_slot_.push_back(source_.slot_into(child));
    } else if (set_actions_[place->second] != actions) {
      core::reject(
          "{}: information sets of player {} that are merged have {} and {} actions; only sets "
          "with the same actions can be one",
          tree_.name, actor + 1, set_actions_[place->second], actions);
    }
    return enter_set(h, place->second);
  }

  const Tree& source_;
  const Recipe& recipe_;
  std::vector<uint32_t> source_of_;    // [history]
  std::vector<uint32_t> copy_;         // [history]
  std::vector<uint32_t> source_slot_;  // [slot as found]
  std::vector<uint32_t> children_;     // of the history being expanded, in the source
  std::array<std::unordered_map<uint64_t, uint32_t>, 2> cells_;
  std::array<uint32_t, 2> first_entry_slot_ = {};
};

}  // namespace

Derived derive(const Tree& source, const Recipe& recipe) { return Deriver(source, recipe).run(); }

}  // namespace cleave::tree
