#include "hands/vector_engine.h"

#include <algorithm>

#include "core/error.h"
#include "fmt/format.h"
#include "hands/sweeper.h"

namespace cleave::hands {
namespace {

using decompose::Vectors;

template <class Store>
class Impl final : public VectorEngine {
 public:
  using Real = typename Store::Real;

  Impl(Layout sketch, EngineOptions options)
      : layout_(make_layout(std::move(sketch), options.threads)),
        storage_(options.storage),
        threads_(options.threads),
        learnt_(layout_, options.borrowed),
        terminals_(layout_, threads_),
        sweeper_(layout_, learnt_, terminals_, threads_) {
    for (size_t p = 0; p < 2; ++p) {
      root_reach_[p].assign(kernels::padded_hands(layout_.setup.hands[p].size()), 0);
    }
    number_decisions();
    for (LockedNode& lock : options.locks) {
      learnt_.lock(static_cast<size_t>(lock.street), lock.board, lock.node,
                   std::move(lock.strategy));
    }
  }

  const Layout& layout() const override { return layout_; }
  Storage storage() const override { return storage_; }
  size_t num_states(size_t player) const override { return layout_.setup.hands[player].size(); }

  void counterfactual_reach(size_t player, std::span<const double> other_reach,
                            std::span<double> rho) const override {
    const auto& hands = layout_.setup.hands;
    const std::vector<double> met = reach_met(hands[player], hands[1 - player], other_reach);
    for (size_t i = 0; i < rho.size(); ++i) rho[i] = layout_.setup.pair_weight * met[i];
  }

  void reset() override {
    learnt_.clear();
    entries_ = {};
    pending_ = {};
  }

  // Going down waits for the sweep that comes up, which does both board by board.
  void descend(size_t p, std::span<const double> root_reach, double decay) override {
    flush(p);
    set_root_reach(p, root_reach);
    pending_[p] = true;
    decay_[p] = decay;
    if (sweeper_.keeps_reach()) flush(p);
  }

  void learn(size_t player, const kernels::RegretUpdate& update,
             std::span<double> values) override {
    const auto p = player, q = 1 - p;
    entries_ = {};
    if (update.predict) add_predictions();
    // The learner's own reach is to be sent with the strategy of before: from now on reach is kept.
    if (pending_[p]) flush_all();
    Sweep sweep{.player = player, .up = Sweep::Up::kLearn, .update = update};
    if (pending_[q]) {
      sweep.down = Sweep::Down::kCurrent;
      sweep.decay = decay_[q];
      pending_[q] = false;
    }
    sweeper_.run(sweep, root_reach_[q].data(), values);
  }

  void values(size_t player, decompose::Follow how, std::span<const double> other_reach,
              std::span<double> values) override {
    flush_all();
    set_root_reach(1 - player, other_reach);
    sweeper_.run(looking(player, up_of(how)), root_reach_[1 - player].data(), values);
  }
  decompose::DecisionValues decision_values(size_t player, decompose::Follow how,
                                            std::span<const double> other_reach) override {
    flush_all();
    decompose::DecisionValues out;
    for (auto* rows : {&out.action, &out.reach, &out.guaranteed}) rows->resize(decisions_.size());
    const Setup& setup = layout_.setup;
    const std::vector<double> least =
        setup.least[player].empty() ? least_payoffs(setup.tree, player) : setup.least[player];
    const size_t other = 1 - player;
    Sweep sweep = looking(player, up_of(how));
    // Boards may be worked on side by side: every decision has places of its own.
    const typename Sweeper<Store>::Record record = [&](size_t s, size_t b, size_t n, const Real* q,
                                                       const Real* reach) {
      const Street& street = layout_.streets[s];
      const Board& board = street.boards[b];
      const Side &own = board.side[player], &its = board.side[other];
      const size_t d = decision_at(s, b, static_cast<uint32_t>(n));
      for (size_t a = 0; a < street.nodes[n].num_children; ++a) {
        const Real* row = q + a * own.width;
        out.action[d].insert(out.action[d].end(), row, row + own.count);
      }
      std::vector<double> by_hand(its.row.size(), 0.0);
      for (size_t h = 0; h < by_hand.size(); ++h) {
        if (its.row[h] < its.count) by_hand[h] = reach[its.row[h]];
      }
      const std::vector<double> met = reach_met(setup.hands[player], setup.hands[other], by_hand);
      for (size_t i = 0; i < own.count; ++i) {
        out.reach[d].push_back(street.weight * met[own.hand[i]]);
      }
      for (uint32_t c = 0; c < street.nodes[n].num_children; ++c) {
        const double sure = least[street.nodes[street.nodes[n].first_child + c].source];
        for (const double rho : out.reach[d]) out.guaranteed[d].push_back(rho * sure);
      }
    };
    set_root_reach(other, other_reach);
    std::vector<double> values(layout_.setup.hands[player].size());
    sweeper_.run(sweep, root_reach_[other].data(), values, &record);
    return out;
  }
  void follow(size_t player, std::span<const double> root_reach) override {
    flush_all();
    sweeper_.keep_reach();
    set_root_reach(player, root_reach);
    sweeper_.run({.player = 1 - player, .down = Sweep::Down::kFollow}, root_reach_[player].data(),
                 {});
  }

