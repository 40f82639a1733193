#include <algorithm>
#include <optional>

#include "door/hand.h"
#include "fmt/format.h"
#include "hands/played_hand.h"
#include "server/play.h"

namespace cleave::server {
namespace {

using NodeKind = poker::BettingNode::Kind;

// The highest first.
Json card_list(poker::CardSet cards) {
  std::vector<poker::Card> list = poker::cards_in(cards);
  std::ranges::reverse(list);
  Json out = Json::array();
  for (const poker::Card card : list) out.push_back(poker::to_text(card));
  return out;
}

class SpotTable final : public PlayTable {
 public:
  SpotTable(std::string file, std::shared_ptr<OpenSolution> open, Seats seats, uint64_t seed)
      : PlayTable(seats, seed),
        file_(std::move(file)),
        open_(std::move(open)),
        problem_(open_->solution.problem()),
        dealer_(problem_) {}

  bool is_heavy() const override { return true; }

 protected:
  void deal() override {
    hand_.emplace(problem_, dealer_.deal(random_));
    play_on();
  }

  void take(size_t action) override {
    hand_->take(action);
    play_on();
  }

  std::vector<PlayAction> actions() const override { return actions_; }

  Json look() const override {
    const auto me = static_cast<size_t>(seat());
    const poker::BettingTree& tree = problem_.setup.tree;
    const poker::BettingNode& node = hand_->node();
    const auto put = [&](size_t player) { return static_cast<double>(node.put[player]); };
    Json board = Json::array();
    for (const poker::Card card : hand_->board()) board.push_back(poker::to_text(card));
    return {{"game", file_},
            {"kind", "spot"},
            {"opponent", opponent_text()},
            {"cards", card_list(hand_->cards(me))},
            {"opponent_cards", finished() ? card_list(hand_->cards(1 - me)) : Json(nullptr)},
            {"board", board},
            {"pot", tree.pot(node)},
            {"stacks", {tree.behind(node, me), tree.behind(node, 1 - me)}},
            {"put", {put(me), put(1 - me)}},
            {"log", log()}};
  }

 private:
  std::string opponent_text() const {
    const auto& history = open_->solution.record().history;
    std::string text =
        file_ == kExampleFile ? "the bundled solution" : fmt::format("the solution {}", file_);
    if (!history.empty()) {
      text += fmt::format(", exploitability {:.3g} chips", history.back().exploitability);
    }
    return text;
  }

  Json log() const {
    const auto me = static_cast<size_t>(seat());
    Json out = Json::array();
    for (const auto& event : hand_->events()) {
      out.push_back(log_entry(who_did(event.actor, seat()), event.text));
    }
    if (!finished()) return out;
    if (hand_->node().kind == NodeKind::kShowdown) {
      const auto name = [&](size_t player) {
        return poker::to_string(poker::category_of(hand_->strength(player)));
      };
      out.push_back(log_entry("you", fmt::format("show {}", name(me))));
      out.push_back(log_entry("opponent", fmt::format("shows {}", name(1 - me))));
    }
    out.push_back(log_entry("opponent", "had " + poker::to_text(hand_->cards(1 - me))));
    out.push_back(log_entry("you", payoff_text(payoff()) + share_text()));
    return out;
  }

  // Payoffs count from an equal split of what was in the pot at the beginning.
  std::string share_text() const {
    if (problem_.pot == 0) return "";
    return fmt::format(" (half of the first pot, {:g}, counted as yours)", problem_.shift());
  }

  void play_on() {
    const std::lock_guard lock(open_->mutex);
    door::play_on(*hand_, random_, [&](size_t player) {
      return static_cast<int>(player) == seat()
                 ? std::nullopt
                 : std::optional(random_.draw(
                       hands::strategy_at(open_->solution, hand_->line(), hand_->cards(player))));
    });
    actions_.clear();
    if (hand_->actor() == games::kTerminal) {
      finish(hand_->payoff(seat()));
    } else {
      offer();
    }
  }

  // The person's actions with what the solution does and expects.
  void offer() {
    const poker::BettingNode& node = hand_->node();
    const std::string line = hand_->line();
    const poker::CardSet cards = hand_->cards(node.player);
    const std::vector<double> strategy = hands::strategy_at(open_->solution, line, cards);
    for (size_t a = 0; a < node.num_children; ++a) {
      const poker::BettingNode& child = problem_.setup.tree.nodes[node.first_child + a];
      const std::string text = poker::to_text(child.action);
      double value = 0;  // of a fold: what is in the pot is gone
      if (child.kind != NodeKind::kFold) {
        value = hands::value_at(open_->solution,
                                fmt::format("{}{}{}", line, line.empty() ? "" : "/", text),
                                node.player, cards) -
                static_cast<double>(child.put[node.player] - node.put[node.player]);
      }
      actions_.push_back({text, strategy[a], value});
    }
  }

  std::string file_;
  std::shared_ptr<OpenSolution> open_;
  const hands::Problem& problem_;
  const hands::Dealer dealer_;
  std::optional<hands::PlayedHand> hand_;
  std::vector<PlayAction> actions_;
};

}  // namespace

std::unique_ptr<PlayTable> make_spot_table(const std::string& file,
                                           std::shared_ptr<OpenSolution> solution,
                                           PlayTable::Seats seats, uint64_t seed) {
  return std::make_unique<SpotTable>(file, std::move(solution), seats, seed);
}

}  // namespace cleave::server
