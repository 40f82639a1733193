#include "search/carried.h"

#include <algorithm>

namespace cleave::search {
namespace {

using histories::PrivateState;
using tree::kNone;
using tree::Tree;

// One pass down over the histories of the place, one up over the opponent's information sets (the
// values), one down over them (the slack). Arrays over the opponent's slots have one more entry for
// "no own action yet".
class Pass {
 public:
  explicit Pass(const SolvedPlace& s)
      : s_(s),
        tree_(s.tree),
        opp_(s.opponent),
        best_(s.tree.num_slots() + 1, 0.0),
        best_inside_(best_),
        mean_(best_),
        mean_inside_(best_),
        weight_(best_),
        slack_(best_),
        set_best_(s.tree.num_infosets(), 0.0),
        set_mean_(set_best_),
        set_reach_(set_best_),
        plan_(hero_plan()) {}

  Carried run() {
    add_leaves();
    visit_histories();
    std::ranges::sort(sets_);
    for (size_t i = sets_.size(); i-- > 0;) value_set(sets_[i]);
    make_borders();
    for (const uint32_t set : sets_) {
      if (!is_inside(tree_.first_history[set])) pass_slack_on(set);
    }
    return read_borders();
  }

 private:
  // [slot + 1]: the hero's own reach; [0] of the empty sequence.
  std::vector<double> hero_plan() const {
    std::vector<double> plan(tree_.num_slots() + 1, 0.0);
    plan[0] = 1;
    const size_t hero = 1 - opp_;
    for (uint32_t set = tree_.infoset_begin[hero]; set < tree_.infoset_begin[hero + 1]; ++set) {
      const double above = plan[tree_.sequence[hero][tree_.first_history[set]] + 1];
      for (uint32_t slot = tree_.slot_begin[set]; slot < tree_.slot_begin[set + 1]; ++slot) {
        plan[slot + 1] = above * s_.strategy[slot];
      }
    }
    return plan;
  }

  bool is_inside(uint32_t h) const { return s_.places.child_at(s_.place, h) != kNone; }
  size_t index(uint32_t slot) const { return slot == kNone ? tree_.num_slots() : slot; }
  // Chance's and the hero's reach.
  double others_reach(uint32_t h) const {
    return s_.chance[h] * plan_[tree_.sequence[1 - opp_][h] + 1];
  }
  uint32_t parent_slot(uint32_t set) const {
    return tree_.sequence[opp_][tree_.first_history[set]];
  }
  uint32_t slot_of(const PrivateState& state) const {
    return state.acts ? parent_slot(state.id) : state.id;
  }

  void add(uint32_t slot, bool inside, double best, double mean) {
    const size_t i = index(slot);
    best_[i] += best;
    mean_[i] += mean;
    if (!inside) return;
    best_inside_[i] += best;
    mean_inside_[i] += mean;
  }

  void add_leaves() {
    for (size_t leaf = 0; leaf < s_.leaves.size(); ++leaf) {
      const histories::Border& border = s_.leaves[leaf];
      for (const uint32_t h : border.histories) leaf_histories_.push_back(h);
      // Looking ahead never ends before the next own place.
      for (size_t state = 0; state < border.states[opp_].size(); ++state) {
        const PrivateState& at = border.states[opp_][state];
        const double value = s_.leaf_values[leaf][opp_][state];
        if (at.acts) {
          // The leaf's value is that of the set, which a border may ask for by itself.
          set_best_[at.id] = set_mean_[at.id] = value;
        }
        add(slot_of(at), true, value, value);
      }
    }
    std::ranges::sort(leaf_histories_);
  }

