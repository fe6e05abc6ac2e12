#pragma once

#include <optional>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"

namespace ridgeline::config {

// The value an error is about, as shown in messages.
struct Shown {
  std::string text = "None";
  std::string type = "NoneType";
};
Shown Show(const Value& value);
Shown Show(const Node& node);

// Adds to an error, once, the key where it happened and the type stored there:
//   Key 'kernel_name' is not in struct
//       full_key: pipeline.ncu.ncu_cli.kernel_name
//       object_type=dict
// and fills in $KEY, $FULL_KEY, $VALUE, $VALUE_TYPE, $KEY_TYPE in its text.
// `node` is the container that was used; null if there is none yet.
Error Locate(Error error, const Node* node, const std::optional<Scalar>& key,
             const Shown& shown = {});

}  // namespace ridgeline::config