  size_t num_decisions() const override { return decisions_.size(); }
  size_t decision_at(size_t street, size_t board, uint32_t node) const override {
    return first_decision_[street] + board * num_decisions_[street] + number_[street][node];
  }
  decompose::Decision decision(size_t number) const override {
    const auto [street, board, n] = decisions_[number];
    const Node& node = layout_.streets[street].nodes[n];
    return {node.player, node.num_children,
            layout_.streets[street].boards[board].side[node.player].count};
  }
  void strategy(size_t decision, std::span<double> rows) override {
    const auto [street, board, node] = decisions_[decision];
    std::ranges::copy(strategy_at(static_cast<int>(street), board, node), rows.begin());
  }
  // Where regrets stand regret matching gives it back, where averages do it is the average.
  void set_strategy(size_t decision, std::span<const double> rows) override {
    flush_all();
    entries_ = {};
    const auto [s, b, n] = decisions_[decision];
    const Place at = learnt_.place(s, b, n);
    const std::vector<double> padded = pad(decision, rows);
    typename Store::Buffer buffer;
    std::ranges::copy(padded, learnt_.store().open(at, buffer).average);
    learnt_.store().close_average(at, buffer);
    const auto regrets = learnt_.store().open_regret(at, buffer);
    std::ranges::copy(padded, regrets.regret);
    if (regrets.prediction) std::fill_n(regrets.prediction, at.size(), Real{0});
    learnt_.store().close_regret(at, buffer);
  }
  void fix(size_t decision, std::span<const double> rows) override {
    set_strategy(decision, rows);
    const auto [s, b, n] = decisions_[decision];
    learnt_.lock(s, b, n, pad(decision, rows));
  }

  size_t num_leaves() const override { return sweeper_.num_leaves(); }
  size_t num_leaf_states(size_t leaf, size_t player) const override {
    return sweeper_.leaf_side(leaf, player).count;
  }
  void leaf_reach(size_t leaf, size_t player, std::span<double> reach) const override {
    sweeper_.leaf_reach(leaf, player, reach);
  }
  void set_leaf_values(size_t leaf, size_t player, std::span<const double> values) override {
    sweeper_.set_leaf_values(leaf, player, values);
  }

  size_t learning_bytes() const override {
    const auto cells = layout_.num_cells(), nodes = layout_.num_decisions();
    const size_t bytes = Store::bytes(cells[0] + cells[1], nodes[0] + nodes[1]);
    return learnt_.store().has_predictions() ? bytes + bytes / 2 : bytes;
  }
  std::vector<tree::BulkArray> arrays(bool all) override {
    flush_all();
    return learnt_.store().arrays(all);
  }
  void add_predictions() override {
    if (!learnt_.store().has_predictions()) learnt_.store().add_predictions();
  }

  void measure_entries(const Vectors& root_reach) override {
    flush_all();
    if (sweeper_.num_entries() == 0) return;
    learnt_.store().set_averages_only(true);
    for (size_t p = 0; p < 2; ++p) {
      set_root_reach(1 - p, root_reach[1 - p]);
      for (size_t kind = 0; kind < 2; ++kind) {
        entries_[p][kind] = sweeper_.entries(looking(p, kLooks[kind]), root_reach_[1 - p].data());
      }
    }
    learnt_.store().set_averages_only(false);
  }
  std::vector<tree::BulkArray> entries() override {
    std::vector<tree::BulkArray> out;
    if (sweeper_.num_entries() == 0) return out;
    for (size_t p = 0; p < 2; ++p) {
      for (size_t kind = 0; kind < 2; ++kind) {
        entries_[p][kind].resize(sweeper_.num_entries());
        const char* name = kLooks[kind] == Sweep::Up::kBest ? "entry_best" : "entry_value";
        out.push_back(stored(name + std::to_string(p + 1), std::span(entries_[p][kind])));
      }
    }
    return out;
  }

  void freeze() override {
    flush_all();
    entries_ = {};
    learnt_.store().freeze();
  }

