#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "fmt/format.h"
#include "tree/infoset_table.h"
#include "tree/public_states.h"
#include "tree/tree.h"

namespace cleave::tree {
namespace {

using games::Game;
using games::Turn;

// Bytes an average history takes while compiling (arrays grow by doubling, so half may be spare).
constexpr size_t kBytesPerHistory = 64;
constexpr size_t kCheckEvery = 1 << 16;  // expanded histories between looks at limits

size_t default_max_bytes() {
  return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) /
         4 * 3;
}

// Expands a game level by level. Only the states of the current and the next level are held.
class Compiler {
 public:
  Compiler(const Game& game, const CompileOptions& options)
      : game_(game),
        options_(options),
        stride_(game.state_bytes()),
        max_bytes_(options.max_bytes ? options.max_bytes : default_max_bytes()) {
    tree_.name = game.name();
    tree_.num_players = game.num_players();
    tree_.sequence.resize(static_cast<size_t>(tree_.num_players));
  }

  Tree run() {
    frontier_.resize(stride_);
    game_.root(frontier_.data());
    add_history(kNone, 1.0);
    for (auto& sequence : tree_.sequence) sequence.push_back(kNone);
    settle(0, frontier_.data());
    tree_.level_begin.push_back(0);
    size_t level_first = 0;
    while (level_first < tree_.num_histories()) {
      const size_t level_end = tree_.num_histories();
      next_.clear();
      size_t at = 0;
      for (size_t h = level_first; h < level_end; ++h) {
        tree_.child_begin.push_back(static_cast<uint32_t>(tree_.num_histories()));
        if (tree_.actor[h] == kTerminal) continue;
        expand(static_cast<uint32_t>(h), frontier_.data() + at);
        at += stride_;
      }
      frontier_.swap(next_);
      tree_.level_begin.push_back(static_cast<uint32_t>(level_end));
      level_first = level_end;
    }
    tree_.child_begin.push_back(static_cast<uint32_t>(tree_.num_histories()));
    finish();
    return std::move(tree_);
  }

 private:
  void add_history(uint32_t parent, double probability) {
    tree_.parent.push_back(parent);
    tree_.probability.push_back(probability);
    tree_.actor.push_back(kTerminal);
    tree_.infoset.push_back(kNone);
  }

  // Records who acts at a new history, and the payoff at a terminal: those never enter a frontier.
  // Returns true if the game goes on from here.
  bool settle(uint32_t h, const std::byte* state) {
    const Turn turn = game_.turn(state);
    tree_.actor[h] = turn.actor;
    if (turn.actor == kTerminal) add_payoff(h, state);
    return turn.actor != kTerminal;
  }

  void add_payoff(uint32_t h, const std::byte* state) {
    double sum = 0;
    double first = 0;
    for (int p = 0; p < tree_.num_players; ++p) {
      const double u = game_.payoff(state, p).to_double();
      if (p == 0) first = u;
      sum += u;
      largest_payoff_ = std::max(largest_payoff_, std::abs(u));
    }
    const bool is_first = tree_.payoff.empty();
    tree_.payoff_sum_low = is_first ? sum : std::min(sum, tree_.payoff_sum_low);
    tree_.payoff_sum_high = is_first ? sum : std::max(sum, tree_.payoff_sum_high);
    tree_.infoset[h] = static_cast<uint32_t>(tree_.payoff.size());
    tree_.payoff.push_back(first);
  }

  void expand(uint32_t h, const std::byte* state) {
    const Actor actor = tree_.actor[h];
    const auto num_actions = static_cast<uint32_t>(game_.turn(state).num_actions);
    uint32_t slot = kNone;
    if (actor != kChance) slot = enter_infoset(h, actor, num_actions, state);
    if (tree_.num_histories() + num_actions >= kNone - 1) too_large();
    if (options_.max_histories > 0 &&
        tree_.num_histories() + num_actions > options_.max_histories) {
      throw TooManyHistories(
          fmt::format("{} has more than {} histories", tree_.name, options_.max_histories));
    }
    for (uint32_t a = 0; a < num_actions; ++a) {
      const double probability =
          actor == kChance ? game_.chance_probability(state, static_cast<int>(a)).to_double() : 1.0;
      const auto child = static_cast<uint32_t>(tree_.num_histories());
      add_history(h, probability);
      for (int p = 0; p < tree_.num_players; ++p) {
        auto& sequence = tree_.sequence[p];
        sequence.push_back(p == actor ? slot + a : sequence[h]);
      }
      const size_t at = next_.size();
      next_.resize(at + stride_);
      game_.child(state, static_cast<int>(a), next_.data() + at);
      if (!settle(child, next_.data() + at)) next_.resize(at);
    }
    if (++expanded_ % kCheckEvery == 0) check_limits();
  }

