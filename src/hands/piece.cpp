#include "hands/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/error.h"
#include "core/number.h"
#include "hands/profile.h"
#include "hands/vector_engine.h"

namespace cleave::hands {
namespace {

constexpr uint32_t kNoNode = ~uint32_t{0};

using decompose::Crossing;
using poker::CardSet;

// Numbers of hands by their cards.
std::unordered_map<CardSet, uint32_t> number_hands(const std::vector<CardSet>& hands) {
  std::unordered_map<CardSet, uint32_t> number;
  for (const CardSet hand : hands) number.emplace(hand, static_cast<uint32_t>(number.size()));
  return number;
}

// Symmetries must keep every board on the way: what was played on it tells its cards from later
// ones.
std::vector<poker::SuitMap> keeping_all(std::vector<poker::SuitMap> maps,
                                        const std::vector<CardSet>& boards) {
  for (const CardSet board : boards) maps = poker::keeping(maps, board);
  return maps;
}

// The setup with another betting tree, which is a copy of a part of its own.
Setup with_tree(Setup setup, TreeCopy copy) {
  for (uint32_t& source : copy.source) source = setup.origin_of(source);
  setup.tree = std::move(copy.tree);
  setup.origin = std::move(copy.source);
  return setup;
}

}  // namespace

StandIn find_stand_in(const Setup& setup, std::span<const CardSet> dealt) {
  StandIn out{{setup.board}};
  for (const CardSet cards : dealt) {
    // As poker::deals has it: the smallest stands for all, and the first renaming that leads there.
    const auto maps = keeping_all(setup.symmetry, out.boards);
    const CardSet here = poker::rename(out.map, cards);
    CardSet first = here;
    for (const poker::SuitMap& map : maps) first = std::min(first, poker::rename(map, here));
    const auto image = std::ranges::find_if(
        maps, [&](const poker::SuitMap& map) { return poker::rename(map, first) == here; });
    const poker::SuitMap back = poker::inverse(*image);
    for (uint8_t& suit : out.map) suit = back[suit];
    out.boards.push_back(out.boards.back() | first);
  }
  return out;
}

struct HandsPiece::Trunk {
  Layout layout;                                // down to the leaves
  std::vector<std::vector<poker::Deal>> deals;  // [board of the leaves' street]; empty: not dealt
  std::vector<size_t> first_deal;               // [board]
  std::vector<std::vector<uint32_t>> parent;    // [street][node]: decision above it, or itself
  std::vector<uint32_t> source;  // [node of the layout's tree]: in the setup's; empty: the same
  uint32_t line = kNoNode;       // of the setup's tree: where the cut was asked for
  std::vector<bool> wanted;      // [board of the leaves' street]: and there

