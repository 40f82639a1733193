#pragma once

#include <functional>
#include <string_view>

#include "poker/abstraction/features.h"

namespace cleave::poker {

// The hands of a street by boards: those on board b are all hands of some classes, and no other
// board has hands of these.
class Street {
 public:
  explicit Street(int board_cards);

  const Boards& boards() const { return boards_; }
  size_t num_classes() const { return index_.size(1); }

  struct Hands {
    std::vector<uint16_t> combos;
    std::vector<uint32_t> classes;  // of HandIndex({2, board_cards})
  };
  Hands hands(size_t board) const;  // one of each class

 private:
  Boards boards_;
  HandIndex index_;
};

// Some of the numbers below `from`, each set of `size` equally likely; they are counted through.
class Sample {
 public:
  Sample(size_t from, size_t size, uint64_t seed);
  static Sample everything(size_t from) { return Sample(from, from, 0); }

  size_t size() const { return size_; }
  bool is_everything() const { return size_ == from_; }
  bool contains(size_t number) const { return (words_[number / 64] >> (number % 64) & 1) != 0; }
  size_t place(size_t number) const;  // how many of the sample are below

 private:
  size_t from_;
  size_t size_;
  std::vector<uint64_t> words_;
  std::vector<uint32_t> before_;  // [word]
};

// Calls visit(combo, class, row) for every hand of the sample, from all threads; `doing` is for
// progress and errors.
using VisitHand = std::function<void(uint16_t combo, uint32_t class_number, const float* row)>;
void describe_hands(const Street& street, const Features& features, const Sample& sample,
                    const BucketOptions& options, std::string_view doing, const VisitHand& visit);

struct Clustering {
  uint32_t buckets = 0;
  int iterations = 0;
  size_t sample = 0;              // classes that k-means sees; the others go to the nearest centre
  bool by_preflop_class = false;  // each of the 169 hands before the flop has its own buckets
};
Buckets cluster_street(const Street& street, const Features& features, const Clustering& clustering,
                       const BucketOptions& options);

// `total` shared out in proportion to the weights, at least 1 each: what is over goes to the
// largest remainders, of equal ones to the first.
std::vector<uint32_t> share_out(uint32_t total, std::span<const uint64_t> weights);

}  // namespace cleave::poker
