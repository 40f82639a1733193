#include "histories/off_tree.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "core/error.h"
#include "core/groups.h"

namespace cleave::histories {

using tree::kNone;
using tree::Tree;

namespace {

class OffTreeFinder {
 public:
  OffTreeFinder(const Tree& game, const ActionAbstraction& abstraction, size_t hero)
      : game_(game),
        kept_slot_(abstraction.kept_slot),
        kept_(abstraction.kept),
        hero_(hero),
        heads_(game.num_histories()),
        places_(game.num_histories()) {}

  OffTree run() {
    find_heads();
    find_places();
    join_heads();
    return collect();
  }

 private:
  void find_heads() {
    head_.assign(game_.num_histories(), kNone);
    depth_.assign(game_.num_histories(), 0);
    never_.assign(game_.num_histories(), false);
    for (uint32_t h = 1; h < game_.num_histories(); ++h) {
      const uint32_t parent = game_.parent[h];
      head_[h] = head_[parent];
      depth_[h] = depth_[parent];
      never_[h] = never_[parent] || (game_.actor[parent] == hero_ && !kept_[h]);
      if (game_.actor[parent] == 1 - hero_ && !kept_[h]) {
        head_[h] = h;
        ++depth_[h];
      }
    }
  }

  // Where the opponent moves, taken together as the smallest subgames that hold it: histories with
  // as many decisions of the opponent before them from which an information set can be reached
  // that does not tell them apart. (Tree::public_state is coarser: a card that is dealt to
  // everybody counts there only once both players have moved.)
  void find_places() {
    std::vector<uint32_t> last(game_.num_histories(), kNone);  // opponent's decision on the way
    std::vector<uint32_t> count(game_.num_histories(), 0);     // of them
    std::vector<uint32_t> first(game_.num_infosets(), kNone);
    const auto up = [&](uint32_t at) { return at == 0 ? kNone : last[game_.parent[at]]; };
    for (uint32_t h = 0; h < game_.num_histories(); ++h) {
      const uint32_t above = up(h);
      const bool moves = game_.actor[h] == 1 - hero_;
      last[h] = moves ? h : above;
      count[h] = (above == kNone ? 0 : count[above]) + (moves ? 1 : 0);
      if (never_[h] || game_.actor[h] >= 2) continue;
      uint32_t& other = first[game_.infoset[h]];
      if (other == kNone) other = h;
      uint32_t a = last[other];
      uint32_t b = last[h];
      while (a != kNone && b != kNone && count[a] > count[b]) a = up(a);
      while (a != kNone && b != kNone && count[b] > count[a]) b = up(b);
      // Whoever was joined before was joined all the way up.
      while (a != kNone && b != kNone && places_.find(a) != places_.find(b)) {
        places_.join(a, b);
        a = up(a);
        b = up(b);
      }
    }
  }

  void join_heads() {
    std::map<std::array<uint32_t, 3>, uint32_t> with_move;
    first_.assign(game_.num_infosets(), kNone);
    for (uint32_t h = 0; h < game_.num_histories(); ++h) {
      if (never_[h]) continue;
      if (head_[h] == h) {
        const uint32_t place = places_.find(game_.parent[h]);
        const auto same = with_move.try_emplace({place, game_.action(h), depth_[h]}, h);
        heads_.join(same.first->second, h);
      }
      if (game_.actor[h] >= 2) continue;
      uint32_t& first = first_[game_.infoset[h]];
      if (first == kNone) first = h;
      if (depth_[first] != depth_[h]) throw_hidden(h);
      if (head_[h] != kNone) heads_.join(head_[first], head_[h]);
    }
  }

  [[noreturn]] void throw_hidden(uint32_t h) const {
    throw core::InputError(
        fmt::format("nested solving of {}: at information set {} player {} cannot tell whether the "
                    "other has left the abstraction; it must drop moves that both players see",
                    game_.name, game_.infoset[h] + 1, game_.actor[h] + 1));
  }

  OffTree collect() {
    OffTree result;
    result.hero = hero_;
    result.kept_slot = kept_slot_;
    std::vector<uint32_t> number(game_.num_histories(), kNone);  // [head]
    std::vector<uint32_t> around;                                // [subgame]: subgame, or kNone
    for (uint32_t h = 0; h < game_.num_histories(); ++h) {
      if (never_[h] || head_[h] != h) continue;
      const uint32_t lead = heads_.find(h);
      const uint32_t outer_head = head_[game_.parent[h]];
      const uint32_t outer = outer_head == kNone ? kNone : number[outer_head];
      if (lead == h) {
        number[h] = static_cast<uint32_t>(result.subgames.size());
        result.subgames.push_back({.heads = {}, .depth = depth_[h], .inside = {}});
        around.push_back(outer);
        (outer == kNone ? result.outermost : result.subgames[outer].inside).push_back(number[h]);
      }
      number[h] = number[lead];
      if (around[number[h]] != outer) throw_hidden(game_.parent[h]);
      result.subgames[number[h]].heads.push_back(h);
    }
    result.num_known.assign(game_.num_infosets(), 0);
    result.place.assign(game_.num_histories(), kNone);
    for (uint32_t h = 0; h < game_.num_histories(); ++h) {
      if (never_[h] || game_.actor[h] >= 2) continue;
      ++result.num_known[game_.infoset[h]];
      if (game_.actor[h] != hero_) note_place(h, result);
    }
    return result;
  }

  void note_place(uint32_t h, OffTree& result) {
    const uint32_t lead = places_.find(h);
    if (lead == h) {
      result.place[h] = static_cast<uint32_t>(result.places.size());
      result.places.emplace_back();
    }
    result.place[h] = result.place[lead];
    result.places[result.place[h]].push_back(h);
  }

  const Tree& game_;
  const std::vector<bool>&kept_slot_, &kept_;
  size_t hero_;
  core::Groups heads_;           // of histories that are heads
  core::Groups places_;          // of histories where the opponent moves
  std::vector<uint32_t> head_;   // [history]: the last one on the way
  std::vector<uint32_t> depth_;  // [history]: how many there are
  std::vector<bool> never_;      // [history]: behind a dropped move of the hero
  std::vector<uint32_t> first_;  // [infoset]: the first history that can happen
};

}  // namespace

OffTree find_off_tree(const Tree& game, const ActionAbstraction& abstraction, size_t hero) {
  return OffTreeFinder(game, abstraction, hero).run();
}

}  // namespace cleave::histories
