#include "server/workspace.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/error.h"
#include "server/services.h"

namespace cleave::server {
namespace {

namespace fs = std::filesystem;
using core::InputError;

// A workspace, and beside it a folder with a secret that nothing may touch.
class WorkspaceTest : public testing::Test {
 protected:
  WorkspaceTest() : root_(make_root()), workspace_((root_ / "work").string()) {
    put("../outside/secret.toml", "secret");
    fs::create_symlink(root_ / "outside", folder() / "out");
    fs::create_symlink(root_ / "outside/secret.toml", folder() / "secret.toml");
    fs::create_symlink(root_ / "outside/new.toml", folder() / "dangling.toml");
    fs::create_symlink(root_ / "nowhere", folder() / "lost");
    fs::create_symlink("loop.toml", folder() / "loop.toml");
    put("inside.toml", "board");
    fs::create_symlink("inside.toml", folder() / "link.toml");
  }
  ~WorkspaceTest() override {
    EXPECT_EQ(read("../outside/secret.toml"), "secret");
    EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "outside"), {}), 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(root_), {}), 2);
    fs::remove_all(root_);
  }

  static fs::path make_root() {
    std::string name = (fs::temp_directory_path() / "cleave-workspace-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    return fs::canonical(name);
  }
  const fs::path& folder() const { return workspace_.folder(); }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool is_there(const std::string& name) const { return fs::exists(folder() / name); }

  fs::path root_;
  Workspace workspace_;
};

int refusal_status(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Refusal& refusal) {
    return refusal.status;
  } catch (const InputError&) {
    return 400;
  }
  return 200;
}

