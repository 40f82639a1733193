#include "server/play.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/error.h"
#include "fmt/format.h"
#include "server/game_json.h"

namespace cleave::server {
namespace {

// A table that is played at, one request at a time.
struct SharedTable {
  std::mutex mutex;
  std::unique_ptr<PlayTable> table;
};

class Tables {
 public:
  static constexpr size_t kMost = 64;
  static constexpr size_t kMostHeavy = 8;

  Json add(std::unique_ptr<PlayTable> table) {
    auto shared = std::make_shared<SharedTable>();
    shared->table = std::move(table);
    shared->table->next();
    const std::lock_guard lock(mutex_);
    const int64_t id = ++last_id_;
    tables_[id] = shared;
    if (tables_.size() > kMost) tables_.erase(tables_.begin());
    const auto heavy = [](const auto& entry) { return entry.second->table->is_heavy(); };
    if (std::ranges::count_if(tables_, heavy) > static_cast<ptrdiff_t>(kMostHeavy)) {
      tables_.erase(std::ranges::find_if(tables_, heavy));
    }
    return shared->table->describe(id);
  }

  template <class Change>
  Json change(int64_t id, const Change& change) {
    const auto shared = find(id);
    const std::lock_guard lock(shared->mutex);
    change(*shared->table);
    return shared->table->describe(id);
  }

 private:
  std::shared_ptr<SharedTable> find(int64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.find(id);
    if (found == tables_.end()) {
      throw Refusal(404, fmt::format("there is no table {} any more; start a new one", id));
    }
    return found->second;
  }

  std::mutex mutex_;
  std::map<int64_t, std::shared_ptr<SharedTable>> tables_;  // oldest first
  int64_t last_id_ = 0;
};

PlayTable::Seats read_seats(const Arguments& arguments) {
  if (!arguments.has("seat")) return PlayTable::Seats::kAlternate;
  const Json& seat = arguments.all().at("seat");
  if (seat == "alternate") return PlayTable::Seats::kAlternate;
  if (seat == 0) return PlayTable::Seats::kFirst;
  if (seat == 1) return PlayTable::Seats::kSecond;
  throw core::InputError("seat: allowed is 0, 1 or \"alternate\"");
}

uint64_t read_seed(const Arguments& arguments) {
  if (arguments.has("seed")) return static_cast<uint64_t>(arguments.whole("seed", 0, INT64_MAX));
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

Json start_table(Tables& tables, Services& services, const Arguments& arguments) {
  const PlayTable::Seats seats = read_seats(arguments);
  const uint64_t seed = read_seed(arguments);
  if (arguments.has("solution")) {
    const std::string file = arguments.text("solution");
    return tables.add(make_spot_table(file, open_solution(services, file), seats, seed));
  }
  const std::string game = arguments.text("game");
  const std::string file = arguments.text_or("strategy", "");
  auto opponent = file.empty() ? services.games.solved(game) : services.games.strategy(game, file);
  return tables.add(make_game_table(std::move(opponent), seats, seed));
}

int64_t table_id(const Arguments& arguments) { return arguments.whole("id", 1, INT64_MAX); }

}  // namespace

void PlayTable::next() {
  if (!finished_) throw Refusal(409, "this hand is not over yet; play it to its end first");
  seat_ = seats_ == Seats::kAlternate ? static_cast<int>(hand_ % 2) : seats_ == Seats::kSecond;
  ++hand_;
  finished_ = false;
  deal();
}

void PlayTable::act(const std::string& action) {
  if (finished_) throw Refusal(409, "this hand is over; ask for the next one");
  const std::vector<PlayAction> allowed = actions();
  std::string names;
  for (size_t a = 0; a < allowed.size(); ++a) {
    if (allowed[a].text == action) return take(a);
    names += (names.empty() ? "" : ", ") + allowed[a].text;
  }
  throw core::InputError(
      fmt::format("action: there is no '{}' here; allowed are {}", action.substr(0, 100), names));
}

Json PlayTable::describe(int64_t id) const {
  Json out = {{"id", id}, {"hand", hand_}, {"seat", seat_}};
  out.update(look());
  Json list = Json::array();
  if (!finished_) {
    for (const PlayAction& action : actions()) {
      list.push_back({{"text", action.text},
                      {"probability", action.probability},
                      {"value", number_or_null(action.value)}});
    }
  }
  out["actions"] = list;
  out["finished"] = finished_;
  out["payoff"] = finished_ ? Json(payoff_) : Json(nullptr);
  out["total"] = total_;
  out["hands"] = hands_;
  return out;
}

void PlayTable::finish(double payoff) {
  finished_ = true;
  payoff_ = payoff;
  total_ += payoff;
  ++hands_;
}

Json log_entry(const char* who, const std::string& text) { return {{"who", who}, {"text", text}}; }

const char* who_did(tree::Actor actor, int seat) {
  if (actor == tree::kChance) return "chance";
  return actor == seat ? "you" : "opponent";
}

std::string payoff_text(double payoff) {
  if (payoff == 0) return "come out even";
  const double chips = std::abs(payoff);
  return fmt::format("{} {:g} chip{}", payoff > 0 ? "win" : "lose", chips, chips == 1 ? "" : "s");
}

void add_play(Routes& routes, Services& services) {
  const auto tables = std::make_shared<Tables>();
  routes.post["/api/play"] = [tables, &services](const Arguments& arguments) {
    return start_table(*tables, services, arguments);
  };
  routes.get["/api/play"] = [=](const Arguments& arguments) {
    return tables->change(table_id(arguments), [](PlayTable&) {});
  };
  routes.post["/api/play/act"] = [=](const Arguments& arguments) {
    const std::string action = arguments.text("action");
    return tables->change(table_id(arguments), [&](PlayTable& table) { table.act(action); });
  };
  routes.post["/api/play/next"] = [=](const Arguments& arguments) {
    return tables->change(table_id(arguments), [](PlayTable& table) { table.next(); });
  };
}

}  // namespace cleave::server
