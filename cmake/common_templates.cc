// The instantiations that common_templates.h declares.
#define RIDGELINE_COMMON_TEMPLATE template
#include "common_templates.h"
