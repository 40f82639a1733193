#pragma once

#include <CLI/CLI.hpp>

// One function per subcommand: adds its options and what happens when it is chosen. No logic here:
// the library does the work, the commands read options and print.
namespace cleave::cli {

void add_games(CLI::App& app);
void add_algorithms(CLI::App& app);
void add_info(CLI::App& app);
void add_solve(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_show(CLI::App& app);
void add_ranges(CLI::App& app);
void add_export(CLI::App& app);
void add_plot(CLI::App& app);
void add_methods(CLI::App& app);
void add_resolve(CLI::App& app);
void add_decompose(CLI::App& app);
void add_match(CLI::App& app);
void add_buckets(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_serve(CLI::App& app);

}  // namespace cleave::cli
