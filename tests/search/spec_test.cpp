#include "search/spec.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace cleave::search {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

TEST(NestedCall, ValuesMayBeCalls) {
  const core::Call call =
      parse_nested_call(" resolve( cut = round:1 ,method=a(b=c,d=e) , blueprint=solve(x=y(z=1)) )");
  EXPECT_EQ(call.name, "resolve");
  EXPECT_EQ(
      call.arguments,
      (Arguments{{"cut", "round:1"}, {"method", "a(b=c,d=e)"}, {"blueprint", "solve(x=y(z=1))"}}));
}

TEST(NestedCall, AgreesWithThePlainParserWhereNothingIsNested) {
  for (const char* text : {"name", " name ", "name()", "name( )", "n(a=1)", "n(a=1, b = 2:3 )"}) {
    const core::Call plain = core::parse_call(text);
    const core::Call nested = parse_nested_call(text);
    EXPECT_EQ(nested.name, plain.name) << text;
    EXPECT_EQ(nested.arguments, plain.arguments) << text;
  }
}

TEST(NestedCall, RefusesWhatDoesNotFit) {
  for (const char* text :
       {"", "(", ")", "a=b", "a,b", "a(", "a(b", "a(b)", "a(b=)", "a(=b)", "a(b=1,)", "a(,b=1)",
        "a(b=1", "a(b=c(d=1)", "a(b=1))", "a(b=1)c", "a(b=1,c)"}) {
    EXPECT_THROW(parse_nested_call(text), core::InputError) << text;
  }
}

TEST(NestedCall, TakesTextOnce) {
  core::Call call = parse_nested_call("a(file=x.csv,n=1)");
  EXPECT_EQ(take_text(call, "file", "none"), "x.csv");
  EXPECT_EQ(take_text(call, "file", "none"), "none");
  EXPECT_EQ(call.arguments, (Arguments{{"n", "1"}}));
  core::Call twice = parse_nested_call("a(file=x,n=1,file=y)");
  EXPECT_THROW(take_text(twice, "file", ""), core::InputError);
}

}  // namespace
}  // namespace cleave::search
