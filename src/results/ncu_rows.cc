#include "results/ncu_rows.h"

namespace ridgeline::results {

std::string_view NameOf(NcuForm form) {
  switch (form) {
    case NcuForm::kWide:
      return "wide";
    case NcuForm::kLong:
      return "long";
    case NcuForm::kSummary:
      return "summary";
    case NcuForm::kReport:
      return "report";
  }
  return "";
}

}  // namespace ridgeline::results
