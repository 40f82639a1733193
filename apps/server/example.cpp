#include "server/example.h"

#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "fmt/format.h"
#include "hands/spot_solver.h"
#include "poker/spot.h"

namespace cleave::server {
namespace {

// Enough going on to look around: a draw on the board, mixed bets, 48 rivers.
constexpr const char* kExampleSpot = R"(# A pot that was raised twice before the flop, on the turn.
board = "Qd8d3c5h"
pot = 300
stack = 850

[range]
oop = "88+,AJs+,A5s-A3s,AQo+,KTs+,QTs+,JTs,T9s,98s,87s,76s"
ip = "QQ-77,AQs-A9s,AQo,AJo:0.5,KTs+,KQo,Q9s+,J9s+,T8s+,97s+,87s,76s"

[turn]
bet = "33%,75%"
raise = "50%,a"
max_raises = 2

[river]
bet = "33%,75%,a"
raise = "a"
max_raises = 2
)";
constexpr double kExampleTarget = 0.003;  // of the pot

hands::Problem example_problem() {
  return hands::make_problem(poker::parse_spot(kExampleSpot, "example"));
}

// One of another version, or a damaged one, is solved again.
bool is_example(const std::string& path) {
  try {
    return hands::PokerFile(path).problem() == example_problem().text;
  } catch (const core::InputError&) {
    return false;
  }
}

}  // namespace

std::string make_example(const Workspace& workspace, int threads) {
  const std::filesystem::path path = workspace.folder() / kExampleFile;
  if (is_example(path.string())) return kExampleFile;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) {
    throw core::RunError(
        fmt::format("{}: cannot be made: {}", path.parent_path().string(), error.message()));
  }
  hands::SolverOptions options;
  options.threads = threads;
  hands::SpotSolver solver(example_problem(), options);
  solve::Limits limits;
  limits.target = kExampleTarget * solver.problem().pot;
  solve::Record record;
  const solve::Certificate certificate = solve::run(solver, limits, {}, record).certificate;
  solver.save_solution(path.string(), certificate);
  return kExampleFile;
}

}  // namespace cleave::server
