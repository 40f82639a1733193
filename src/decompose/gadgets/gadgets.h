#pragma once

#include "decompose/gadget.h"

// The root gadgets, each in the source of its name; gadget.cpp lists them.
namespace cleave::decompose {

GadgetInfo unsafe_gadget();
GadgetInfo resolve_gadget();
GadgetInfo maxmargin_gadget();
GadgetInfo distributional_gadget();
GadgetInfo combined_gadget();

// The trunk's reach scaled so that it brings as much into the subgame as entering always does:
// sum over states of reach * rho = sum of rho. Throws InputError where it brings nothing.
std::vector<double> normalised_trunk_reach(const GadgetInput& input);

// E over X ~ Normal(mean, deviation^2) of 1 / (1 + exp((X - value) / temperature)): what the Hedge
// form takes; the step function's expectation where temperature is 0.
double softened_probability(double value, double mean, double deviation, double temperature);

}  // namespace cleave::decompose
