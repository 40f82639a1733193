#include <cstdio>
#include <exception>
#include <new>

#include "commands.h"
#include "core/error.h"
#include "fmt/format.h"

namespace {

// CLI11 only says that a command is missing where an unknown one stands.
void require_known_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw cleave::core::InputError(
      fmt::format("there is no command '{}'; there are {}", argv[1], known));
}

}  // namespace

// Exit codes: 0 done; 1 a run that failed; 2 wrong use or bad input.
int main(int argc, char** argv) {
  CLI::App app(
      "Solves two-player zero-sum games with imperfect information, and certifies the answer.\n"
      "A GAME is a built-in name (kuhn, leduc(ranks=4,suits=3), ...; see `cleave games`) or the\n"
      "path of an .efg, .game (poker) or .toml (hold'em spot) file.",
      "cleave");
  app.set_version_flag("--version", std::string("cleave ") + CLEAVE_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  cleave::cli::add_games(app);
  cleave::cli::add_algorithms(app);
  cleave::cli::add_info(app);
  cleave::cli::add_solve(app);
  cleave::cli::add_evaluate(app);
  cleave::cli::add_show(app);
  cleave::cli::add_ranges(app);
  cleave::cli::add_export(app);
  cleave::cli::add_plot(app);
  cleave::cli::add_methods(app);
  cleave::cli::add_resolve(app);
  cleave::cli::add_decompose(app);
  cleave::cli::add_match(app);
  cleave::cli::add_buckets(app);
  cleave::cli::add_reproduce(app);
  cleave::cli::add_serve(app);
  try {
    require_known_command(app, argc, argv);
    app.parse(argc, argv);
    // What is still in the buffer counts as well: a full disk must not look like success.
    if (std::fflush(stdout) != 0) throw cleave::core::RunError("standard output cannot be written");
    return 0;
  } catch (const CLI::Success& done) {  // --help, --version
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "cleave: {}; see `cleave --help`\n", error.what());
    return 2;
  } catch (const cleave::core::InputError& error) {
    fmt::print(stderr, "cleave: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "cleave: out of memory; use smaller parameters or a larger machine\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cleave: {}\n", error.what());
    return 1;
  }
}
