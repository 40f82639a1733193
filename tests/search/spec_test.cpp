#include "search/spec.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace cleave::search {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

TEST(Spec, TakesTextOnce) {
  core::Call call = core::parse_call("a(file=x.csv,n=1)");
  EXPECT_EQ(take_text(call, "file", "none"), "x.csv");
  EXPECT_EQ(take_text(call, "file", "none"), "none");
  EXPECT_EQ(call.arguments, (Arguments{{"n", "1"}}));
  core::Call twice = core::parse_call("a(file=x,n=1,file=y)");
  EXPECT_THROW(take_text(twice, "file", ""), core::InputError);
}

}  // namespace
}  // namespace cleave::search
