// The value of an action in a walk is the payoff that it leads to: chance's and the other player's
// probabilities are in the draw. A player's average is added to where its actions are drawn, in the
// other's walk: these decisions are reached with the probability of its own actions, as the average
// wants it.
//
// Linear weights (Brown and Sandholm 2019): deal t counts t times, in regrets and in averages.
//
// So that the result does not depend on threads, the walks of a batch change nothing: they write
// down what is to be added. Then it is added, the decisions shared out among tasks, each in the
// order of the walks.
//
// Numbers are 32-bit floats. After n deals that came to a decision, one more adds 2 / n to its
// average, so that a bucket may be dealt some ten million times before additions are rounded away.

#include "hands/blueprint/mccfr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "core/aligned.h"
#include "core/error.h"
#include "core/random.h"
#include "core/threads.h"
#include "poker/evaluator.h"
#include "poker/hand_index.h"

namespace cleave::hands {

// Not without a name: Mccfr::State has members of these types.
namespace mccfr {

using NodeKind = poker::BettingNode::Kind;
using poker::Card;
using poker::CardSet;

constexpr size_t kMaxStreets = 8;
constexpr size_t kMaxBoard = 5;  // the evaluator takes seven cards
constexpr size_t kParts = 16;    // of a batch: tasks that walk
constexpr int kShareBits = 4;
constexpr size_t kShares = size_t{1} << kShareBits;  // of the decisions: tasks that add
constexpr double kFloor = 31.0 / 30;                 // of the threshold, as in Pluribus

static_assert(Mccfr::kBatch % kParts == 0);

// A node of the betting tree, with what a walk needs of it.
struct Step {
  // A decision: its numbers begin here, 2 * num_actions for each bucket, regrets and then averages.
  // An end: its payoffs.
  uint64_t first = 0;
  uint32_t first_child = 0;
  uint16_t num_actions = 0;
  NodeKind kind = NodeKind::kDecision;
  uint8_t player = 0;
  uint8_t street = 0;

