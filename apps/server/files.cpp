#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "fmt/format.h"
#include "server/services.h"

namespace cleave::server {
namespace {

constexpr size_t kLongestText = 1 << 20;

uint64_t machine_bytes() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// What list() shows, and nothing else, can be copied and deleted.
std::string listed_file(const Workspace& workspace, const std::string& name) {
  std::string path = workspace.existing(name, {".toml", ".h5", ".csv", ".efg", ".game"});
  if (file_kind(path).empty()) {
    throw core::InputError(fmt::format("{}: not a file that Cleave opens", name));
  }
  return path;
}

Json state_of(const Services& services) {
  return {{"version", CLEAVE_VERSION},   {"workspace", services.workspace.folder().string()},
          {"threads", services.threads}, {"memory_bytes", machine_bytes()},
          {"example", services.example}, {"jobs", services.jobs.list()}};
}

Json copy_file(const Workspace& workspace, const Arguments& args) {
  const std::string from = listed_file(workspace, args.text("from"));
  const std::string extension = core::extension_of(from);
  const std::string to =
      workspace.place(args.text("to"), {extension.c_str()}, args.flag_or("overwrite", false));
  core::replace_file(to, [&](const std::string& made) {
    std::filesystem::copy_file(from, made, std::filesystem::copy_options::overwrite_existing);
  });
  return workspace.list();
}

Json delete_file(const Workspace& workspace, const Arguments& args) {
  const std::string name = args.text("file");
  const std::string path = listed_file(workspace, name);
  if (name == kExampleFile) throw core::InputError(fmt::format("{}: belongs to Cleave", name));
  std::filesystem::remove(path);
  return workspace.list();
}

Json read_text(const Workspace& workspace, const Arguments& args) {
  const std::string name = args.text("file");
  const std::string path = workspace.existing(name, {".toml", ".csv", ".efg", ".game"});
  if (std::filesystem::file_size(path) > kLongestText) {
    throw Refusal(413, fmt::format("{}: larger than 1 MB; open it with another program", name));
  }
  return {{"text", core::read_file(path)}};
}

Json write_text(const Workspace& workspace, const Arguments& args) {
  const std::string text = args.text("text", kLongestText);
  const std::string path =
      workspace.place(args.text("file"), {".toml"}, args.flag_or("overwrite", false));
  core::write_file_atomically(path, [&](std::ostream& out) { out << text; });
  return workspace.list();
}

int64_t job_id(const Arguments& args) { return args.whole("id", 1, INT64_MAX); }

}  // namespace

void add_files(Routes& routes, Services& services) {
  const Workspace& workspace = services.workspace;
  Jobs& jobs = services.jobs;
  routes.get["/api/state"] = [&](const Arguments&) { return state_of(services); };
  routes.get["/api/files"] = [&](const Arguments&) { return workspace.list(); };
  routes.get["/api/files/text"] = [&](const Arguments& args) { return read_text(workspace, args); };
  routes.post["/api/files/text"] = [&](const Arguments& args) {
    return write_text(workspace, args);
  };
  routes.post["/api/files/copy"] = [&](const Arguments& args) {
    return copy_file(workspace, args);
  };
  routes.post["/api/files/delete"] = [&](const Arguments& args) {
    return delete_file(workspace, args);
  };
  routes.get["/api/jobs"] = [&](const Arguments&) { return Json{{"jobs", jobs.list()}}; };
  routes.get["/api/job"] = [&](const Arguments& args) { return jobs.get(job_id(args)); };
  routes.post["/api/job/cancel"] = [&](const Arguments& args) { return jobs.cancel(job_id(args)); };
  routes.post["/api/job/remove"] = [&](const Arguments& args) {
    jobs.remove(job_id(args));
    return Json{{"jobs", jobs.list()}};
  };
}

}  // namespace cleave::server
