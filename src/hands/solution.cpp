#include "hands/solution.h"

#include <utility>

namespace cleave::hands {
namespace {

// An array of a file: mapped where it stands well, else read.
std::span<const std::byte> take(const tree::ArchiveFile& file, tree::BulkArray array,
                                std::span<const std::byte> mapped,
                                std::vector<core::AlignedVector<std::byte>>& read) {
  if (const auto offset = file.bulk_offset(array)) {
    return mapped.subspan(*offset, array.bytes.size());
  }
  array.bytes = read.emplace_back(array.bytes.size());
  file.read_bulk(array);
  return array.bytes;
}

// The arrays of averages with their sizes, nothing behind them.
std::vector<tree::BulkArray> averages(const Layout& sketch, Storage storage) {
  std::vector<tree::BulkArray> out;
  const auto add = [&](const std::string& name, uint64_t size, size_t element_bytes) {
    out.push_back({name, {static_cast<std::byte*>(nullptr), size * element_bytes}, element_bytes});
  };
  const auto cells = sketch.num_cells(), decisions = sketch.num_decisions();
  for (size_t p = 0; p < 2; ++p) {
    const std::string name = "average" + std::to_string(p + 1);
    if (storage == Storage::kI16) {
      add(name, cells[p], sizeof(int16_t));
      add(name + "_scale", decisions[p], sizeof(float));
    } else {
      add(name, cells[p], storage == Storage::kF64 ? sizeof(double) : sizeof(float));
    }
  }
  return out;
}

}  // namespace

Solution::Solution(const std::string& path, int threads)
    : Solution(PokerFile(path), path, threads) {}

Solution::Solution(const PokerFile& file, const std::string& path, int threads)
    : problem_(parse_problem(file.problem(), file.name())),
      options_(file.options()),
      record_(file.record()),
      mapped_(path) {
  file.require_problem(problem_);
  options_.threads = threads;
  Layout sketch = sketch_layout(problem_.setup);
  EngineOptions engine{options_.storage, threads, {}, {}};
  for (tree::BulkArray& array : averages(sketch, options_.storage)) {
    engine.borrowed.push_back(take(file.arrays(), std::move(array), mapped_.bytes(), read_));
  }
  if (!problem_.locks.empty()) {
    engine.locks = place_locks(problem_, make_layout(sketch, threads));
  }
  engine_ = make_vector_engine(std::move(sketch), std::move(engine));
  if (!file.arrays().has_bulk("entry_value1")) return;
  for (const tree::BulkArray& array : engine_->entries()) file.arrays().read_bulk(array);
}

}  // namespace cleave::hands