  bool ends() const { return kind == NodeKind::kFold || kind == NodeKind::kShowdown; }
};

enum Outcome : uint8_t { kWin, kLose, kTie };
using Payoffs = std::array<std::array<float, 3>, 2>;  // [player][outcome]

Outcome outcome_of(poker::Strength own, poker::Strength other) {
  return own > other ? kWin : own < other ? kLose : kTie;
}

// The cards of one hand of play, as the players see them.
struct Deal {
  std::array<std::array<uint32_t, kMaxStreets>, 2> bucket;  // [player][street]
  std::array<Outcome, 2> outcome;                           // [player]: of a showdown
};

size_t board_cards(const hands::Setup& setup, size_t street) {
  auto cards = static_cast<size_t>(std::popcount(setup.board));
  for (size_t s = 0; s <= street; ++s) cards += static_cast<size_t>(setup.deals[s]);
  return cards;
}

// The classes that a table of buckets is over.
using ClassIndex = std::unique_ptr<const poker::HandIndex>;
ClassIndex make_index(size_t num_board_cards) {
  std::vector<int> rounds = {2};
  if (num_board_cards > 0) rounds.push_back(static_cast<int>(num_board_cards));
  return std::make_unique<const poker::HandIndex>(std::move(rounds));
}

void check_pruning(const Pruning& pruning) {
  if (!(pruning.probability >= 0 && pruning.probability <= 1 && pruning.threshold >= 0)) {
    throw core::InputError(fmt::format(
        "pruning with probability {} below minus {}: allowed are a probability from 0 to 1 and a "
        "threshold of 0 or more",
        pruning.probability, pruning.threshold));
  }
}

void check_game(const hands::Setup& setup) {
  const size_t streets = setup.deals.size();
  if (setup.hole_cards != 2 || setup.deck != poker::deck()) {
    throw core::InputError("buckets of hands: only for hands of two cards from a deck of 52");
  }
  if (static_cast<size_t>(setup.last_street) + 1 < streets) {
    throw core::InputError("buckets of hands: the game must be whole, without a last street");
  }
  if (streets > kMaxStreets || board_cards(setup, streets - 1) > kMaxBoard) {
    throw core::InputError(fmt::format(
        "buckets of hands: allowed are {} streets and {} board cards", kMaxStreets, kMaxBoard));
  }
  for (const CardSet own : setup.hands[0]) {
    for (const CardSet other : setup.hands[1]) {
      if ((own & other) == 0) return;
    }
  }
  throw core::InputError("buckets of hands: there are no two hands without a common card");
}

// Buckets of each street; a count of its own classes where there is no table.
std::vector<uint32_t> checked_counts(const hands::Setup& setup,
                                     const std::vector<StreetBuckets>& streets) {
  check_game(setup);
  if (streets.size() != setup.deals.size()) {
    throw core::InputError(fmt::format("buckets of hands for {} streets; the game has {}",
                                       streets.size(), setup.deals.size()));
  }
  std::vector<uint32_t> counts;
  for (size_t s = 0; s < streets.size(); ++s) {
    const ClassIndex index = make_index(board_cards(setup, s));
    const uint64_t classes = index->size(index->num_rounds() - 1);
    const std::vector<uint32_t>& bucket = streets[s].bucket;
    if (!bucket.empty() && bucket.size() != classes) {
      throw core::InputError(
          fmt::format("buckets of street {}: a table of {} classes; the street has {}", s,
                      bucket.size(), classes));
    }
    if (!bucket.empty() && *std::ranges::max_element(bucket) >= streets[s].count) {
      throw core::InputError(fmt::format(
          "buckets of street {}: numbers must be below their count {}", s, streets[s].count));
    }
    counts.push_back(bucket.empty() ? static_cast<uint32_t>(classes) : streets[s].count);
  }
  return counts;
}

// Where the weights of each decision begin, and at the end how many there are.
std::pair<std::vector<uint64_t>, uint64_t> place_weights(const poker::BettingTree& tree,
                                                         const std::vector<uint32_t>& buckets) {
  std::vector<uint64_t> first;
  uint64_t next = 0;
  for (const poker::BettingNode& node : tree.nodes) {
    const bool decision = node.kind == NodeKind::kDecision;
    first.push_back(decision ? next : AbstractStrategy::kNone);
    if (decision) next += uint64_t{node.num_children} * buckets[node.street];
  }
  return {std::move(first), next};
}

// Draws deals and puts their hands into buckets.
class Dealer {
 public:
  Dealer(const hands::Setup& setup, std::vector<StreetBuckets> streets)
      : hands_(setup.hands), board_(setup.board), streets_(std::move(streets)) {
    for (size_t s = 0; s < streets_.size(); ++s) {
      num_cards_.push_back(2 + board_cards(setup, s));
      index_.push_back(make_index(board_cards(setup, s)));
    }
  }

  Deal draw(core::Random& random) const {
    std::array<CardSet, 2> hole;
    do {
      for (size_t p = 0; p < 2; ++p) hole[p] = hands_[p][random.below(hands_[p].size())];
    } while ((hole[0] & hole[1]) != 0);

    // Hole cards first; they are filled in for each player.
    Cards cards = {};
    size_t count = 2;
    for (CardSet left = board_; left != 0; left &= left - 1) cards[count++] = poker::lowest(left);
    CardSet board = board_;
    while (count < num_cards_.back()) {
      const auto card = static_cast<Card>(random.below(poker::kNumCards));
      if (((hole[0] | hole[1] | board) & poker::set_of(card)) != 0) continue;
      board |= poker::set_of(card);
      cards[count++] = card;
    }

    Deal deal;
    for (size_t p = 0; p < 2; ++p) {
      cards[0] = poker::lowest(hole[p]);
      cards[1] = poker::lowest(hole[p] & (hole[p] - 1));
      deal.bucket[p] = buckets_of(cards);
    }
    const poker::Strength first = poker::strength_of(hole[0] | board);
    const poker::Strength second = poker::strength_of(hole[1] | board);
    deal.outcome = {outcome_of(first, second), outcome_of(second, first)};
    return deal;
  }

