#include "report/pages/pages.h"

// Defined in embedded.S.
extern "C" {
extern const char ridgeline_report_page_begin[];
extern const char ridgeline_report_page_end[];
extern const char ridgeline_runs_page_begin[];
extern const char ridgeline_runs_page_end[];
extern const char ridgeline_sweep_page_begin[];
extern const char ridgeline_sweep_page_end[];
}

namespace ridgeline::pages {

std::string_view ReportPage() {
  return {ridgeline_report_page_begin, ridgeline_report_page_end};
}

std::string_view RunsPage() {
  return {ridgeline_runs_page_begin, ridgeline_runs_page_end};
}

std::string_view SweepPage() {
  return {ridgeline_sweep_page_begin, ridgeline_sweep_page_end};
}

}  // namespace ridgeline::pages
