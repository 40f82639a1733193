#pragma once

#include "decompose/gadget.h"

// The root gadgets: gadgets.cpp lists them and has the short ones.
namespace cleave::decompose {

GadgetInfo distributional_gadget();

// E over X ~ Normal(mean, deviation^2) of 1 / (1 + exp((X - value) / temperature)): what the Hedge
// form takes; the step function's expectation where temperature is 0.
double softened_probability(double value, double mean, double deviation, double temperature);

}  // namespace cleave::decompose