 private:
  using Cards = std::array<Card, 2 + kMaxBoard>;  // of one player: hole cards first

  std::array<uint32_t, kMaxStreets> buckets_of(const Cards& cards) const {
    std::array<uint64_t, kMaxStreets> hand;
    for (size_t s = 0; s < streets_.size(); ++s) {
      hand[s] =
          index_[s]->index(index_[s]->num_rounds() - 1, std::span(cards).first(num_cards_[s]));
      // Tables are large: all of them are asked before the first has to answer.
      if (!streets_[s].bucket.empty()) __builtin_prefetch(&streets_[s].bucket[hand[s]]);
    }
    std::array<uint32_t, kMaxStreets> bucket = {};
    for (size_t s = 0; s < streets_.size(); ++s) {
      const std::vector<uint32_t>& table = streets_[s].bucket;
      bucket[s] = table.empty() ? static_cast<uint32_t>(hand[s]) : table[hand[s]];
    }
    return bucket;
  }

  std::array<std::vector<CardSet>, 2> hands_;
  CardSet board_;
  std::vector<StreetBuckets> streets_;
  std::vector<size_t> num_cards_;  // [street]: that a player sees
  std::vector<ClassIndex> index_;  // [street]
};

// What walks want to add, in their order: to `count` numbers from `first` on, none of which is to
// fall below `floor`.
struct Additions {
  struct Entry {
    uint64_t first;
    float floor;
    uint32_t count;
  };
  std::vector<Entry> entries;
  std::vector<float> amounts;  // [0, num_amounts) are in use
  size_t num_amounts = 0;

  // Where the amounts are to be written.
  float* add(uint64_t first, float floor, uint32_t count) {
    entries.push_back({first, floor, count});
    num_amounts += count;
    if (amounts.size() < num_amounts) amounts.resize(2 * num_amounts);
    return amounts.data() + num_amounts - count;
  }
  void clear() {
    entries.clear();
    num_amounts = 0;
  }
};
using SharedAdditions = std::array<Additions, kShares>;

size_t share_of(uint64_t first) {
  return static_cast<size_t>((first * 0x9e3779b97f4a7c15ULL) >> (64 - kShareBits));
}

// What all walks read.
struct WalkedGame {
  std::vector<Step> steps;  // [betting node]; a deal is what begins after it
  std::vector<Payoffs> payoffs;
  double largest_payoff = 0;
  size_t last_street = 0;
  core::AlignedVector<float> learnt;

  uint64_t first(const Step& step, const Deal& deal) const {
    return step.first + uint64_t{deal.bucket[step.player][step.street]} * 2 * step.num_actions;
  }
};

WalkedGame make_walked_game(const poker::BettingTree& tree, const std::vector<uint64_t>& first,
                            uint64_t total) {
  WalkedGame game;
  game.last_street = tree.betting.streets.size() - 1;
  game.steps.resize(tree.nodes.size());
  for (size_t n = tree.nodes.size(); n-- > 0;) {  // children first
    const poker::BettingNode& node = tree.nodes[n];
    Step& step = game.steps[n];
    step = {2 * first[n], node.first_child, node.num_children, node.kind, node.player, node.street};
    if (node.kind == NodeKind::kDeal) step = game.steps[node.first_child];
    if (node.kind != NodeKind::kFold && node.kind != NodeKind::kShowdown) continue;
    step.first = game.payoffs.size();
    Payoffs& payoffs = game.payoffs.emplace_back();
    for (size_t p = 0; p < 2; ++p) {
      const auto of = tree.payoffs(static_cast<uint32_t>(n), p);
      payoffs[p] = {static_cast<float>(of.win), static_cast<float>(of.lose),
                    static_cast<float>(of.tie)};
      game.largest_payoff = std::max({game.largest_payoff, std::abs(of.win), std::abs(of.lose)});
    }
  }
  game.learnt.resize(2 * total);
  return game;
}

// One player's walk through one deal.
struct Walk {
  Deal deal;
  size_t player;
  double weight;
  float low;    // regrets below: the action is left out
  float floor;  // of regrets
  core::Random random;
};

// Walks with the strategies of the game as it stands and writes down what is to be learnt.
//
// A walk is mostly waiting for memory. So many are made at once, breadth first, in one queue: what
// nodes further down the queue need is asked for while those before them are worked on.
class Walker {
 public:
  explicit Walker(const WalkedGame& game) : game_(game) {}

