#pragma once

#include "decompose/gadget.h"

// A root gadget of one's own: the opponent comes with every private state alike, whatever the
// trunk says.
class WaryGadget final : public cleave::decompose::Gadget {
 public:
  explicit WaryGadget(const cleave::decompose::GadgetInput& input);
  void enter(std::span<double> reach) override;
  void learn(const cleave::kernels::RegretUpdate& update, std::span<const double> values) override;
  cleave::decompose::EntryForm form() const override;

 private:
  std::vector<double> reach_;
};

cleave::decompose::GadgetInfo wary_gadget();
