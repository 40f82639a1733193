#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/sequence_form.h"

namespace cleave::tree {

// Builds both players' payoff matrices from the terminals of a tree.
class PayoffBuilder {
 public:
  explicit PayoffBuilder(const Tree& tree);

  // [slot]: which connected part of the matrix the slot's row (or column) lies in, numbered in the
  // order of terminals; kNone where no terminal follows before the player's next decision.
  const std::vector<uint32_t>& component_of_slot() const { return component_; }

  // Call once: frees what it no longer needs on the way.
  std::array<PayoffMatrix, 2> build(const std::array<Treeplex, 2>& player);

 private:
  struct Entry {
    uint32_t component;
    uint32_t row;
    uint32_t column;
    double weight;
  };
  struct End {  // a terminal: slots of both players (kNone: empty), chance reach * payoff
    uint32_t slot[2];
    double weight;
  };
  void find_components(const Tree& tree);
  static void merge(std::vector<Entry>& entries);
  static PayoffMatrix build_matrix(std::vector<Entry>& entries, uint32_t num_rows);
  static void add_row(PayoffMatrix& matrix, std::span<const Entry> row);
  static void add_block(PayoffMatrix& matrix, std::span<const Entry> entries, size_t rows,
                        const std::vector<uint32_t>& columns);
  static double common_unit(std::span<const Entry> entries);

  std::vector<End> ends_;
  std::vector<uint32_t> component_;
  std::array<uint32_t, 2> empty_component_ = {kNone, kNone};
  uint32_t num_components_ = 0;
};

}  // namespace cleave::tree
