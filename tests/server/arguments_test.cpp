#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "server/routes.h"

namespace cleave::server {
namespace {

using core::InputError;
using Query = std::map<std::string, std::string>;

std::string refusal_of(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Arguments, QueriesAndBodiesReadAlike) {
  const Arguments query(Query{{"id", "7"}, {"share", "0.25"}, {"on", "true"}, {"file", "a.toml"}});
  const Arguments body(Json{{"id", 7}, {"share", 0.25}, {"on", true}, {"file", "a.toml"}});
  for (const Arguments& args : {query, body}) {
    EXPECT_EQ(args.whole("id", 0, 10), 7);
    EXPECT_EQ(args.number("share", 0, 1), 0.25);
    EXPECT_TRUE(args.flag_or("on", false));
    EXPECT_EQ(args.text("file"), "a.toml");
    EXPECT_FALSE(args.has("other"));
    EXPECT_EQ(args.text_or("other", "x"), "x");
    EXPECT_EQ(args.whole_or("other", 3, 0, 10), 3);
    EXPECT_TRUE(args.flag_or("other", true));
  }
}

TEST(Arguments, NullIsNotThere) {
  const Arguments args(Json{{"strategy", nullptr}});
  EXPECT_FALSE(args.has("strategy"));
  EXPECT_EQ(args.text_or("strategy", "none"), "none");
  EXPECT_THROW(args.text("strategy"), InputError);
}

TEST(Arguments, RefusalsNameTheArgumentAndWhatIsAllowed) {
  const Arguments args(Json{{"n", 11}, {"text", 5}, {"list", {1, 2, 3}}});
  EXPECT_EQ(refusal_of([&] { args.whole("n", 0, 10); }),
            "n: allowed is a whole number from 0 to 10");
  EXPECT_EQ(refusal_of([&] { args.text("text"); }), "text: allowed is a text");
  EXPECT_EQ(refusal_of([&] { args.text("gone"); }), "gone: missing");
  EXPECT_EQ(refusal_of([&] { args.numbers("list", 2); }),
            "list: allowed is a list of up to 2; this has 3");
}

TEST(Arguments, WholeNumbersAtTheEdges) {
  constexpr int64_t kLow = std::numeric_limits<int64_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Arguments(Json{{"n", kHigh}}).whole("n", kLow, kHigh), kHigh);
  EXPECT_EQ(Arguments(Json{{"n", kLow}}).whole("n", kLow, kHigh), kLow);
  EXPECT_EQ(Arguments(Json{{"n", 1e3}}).whole("n", kLow, kHigh), 1000);
  EXPECT_EQ(Arguments(Query{{"n", "-12"}}).whole("n", kLow, kHigh), -12);
  for (const Json& value :
       {Json(uint64_t{1} << 63), Json(0.5), Json(1e300), Json(-1e300), Json("1e3"), Json("12x"),
        Json(""), Json(" 1"), Json("99999999999999999999"), Json(true), Json::array(),
        Json(std::nan(""))}) {
    const Arguments args(Json{{"n", value}});
    EXPECT_THROW(args.whole("n", kLow, kHigh), InputError) << value;
  }
}

TEST(Arguments, NumbersAreFinite) {
  for (const Json& value : {Json("nan"), Json("inf"), Json("1e999"), Json("0x10"), Json(""),
                            Json(std::numeric_limits<double>::infinity()), Json(false)}) {
    const Arguments args(Json{{"x", value}});
    EXPECT_THROW(args.number("x", -1e300, 1e300), InputError) << value;
  }
  EXPECT_THROW(Arguments(Json{{"x", 2}}).number("x", 0, 1), InputError);
}

TEST(Arguments, TextsAreBoundedAndHaveNoZeroBytes) {
  const Arguments args(Json{{"long", std::string(5000, 'x')}, {"zero", std::string("a\0b", 3)}});
  EXPECT_EQ(args.text("long", 5000).size(), 5000);
  EXPECT_EQ(refusal_of([&] { args.text("long"); }),
            "long: allowed is a text of up to 4096 bytes; this has 5000");
  EXPECT_THROW(args.text("zero"), InputError);
  EXPECT_THROW(Arguments(Query{{"zero", std::string("a\0b", 3)}}).text("zero"), InputError);
}

TEST(Arguments, ListsHaveOneKindOnly) {
  const Arguments args(Json{{"texts", {"a", "b"}}, {"numbers", {1, 2.5}}, {"both", {"a", 1}}});
  EXPECT_EQ(args.texts("texts", 2), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(args.numbers("numbers", 2), (std::vector<double>{1, 2.5}));
  EXPECT_THROW(args.texts("both", 9), InputError);
  EXPECT_THROW(args.numbers("both", 9), InputError);
  EXPECT_THROW(Arguments(Json{{"list", "a"}}).texts("list", 9), InputError);
}

TEST(Arguments, ABodyIsAnObject) {
  for (const Json& body : {Json::array(), Json(1), Json("text"), Json(nullptr)}) {
    EXPECT_THROW(Arguments{body}, InputError);
  }
}

}  // namespace
}  // namespace cleave::server