  void visit_histories() {
    std::vector<uint32_t> open = s_.places.all[s_.place].roots;
    const double sign = opp_ == 0 ? 1 : -1;
    while (!open.empty()) {
      const uint32_t h = open.back();
      open.pop_back();
      if (tree_.actor[h] == opp_) set_reach_[tree_.infoset[h]] += others_reach(h);
      if (std::ranges::binary_search(leaf_histories_, h)) continue;
      if (tree_.actor[h] == tree::kTerminal) {
        const double value = sign * others_reach(h) * tree_.payoff[tree_.infoset[h]];
        add(tree_.sequence[opp_][h], is_inside(h), value, value);
      }
      if (tree_.actor[h] == opp_ && tree_.first_history[tree_.infoset[h]] == h) {
        sets_.push_back(tree_.infoset[h]);
      }
      for (uint32_t c = tree_.child_begin[h]; c < tree_.child_begin[h + 1]; ++c) open.push_back(c);
    }
  }

  void value_set(uint32_t set) {
    double best = best_[tree_.slot_begin[set]];
    double mean = 0;
    for (uint32_t slot = tree_.slot_begin[set]; slot < tree_.slot_begin[set + 1]; ++slot) {
      best = std::max(best, best_[slot]);
      mean += s_.strategy[slot] * mean_[slot];
    }
    set_best_[set] = best;
    set_mean_[set] = mean;
    add(parent_slot(set), is_inside(tree_.first_history[set]), best, mean);
  }

  void make_borders() {
    for (const uint32_t child : s_.places.all[s_.place].children) {
      borders_.push_back(histories::make_border(tree_, s_.places.all[child].roots));
      const histories::Border& border = borders_.back();
      auto& reach = border_reach_.emplace_back(border.states[opp_].size(), 0.0);
      for (size_t i = 0; i < border.histories.size(); ++i) {
        reach[border.state_of[opp_][i]] += others_reach(border.histories[i]);
      }
      for (size_t state = 0; state < reach.size(); ++state) {
        weight_[index(slot_of(border.states[opp_][state]))] += reach[state];
      }
    }
    for (const uint32_t set : sets_) {
      if (!is_inside(tree_.first_history[set])) weight_[index(parent_slot(set))] += set_reach_[set];
    }
  }

  double share(uint32_t slot, double reach) const {
    const double weight = weight_[index(slot)];
    return weight > 0 ? slack_[index(slot)] * reach / weight : 0;
  }

  void pass_slack_on(uint32_t set) {
    const double from_above = share(parent_slot(set), set_reach_[set]);
    for (uint32_t slot = tree_.slot_begin[set]; slot < tree_.slot_begin[set + 1]; ++slot) {
      slack_[slot] = from_above + set_best_[set] - best_[slot];
    }
  }

  Carried read_borders() const {
    Carried out;
    for (size_t child = 0; child < borders_.size(); ++child) {
      auto& best = out.best_response.emplace_back();
      auto& before = out.before_moves.emplace_back();
      auto& mean = out.estimate.emplace_back();
      const auto& states = borders_[child].states[opp_];
      for (size_t state = 0; state < states.size(); ++state) {
        const PrivateState& at = states[state];
        best.push_back(at.acts ? set_best_[at.id] : best_inside_[index(at.id)]);
        mean.push_back(at.acts ? set_mean_[at.id] : mean_inside_[index(at.id)]);
        before.push_back(best.back() + share(slot_of(at), border_reach_[child][state]));
      }
    }
    return out;
  }

  const SolvedPlace& s_;
  const Tree& tree_;
  const size_t opp_;
  // [slot]: value of the action, and the part of it inside the next places. A slot before them
  // leads to one of them at most: equal private states at the roots of a stage are in one place.
  std::vector<double> best_, best_inside_, mean_, mean_inside_;
  std::vector<double> weight_, slack_;                   // [slot]
  std::vector<double> set_best_, set_mean_, set_reach_;  // [infoset]
  std::vector<double> plan_;
  std::vector<uint32_t> leaf_histories_, sets_;
  std::vector<histories::Border> borders_;         // [child]
  std::vector<std::vector<double>> border_reach_;  // [child][state]
};

}  // namespace

Carried carry(const SolvedPlace& solved) { return Pass(solved).run(); }

}  // namespace cleave::search
