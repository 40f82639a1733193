// Random games of perfect recall.
//
// Players alternate for `depth` actions, player 1 first. Every action shows the player who did not
// take it one of `observations` signals, drawn for that action at that history. A player's
// information set is the sequence of own actions and signals seen, so recall is perfect by
// construction. Every action adds to player 1's payoff a number drawn uniformly from (-2, 2), on a
// grid of one millionth so that payoffs are exact.
// All draws are hashes of the seed and the history: no state but the history, and the same game on
// every machine.
//
// Source: J. Cermak, B. Bosansky and V. Lisy, "An Algorithm for Constructing and Solving Imperfect
// Recall Abstractions of Large Extensive-Form Games", IJCAI 2017, section 5.
// Parameters:
//   depth (5)         actions on the longest path, 1 to 16
//   branching (3)     actions at a state, 2 to 16
//   observations (2)  different signals, 1 (nothing is seen) to 10
//   seed (1)          0 or more
//   vary (false)      the number of actions is 2 to branching, drawn for each information set
//   chance (0)        probability that a level belongs to chance; its actions have weights 1 to 9
//                     and signal to both players
//   stop (0)          probability that a history below the root ends early
// Counts without vary, chance and stop: (b^(d+1) - 1) / (b - 1) histories.
// The paper's games are random(depth=7,branching=5,observations=4): counting leaves, as its counts
// of Leduc do, 2.4e4 +- 3e3 information sets over seeds 1 to 50 (paper: 2.6e4 +- 4e3), and 1.1e5
// with depth=8 (paper: 1.1e5 +- 3e4). Players act at 6.0e3 and 2.4e4 of them.
// Labels: what the player saw, own actions as letters, signals as digits: "b0a1".

#include <array>

#include "games/games.h"

namespace cleave::games {
namespace {

constexpr int kMaxDepth = 16;  // four bits per action in 64
constexpr int64_t kGrid = 1'000'000;

struct RandomGameParams {
  static constexpr const char* kName = "random";
  static constexpr const char* kSummary =
      "Random games of perfect recall with partly observed actions";
  int depth = 5;
  int branching = 3;
  int observations = 2;
  int64_t seed = 1;
  bool vary = false;
  double chance = 0;
  double stop = 0;

  template <class Each>
  void list(const Each& each) {
    each("depth", depth, "actions on the longest path, 1 to 16", 1, kMaxDepth);
    each("branching", branching, "actions at a state, 2 to 16", 2, 16);
    each("observations", observations,
         "signals an action may show the other player, 1 (hidden) to 10", 1, 10);
    each("seed", seed, "which game, 0 or more", 0, INT64_MAX);
    each("vary", vary, "draw the number of actions, 2 to branching");
    each("chance", chance, "probability that a level is chance's", 0, 1);
    each("stop", stop, "probability that a history ends early", 0, 1);
  }
};

struct State {
  uint64_t path = 0;          // actions in base 16, the latest lowest
  uint64_t seen[2] = {0, 0};  // the same for each player: own actions and signals
  int64_t utility = 0;        // of player 1, in 1 / kGrid
  uint8_t level = 0;
  bool stopped = false;
};

// What a draw is for: each kind has its own stream.
enum Draw : uint64_t { kLevel, kActions, kSignal, kUtility, kWeight, kStop };

// Beyond Game's contract, infoset_key() may be asked at terminal states and gives what the player
// would know whose turn came next; the FPIRA paper counts these as information sets too.
class RandomGame final : public NamedGame<State, RandomGameParams> {
 public:
  explicit RandomGame(const RandomGameParams& params) : NamedGame(params) {
    Actor player = 0;
    for (int level = 0; level <= params.depth; ++level) {
      const bool chance = level < params.depth &&
                          unit(draw(kLevel, static_cast<uint64_t>(level), 0)) < params.chance;
      actor_[level] = chance ? kChance : player;
      if (!chance) player ^= 1;
    }
  }

