#include "decompose/journal.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <numeric>
#include <span>
#include <sstream>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"

namespace cleave::decompose {
namespace {

struct RecordHead {
  uint64_t task = 0;
  core::Hash128 checksum;
};

core::Hash128 checksum_of(size_t task, std::span<const float> result) {
  core::Hasher hasher;
  hasher.add(task).add_bytes(std::as_bytes(result));
  return hasher.finish();
}

}  // namespace

Journal::Journal(std::string path, std::string key, size_t num_tasks, size_t result_size)
    : path_(std::move(path)), key_(std::move(key)), result_size_(result_size), results_(num_tasks) {
  if (!path_.empty()) read();
}

size_t Journal::num_done() const {
  return static_cast<size_t>(
      std::ranges::count_if(results_, [](const auto& result) { return !result.empty(); }));
}

void Journal::read() {
  std::ifstream in(path_, std::ios::binary);
  std::string key;
  if (!in || !std::getline(in, key) || key != key_) return begin();
  auto end = static_cast<std::uintmax_t>(in.tellg());
  RecordHead head;
  std::vector<float> result(result_size_);
  const auto bytes = static_cast<std::streamsize>(result_size_ * sizeof(float));
  while (in.read(reinterpret_cast<char*>(&head), sizeof head) &&
         in.read(reinterpret_cast<char*>(result.data()), bytes)) {
    if (head.task >= results_.size() || !(head.checksum == checksum_of(head.task, result))) break;
    results_[head.task] = result;
    end = static_cast<std::uintmax_t>(in.tellg());
  }
  in.close();
  std::filesystem::resize_file(path_, end);
}

void Journal::begin() {
  core::write_file_atomically(path_, [&](std::ostream& out) { out << key_ << '\n'; });
}

void Journal::add(size_t task, std::vector<float> result) {
  if (!path_.empty()) {
    const RecordHead head{task, checksum_of(task, result)};
    std::ofstream out(path_, std::ios::binary | std::ios::app);
    out.write(reinterpret_cast<const char*>(&head), sizeof head);
    out.write(reinterpret_cast<const char*>(result.data()),
              static_cast<std::streamsize>(result.size() * sizeof(float)));
    if (!out.flush()) throw core::RunError(path_ + ": cannot be written");
  }
  results_[task] = std::move(result);
}

std::vector<size_t> spread_order(size_t count) {
  // Multiples of the golden ratio leave gaps of two or three sizes.
  const auto key = [](size_t i) {
    const double x = static_cast<double>(i) * std::numbers::phi;
    return x - std::floor(x);
  };
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, key);
  return order;
}

}  // namespace cleave::decompose