  std::vector<double> strategy_at(int street, uint32_t board, uint32_t node) override {
    flush_all();
    const auto s = static_cast<size_t>(street);
    const Place at = learnt_.place(s, board, node);
    typename Store::Buffer buffer;
    core::AlignedVector<Real> ones(at.width, 1), rows(at.size());
    kernels::hand_kernels<Real>().follow(learnt_.open(s, board, node, at, buffer), ones.data(),
                                         rows.data());
    const size_t count = layout_.streets[s].boards[board].side[at.player].count;
    std::vector<double> out;
    for (size_t a = 0; a < at.num_actions; ++a) {
      const Real* row = rows.data() + a * at.width;
      out.insert(out.end(), row, row + count);
    }
    return out;
  }
  View look(int street, uint32_t board, uint32_t node, const Vectors& root_reach) override {
    flush_all();
    View view;
    for (size_t p = 0; p < 2; ++p) {
      for (auto* vectors : {&view.reach, &view.values, &view.best_response}) {
        (*vectors)[p].assign(layout_.setup.hands[p].size(), 0);
      }
    }
    for (size_t p = 0; p < 2; ++p) set_root_reach(p, root_reach[p]);
    std::array<std::vector<double>, 4> reach;
    const auto look_at = [&](size_t i) {
      const size_t p = i / 2, kind = i % 2;
      reach[i].resize(layout_.setup.hands[1 - p].size());
      sweeper_.look(looking(p, kLooks[kind]), static_cast<size_t>(street), board, node,
                    root_reach_[1 - p].data(), entries_[p][kind], reach[i],
                    kind == 0 ? view.values[p] : view.best_response[p]);
    };
    // Before the first deal a sweep may go on threads of its own.
    if (street == 0) {
      for (size_t i = 0; i < reach.size(); ++i) look_at(i);
    } else {
      core::parallel_for(reach.size(), threads_, look_at);
    }
    for (size_t p = 0; p < 2; ++p) view.reach[1 - p] = std::move(reach[2 * p]);
    return view;
  }
  void equity(int s, uint32_t b, size_t player, std::span<const double> other_reach,
              std::span<double> won, std::span<double> met) override {
    const Street& street = layout_.streets[static_cast<size_t>(s)];
    const Board& board = street.boards[b];
    const auto p = player, q = 1 - p;
    if (!layout_.streets.back().last) {
      throw core::RunError("no equities in a trunk whose later boards were not laid out");
    }
    const Side &own = board.side[p], &its = board.side[q];
    std::ranges::fill(won, 0.0);
    std::ranges::fill(met, 0.0);
    // Plain sums over pairs: this is looked at, not learnt from.
    const AllIn<Real>* table =
        street.last ? nullptr : &terminals_.lead(static_cast<size_t>(s), b, threads_);
    for (size_t h = 0; h < own.row.size(); ++h) {
      const size_t i = own.row[h];
      const poker::CardSet cards = layout_.setup.hands[p][h];
      for (size_t k = 0; k < its.row.size() && i < own.count; ++k) {
        const size_t j = its.row[k];
        const double x = other_reach[k];
        if (x == 0 || j == its.count || (cards & layout_.setup.hands[q][k]) != 0) continue;
        double lead = 0;
        if (street.last) {
          lead = own.level[i] > its.level[j] ? 1 : own.level[i] < its.level[j] ? -1 : 0;
        } else {
          const size_t at = p == 0 ? i * board.side[1].width + j : j * board.side[1].width + i;
          lead = (p == 0 ? 1 : -1) * (*table)[at];
        }
        met[h] += x;
        won[h] += x * (1 + lead) / 2;
      }
    }
  }

 private:
  // [action][hand] to [action][padded hand].
  std::vector<double> pad(size_t number, std::span<const double> rows) const {
    const decompose::Decision d = decision(number);
    const size_t width = kernels::padded_hands(d.num_states);
    std::vector<double> padded(d.num_actions * width, 0.0);
    for (size_t a = 0; a < d.num_actions; ++a) {
      std::copy_n(rows.data() + a * d.num_states, d.num_states, padded.data() + a * width);
    }
    return padded;
  }
  void set_root_reach(size_t player, std::span<const double> reach) {
    std::copy(reach.begin(), reach.end(), root_reach_[player].begin());
  }
  // Sends down what waits. The other player's next lesson asks for it, whatever is looked at in
  // between.
  void flush(size_t p) {
    if (!pending_[p]) return;
    sweeper_.keep_reach();
    pending_[p] = false;
    sweeper_.run({.player = 1 - p, .down = Sweep::Down::kCurrent, .decay = decay_[p]},
                 root_reach_[p].data(), {});
  }
  void flush_all() {
    for (size_t p = 0; p < 2; ++p) flush(p);
  }
  static constexpr std::array kLooks = {Sweep::Up::kAverage, Sweep::Up::kBest};
  static Sweep looking(size_t player, Sweep::Up up) {
    return {.player = player, .down = Sweep::Down::kAverage, .up = up};
  }
  static Sweep::Up up_of(decompose::Follow how) {
    return how == decompose::Follow::kAverage ? Sweep::Up::kAverage : Sweep::Up::kBest;
  }
  void number_decisions() {
    for (uint32_t s = 0; s < layout_.streets.size(); ++s) {
      const Street& street = layout_.streets[s];
      std::vector<uint32_t> nodes;  // where somebody decides
      auto& number = number_.emplace_back(street.nodes.size(), 0);
      for (uint32_t n = 0; n < street.nodes.size(); ++n) {
        number[n] = static_cast<uint32_t>(nodes.size());
        if (street.nodes[n].kind == poker::BettingNode::Kind::kDecision) nodes.push_back(n);
      }
      first_decision_.push_back(decisions_.size());
      num_decisions_.push_back(nodes.size());
      for (uint32_t b = 0; b < street.boards.size(); ++b) {
        for (const uint32_t n : nodes) decisions_.push_back({s, b, n});
      }
    }
  }

