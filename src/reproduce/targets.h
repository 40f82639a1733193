#pragma once

#include "reproduce/target.h"

// All targets, each in the source of its name; registry.cpp lists them.
namespace cleave::reproduce {

// Every number of Brown and Sandholm's Coin Toss, by linear program and by regret minimisation.
TargetInfo coin_toss();

// Rock-paper-scissors cut after player one's choice: what goes wrong below a cut and what mends it.
TargetInfo rps();

// Re-solving Leduc's subgames from an equilibrium's summaries, safely and not.
TargetInfo burch_fig3();
// CFR-D on Leduc, then safe re-solving: exploitability by iterations in the trunk and in the
// subgames.
TargetInfo burch_fig4();
// An abstract equilibrium of Leduc whose subgames are re-solved without the abstraction:
// exploitability, and value against the original strategy, by re-solving iterations.
TargetInfo burch_fig5();

// Leduc: the round-two subgames dropped and recovered by the standard approach, by path recovery
// games and by strategy grafting.
TargetInfo jackson_leduc();

// Table 4 of Brown and Sandholm in small: Leduc with three bet sizes against a player who knows two
// of them and answers the third by nested solving or by translation.
TargetInfo nested_leduc();

// Seven Leduc games by FPIRA: sizes of the first and the final abstraction and of the largest best
// response, time and memory.
TargetInfo fpira_table();
// FPIRA and fictitious play side by side on the largest Leduc game: exploitability, and how the
// abstraction grows, by iterations.
TargetInfo fpira_fig2();
// FPIRA on many random games of two depths: how small the abstraction stays, mean and spread.
TargetInfo fpira_random();
// CFR+ in the original game, FPIRA, and CFR+ in an abstraction that refines itself, all to the same
// exploitability: iterations, cells and memory.
TargetInfo cfr_ira_table();

// bs_tables.cpp: tables 1 to 3 of Brown and Sandholm (2017): subgame solving after card
// abstraction, in flop and turn hold'em; and figure 9, gifts scaled up.
TargetInfo bs_table1();
TargetInfo bs_table2();
TargetInfo bs_table3();
TargetInfo bs_fig9();
// Table 4: answers to bets outside the abstraction, nested solving and action translation.
TargetInfo bs_table4();

}  // namespace cleave::reproduce
