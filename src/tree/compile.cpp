#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "core/error.h"
#include "core/groups.h"
#include "core/number_index.h"
#include "tree/tree_builder.h"

namespace cleave::tree {
namespace {

using games::Game;

// Bytes an average history takes while compiling (arrays grow by doubling, so half may be spare).
constexpr size_t kBytesPerHistory = 64;
constexpr size_t kCheckEvery = 1 << 16;  // expanded histories between looks at limits

size_t default_max_bytes() {
  return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) /
         4 * 3;
}

// Fills `public_state`: within each level, the smallest sets of non-terminal histories closed under
// both players' augmented information sets (Burch et al., definition 1, taken level by level).
void find_public_states(Tree& tree) {
  tree.public_state.assign(tree.num_histories(), kNone);
  // An augmented information set is the information set where the player acts, else the player's
  // last own slot (or none): numbered sets first, then slots, then "none".
  const size_t num_sets = tree.num_infosets();
  const size_t num_augmented = num_sets + tree.num_slots() + 1;
  std::vector<uint32_t> seen[2];  // [player][augmented set]: last history of it, any level
  for (auto& s : seen) s.assign(num_augmented, kNone);
  for (size_t level = 0; level + 1 < tree.level_begin.size(); ++level) {
    const uint32_t first = tree.level_begin[level];
    const uint32_t end = tree.level_begin[level + 1];
    // The smallest history leads, so that public states are numbered in the order of histories.
    core::Groups groups(end - first);
    for (uint32_t h = first; h < end; ++h) {
      if (tree.actor[h] == kTerminal) continue;
      for (size_t p = 0; p < 2; ++p) {
        const uint32_t slot = tree.sequence[p][h];
        const size_t augmented = tree.actor[h] == p ? tree.infoset[h]
                                 : slot == kNone    ? num_augmented - 1
                                                    : num_sets + slot;
        uint32_t& last = seen[p][augmented];
        if (last != kNone && last >= first) groups.join(last - first, h - first);
        last = h;
      }
    }
    for (uint32_t h = first; h < end; ++h) {
      if (tree.actor[h] == kTerminal) continue;
      const uint32_t lead = first + groups.find(h - first);
      tree.public_state[h] = lead == h ? tree.num_public_states++ : tree.public_state[lead];
    }
  }
}

// Expands a game level by level. Only the states of the current and the next level are held.
class Compiler : TreeBuilder {
 public:
  Compiler(const Game& game, const CompileOptions& options)
      : TreeBuilder(game.num_players()),
        game_(game),
        options_(options),
        stride_(game.state_bytes()),
        max_bytes_(options.max_bytes ? options.max_bytes : default_max_bytes()) {
    tree_.name = game.name();
  }

  Tree run() {
    next_.resize(stride_);
    game_.root(next_.data());
    add_history(kNone, 1.0);
    for (auto& sequence : tree_.sequence) sequence.push_back(kNone);
    settle(0, next_.data());
    size_t at = 0;
    const auto begin_level = [&] {
      frontier_.swap(next_);
      next_.clear();
      at = 0;
    };
    expand_levels(begin_level, [&](uint32_t h) {
      if (tree_.actor[h] == kTerminal) return;
      expand(h, frontier_.data() + at);
      at += stride_;
    });
    finish();
    return std::move(tree_);
  }

 private:
  // Records who acts at a new history, and the payoff at a terminal: those never enter a frontier.
  // Returns true if the game goes on from here.
  bool settle(uint32_t h, const std::byte* state) {
    tree_.actor[h] = game_.turn(state).actor;
    if (tree_.actor[h] != kTerminal) return true;
    double sum = 0;
    for (int p = 0; p < tree_.num_players; ++p) {
      const double u = game_.payoff(state, p).to_double();
      if (p == 0) end_here(h, u);
      sum += u;
      largest_payoff_ = std::max(largest_payoff_, std::abs(u));
    }
    const bool is_first = tree_.payoff.size() == 1;
    tree_.payoff_sum_low = is_first ? sum : std::min(sum, tree_.payoff_sum_low);
    tree_.payoff_sum_high = is_first ? sum : std::max(sum, tree_.payoff_sum_high);
    return false;
  }