 protected:
  Turn turn(const State& state) const override {
    if (state.stopped || state.level == params_.depth) return {kTerminal, 0};
    const Actor actor = actor_[state.level];
    if (!params_.vary) return {actor, params_.branching};
    // By what the player has seen, so that it is the same throughout an information set.
    const uint64_t basis = actor == kChance ? state.path : state.seen[actor];
    const uint64_t tag = static_cast<uint64_t>(state.level) << 8 | actor;
    const auto range = static_cast<uint64_t>(params_.branching - 1);
    return {actor, 2 + static_cast<int>(below(draw(kActions, basis, tag), range))};
  }

  void apply(State& state, int action) const override {
    const Actor actor = actor_[state.level];
    const auto digit = static_cast<uint64_t>(action);
    state.path = state.path << 4 | digit;
    ++state.level;
    for (uint64_t player = 0; player < 2; ++player) {
      const uint64_t news = player == actor ? digit : signal(state, player);
      state.seen[player] = state.seen[player] << 4 | news;
    }
    // -1999999 to 1999999, the inside of (-2, 2).
    const uint64_t steps = below(draw(kUtility, state.path, state.level), 4 * kGrid - 1);
    state.utility += static_cast<int64_t>(steps) - (2 * kGrid - 1);
    state.stopped = unit(draw(kStop, state.path, state.level)) < params_.stop;
  }

  core::Rational chance_probability(const State& state, int action) const override {
    int64_t total = 0;
    const int number = turn(state).num_actions;
    for (int i = 0; i < number; ++i) total += weight(state, i);
    return {weight(state, action), total};
  }

  core::Rational payoff(const State& state, int player) const override {
    return {player == 0 ? state.utility : -state.utility, kGrid};
  }

  core::Hash128 infoset_key(const State& state) const override {
    const Actor actor = next_player(state.level);
    return core::Hasher().add(actor).add(state.level).add(state.seen[actor]).finish();
  }

  std::string infoset_label(const State& state) const override {
    if (state.level == 0) return "start";
    const Actor actor = next_player(state.level);
    std::string label;
    for (int level = 0; level < state.level; ++level) {
      const int shift = 4 * (state.level - 1 - level);
      const int digit = static_cast<int>(state.seen[actor] >> shift & 15);
      label += static_cast<char>((actor_[level] == actor ? 'a' : '0') + digit);
    }
    return label;
  }

  std::string action_label(const State&, int action) const override {
    return std::string(1, static_cast<char>('a' + action));
  }

 private:
  uint64_t draw(Draw kind, uint64_t basis, uint64_t tag) const {
    const auto seed = static_cast<uint64_t>(params_.seed);
    return core::Hasher().add(seed).add(kind).add(basis).add(tag).finish().lo;
  }
  static double unit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }
  // Uniform in {0, ..., range - 1} up to range / 2^40; ranges here stay below 2^24.
  static uint64_t below(uint64_t bits, uint64_t range) { return (bits >> 24) * range >> 40; }

  // What the action that led to `state` showed `player`.
  uint64_t signal(const State& state, uint64_t player) const {
    const uint64_t tag = static_cast<uint64_t>(state.level) << 1 | player;
    return below(draw(kSignal, state.path, tag), static_cast<uint64_t>(params_.observations));
  }
  int64_t weight(const State& state, int action) const {
    const uint64_t tag = static_cast<uint64_t>(state.level) << 8 | static_cast<uint64_t>(action);
    return 1 + static_cast<int64_t>(below(draw(kWeight, state.path, tag), 9));
  }
  Actor next_player(int level) const {
    while (actor_[level] == kChance) ++level;  // the entry at `depth` is a player
    return actor_[level];
  }

  std::array<Actor, kMaxDepth + 1> actor_{};  // [level]
};

}  // namespace

GameInfo random_game_info() { return game_info<RandomGame>(); }

}  // namespace cleave::games
