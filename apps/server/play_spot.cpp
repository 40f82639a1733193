#include <algorithm>
#include <filesystem>
#include <limits>
#include <list>

#include "core/error.h"
#include "fmt/format.h"
#include "hands/view.h"
#include "poker/evaluator.h"
#include "server/play.h"

namespace cleave::server {

using poker::CardSet;

// A solution that tables play from, one question at a time.
class PlaySolution {
 public:
  PlaySolution(const std::string& path, int threads) : solution_(path, threads) {
    const hands::Setup& setup = solution_.problem().setup;
    for (size_t h = 0; h < setup.hands[0].size(); ++h) {
      double others = 0;
      for (const double weight : meeting(setup.hands[0][h])) others += weight;
      first_hand_.push_back(solution_.problem().reach[0][h] * others);
    }
  }

  const hands::Problem& problem() const { return solution_.problem(); }
  const poker::BettingTree& betting() const { return problem().setup.tree; }
  const solve::Record& record() const { return solution_.record(); }

  // Chances of the hands of player 0, and those of player 1 that go with one of them.
  const std::vector<double>& first_hand() const { return first_hand_; }
  std::vector<double> meeting(CardSet hand) const {
    std::vector<double> out = problem().reach[1];
    for (size_t h = 0; h < out.size(); ++h) {
      if ((problem().setup.hands[1][h] & hand) != 0) out[h] = 0;
    }
    return out;
  }

  // What the acting player does with a hand.
  std::vector<double> strategy(const std::string& line, int player, CardSet hand) {
    const std::lock_guard lock(mutex_);
    const hands::Layout& layout = solution_.engine().layout();
    const hands::Address at = hands::find_address(layout, line);
    const auto p = static_cast<size_t>(player);
    const auto& board = layout.streets[static_cast<size_t>(at.street)].boards[at.board].side[p];
    const auto& all = layout.setup.hands[p];
    const auto number = std::ranges::find(all, poker::rename(at.map, hand)) - all.begin();
    const size_t row = board.row[static_cast<size_t>(number)];
    const auto whole = solution_.engine().strategy(at.street, at.board, at.node);
    std::vector<double> out;
    for (size_t a = 0; a * board.count < whole.size(); ++a) {
      out.push_back(whole[a * board.count + row]);
    }
    return out;
  }

