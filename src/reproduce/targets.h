#pragma once

#include "reproduce/target.h"

// All targets, each in the source of its name, which says what it is; registry.cpp lists them.
namespace cleave::reproduce {

TargetInfo coin_toss();
TargetInfo rps();
TargetInfo burch_fig3();
TargetInfo burch_fig4();
TargetInfo burch_fig5();
TargetInfo jackson_leduc();
TargetInfo nested_leduc();
TargetInfo fpira_table();
TargetInfo fpira_fig2();
TargetInfo fpira_random();
TargetInfo cfr_ira_table();
TargetInfo bs_table1();  // this and the next three: bs_tables.cpp
TargetInfo bs_table2();
TargetInfo bs_table3();
TargetInfo bs_fig9();
TargetInfo bs_table4();

}  // namespace cleave::reproduce