  // Prepares deal number t, for both players.
  void prepare(const Deal& deal, int64_t t, const Pruning& pruning, core::Random& random) {
    const auto weight = static_cast<double>(t);
    const double low = -pruning.threshold * game_.largest_payoff * weight;
    for (size_t player = 0; player < 2; ++player) {
      const bool prune =
          pruning.on && t > pruning.warm_up && random.uniform() < pruning.probability;
      walks_.push_back({deal, player, weight, prune ? static_cast<float>(low) : kNoFloor,
                        pruning.on ? static_cast<float>(low * kFloor) : kNoFloor,
                        core::Random(random.next())});
    }
  }

  // Makes all walks that were prepared.
  void walk() {
    constexpr size_t kAhead = 12;
    num_edges_ = 0;
    add_edges(static_cast<uint32_t>(walks_.size()));
    for (uint32_t w = 0; w < walks_.size(); ++w) open(0, w, w);
    for (size_t i = 0; i < open_.size(); ++i) {
      if (i + kAhead < open_.size()) __builtin_prefetch(needed(open_[i + kAhead]));
      go_on(open_[i]);
    }
    for (size_t i = visits_.size(); i-- > 0;) learn(visits_[i]);
    nodes_ += open_.size();
    open_.clear();
    visits_.clear();
    walks_.clear();
  }

  SharedAdditions& additions() { return additions_; }
  uint64_t nodes() const { return nodes_; }
  uint64_t pruned() const { return pruned_; }

 private:
  // An edge is an action of the walking player; what is between two of them adds nothing to its
  // value. The first edges lead to the walks' first decisions.
  struct Open {
    uint32_t node;
    uint32_t edge;  // that leads there
    uint32_t walk;
  };
  struct Visit {  // of a decision of the walking player
    uint64_t first;
    uint32_t edge, walk;
    uint32_t first_edge, num_actions;
  };

  uint32_t add_edges(uint32_t count) {
    const uint32_t first = num_edges_;
    num_edges_ += count;
    if (value_.size() < num_edges_) {
      value_.resize(2 * size_t{num_edges_});
      strategy_.resize(value_.size());
    }
    return first;
  }

  void open(uint32_t node, uint32_t edge, uint32_t walk) {
    __builtin_prefetch(&game_.steps[node]);
    open_.push_back({node, edge, walk});
  }

  // What going on from there will read.
  const float* needed(const Open& at) const {
    const Step& step = game_.steps[at.node];
    if (step.ends()) return game_.payoffs[step.first][0].data();
    return game_.learnt.data() + game_.first(step, walks_[at.walk].deal);
  }

  void go_on(const Open at) {
    const Step& step = game_.steps[at.node];
    Walk& walk = walks_[at.walk];
    if (step.ends()) {
      value_[at.edge] = game_.payoffs[step.first][walk.player][walk.deal.outcome[walk.player]];
    } else if (step.player == walk.player) {
      try_all(step, at);
    } else {
      open(step.first_child + draw(step, walk), at.edge, at.walk);
    }
  }

