#include "core/params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"

namespace cleave::core {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Integers = std::vector<int64_t>;

Params params(std::vector<std::pair<std::string, std::string>> values) {
  return Params("game 'test'", std::move(values));
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParamsTest, ReadsEachKind) {
  Params p = params({{"i", "-7"},
                     {"r", "2.5e-1"},
                     {"b", "yes"},
                     {"c", "blue"},
                     {"is", "2:4"},
                     {"ls", "1:2/3"},
                     {"q", "1/3"},
                     {"qs", "0.1:-2"}});
  EXPECT_EQ(p.integer("i", 0, -10, 10), -7);
  EXPECT_EQ(p.real("r", 0, 0, 1), 0.25);
  EXPECT_TRUE(p.boolean("b", false));
  EXPECT_EQ(p.choice("c", "red", {"red", "blue"}), "blue");
  EXPECT_THAT(p.within("is", Integers{}, 0, 9), ElementsAre(2, 4));
  EXPECT_THAT(p.within("ls", std::vector<Integers>{}, 0, 9),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3)));
  EXPECT_EQ(p.within("q", Rational(), 0, 1), Rational(1, 3));
  EXPECT_THAT(p.within("qs", std::vector<Rational>{}, -3, 3),
              ElementsAre(Rational(1, 10), Rational(-2)));
  EXPECT_NO_THROW(p.finish({}));
}

TEST(ParamsTest, FallsBackOnWhatWasNotSaid) {
  Params p = params({});
  EXPECT_EQ(p.integer("i", 5, 0, 9), 5);
  EXPECT_EQ(p.real("r", 0.5, 0, 1), 0.5);
  EXPECT_FALSE(p.boolean("b", false));
  EXPECT_EQ(p.choice("c", "red", {"red"}), "red");
  EXPECT_THAT(p.within("is", Integers{1}, 0, 9), ElementsAre(1));
}

TEST(ParamsTest, ErrorsNameOwnerParameterValueAndRange) {
  EXPECT_THAT(error_of([] {
                params({{"i", "11"}}).integer("i", 0, 1, 10);
              }),
              AllOf(HasSubstr("game 'test'"), HasSubstr("'i'"), HasSubstr("'11'"),
                    HasSubstr("from 1 to 10")));
  EXPECT_THAT(error_of([] {
                params({{"c", "x"}}).choice("c", "red", {"red", "blue"});
              }),
              HasSubstr("one of red, blue"));
}

TEST(ParamsTest, RefusesWhatIsNotANumberInRange) {
  for (const char* text : {"", "x", "1x", "1.5", "0", "11", "99999999999999999999", "+3", " 3 x"}) {
    EXPECT_THROW(params({{"i", text}}).integer("i", 0, 1, 10), InputError) << text;
  }
  for (const char* text : {"", "nan", "inf", "1.5", "-0.1", "1,0", "0.5 "}) {
    EXPECT_THROW(params({{"r", text}}).real("r", 0, 0, 1), InputError) << text;
  }
  for (const char* text : {"", ":", "1:", ":1", "1::2", "1/2", "1:20"}) {
    EXPECT_THROW(params({{"l", text}}).within("l", Integers{}, 1, 10), InputError) << text;
  }
  for (const char* text : {"1/", "/", "1:2//3", "1:2/3:x"}) {
    EXPECT_THROW(params({{"l", text}}).within("l", std::vector<Integers>{}, 1, 10), InputError)
        << text;
  }
  for (const char* text : {"1/0", "a", "2", "1/2:1/2"}) {
    EXPECT_THROW(params({{"q", text}}).within("q", Rational(), 0, 1), InputError) << text;
  }
  for (const char* text : {"", "2", "TRUE", "maybe"}) {
    EXPECT_THROW(params({{"b", text}}).boolean("b", true), InputError) << text;
  }
}

TEST(ParamsTest, FinishRefusesWhatNobodyRead) {
  Params p = params({{"known", "1"}, {"unknown", "1"}});
  p.integer("known", 0, 0, 1);
  EXPECT_THAT(error_of([&] {
                p.finish({{"known", "0", ""}, {"other", "0", ""}});
              }),
              AllOf(HasSubstr("no parameter 'unknown'"), HasSubstr("known, other")));
  EXPECT_THAT(error_of([&] { p.finish({}); }), HasSubstr("it has none"));
}

TEST(ParamsTest, RefusesAParameterGivenTwice) {
  EXPECT_THAT(error_of([] { params({{"a", "1"}, {"a", "2"}}); }), HasSubstr("given twice"));
}