const std::vector<std::string> kForbidden = {
    "",
    "/",
    ".",
    "..",
    "../outside/secret.toml",
    "a/../../outside/secret.toml",
    "./inside.toml",
    "a/./b.toml",
    "/etc/passwd.toml",
    "//inside.toml",
    "a//b.toml",
    "inside.toml/",
    "..\\outside\\secret.toml",
    "a\\b.toml",
    ".hidden.toml",
    ".cleave/other.h5",
    ".cleave/example.h5/../../inside.toml",
    "a/.hidden/b.toml",
    std::string("inside.toml\0.toml", 17),
    std::string("\0", 1),
    "a\nb.toml",
    "a\x7f.toml",
    "a\x1b[2J.toml",
    "\xff\xfe.toml",
    "\xc0\xae\xc0\xae/secret.toml",  // ".." in a form that is none
    std::string(201, 'x') + ".toml",
    std::string(100'000, 'x') + ".toml",
    "out/secret.toml",
    "out/new.toml",
    "secret.toml",
    "lost/new.toml",
    "dangling.toml",
    "loop.toml",
};

TEST_F(WorkspaceTest, NamesThatLeadOutAreRefusedForReadingAndWriting) {
  for (const std::string& name : kForbidden) {
    EXPECT_EQ(refusal_status([&] {
                workspace_.existing(name, {".toml", ".h5", ""});
              }),
              400)
        << name;
    EXPECT_EQ(refusal_status([&] {
                workspace_.place(name, {".toml", ".h5", ""}, true);
              }),
              400)
        << name;
  }
  std::string deep;
  for (int i = 0; i < 17; ++i) deep += "a/";
  EXPECT_EQ(refusal_status([&] { workspace_.place(deep + "b.toml", {".toml"}, true); }), 400);
  EXPECT_FALSE(is_there("a"));  // nothing was made on the way
}

TEST_F(WorkspaceTest, ExistingFiles) {
  put("spots/turn.TOML", "board");
  EXPECT_EQ(workspace_.existing("spots/turn.TOML", {".toml"}), folder() / "spots/turn.TOML");
  EXPECT_EQ(workspace_.existing("link.toml", {".toml"}), folder() / "link.toml");
  EXPECT_EQ(workspace_.name_of(workspace_.existing("spots/turn.TOML", {".toml"})),
            "spots/turn.TOML");
  EXPECT_EQ(refusal_status([&] { workspace_.existing("gone.toml", {".toml"}); }), 404);
  EXPECT_EQ(refusal_status([&] { workspace_.existing("spots", {""}); }), 404);
  EXPECT_EQ(refusal_status([&] { workspace_.existing("spots/turn.TOML", {".h5", ".csv"}); }), 400);
  ASSERT_EQ(::mkfifo((folder() / "pipe.toml").c_str(), 0600), 0);
  EXPECT_EQ(refusal_status([&] { workspace_.existing("pipe.toml", {".toml"}); }), 404);
}

TEST_F(WorkspaceTest, TheExampleIsTheOneHiddenFile) {
  EXPECT_EQ(refusal_status([&] { workspace_.existing(kExampleFile, {".h5"}); }), 404);
  put(kExampleFile, "x");
  EXPECT_EQ(workspace_.existing(kExampleFile, {".h5"}), folder() / kExampleFile);
  EXPECT_EQ(refusal_status([&] { workspace_.existing(kExampleFile, {".toml"}); }), 400);
  EXPECT_EQ(refusal_status([&] { workspace_.place(kExampleFile, {".h5"}, true); }), 400);
}

TEST_F(WorkspaceTest, PlacesToWrite) {
  EXPECT_EQ(workspace_.place("new/deep/a.h5", {".h5"}, false), folder() / "new/deep/a.h5");
  EXPECT_TRUE(is_there("new/deep"));
  EXPECT_EQ(refusal_status([&] { workspace_.place("inside.toml", {".toml"}, false); }), 409);
  EXPECT_EQ(workspace_.place("inside.toml", {".toml"}, true), folder() / "inside.toml");
  EXPECT_EQ(refusal_status([&] { workspace_.place("new/deep", {""}, true); }), 400);
  EXPECT_EQ(refusal_status([&] { workspace_.place("inside.toml/x.toml", {".toml"}, true); }), 400);
  EXPECT_EQ(refusal_status([&] { workspace_.place("a.txt", {".toml"}, true); }), 400);
}

TEST_F(WorkspaceTest, ListsWhatCleaveOpensNewestFirst) {
  const std::string archive = "CLEAVE archive 1\nbytes 5\n";
  put("a.csv", "player,infoset,action,probability\n");
  put("b.history.csv", "game,algorithm,iteration,seconds,exploitability,value\n");
  put("c.csv", "name,price\n");
  put("d.h5", archive + std::string(5000, 'x') + "cleave poker solution 1");
  put("e.h5", archive + "cleave strategy 1");
  put("f.h5", archive + std::string(500'000, 'x') + "cleave checkpoint 1");
  put("g.h5", "some other HDF5 file");
  put("h/i/j.efg", "EFG 2");
  put("k.game", "GAMEDEF");
  put("l.txt", "text");
  put(".hidden/m.toml", "board");
  put(".n.toml", "board");
  put("\xff.toml", "board");
  const auto now = fs::last_write_time(folder() / "k.game");
  fs::last_write_time(folder() / "k.game", now + std::chrono::hours(1));
  std::map<std::string, std::string> kinds;
  const Json files = workspace_.list()["files"];
  for (const Json& file : files) kinds[file["file"]] = file["kind"];
  const std::map<std::string, std::string> expected = {
      {"a.csv", "strategy"}, {"b.history.csv", "history"},
      {"d.h5", "solution"},  {"e.h5", "strategy"},
      {"h/i/j.efg", "game"}, {"inside.toml", "spot"},
      {"link.toml", "spot"}, {"k.game", "game"}};
  EXPECT_EQ(kinds, expected);
  EXPECT_EQ(files[0]["file"], "k.game");
  EXPECT_EQ(files[0]["bytes"], 7);
  EXPECT_NEAR(files[0]["modified"].get<double>(), static_cast<double>(std::time(nullptr)) + 3600,
              60);
}

TEST_F(WorkspaceTest, ListsTwoThousandAtMost) {
  for (int i = 0; i < 2100; ++i) put("many/" + std::to_string(i) + ".toml", "board");
  EXPECT_EQ(workspace_.list()["files"].size(), 2000);
}

TEST_F(WorkspaceTest, FoldersThatCannotBe) {
  EXPECT_THROW(Workspace((folder() / "inside.toml").string()), InputError);
  EXPECT_THROW(Workspace("/proc/nothing/here"), InputError);
  EXPECT_EQ(Workspace((folder() / "fresh/deep").string()).folder(), folder() / "fresh/deep");
}

class FilesTest : public WorkspaceTest {
 protected:
  FilesTest() : services_(folder().string(), 3) { add_files(routes_, services_); }
  Json get(const std::string& path, const std::map<std::string, std::string>& query = {}) {
    return routes_.get.at(path)(Arguments(query));
  }
  Json post(const std::string& path, const Json& body) {
    return routes_.post.at(path)(Arguments(body));
  }
  int post_status(const std::string& path, const Json& body) {
    return refusal_status([&] { post(path, body); });
  }

  Services services_;
  Routes routes_;
};

TEST_F(FilesTest, State) {
  services_.example = kExampleFile;
  const Json state = get("/api/state");
  EXPECT_EQ(state["workspace"], folder().string());
  EXPECT_EQ(state["threads"], 3);
  EXPECT_EQ(state["example"], kExampleFile);
  EXPECT_GT(state["memory_bytes"], 1 << 20);
  EXPECT_TRUE(state["jobs"].is_array());
}

TEST_F(FilesTest, TextsThereAndBack) {
  post("/api/files/text", {{"file", "new/a.toml"}, {"text", "board = \"\xc3\xa9\"\r\n"}});
  EXPECT_EQ(read("new/a.toml"), "board = \"\xc3\xa9\"\r\n");
  EXPECT_EQ(get("/api/files/text", {{"file", "new/a.toml"}})["text"], read("new/a.toml"));
  const Json again = {{"file", "new/a.toml"}, {"text", "x"}, {"overwrite", false}};
  EXPECT_EQ(post_status("/api/files/text", again), 409);
  post("/api/files/text", {{"file", "new/a.toml"}, {"text", "x"}, {"overwrite", true}});
  EXPECT_EQ(read("new/a.toml"), "x");
  EXPECT_EQ(post_status("/api/files/text", {{"file", "a.h5"}, {"text", "x"}}), 400);
  const Json large = {{"file", "b.toml"}, {"text", std::string((1 << 20) + 1, 'x')}};
  EXPECT_EQ(post_status("/api/files/text", large), 400);
  put("large.csv", std::string((1 << 20) + 1, 'x'));
  EXPECT_EQ(refusal_status([&] { get("/api/files/text", {{"file", "large.csv"}}); }), 413);
}

TEST_F(FilesTest, CopyAndDeleteOnlyWhatIsListed) {
  const Json listed =
      post("/api/files/copy", {{"from", "inside.toml"}, {"to", "copies/b.toml"}})["files"];
  EXPECT_EQ(read("copies/b.toml"), "board");
  EXPECT_EQ(listed.size(), 3);
  const Json again = {{"from", "inside.toml"}, {"to", "copies/b.toml"}};
  EXPECT_EQ(post_status("/api/files/copy", again), 409);
  EXPECT_EQ(post_status("/api/files/copy", {{"from", "inside.toml"}, {"to", "b.h5"}}), 400);
  post("/api/files/delete", {{"file", "copies/b.toml"}});
  EXPECT_FALSE(is_there("copies/b.toml"));
  put("notes.csv", "my notes");
  put("other.h5", "not ours");
  put("notes.txt", "text");
  for (const char* name : {"notes.csv", "other.h5", "notes.txt"}) {
    EXPECT_EQ(post_status("/api/files/delete", {{"file", name}}), 400) << name;
    EXPECT_EQ(post_status("/api/files/copy", {{"from", name}, {"to", name}}), 400) << name;
    EXPECT_TRUE(is_there(name));
  }
  post("/api/files/delete", {{"file", "link.toml"}});  // the link, not what it leads to
  EXPECT_TRUE(is_there("inside.toml"));
}

TEST_F(FilesTest, TheExampleCanBeCopiedAndStays) {
  put(kExampleFile, "CLEAVE archive 1\ncleave poker solution 1");
  post("/api/files/copy", {{"from", kExampleFile}, {"to", "mine.h5"}});
  EXPECT_EQ(read("mine.h5"), read(kExampleFile));
  EXPECT_EQ(post_status("/api/files/delete", {{"file", kExampleFile}}), 400);
  EXPECT_EQ(post_status("/api/files/copy",
                        {{"from", "mine.h5"}, {"to", kExampleFile}, {"overwrite", true}}),
            400);
}

TEST_F(FilesTest, NoNameLeadsOut) {
  for (const std::string& name : kForbidden) {
    EXPECT_EQ(post_status("/api/files/delete", {{"file", name}}), 400) << name;
    EXPECT_EQ(post_status("/api/files/copy", {{"from", name}, {"to", "x.toml"}}), 400) << name;
    const Json copy = {{"from", "inside.toml"}, {"to", name}, {"overwrite", true}};
    EXPECT_EQ(post_status("/api/files/copy", copy), 400) << name;
    const Json text = {{"file", name}, {"text", "evil"}, {"overwrite", true}};
    EXPECT_EQ(post_status("/api/files/text", text), 400) << name;
    EXPECT_EQ(refusal_status([&] { get("/api/files/text", {{"file", name}}); }), 400) << name;
  }
}

TEST_F(FilesTest, JobsByTheirNumber) {
  const Json job = services_.jobs.add("x", "title", {}, [](JobContext&) { return Json(1); });
  uint64_t version = 0;
  while (services_.jobs.get(job["id"])["state"] != "done") {
    services_.jobs.wait(job["id"], version, std::chrono::seconds(10));
  }
  EXPECT_EQ(get("/api/jobs")["jobs"].size(), 1);
  EXPECT_EQ(get("/api/job", {{"id", "1"}})["title"], "title");
  EXPECT_EQ(post("/api/job/cancel", {{"id", 1}})["state"], "done");
  EXPECT_EQ(post("/api/job/remove", {{"id", 1}})["jobs"].size(), 0);
  EXPECT_EQ(post_status("/api/job/remove", {{"id", 1}}), 404);
  EXPECT_EQ(post_status("/api/job/cancel", {{"id", "one"}}), 400);
}

}  // namespace
}  // namespace cleave::server