  void try_all(const Step& step, const Open& at) {
    const Walk& walk = walks_[at.walk];
    const uint32_t n = step.num_actions;
    const uint64_t first = game_.first(step, walk.deal);
    const uint32_t first_edge = add_edges(n);
    visits_.push_back({first, at.edge, at.walk, first_edge, n});
    const float* regret = game_.learnt.data() + first;
    const bool better = match(regret, n, strategy_.data() + first_edge);
    const bool may_skip = better && step.street != game_.last_street;
    for (uint32_t a = 0; a < n; ++a) {
      const uint32_t child = step.first_child + a;
      if (may_skip && regret[a] < walk.low && !game_.steps[child].ends()) {
        value_[first_edge + a] = kPruned;
        ++pruned_;
      } else {
        open(child, first_edge + a, at.walk);
      }
    }
  }

  void learn(const Visit& visit) {
    const Walk& walk = walks_[visit.walk];
    const double* strategy = strategy_.data() + visit.first_edge;
    const double* value = value_.data() + visit.first_edge;
    double mean = 0;
    for (uint32_t a = 0; a < visit.num_actions; ++a) {
      if (strategy[a] > 0) mean += strategy[a] * value[a];  // what is left out is not played
    }
    value_[visit.edge] = mean;
    float* amount = add(visit.first, walk.floor, visit.num_actions);
    for (uint32_t a = 0; a < visit.num_actions; ++a) {
      amount[a] = value[a] == kPruned ? 0.0F : static_cast<float>(walk.weight * (value[a] - mean));
    }
  }

  // Draws the other player's action and adds to its average.
  uint32_t draw(const Step& step, Walk& walk) {
    const uint32_t n = step.num_actions;
    const uint64_t first = game_.first(step, walk.deal);
    drawn_from_.resize(n);
    match(game_.learnt.data() + first, n, drawn_from_.data());
    float* amount = add(first + n, kNoFloor, n);
    double left = walk.random.uniform();
    uint32_t drawn = n;
    uint32_t last = 0;  // rounding must not reach an action that is never played
    for (uint32_t a = 0; a < n; ++a) {
      const double probability = drawn_from_[a];
      amount[a] = static_cast<float>(walk.weight * probability);
      if (probability > 0) last = a;
      if (left < probability && drawn == n) drawn = a;
      left -= probability;
    }
    return drawn == n ? last : drawn;
  }

  // Regret matching. Returns whether some regret is positive; if not, the strategy is uniform.
  static bool match(const float* regret, uint32_t n, double* strategy) {
    double sum = 0;
    for (uint32_t a = 0; a < n; ++a) {
      strategy[a] = std::max(regret[a], 0.0F);
      sum += strategy[a];
    }
    const double scale = sum > 0 ? 1 / sum : 0;
    const double rest = sum > 0 ? 0 : 1.0 / n;
    for (uint32_t a = 0; a < n; ++a) strategy[a] = strategy[a] * scale + rest;
    return sum > 0;
  }

  float* add(uint64_t first, float floor, uint32_t count) {
    return additions_[share_of(first)].add(first, floor, count);
  }

  static constexpr float kNoFloor = -std::numeric_limits<float>::infinity();
  static constexpr double kPruned = std::numeric_limits<double>::infinity();

  const WalkedGame& game_;
  std::vector<Walk> walks_;
  std::vector<Open> open_;
  std::vector<Visit> visits_;
  std::vector<double> strategy_, value_;  // [edge]
  uint32_t num_edges_ = 0;
  std::vector<double> drawn_from_;  // [action]
  SharedAdditions additions_;
  uint64_t nodes_ = 0, pruned_ = 0;
};

void add_up(const Additions& additions, float* learnt) {
  constexpr size_t kAhead = 8;
  const float* amount = additions.amounts.data();
  const auto& entries = additions.entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) __builtin_prefetch(learnt + entries[i + kAhead].first, 1);
    const Additions::Entry& entry = entries[i];
    float* to = learnt + entry.first;
    for (uint32_t k = 0; k < entry.count; ++k) to[k] = std::max(to[k] + amount[k], entry.floor);
    amount += entry.count;
  }
}

}  // namespace mccfr