TEST(ParseCallTest, ReadsNamesAndArguments) {
  EXPECT_EQ(parse_call("leduc").name, "leduc");
  EXPECT_TRUE(parse_call("leduc").arguments.empty());
  EXPECT_TRUE(parse_call("leduc()").arguments.empty());
  const Call call = parse_call(" leduc ( ranks = 4, bets=2:4/1 ) ");
  EXPECT_EQ(call.name, "leduc");
  EXPECT_THAT(call.arguments, ElementsAre(Pair("ranks", "4"), Pair("bets", "2:4/1")));
}

TEST(ParseCallTest, SaysWhereTheTextGoesWrong) {
  const auto message = [](const char* text) { return error_of([&] { parse_call(text); }); };
  EXPECT_THAT(message(""), HasSubstr("at character 1: expected a name"));
  EXPECT_THAT(message("(a=1)"), HasSubstr("at character 1: expected a name"));
  EXPECT_THAT(message("a(b=1"), HasSubstr("at character 6: expected ')'"));
  EXPECT_THAT(message("a(b="), HasSubstr("at character 5: expected ')'"));
  EXPECT_THAT(message("a("), HasSubstr("at character 3: expected ')'"));
  EXPECT_THAT(message("a(b=1)c"), HasSubstr("at character 7"));
  EXPECT_THAT(message("a(b)"), HasSubstr("at character 3: expected parameter=value"));
  EXPECT_THAT(message("a(b=1,)"), HasSubstr("at character 7: expected parameter=value"));
  EXPECT_THAT(message("a(=1)"), HasSubstr("at character 3"));
  EXPECT_THAT(message("a(b=)"), HasSubstr("at character 5: expected a value"));
  EXPECT_THAT(message("a(b=c=d)"), HasSubstr("at character 6"));
  EXPECT_THAT(message("a,b"), HasSubstr("at character 2"));
  EXPECT_THAT(message("a)"), HasSubstr("at character 2"));
}

TEST(ParseCallTest, ValuesMayBeCalls) {
  const Call call =
      parse_call(" resolve( cut = round:1 ,method=a(b=c,d=e) , blueprint=solve(x=y(z=1)) )");
  EXPECT_EQ(call.name, "resolve");
  EXPECT_THAT(call.arguments, ElementsAre(Pair("cut", "round:1"), Pair("method", "a(b=c,d=e)"),
                                          Pair("blueprint", "solve(x=y(z=1))")));
  for (const char* text : {"a(b=c(d=1)", "a(b=1))", "a(b=c(d=1)=2)", "a(b=c(d=1),)"}) {
    EXPECT_THROW(parse_call(text), InputError) << text;
  }
}

struct Listed {
  int a = 1;
  bool b = true, c = true;
  double d = 0;
  std::vector<Rational> e;
  std::vector<Integers> f;
  std::string g = "red";

  template <class Each>
  void list(const Each& each) {
    each("a", a, "first", 0, 9);
    each("b", b, "second");
    each("c", c, "third");
    each("d", d, "fourth", 0, 1);
    each("e", e, "fifth", 0, 9);
    each("f", f, "sixth", 0, 9);
    each("g", g, "seventh", std::vector<std::string>{"red", "blue"});
  }
};

TEST(ParamStructTest, WritesOnlyWhatDiffersAndReadsBack) {
  EXPECT_EQ(write_call("g", Listed{}), "g");
  const Listed values{2, true, false, 0.1, {{1, 3}, 2}, {{1, 2}, {3}}, "blue"};
  const std::string text = write_call("g", values);
  EXPECT_EQ(text, "g(a=2,c=false,d=0.1,e=1/3:2,f=1:2/3,g=blue)");
  Params p("game 'g'", parse_call(text).arguments);
  const Listed again = read_params<Listed>(p);
  EXPECT_NO_THROW(p.finish({}));
  EXPECT_EQ(write_call("g", again), text);
  EXPECT_EQ(again.d, 0.1);
  EXPECT_THAT(again.f, ElementsAre(ElementsAre(1, 2), ElementsAre(3)));
}

TEST(ParamStructTest, DescribesDefaults) {
  const std::vector<ParamInfo> infos = describe_params(Listed{});
  ASSERT_EQ(infos.size(), 7);
  EXPECT_EQ(infos[0].name, "a");
  EXPECT_EQ(infos[0].default_value, "1");
  EXPECT_EQ(infos[0].help, "first");
  EXPECT_EQ(infos[1].default_value, "true");
  EXPECT_EQ(infos[6].default_value, "red");
}

}  // namespace
}  // namespace cleave::core
