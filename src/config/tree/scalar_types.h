#pragma once

#include "config/error.h"
#include "config/tree/type_hint.h"
#include "config/value/value.h"

namespace ridgeline::config {

// The value as stored by a node with this hint ("12" becomes 12 in an integer field, 1
// becomes true in a bool field), or an error. Errors are not located.
Result<Value> ConvertScalar(const TypeHint& hint, const Value& value);

}  // namespace ridgeline::config