  void expand(uint32_t h, const std::byte* state) {
    const Actor actor = tree_.actor[h];
    const auto num_actions = static_cast<uint32_t>(game_.turn(state).num_actions);
    const uint32_t slot = actor == kChance ? kNone : enter_infoset(h, actor, num_actions, state);
    if (tree_.num_histories() + num_actions >= kNone - 1) too_large();
    if (options_.max_histories > 0 &&
        tree_.num_histories() + num_actions > options_.max_histories) {
      throw TooManyHistories(
          fmt::format("{} has more than {} histories", tree_.name, options_.max_histories));
    }
    for (uint32_t a = 0; a < num_actions; ++a) {
      const int action = static_cast<int>(a);
      const uint32_t child = add_history(
          h, actor == kChance ? game_.chance_probability(state, action).to_double() : 1.0);
      for (int p = 0; p < tree_.num_players; ++p) {
        auto& sequence = tree_.sequence[p];
        sequence.push_back(p == actor ? slot + a : sequence[h]);
      }
      const size_t at = next_.size();
      next_.resize(at + stride_);
      game_.child(state, action, next_.data() + at);
      if (!settle(child, next_.data() + at)) next_.resize(at);
    }
    if (++expanded_ % kCheckEvery == 0) check_limits();
  }

  // Returns the first slot of the information set.
  uint32_t enter_infoset(uint32_t h, Actor actor, uint32_t num_actions, const std::byte* state) {
    core::Hash128 key = game_.infoset_key(state);
    key.hi += actor;  // sets of different players never meet
    const auto [set, is_new] = index_.insert(
        key.lo, static_cast<uint32_t>(keys_.size()), [&](uint32_t i) { return keys_[i].lo; },
        [&](uint32_t i) { return keys_[i] == key; });
    if (is_new) {
      keys_.push_back(key);
      add_set(actor, num_actions, h);
    } else {
      tree_.perfect_information = false;
      if (set_actions_[set] != num_actions) {
        core::reject(
            "{}: information set '{}' of player {} has histories with {} and with {} actions; all "
            "histories of a set must offer the same actions",
            tree_.name, game_.infoset_label(state), actor + 1, set_actions_[set], num_actions);
      }
    }
    return enter_set(h, set);
  }

  void check_limits() {
    const size_t n = tree_.num_histories();
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) {
      throw core::RunError(fmt::format("stopped after {} histories of {}", n, tree_.name));
    }
    if (n * kBytesPerHistory + frontier_.size() + next_.capacity() + index_.bytes() +
            keys_.capacity() * sizeof(core::Hash128) >
        max_bytes_) {
      too_large();
    }
    if (options_.progress) options_.progress(n);
  }

  [[noreturn]] void too_large() const {
    core::reject(
        "{}: more than {} histories do not fit into the {} MiB allowed for the tree; use smaller "
        "parameters or a machine with more memory",
        tree_.name, tree_.num_histories(), max_bytes_ >> 20);
  }

  void finish() {
    renumber();
    for (auto& sequence : tree_.sequence) sequence.shrink_to_fit();
    // Sums that differ by rounding alone are equal.
    const double rounding = 1e-12 * std::max(1.0, largest_payoff_);
    if (tree_.payoff_sum_high - tree_.payoff_sum_low <= rounding) {
      tree_.payoff_sum_high = tree_.payoff_sum_low;
      if (std::abs(tree_.payoff_sum_low) <= rounding) {
        tree_.payoff_sum_low = tree_.payoff_sum_high = 0;
      }
      if (tree_.num_players == 2) tree_.shift = tree_.payoff_sum_low / 2;
    }
    for (double& u : tree_.payoff) u -= tree_.shift;
    const auto shrink = [](auto&... v) { (v.shrink_to_fit(), ...); };
    shrink(tree_.parent, tree_.child_begin, tree_.actor, tree_.infoset, tree_.probability,
           tree_.payoff);
    if (tree_.num_players == 2) find_public_states(tree_);
  }

  const Game& game_;
  const CompileOptions& options_;
  const size_t stride_;
  const size_t max_bytes_;
  std::vector<std::byte> frontier_;  // states of the non-terminal histories of this level, in order
  std::vector<std::byte> next_;
  size_t expanded_ = 0;
  std::vector<core::Hash128> keys_;  // [infoset as found]
  core::NumberIndex index_;          // of keys_
  double largest_payoff_ = 0;
};

}  // namespace

Tree compile(const Game& game, const CompileOptions& options) {
  return Compiler(game, options).run();
}

}  // namespace cleave::tree