  // Chips that a hand expects from the pot at a node.
  double value(const std::string& line, int player, CardSet hand) {
    const std::lock_guard lock(mutex_);
    const hands::NodeView view = hands::view_node(solution_, line);
    for (const hands::HandView& seen : view.side[static_cast<size_t>(player)].hands) {
      if (seen.cards == hand) return seen.value;
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::mutex mutex_;
  hands::Solution solution_;
  std::vector<double> first_hand_;  // [hand of player 0]
};

namespace {

using poker::BettingNode;
using NodeKind = BettingNode::Kind;

// The highest first.
Json card_list(CardSet cards) {
  std::vector<poker::Card> list = poker::cards_in(cards);
  std::ranges::reverse(list);
  Json out = Json::array();
  for (const poker::Card card : list) out.push_back(poker::to_text(card));
  return out;
}

class SpotTable final : public PlayTable {
 public:
  SpotTable(std::string file, std::shared_ptr<PlaySolution> solution, Seats seats, uint64_t seed)
      : PlayTable(seats, seed),
        file_(std::move(file)),
        solution_(std::move(solution)),
        setup_(solution_->problem().setup),
        betting_(solution_->betting()) {}

  bool is_heavy() const override { return true; }

 protected:
  void deal() override {
    const size_t first = draw(solution_->first_hand());
    hand_[0] = setup_.hands[0][first];
    hand_[1] = setup_.hands[1][draw(solution_->meeting(hand_[0]))];
    board_ = solution_->problem().board;
    line_.clear();
    node_ = 0;
    log_ = Json::array();
    play_on();
  }

  void take(size_t action) override {
    step("you", action);
    play_on();
  }

  std::vector<PlayAction> actions() const override { return actions_; }

  Json look() const override {
    const BettingNode& node = betting_.nodes[node_];
    const auto me = static_cast<size_t>(seat());
    const auto put = [&](size_t player) { return static_cast<double>(node.put[player]); };
    const auto behind = [&](size_t player) {
      return static_cast<double>(betting_.betting.stack[player]) - put(player);
    };
    Json board = Json::array();
    for (const poker::Card card : board_) board.push_back(poker::to_text(card));
    return {{"game", file_},
            {"kind", "spot"},
            {"opponent", opponent_text()},
            {"cards", card_list(hand_[me])},
            {"opponent_cards", finished() ? card_list(hand_[1 - me]) : Json(nullptr)},
            {"board", board},
            {"pot", static_cast<double>(betting_.betting.pot) + put(0) + put(1)},
            {"stacks", {behind(me), behind(1 - me)}},
            {"put", {put(me), put(1 - me)}},
            {"log", log_}};
  }

 private:
  std::string opponent_text() const {
    const auto& history = solution_->record().history;
    std::string text =
        file_ == kExampleFile ? "the bundled solution" : fmt::format("the solution {}", file_);
    if (!history.empty()) {
      text += fmt::format(", exploitability {:.3g} chips", history.back().exploitability);
    }
    return text;
  }

  void add_step(const std::string& text) { line_ += (line_.empty() ? "" : "/") + text; }

  void step(const char* who, size_t action) {
    node_ = betting_.nodes[node_].first_child + static_cast<uint32_t>(action);
    const std::string text = poker::to_text(betting_.nodes[node_].action);
    log_.push_back(log_entry(who, text));
    add_step(text);
  }

  // Cards that nobody holds, each as likely as the other; cards of one deal from high to low.
  void deal_board(size_t number) {
    CardSet left = setup_.deck & ~hand_[0] & ~hand_[1];
    for (const poker::Card card : board_) left &= ~poker::set_of(card);
    CardSet dealt = 0;
    for (size_t i = 0; i < number; ++i) {
      const auto cards = poker::cards_in(left);
      const poker::Card card = cards[random_.below(cards.size())];
      left &= ~poker::set_of(card);
      dealt |= poker::set_of(card);
    }
    auto cards = poker::cards_in(dealt);
    std::ranges::reverse(cards);
    board_.insert(board_.end(), cards.begin(), cards.end());
    log_.push_back(log_entry("chance", poker::to_text(dealt)));
    add_step(poker::to_text(dealt));
  }

  void play_on() {
    actions_.clear();
    for (;;) {
      const BettingNode& node = betting_.nodes[node_];
      if (node.kind == NodeKind::kDeal) {
        deal_board(static_cast<size_t>(setup_.deals[node.street + size_t{1}]));
        node_ = node.first_child;
      } else if (node.kind != NodeKind::kDecision) {
        return end();
      } else if (node.player == seat()) {
        return offer();
      } else {
        step("opponent", draw(solution_->strategy(line_, node.player, hand_[node.player])));
      }
    }
  }

  // The person's actions with what the solution does and expects.
  void offer() {
    const BettingNode& node = betting_.nodes[node_];
    const size_t me = node.player;
    const std::vector<double> strategy = solution_->strategy(line_, seat(), hand_[me]);
    for (size_t a = 0; a < node.num_children; ++a) {
      const BettingNode& child = betting_.nodes[node.first_child + a];
      const std::string text = poker::to_text(child.action);
      double value = 0;  // of a fold: what is in the pot is gone
      if (child.kind != NodeKind::kFold) {
        value = solution_->value(line_.empty() ? text : line_ + "/" + text, seat(), hand_[me]) -
                static_cast<double>(child.put[me] - node.put[me]);
      }
      actions_.push_back({text, strategy[a], value});
    }
  }

  void end() {
    const BettingNode& node = betting_.nodes[node_];
    const auto me = static_cast<size_t>(seat());
    const auto payoffs = betting_.payoffs(node_, seat());
    double payoff = payoffs.win;  // of a fold all are the same
    if (node.kind == NodeKind::kShowdown) {
      size_t due = 0;
      for (size_t street = node.street + size_t{1}; street < setup_.deals.size(); ++street) {
        due += static_cast<size_t>(setup_.deals[street]);
      }
      if (due > 0) deal_board(due);
      CardSet board = 0;
      for (const poker::Card card : board_) board |= poker::set_of(card);
      const auto mine = poker::strength_of(hand_[me] | board);
      const auto theirs = poker::strength_of(hand_[1 - me] | board);
      payoff = mine > theirs ? payoffs.win : mine < theirs ? payoffs.lose : payoffs.tie;
      const auto name = [](poker::Strength strength) {
        return poker::to_string(poker::category_of(strength));
      };
      log_.push_back(log_entry("you", fmt::format("show {}", name(mine))));
      log_.push_back(log_entry("opponent", fmt::format("shows {}", name(theirs))));
    }
    finish(payoff);
    log_.push_back(log_entry("opponent", "had " + poker::to_text(hand_[1 - me])));
    log_.push_back(log_entry("you", payoff_text(payoff) + share_text()));
  }

  // Payoffs count from an equal split of what was in the pot at the beginning.
  std::string share_text() const {
    if (betting_.betting.pot == 0) return "";
    return fmt::format(" (half of the first pot, {:g}, counted as yours)",
                       solution_->problem().shift());
  }

  std::string file_;
  std::shared_ptr<PlaySolution> solution_;
  const hands::Setup& setup_;
  const poker::BettingTree& betting_;

  std::array<CardSet, 2> hand_ = {};
  std::vector<poker::Card> board_;
  std::string line_;
  uint32_t node_ = 0;  // of the betting tree
  Json log_;
  std::vector<PlayAction> actions_;
};

}  // namespace

class SpotCache {
 public:
  SpotCache(const Workspace& workspace, int threads) : workspace_(workspace), threads_(threads) {}

  std::shared_ptr<PlaySolution> open(const std::string& file) {
    constexpr size_t kMost = 4;
    const std::string path = workspace_.existing(file, {".h5"});
    const auto time = std::filesystem::last_write_time(path).time_since_epoch().count();
    const std::lock_guard lock(mutex_);
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      if (at->path != path || at->time != time) continue;
      open_.splice(open_.begin(), open_, at);
      return at->solution;
    }
    open_.push_front({path, time, std::make_shared<PlaySolution>(path, threads_)});
    if (open_.size() > kMost) open_.pop_back();
    return open_.front().solution;
  }

 private:
  struct Entry {
    std::string path;
    std::filesystem::file_time_type::duration::rep time;
    std::shared_ptr<PlaySolution> solution;
  };
  const Workspace& workspace_;
  int threads_;
  std::mutex mutex_;
  std::list<Entry> open_;  // newest first
};

std::shared_ptr<SpotCache> make_spot_cache(const Workspace& workspace, int threads) {
  return std::make_shared<SpotCache>(workspace, threads);
}

std::unique_ptr<PlayTable> make_spot_table(SpotCache& cache, const std::string& file,
                                           PlayTable::Seats seats, uint64_t seed) {
  return std::make_unique<SpotTable>(file, cache.open(file), seats, seed);
}

}  // namespace cleave::server
