// Values of the report's JSON as text; null is an empty text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ridgeline::report {

std::string Text(const nlohmann::ordered_json& value);
std::string Time(const nlohmann::ordered_json& seconds);  // "29.1 ms"
std::string Share(const nlohmann::ordered_json& share);   // "12 %"
std::string Whole(const nlohmann::ordered_json& number);  // "1234"
std::string Rate(const nlohmann::ordered_json& number);   // "12.3"
std::string Factor(const nlohmann::ordered_json& ratio);  // "12.3x"
std::string Flops(const nlohmann::ordered_json& number);  // "1.20 GFLOP"
std::string Bytes(const nlohmann::ordered_json& number);  // "3.40 MB"
std::string FlopsPerSecond(const nlohmann::ordered_json& number);
std::string BytesPerSecond(const nlohmann::ordered_json& number);

}  // namespace ridgeline::report
