#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hands/plan.h"
#include "hands/problem.h"
#include "solve/evaluate.h"

// What solve, evaluate, info and show print alike of spots.
namespace cleave::cli {

void add_spot_json(nlohmann::ordered_json& out, const hands::Problem& problem,
                   const solve::Certificate& certificate, const hands::Counts& counts);
void print_spot_certificate(const hands::Problem& problem, const solve::Certificate& certificate);

// "0.19 chips (0.0932% of the pot)"
std::string chips_text(const hands::Problem& problem, double chips);
std::string board_text(const hands::Problem& problem);  // "Td9d6h Qc"; "-" where there is none
std::string count_text(double count);                   // 1,234,567 or 1.23e+18
nlohmann::ordered_json count_json(double count);        // whole where it is exact

}  // namespace cleave::cli
