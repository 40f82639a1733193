#pragma once

#include "solve/solver.h"

// All solvers, each in the source of its name, the CFR family in schedules.cpp; registry.cpp lists
// them.
namespace cleave::solve {

// Counterfactual regret minimisation with regret matching (Zinkevich et al. 2007): R += r; the
// average is uniform over iterations.
SolverInfo cfr_info();
// CFR+ (Tammelin 2014): regret matching plus, R = max(R + r, 0); iteration t weighs t^average.
SolverInfo cfr_plus_info();
// Linear CFR (Brown and Sandholm 2019): R = (R + r) * t / (t + 1), iteration t weighs t in the
// average. Here the factor is applied before adding, with t - 1 for t: the same strategies.
SolverInfo linear_cfr_info();
// Discounted CFR (Brown and Sandholm 2019). After iteration s positive regrets are scaled by
// s^alpha / (s^alpha + 1), negative ones by s^beta / (s^beta + 1), the sum of strategies by
// (s / (s + 1))^gamma; the code applies this at the beginning of iteration s + 1, before adding.
SolverInfo dcfr_info();
// Predictive CFR+ (Farina, Kroer, Sandholm 2021): regret matching plus, but the strategy is
// proportional to max(R + m, 0) with the prediction m = the newest regret; iteration t weighs
// t^average.
SolverInfo pcfr_plus_info();
// Hyperparameter schedules (Zhang, McAleer, Sandholm 2024): discounting grows milder over a horizon
// of T iterations. HS-DCFR: alpha = 1 + 3 t/T, beta = -1 - 2 t/T, gamma = start - 5 t/T. HS-PCFR+:
// PCFR+ with that gamma as exponent of the average. After T the last values stay.
SolverInfo hs_dcfr_info();
SolverInfo hs_pcfr_plus_info();

// CFR-BR (Johanson et al. 2012), the trunk being the whole game: each player, in a game of its own,
// learns by regret matching plus against an opponent who best-responds to its current strategy.
// The average and, in the limit, the current strategies are optimal.
SolverInfo cfr_br_info();
// Fictitious play in behaviour strategies (XFP; lemma 1 of Cermak et al.): each iteration both
// players best-respond to the other's average and average the pure response in, weighted by reach.
// On plans that is a plain mean. Ties go to the first or to the last action within kTieTolerance,
// so that every implementation that does the same takes the same path. Starts from uniform play or
// from the first action everywhere, which counts as one iteration of the average.
SolverInfo fictitious_play_info();
SolverInfo fpira_info();    // ira/fpira.cpp
SolverInfo cfr_ira_info();  // ira/cfr_ira.h

// Chance-sampling CFR (Zinkevich, Johanson, Bowling and Piccione 2007): an iteration draws chance's
// actions, follows all of both players' and updates both at once.
SolverInfo chance_sampling_info();
// External-sampling MCCFR (Lanctot, Waugh, Zinkevich and Bowling 2009): one iteration walks once
// for each player, following all of the player's own actions and drawing everyone else's.
SolverInfo external_sampling_info();
// Pure external CFR, as Jackson's "two four-byte integers for each action at each information set":
// external sampling in which the walking player's strategy is drawn to one action too, so that
// regrets and average are whole numbers.
SolverInfo pure_cfr_info();

SolverInfo sequence_lp_info();
SolverInfo backward_induction_info();

}  // namespace cleave::solve
