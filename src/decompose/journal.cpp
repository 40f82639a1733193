#include "decompose/journal.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <numbers>
#include <numeric>
#include <span>
#include <sstream>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/threads.h"

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

std::vector<size_t> Journal::known() const {
  std::vector<size_t> tasks;
  for (size_t task = 0; task < results_.size(); ++task) {
    if (!results_[task].empty()) tasks.push_back(task);
  }
  return tasks;
}

void Journal::fill(const std::vector<size_t>& wanted, int threads,
                   const std::function<std::vector<float>(size_t task)>& solve,
                   const std::function<void(size_t done, size_t all)>& progress) {
  std::vector<size_t> open;
  std::ranges::copy_if(wanted, std::back_inserter(open),
                       [&](size_t task) { return results_[task].empty(); });
  std::mutex mutex;
  std::exception_ptr failure;
  size_t done = wanted.size() - open.size();
  core::parallel_for(open.size(), threads, [&](size_t i) {
    try {
      std::vector<float> result = solve(open[i]);
      const std::lock_guard lock(mutex);
      add(open[i], std::move(result));
      if (progress) progress(++done, wanted.size());
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
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

Estimate resampled(const std::vector<size_t>& known, size_t num_deals, size_t all,
                   const std::function<double(const std::vector<double>& weight)>& measure) {
  std::vector<double> weight(num_deals, 1);
  Estimate out{measure(weight), 0};
  // Deals that are left out are few where most are in: the error of a sample without repetition.
  const double left = 1 - static_cast<double>(known.size()) / static_cast<double>(all);
  if (left <= 0) return out;
  constexpr int kResamples = 200;
  core::Random random(1);
  double sum = 0, squares = 0;
  for (int r = 0; r < kResamples; ++r) {
    std::ranges::fill(weight, 0.0);
    for (size_t i = 0; i < known.size(); ++i) weight[known[random.below(known.size())]] += 1;
    const double x = measure(weight) - out.value;
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kResamples;
  out.error = 1.96 * std::sqrt(std::max(0.0, squares / kResamples - mean * mean) * left);
  return out;
}

}  // namespace cleave::decompose
