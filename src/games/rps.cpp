// Rock-paper-scissors as a sequential game.
//
// Player 1 chooses; player 2 chooses without seeing it. Paper beats rock, scissors beat paper, rock
// beats scissors; the winner gets the weight of the winning action from the loser, equal choices
// pay nothing.
//
// Source: the example of N. Burch, M. Johanson and M. Bowling, "Solving Imperfect Information Games
// Using Decomposition", AAAI 2014, and of N. Brown, T. Sandholm and B. Amos, "Depth-Limited Solving
// for Imperfect-Information Games", NeurIPS 2018. Their RPS+, where a win in which anybody played
// scissors counts double, is weights=2:1:2 with the equilibrium (2/5, 2/5, 1/5).
// Parameters: weights (1:1:1), what a win with rock, paper and scissors pays, each positive.
// Counts: 13 histories, 2 information sets. Value 0. The payoff matrix is skew-symmetric, so both
// players' equilibrium is (rock, paper, scissors) proportional to the weights of (scissors, rock,
// paper): each action's share is what the match between the other two is worth.
// Labels: player 1 "start", player 2 "reply".

#include "core/error.h"
#include "games/games.h"

namespace cleave::games {
namespace {

struct RpsParams {
  static constexpr const char* kName = "rps";
  static constexpr const char* kSummary = "Rock-paper-scissors, the first choice hidden";
  std::vector<core::Rational> weights = {1, 1, 1};

  template <class Each>
  void list(const Each& each) {
    each("weights", weights, "what a win with rock:paper:scissors pays, each positive", 1e-6, 1e6);
  }
};

struct State {
  uint8_t moves = 0;
  uint8_t choice[2] = {0, 0};
};

class Rps final : public NamedGame<State, RpsParams> {
 public:
  explicit Rps(const RpsParams& params) : NamedGame(params) {
    if (params.weights.size() == 3) return;
    core::reject(
        "game 'rps': parameter 'weights' is '{}'; allowed are three numbers: rock:paper:scissors",
        core::param_text(params.weights));
  }

 protected:
  Turn turn(const State& state) const override {
    if (state.moves == 2) return {kTerminal, 0};
    return {state.moves, 3};
  }

  void apply(State& state, int action) const override {
    state.choice[state.moves] = static_cast<uint8_t>(action);
    ++state.moves;
  }

  core::Rational payoff(const State& state, int player) const override {
    const int mine = state.choice[player];
    const int theirs = state.choice[1 - player];
    if (mine == theirs) return 0;
    return mine == (theirs + 1) % 3 ? params_.weights[mine] : -params_.weights[theirs];
  }

  core::Hash128 infoset_key(const State& state) const override {
    return core::Hasher().add(state.moves).finish();
  }

  std::string infoset_label(const State& state) const override {
    return state.moves == 0 ? "start" : "reply";
  }

  std::string action_label(const State&, int action) const override {
    constexpr const char* kNames[] = {"rock", "paper", "scissors"};
    return kNames[action];
  }
};

}  // namespace

GameInfo rps_info() { return game_info<Rps>(); }

}  // namespace cleave::games
