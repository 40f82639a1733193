#include "server/kept.h"

#include <gtest/gtest.h>

namespace cleave::server {
namespace {

TEST(Kept, TheLastUsedStayAsLongAsTheyFit) {
  Kept<const int> kept(3, 10);
  int made = 0;
  const auto get = [&](const std::string& key, int weight) {
    return *kept.get(
        key, [&] { return std::make_shared<const int>(++made); },
        [&](const int&) { return static_cast<size_t>(weight); });
  };
  EXPECT_EQ(get("a", 1), 1);
  EXPECT_EQ(get("b", 1), 2);
  EXPECT_EQ(get("c", 1), 3);
  EXPECT_EQ(get("a", 1), 1);  // used again: b is the oldest now
  EXPECT_EQ(get("d", 1), 4);
  EXPECT_EQ(get("a", 1), 1);
  EXPECT_EQ(get("b", 1), 5);
  EXPECT_EQ(get("e", 20), 6);  // alone, although it is too large
  EXPECT_EQ(get("e", 20), 6);
  EXPECT_EQ(get("b", 1), 7);
}

TEST(Kept, WhatCannotBeMadeIsNotKept) {
  Kept<const int> kept(3);
  EXPECT_THROW(kept.get("a", []() -> std::shared_ptr<const int> { throw 1; }), int);
  EXPECT_EQ(*kept.get("a", [] { return std::make_shared<const int>(2); }), 2);
}

}  // namespace
}  // namespace cleave::server
