#include "server/serve.h"

#include <cstdio>
#include <memory>

#include "commands.h"
#include "fmt/format.h"
#include "interrupt.h"
#include "results.h"

namespace cleave::cli {
namespace {

// Standard output, at once: whoever started the program waits for the address.
void print_start(const server::Explorer& explorer, const server::ServeOptions& options,
                 bool quiet) {
  if (explorer.is_open()) {
    fmt::print(
        stderr,
        "cleave: warning: --host {}: the address is open to the network; whoever has the token "
        "can use the workspace\n",
        options.host);
  }
  if (quiet) {
    fmt::print("{}\n", explorer.address());
  } else {
    fmt::print("The explorer is at\n\n  {}\n\n", explorer.address());
    print_row("workspace", explorer.workspace());
    if (!options.port && explorer.port() != server::kDefaultPort) {
      print_row("port",
                fmt::format("{}, since {} is taken", explorer.port(), server::kDefaultPort));
    }
    fmt::print("Ctrl-C ends; a job that runs saves what it has reached.\n");
  }
  std::fflush(stdout);
}

void run_explorer(const server::ServeOptions& options, bool quiet) {
  catch_interrupts();
  server::Explorer explorer(options);
  print_start(explorer, options, quiet);
  explorer.run(interrupted());
  if (!quiet && explorer.works()) {
    fmt::print("Saving what the job has reached; Ctrl-C again ends at once.\n");
    std::fflush(stdout);
  }
}

}  // namespace

void add_serve(CLI::App& app) {
  struct Options {
    server::ServeOptions serve;
    int port = server::kDefaultPort;
    bool quiet = false;
  };
  auto* command = app.add_subcommand("serve", "Explore in the browser: solve, look around, play");
  auto options = std::make_shared<Options>();
  command->add_option("FOLDER", options->serve.folder,
                      "Where files are read and written. Default: the current folder");
  auto* port = command->add_option("--port", options->port,
                                   "0: any that is free. Default: 8620, or a free one if taken");
  command->add_option("--host", options->serve.host,
                      "Address to listen on. Default: 127.0.0.1, this machine only");
  command->add_option("--token", options->serve.token,
                      "What requests must carry. Default: a new one each time");
  command
      ->add_option("--threads", options->serve.threads,
                   "Threads; results do not depend on it. Default: all cores")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", options->quiet, "Print the address and nothing else");
  command->callback([options, port] {
    if (port->count() > 0) options->serve.port = options->port;
    run_explorer(options->serve, options->quiet);
  });
}

}  // namespace cleave::cli