  // Where a decision stands.
  struct Spot {
    uint32_t street, board, node;
  };

  const Layout layout_;
  const Storage storage_;
  const int threads_;
  Learnt<Store> learnt_;
  Terminals<Real> terminals_;
  Sweeper<Store> sweeper_;
  std::vector<Spot> decisions_;                // [decision]
  std::vector<size_t> first_decision_;         // [street]
  std::vector<size_t> num_decisions_;          // [street]: under each board
  std::vector<std::vector<uint32_t>> number_;  // [street][node]: among these
  std::array<core::AlignedVector<Real>, 2> root_reach_;
  std::array<bool, 2> pending_ = {};  // descents that the next sweep does on its way
  std::array<double, 2> decay_ = {};
  std::array<std::array<typename Sweeper<Store>::Entries, 2>, 2> entries_;  // [player][kLooks]
};

}  // namespace

const char* to_string(Storage storage) {
  constexpr std::array<const char*, 3> kNames = {"f64", "f32", "i16"};
  return kNames[static_cast<size_t>(storage)];
}

Storage parse_storage(std::string_view text) {
  for (const Storage s : {Storage::kF64, Storage::kF32, Storage::kI16}) {
    if (text == to_string(s)) return s;
  }
  throw core::InputError(
      fmt::format("there is no storage '{}'; allowed are f32, i16 and f64", text));
}

std::vector<std::span<std::byte>> VectorEngine::learnt() {
  std::vector<std::span<std::byte>> out;
  for (const tree::BulkArray& array : arrays(true)) out.push_back(array.bytes);
  return out;
}

std::unique_ptr<VectorEngine> make_vector_engine(Layout sketch, EngineOptions options) {
  switch (options.storage) {
    case Storage::kF64:
      return std::make_unique<Impl<PlainStore<double>>>(std::move(sketch), std::move(options));
    case Storage::kF32:
      return std::make_unique<Impl<PlainStore<float>>>(std::move(sketch), std::move(options));
    case Storage::kI16:
      return std::make_unique<Impl<PackedStore>>(std::move(sketch), std::move(options));
  }
  return nullptr;
}

MemoryPlan plan_memory(const Layout& sketch, Storage storage, int threads) {
  MemoryPlan plan;
  const auto cells = sketch.num_cells();
  const auto decisions = sketch.num_decisions();
  const uint64_t nodes = decisions[0] + decisions[1];
  uint64_t work = 0;
  size_t widest_row = 0;
  const size_t real = storage == Storage::kF64 ? sizeof(double) : sizeof(float);
  for (const Street& street : sketch.streets) {
    const auto rows = rows_needed(street);
    work += (rows[0] + rows[1]) * widest(street) * real;
    widest_row = std::max(widest_row, widest(street));
  }
  plan.learning = storage == Storage::kF64   ? PlainStore<double>::bytes(cells[0] + cells[1], nodes)
                  : storage == Storage::kF32 ? PlainStore<float>::bytes(cells[0] + cells[1], nodes)
                                             : PackedStore::bytes(cells[0] + cells[1], nodes);
  work += (2 * widest_row + kernels::kCardRows) * kernels::kTile * real;
  plan.tables = sketch.table_bytes() + all_in_bytes(sketch, real);
  plan.work = work;
  if (threads > 1 && sketch.streets.size() > 1) {
    plan.work += work * static_cast<uint64_t>(threads - 1);
    plan.work += sketch.streets[1].boards.size() * sketch.streets[0].exits.size() *
                 widest(sketch.streets[1]) * real;
  }
  return plan;
}

}  // namespace cleave::hands
