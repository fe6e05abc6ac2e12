#pragma once

#include <optional>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"

namespace ridgeline::config {

// The value that an error is about, as messages show it.
struct Shown {
  std::string text = "None";
  std::string type = "NoneType";
};
Shown Show(const Value& value);
Shown Show(const Node& node);

// Adds to an error at which key it happened and what is stored there, once:
//   Key 'kernel_name' is not in struct
//       full_key: pipeline.ncu.ncu_cli.kernel_name
//       object_type=dict
// and fills in $KEY, $FULL_KEY, $VALUE, $VALUE_TYPE, $KEY_TYPE in its text.
// `node` is the container that was used; null when there is none yet.
Error Locate(Error error, const Node* node, const std::optional<Scalar>& key,
             const Shown& shown = {});

}  // namespace ridgeline::config