  // What is out on each street from the piece's second one down to a board of the leaves'.
  std::vector<CardSet> boards_to(size_t board) const {
    std::vector<CardSet> out;
    for (size_t s = leaf_street; s > 0; --s) {
      out.push_back(layout.streets[s].boards[board].cards);
      board = layout.streets[s].boards[board].parent;
    }
    std::ranges::reverse(out);
    return out;
  }
  const Street& street() const { return layout.streets[leaf_street]; }
  size_t leaf_street = 0;
  size_t board_of(size_t leaf) const { return leaf / street().exits.size(); }
  uint32_t exit_of(size_t leaf) const { return street().exits[leaf % street().exits.size()]; }
};

HandsPiece::HandsPiece(std::shared_ptr<const Problem> problem, const std::vector<StreetCut>& cuts,
                       Storage storage)
    : HandsPiece(std::move(problem), to_text(cuts), cuts, nullptr, {}, storage) {}

HandsPiece::HandsPiece(const std::shared_ptr<const Problem>& problem, Storage storage,
                       const std::shared_ptr<const Outside>& outside)
    : HandsPiece(problem, to_text(*outside), cut_every_deal(problem->setup), outside, {}, storage) {
}

HandsPiece::HandsPiece(const std::shared_ptr<const Problem>& problem, Storage storage,
                       const Stops& stops)
    : HandsPiece(problem, to_text(stops), cut_every_deal(problem->setup), nullptr, stops, storage) {
}

HandsPiece::HandsPiece(std::shared_ptr<const Problem> problem, std::string all_cuts,
                       std::vector<StreetCut> cuts, std::shared_ptr<const Outside> outside,
                       std::optional<Stops> stops, Storage storage)
    : problem_(std::move(problem)),
      cuts_(std::move(cuts)),
      all_cuts_(std::move(all_cuts)),
      outside_(std::move(outside)),
      stops_(stops),
      storage_(storage),
      setup_(problem_->setup),
      boards_{setup_.board} {
  look_for_leaves();
}

HandsPiece::HandsPiece(const HandsPiece& above, std::vector<StreetCut> cuts,
                       std::shared_ptr<const Outside> outside, std::optional<Stops> stops,
                       Setup setup, std::vector<CardSet> boards, std::string path)
    : problem_(above.problem_),
      cuts_(std::move(cuts)),
      all_cuts_(above.all_cuts_),
      outside_(std::move(outside)),
      stops_(stops),
      storage_(above.storage_),
      setup_(std::move(setup)),
      first_street_(static_cast<int>(boards.size()) - 1),
      boards_(std::move(boards)),
      path_(std::move(path)) {
  look_for_leaves();
}

HandsPiece::~HandsPiece() = default;

uint32_t HandsPiece::look_for_line() {
  const std::string& line = cuts_.front().line;
  const Layout layout = make_layout(sketch_layout(setup_), 1);
  const std::vector<Address> found = find_addresses(layout, line);
  const Street& street = layout.streets[static_cast<size_t>(found.front().street)];
  const Node& node = street.nodes[found.front().node];
  if (node.kind != poker::BettingNode::Kind::kDecision &&
      node.kind != poker::BettingNode::Kind::kDeal) {
    throw core::InputError(
        fmt::format("cut 'line:{}': nobody acts any more there, so no subgame begins", line));
  }
  trunk_->wanted.assign(street.boards.size(), false);
  for (const Address& at : found) trunk_->wanted[at.board] = true;
  return node.source;
}

// The betting down to the leaves: what ends it within a street ends it as a deal does.
Setup HandsPiece::trim() {
  if (!outside_ && !stops_ && cuts_.front().line.empty()) return setup_;
  if (!outside_ && !stops_) trunk_->line = look_for_line();
  const auto& nodes = setup_.tree.nodes;
  const auto ends = [&](uint32_t n) {
    return n == trunk_->line || (n != 0 && (is_off(n) || is_stop(n)));
  };
  TreeCopy copy = copy_tree(setup_.tree, 0, [&](uint32_t n) {
    const uint32_t above = nodes[n].parent;
    if (ends(above)) return false;
    // A piece of a street, and without the hero's own bets outside.
    if ((outside_ || stops_) && nodes[above].kind == poker::BettingNode::Kind::kDeal) return false;
    return !is_off(n) || nodes[above].player != outside_->hero;
  });
  std::array<std::vector<double>, 2> least;
  for (size_t p = 0; p < 2; ++p) {
    const std::vector<double> all =
        outside_ ? outside_->bets.least[p] : least_payoffs(setup_.tree, p);
    for (const uint32_t n : copy.source) {
      least[p].push_back(all[outside_ ? setup_.origin_of(n) : n]);
    }
  }
  for (size_t n = 0; n < copy.source.size(); ++n) {
    if (ends(copy.source[n])) copy.tree.nodes[n].kind = poker::BettingNode::Kind::kDeal;
  }
  trunk_->source = copy.source;
  Setup played = with_tree(setup_, std::move(copy));
  played.least = std::move(least);
  return played;
}

void HandsPiece::look_for_leaves() {
  setup_.last_street = 255;
  if (cuts_.empty() && !outside_ && !stops_) return;
  setup_.last_street = outside_ || stops_ ? 0 : cuts_.front().street - first_street_;
  trunk_ = std::make_unique<Trunk>();
  trunk_->layout = make_layout(sketch_layout(trim()), 1);
  trunk_->leaf_street = static_cast<size_t>(setup_.last_street);
  const Street& street = trunk_->street();
  if (!cuts_.empty() && cuts_.front().dealt) {
    size_t count = 0;
    const int cards = setup_.deals[trunk_->leaf_street + 1];
    for (size_t b = 0; b < street.boards.size(); ++b) {
      auto& deals = trunk_->deals.emplace_back();
      for (poker::Deal& deal : poker::deals(setup_.deck & ~street.boards[b].cards, cards,
                                            keeping_all(setup_.symmetry, trunk_->boards_to(b)))) {
        const bool is_left_out = trunk_->leaf_street == 0 && !setup_.only.empty() &&
                                 std::ranges::find(setup_.only, deal.cards) == setup_.only.end();
        if (!is_left_out) deals.push_back(std::move(deal));
      }
      trunk_->first_deal.push_back(count);
      count += deals.size();
    }
    trunk_->first_deal.push_back(count);
  }
  for (const Street& s : trunk_->layout.streets) {
    auto& parent = trunk_->parent.emplace_back(s.nodes.size());
    std::iota(parent.begin(), parent.end(), 0U);
    for (uint32_t n = 0; n < parent.size(); ++n) {
      if (s.nodes[n].kind != poker::BettingNode::Kind::kDecision) continue;
      for (uint32_t c = 0; c < s.nodes[n].num_children; ++c) parent[s.nodes[n].first_child + c] = n;
    }
  }
}

const Street& HandsPiece::leaf_street() const { return trunk_->street(); }

bool HandsPiece::is_off(uint32_t node) const {
  return outside_ && outside_->bets.off[setup_.origin_of(node)];
}

bool HandsPiece::is_stop(uint32_t node) const {
  const poker::BettingNode& at = setup_.tree.nodes[node];
  return stops_ && at.kind == poker::BettingNode::Kind::kDecision && at.player == stops_->player;
}

bool HandsPiece::is_dealt(size_t leaf) const {
  return !trunk_->deals.empty() &&
         setup_.tree.nodes[exit_node(leaf)].kind == poker::BettingNode::Kind::kDeal;
}

uint32_t HandsPiece::exit_node(size_t leaf) const {
  const uint32_t node = trunk_->street().nodes[trunk_->exit_of(leaf)].source;
  return trunk_->source.empty() ? node : trunk_->source[node];
}

bool HandsPiece::is_wanted(size_t leaf) const {
  return trunk_->line == kNoNode ||
         (exit_node(leaf) == trunk_->line && trunk_->wanted[trunk_->board_of(leaf)]);
}

bool HandsPiece::is_outside(size_t leaf) const { return is_off(exit_node(leaf)); }

std::shared_ptr<const HandsPiece> HandsPiece::within(uint32_t node, uint32_t with) const {
  Setup setup = with_tree(
      setup_, copy_tree(setup_.tree, node, [&](uint32_t n) { return n == with || !is_off(n); }));
  return std::shared_ptr<const HandsPiece>(
      new HandsPiece(*this, {}, nullptr, {}, std::move(setup), boards_,
                     fmt::format("{}/within{}.{}", path_, node, with)));
}

std::shared_ptr<const HandsPiece> HandsPiece::look_ahead() const {
  std::vector<StreetCut> cuts;
  if (stops_->to_street_end && !cuts_.empty()) cuts.push_back(cuts_.front());
  return std::shared_ptr<const HandsPiece>(
      new HandsPiece(*this, std::move(cuts), nullptr, {}, setup_, boards_, path_ + "/ahead"));
}

std::shared_ptr<const decompose::Piece> HandsPiece::ahead() const {
  return stops_ ? look_ahead() : Piece::ahead();
}

// Pieces ahead have leaves at the deals that end the street, and the same deals at each.
decompose::Rest HandsPiece::rest(size_t leaf, size_t number) const {
  if (!stops_) return Piece::rest(leaf, number);
  if (!stops_->to_street_end || cuts_.empty())
    return {false, below(leaf, number).piece->ahead(), {}};
  const auto all = look_ahead();
  const auto number_of = [&](uint32_t deal_node) {  // of the game's betting
    size_t at = 0;
    while (all->setup_.origin_of(all->exit_node(at)) != deal_node) ++at;
    return at * all->num_below(at);
  };
  if (is_dealt(leaf))
    return {true, nullptr, {number_of(setup_.origin_of(exit_node(leaf))) + number}};
  const auto below_it = std::dynamic_pointer_cast<const HandsPiece>(below(leaf, number).piece);
  const auto piece = below_it->look_ahead();
  decompose::Rest rest{false, piece, {}};
  for (size_t l = 0; l < piece->num_leaves(); ++l) {
    const size_t first = number_of(piece->setup_.origin_of(piece->exit_node(l)));
    for (size_t i = 0; i < piece->num_below(l); ++i) rest.horizon.push_back(first + i);
  }
  return rest;
}

std::shared_ptr<const decompose::Piece> HandsPiece::model() const {
  return outside_ ? within(0, kNoNode) : Piece::model();
}

decompose::Around HandsPiece::around(size_t leaf) const {
  const uint32_t bet = exit_node(leaf);
  decompose::Around around;
  around.piece = within(setup_.tree.nodes[bet].parent, bet);
  for (size_t p = 0; p < 2; ++p) {
    const std::vector<decompose::Trail> trails = way(leaf, p);
    const Side& side = trunk_->street().boards[trunk_->board_of(leaf)].side[p];
    for (uint32_t h = 0; h < setup_.hands[p].size(); ++h) {
      decompose::Trail& trail = around.trails[p].emplace_back(trails[side.row[h]]);
      trail.root = h;
      if (p == outside_->hero) continue;
      around.at.push_back(trail.passages.back());
      trail.passages.pop_back();
    }
  }
  return around;
}

std::shared_ptr<const decompose::Profile> HandsPiece::profile(
    std::shared_ptr<decompose::Engine> engine) const {
  return std::make_shared<EngineProfile>(std::dynamic_pointer_cast<VectorEngine>(std::move(engine)),
                                         static_cast<size_t>(first_street_));
}

std::shared_ptr<const decompose::Piece> HandsPiece::whole() const {
  return std::make_shared<HandsPiece>(problem_, std::vector<StreetCut>{}, storage_);
}

// Decisions are numbered street by street and board by board, from the first.
std::vector<size_t> HandsPiece::trunk_decisions() const {
  if (!path_.empty()) throw core::RunError("decisions are looked up for the game's own trunk");
  std::vector<size_t> numbers;
  if (!trunk_ || trunk_->line == kNoNode) {
    numbers.resize(engine()->num_decisions());
    std::iota(numbers.begin(), numbers.end(), size_t{0});
    return numbers;
  }
  const Layout all = make_layout(sketch_layout(problem_->setup), 1);
  std::vector<bool> below(setup_.tree.nodes.size(), false);  // [node]: the line, or behind it
  for (uint32_t n = 1; n < below.size(); ++n) {
    below[n] = n == trunk_->line || below[setup_.tree.nodes[n].parent];
  }
  size_t number = 0;
  std::vector<bool> wanted;  // [board of the street]
  for (size_t s = 0; s < all.streets.size(); ++s) {
    const auto& boards = all.streets[s].boards;
    const std::vector<bool> above = std::move(wanted);
    wanted = s == trunk_->leaf_street ? trunk_->wanted : std::vector<bool>(boards.size(), false);
    for (size_t b = 0; b < boards.size(); ++b) {
      if (s > trunk_->leaf_street) wanted[b] = above[boards[b].parent];
      for (const Node& node : all.streets[s].nodes) {
        if (node.kind != poker::BettingNode::Kind::kDecision) continue;
        if (!wanted[b] || !below[node.source]) numbers.push_back(number);
        ++number;
      }
    }
  }
  return numbers;
}

std::string HandsPiece::key() const {
  std::string only;
  for (const CardSet deal : problem_->setup.only) {
    only += (only.empty() ? "" : ",") + poker::to_text(deal);
  }
  return fmt::format("hands {} {} {} {}\n{}", to_string(storage_),
                     all_cuts_.empty() ? "-" : all_cuts_, only.empty() ? "-" : only,
                     path_.empty() ? "/" : path_, problem_->text);
}

std::shared_ptr<const HandsPiece> HandsPiece::remake(std::string_view key) {
  const size_t line = key.find('\n');
  std::vector<std::string> words;
  std::string_view head = key.substr(0, line);
  while (!head.empty()) {
    const size_t space = std::min(head.find(' '), head.size());
    words.emplace_back(head.substr(0, space));
    head.remove_prefix(std::min(space + 1, head.size()));
  }
  if (line == key.npos || words.size() != 5 || words[0] != "hands") {
    throw core::InputError("this is not the key of a piece of poker");
  }
  const auto problem =
      std::make_shared<Problem>(parse_problem(std::string(key.substr(line + 1)), "piece"));
  if (words[3] != "-") {
    std::vector<poker::Deal> some;
    for (poker::Deal& deal : first_deals(problem->setup)) {
      if (words[3].find(poker::to_text(deal.cards)) != std::string::npos) {
        some.push_back(std::move(deal));
      }
    }
    keep_deals(problem->setup, some);
  }
  const Storage storage = parse_storage(words[1]);
  std::shared_ptr<const HandsPiece> piece;
  if (is_outside_text(words[2])) {
    piece = std::make_shared<HandsPiece>(problem, storage, parse_outside(*problem, words[2]));
  } else if (is_stops_text(words[2])) {
    piece = std::make_shared<HandsPiece>(problem, storage, parse_stops(words[2]));
  } else {
    piece = std::make_shared<HandsPiece>(
        problem, words[2] == "-" ? std::vector<StreetCut>{} : parse_cuts(*problem, words[2]),
        storage);
  }
  std::string_view path = words[4];
  while (path.size() > 1) {
    path.remove_prefix(1);
    if (path.starts_with("ahead") && piece->stops_) {
      piece = piece->look_ahead();
      path.remove_prefix(5);
      continue;
    }
    const bool within = path.starts_with("within");
    if (within) path.remove_prefix(6);
    const size_t end = std::min(path.find('/'), path.size()), dot = path.find('.');
    const auto first = core::parse_number<uint32_t>(path.substr(0, dot));
    const auto second = core::parse_number<uint32_t>(path.substr(dot + 1, end - dot - 1));
    const size_t all = within ? piece->setup_.tree.nodes.size() : piece->num_leaves();
    if (!first || !second || *first >= all || (!within && *second >= piece->num_below(*first))) {
      throw core::InputError(fmt::format("a piece of poker has no part '{}'", words[4]));
    }
    piece = within
                ? piece->within(*first, *second)
                : std::dynamic_pointer_cast<const HandsPiece>(piece->below(*first, *second).piece);
    path.remove_prefix(end);
  }
  return piece;
}

std::unique_ptr<decompose::Engine> HandsPiece::engine(int threads) const {
  return make_vector_engine(sketch_layout(trunk_ ? trunk_->layout.setup : setup_),
                            {.storage = storage_, .threads = threads});
}

size_t HandsPiece::num_leaves() const {
  return trunk_ ? trunk_->street().boards.size() * trunk_->street().exits.size() : 0;
}

std::vector<CardSet> HandsPiece::boards_at(size_t leaf) const {
  std::vector<CardSet> out = trunk_->boards_to(trunk_->board_of(leaf));
  out.insert(out.begin(), boards_.begin(), boards_.end());
  return out;
}

size_t HandsPiece::num_below(size_t leaf) const {
  return is_dealt(leaf) ? trunk_->deals[trunk_->board_of(leaf)].size() : 1;
}

size_t HandsPiece::num_deals() const {
  return trunk_->deals.empty() ? num_leaves() : trunk_->first_deal.back();
}

size_t HandsPiece::num_possible_deals() const {
  return trunk_->deals.empty() || setup_.only.empty() ? num_deals() : first_deals(setup_).size();
}

size_t HandsPiece::deal_of(size_t leaf, size_t number) const {
  return trunk_->deals.empty() ? leaf : trunk_->first_deal[trunk_->board_of(leaf)] + number;
}

std::optional<std::pair<size_t, size_t>> HandsPiece::leaf_on(
    std::span<const uint32_t> path, std::span<const CardSet> boards) const {
  if (!trunk_) return std::nullopt;
  const size_t num_exits = trunk_->street().exits.size();
  for (size_t e = 0; e < num_exits; ++e) {
    if (std::ranges::find(path, setup_.origin_of(exit_node(e))) == path.end()) continue;
    const auto from = static_cast<size_t>(first_street_);
    const size_t board = find_board(trunk_->layout, boards.subspan(from, trunk_->leaf_street + 1));
    const size_t leaf = board * num_exits + e;
    if (num_below(leaf) == 1) return std::pair(leaf, size_t{0});
    const auto& deals = trunk_->deals[board];
    const CardSet out = boards[from + trunk_->leaf_street + 1];
    const auto deal = std::ranges::find(deals, out & ~trunk_->street().boards[board].cards,
                                        [](const poker::Deal& d) { return d.cards; });
    return std::pair(leaf, static_cast<size_t>(deal - deals.begin()));
  }
  return std::nullopt;
}

decompose::Below HandsPiece::below(size_t leaf, size_t number) const {
  const Board& board = trunk_->street().boards[trunk_->board_of(leaf)];
  const uint32_t deal_node = exit_node(leaf);
  const bool dealt = is_dealt(leaf);
  const poker::Deal deal =
      dealt ? trunk_->deals[trunk_->board_of(leaf)][number] : poker::Deal{0, {poker::kSameSuits}};
  const uint32_t node = dealt ? setup_.tree.nodes[deal_node].first_child : deal_node;
  std::vector<CardSet> out = boards_at(leaf);
  if (dealt) out.push_back(board.cards | deal.cards);
  Setup below_it = hands::below(setup_, node, board.cards | deal.cards);
  below_it.symmetry = keeping_all(setup_.symmetry, out);
  std::array<Crossing::Side, 2> sides;
  for (size_t p = 0; p < 2; ++p) {
    const Side& above = board.side[p];
    const auto number_above = number_hands(setup_.hands[p]);
    Crossing::Side& side = sides[p];
    side.back.assign(deal.images.size() * above.count, Crossing::kBlocked);
    for (uint32_t i = 0; i < below_it.hands[p].size(); ++i) {
      const CardSet hand = below_it.hands[p][i];
      side.from.push_back(above.row[number_above.at(hand)]);
      for (size_t image = 0; image < deal.images.size(); ++image) {
        // What the map makes of the hand is the hand in the image of the deal. Of hands that share
        // a row above the first stands for all.
        const uint32_t there = number_above.at(poker::rename(deal.images[image], hand));
        const uint32_t row = above.row[there];
        if (above.hand[row] == there) side.back[image * above.count + row] = i;
      }
    }
  }
  auto cuts = cuts_;
  if (!is_off(deal_node) && !is_stop(deal_node)) cuts.erase(cuts.begin());
  auto piece = std::shared_ptr<const HandsPiece>(
      new HandsPiece(*this, std::move(cuts), outside_, stops_, std::move(below_it), std::move(out),
                     fmt::format("{}/{}.{}", path_, leaf, number)));
  return {std::move(piece), Crossing(std::move(sides), deal.images.size())};
}

std::vector<decompose::Trail> HandsPiece::way(size_t leaf, size_t player) const {
  // Where the player was asked, last first: (street, board, node, action).
  struct Asked {
    size_t street, board;
    uint32_t node, action;
  };
  std::vector<Asked> asked;
  const Layout& layout = trunk_->layout;
  size_t street = trunk_->leaf_street, board = trunk_->board_of(leaf);
  uint32_t node = trunk_->exit_of(leaf);
  while (true) {
    const Street& s = layout.streets[street];
    const uint32_t above = trunk_->parent[street][node];
    if (above != node) {
      if (s.nodes[above].player == player) {
        asked.push_back({street, board, above, node - s.nodes[above].first_child});
      }
      node = above;
      continue;
    }
    if (street == 0) break;
    // Where a line enters a street: the exit of the street before.
    const auto& chunks = s.chunks;
    const auto chunk = std::ranges::find_if(
        chunks, [&](const Chunk& c) { return node < c.first_node + c.num_nodes; });
    const uint32_t line = chunk->first_line + node - chunk->first_node;
    board = s.boards[board].parent;
    node = layout.streets[--street].exits[line];
  }
  std::ranges::reverse(asked);
  // Decisions are numbered by street, board and node, as the engine does.
  std::vector<size_t> first(layout.streets.size() + 1, 0);
  std::vector<std::vector<uint32_t>> before(layout.streets.size());  // [street][node]: decisions
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    uint32_t count = 0;
    for (const Node& n : layout.streets[s].nodes) {
      before[s].push_back(count);
      if (n.kind == poker::BettingNode::Kind::kDecision) ++count;
    }
    first[s + 1] = first[s] + count * layout.streets[s].boards.size();
    before[s].push_back(count);
  }
  std::vector<decompose::Trail> trails;
  for (const uint16_t hand : trunk_->street().boards[trunk_->board_of(leaf)].side[player].hand) {
    decompose::Trail& trail = trails.emplace_back();
    trail.root = hand;
    for (const Asked& at : asked) {
      const size_t decision =
          first[at.street] + at.board * before[at.street].back() + before[at.street][at.node];
      // A hand stays the same hand.
      trail.passages.push_back({static_cast<uint32_t>(decision),
                                layout.streets[at.street].boards[at.board].side[player].row[hand],
                                at.action, true});
    }
  }
  return trails;
}

}  // namespace cleave::hands