  // Returns the first slot of the information set.
  uint32_t enter_infoset(uint32_t h, Actor actor, uint32_t num_actions, const std::byte* state) {
    const auto [set, is_new] = table_.insert(game_.infoset_key(state), actor);
    const auto own = tree_.sequence[actor][h];
    if (is_new) {
      tree_.first_history.push_back(h);
      slot_begin_.push_back(num_slots_);
      infoset_actions_.push_back(num_actions);
      infoset_player_.push_back(actor);
      num_slots_ += num_actions;
    } else {
      tree_.perfect_information = false;
      const uint32_t first = tree_.first_history[set];
      if (infoset_actions_[set] != num_actions) {
        throw core::InputError(fmt::format(
            "{}: information set '{}' of player {} has histories with {} and with {} actions; "
            "all histories of a set must offer the same actions",
            tree_.name, game_.infoset_label(state), actor + 1, infoset_actions_[set], num_actions));
      }
      if (tree_.sequence[actor][first] != own && bad_recall_ == kNone) bad_recall_ = set;
    }
    tree_.infoset[h] = set;
    return slot_begin_[set];
  }

  void check_limits() {
    const size_t n = tree_.num_histories();
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) {
      throw core::RunError(fmt::format("stopped after {} histories of {}", n, tree_.name));
    }
    if (n * kBytesPerHistory + frontier_.size() + next_.capacity() + table_.bytes() > max_bytes_) {
      too_large();
    }
    if (options_.progress) options_.progress(n);
  }

  [[noreturn]] void too_large() const {
    throw core::InputError(fmt::format(
        "{}: more than {} histories do not fit into the {} MiB allowed for the tree; use smaller "
        "parameters or a machine with more memory",
        tree_.name, tree_.num_histories(), max_bytes_ >> 20));
  }

  // Renumbers the information sets so that each player's are contiguous (within a player they
  // already stand by level, as found), and finishes what follows from the whole tree.
  void finish() {
    const size_t n = infoset_player_.size();
    std::vector<uint32_t> order(n);
    for (size_t i = 0; i < n; ++i) order[i] = static_cast<uint32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return infoset_player_[a] < infoset_player_[b];
    });
    std::vector<uint32_t> new_id(n);
    std::vector<uint32_t> new_slot(num_slots_);
    std::vector<uint32_t> first_history(n);
    tree_.slot_begin.assign(1, 0);
    tree_.infoset_begin.assign(static_cast<size_t>(tree_.num_players) + 1, 0);
    for (size_t i = 0; i < n; ++i) {
      const uint32_t old = order[i];
      new_id[old] = static_cast<uint32_t>(i);
      first_history[i] = tree_.first_history[old];
      for (uint32_t a = 0; a < infoset_actions_[old]; ++a) {
        new_slot[slot_begin_[old] + a] = tree_.slot_begin.back() + a;
      }
      tree_.slot_begin.push_back(tree_.slot_begin.back() + infoset_actions_[old]);
      ++tree_.infoset_begin[infoset_player_[old] + size_t{1}];
    }
    for (size_t p = 1; p < tree_.infoset_begin.size(); ++p) {
      tree_.infoset_begin[p] += tree_.infoset_begin[p - 1];
    }
    tree_.first_history = std::move(first_history);
    tree_.infoset_size.assign(n, 0);
    if (bad_recall_ != kNone) tree_.imperfect_recall_infoset = new_id[bad_recall_];
    for (size_t h = 0; h < tree_.num_histories(); ++h) {
      if (tree_.actor[h] != kChance && tree_.actor[h] != kTerminal) {
        tree_.infoset[h] = new_id[tree_.infoset[h]];
        ++tree_.infoset_size[tree_.infoset[h]];
      }
    }
    for (auto& sequence : tree_.sequence) {
      for (uint32_t& slot : sequence) slot = slot == kNone ? kNone : new_slot[slot];
      sequence.shrink_to_fit();
    }
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
    tree_.parent.shrink_to_fit();
    tree_.child_begin.shrink_to_fit();
    tree_.actor.shrink_to_fit();
    tree_.infoset.shrink_to_fit();
    tree_.probability.shrink_to_fit();
    tree_.payoff.shrink_to_fit();
    if (tree_.num_players == 2) find_public_states(tree_);
  }

  const Game& game_;
  const CompileOptions& options_;
  const size_t stride_;
  const size_t max_bytes_;
  Tree tree_;
  std::vector<std::byte> frontier_;  // states of the non-terminal histories of this level, in order
  std::vector<std::byte> next_;
  size_t expanded_ = 0;
  InfosetTable table_;
  std::vector<uint32_t> slot_begin_;       // [infoset as found]
  std::vector<uint32_t> infoset_actions_;  // [infoset as found]
  std::vector<Actor> infoset_player_;      // [infoset as found]
  uint32_t num_slots_ = 0;
  uint32_t bad_recall_ = kNone;
  double largest_payoff_ = 0;
};

}  // namespace

Tree compile(const Game& game, const CompileOptions& options) {
  return Compiler(game, options).run();
}

}  // namespace cleave::tree