uint64_t learning_bytes(const hands::Setup& setup, const std::vector<StreetBuckets>& streets) {
  const std::vector<uint32_t> buckets = mccfr::checked_counts(setup, streets);
  return 2 * sizeof(float) * mccfr::place_weights(setup.tree, buckets).second;
}

struct Mccfr::State {
  MccfrOptions options;
  uint64_t base;  // of the deals' seeds
  AbstractStrategy shape;
  mccfr::Dealer dealer;
  mccfr::WalkedGame game;
  std::vector<mccfr::Walker> walkers;  // [part]
  int64_t deals = 0;

  State(const hands::Setup& setup, std::vector<StreetBuckets> streets, const MccfrOptions& o)
      : options(o),
        base(core::Random(o.seed).next()),
        shape{mccfr::checked_counts(setup, streets), {}, {}},
        dealer(setup, std::move(streets)) {
    mccfr::check_pruning(options.pruning);
    uint64_t total = 0;
    std::tie(shape.first, total) = mccfr::place_weights(setup.tree, shape.num_buckets);
    game = mccfr::make_walked_game(setup.tree, shape.first, total);
    for (size_t part = 0; part < mccfr::kParts; ++part) walkers.emplace_back(game);
  }

  void learn_batch() {
    core::parallel_for(mccfr::kParts, options.threads, [&](size_t part) { walk(part); });
    core::parallel_for(mccfr::kShares, options.threads, [&](size_t share) {
      for (mccfr::Walker& walker : walkers) {
        mccfr::add_up(walker.additions()[share], game.learnt.data());
        walker.additions()[share].clear();
      }
    });
    deals += kBatch;
  }

  void walk(size_t part) {
    constexpr int64_t kDeals = kBatch / mccfr::kParts;
    for (int64_t i = 1; i <= kDeals; ++i) {
      const int64_t t = deals + static_cast<int64_t>(part) * kDeals + i;
      core::Random random(base + static_cast<uint64_t>(t));
      const mccfr::Deal deal = dealer.draw(random);
      walkers[part].prepare(deal, t, options.pruning, random);
    }
    walkers[part].walk();
  }
};

Mccfr::Mccfr(const hands::Setup& setup, std::vector<StreetBuckets> streets,
             const MccfrOptions& options)
    : state_(std::make_unique<State>(setup, std::move(streets), options)) {}
Mccfr::~Mccfr() = default;

void Mccfr::run(int64_t deals, const std::atomic<bool>* stop,
                const std::function<void(int64_t)>& progress) {
  for (int64_t done = 0; done < deals && !(stop && *stop); done += kBatch) {
    state_->learn_batch();
    if (progress) progress(state_->deals);
  }
}

AbstractStrategy Mccfr::average() const {
  const mccfr::WalkedGame& game = state_->game;
  AbstractStrategy strategy = state_->shape;
  strategy.weight.resize(game.learnt.size() / 2);
  for (size_t node = 0; node < game.steps.size(); ++node) {
    const mccfr::Step& step = game.steps[node];
    if (strategy.first[node] == AbstractStrategy::kNone) continue;
    const size_t n = step.num_actions;
    const size_t buckets = strategy.num_buckets[step.street];
    float* weight = strategy.weight.data() + strategy.first[node];
    for (size_t b = 0; b < buckets; ++b) {
      const float* regret = game.learnt.data() + step.first + b * 2 * n;
      const float* sum = regret + n;
      const bool empty = std::all_of(sum, sum + n, [](float x) { return x == 0; });
      for (size_t a = 0; a < n; ++a) {
        weight[a * buckets + b] = empty ? std::max(regret[a], 0.0F) : sum[a];
      }
    }
  }
  return strategy;
}

uint64_t Mccfr::bytes() const { return state_->game.learnt.size() * sizeof(float); }

Mccfr::Counts Mccfr::counts() const {
  Counts counts{state_->deals, 0, 0};
  for (const mccfr::Walker& walker : state_->walkers) {
    counts.nodes += walker.nodes();
    counts.pruned += walker.pruned();
  }
  return counts;
}

}  // namespace cleave::hands
