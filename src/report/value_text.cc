#include "report/value_text.h"

#include "estimates/scaled.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {

using Json = nlohmann::ordered_json;

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

std::string Time(const Json& seconds) {
  return seconds.is_number() ? estimates::Seconds(seconds.get<double>()) : "";
}

std::string Share(const Json& share) {
  return share.is_number() ? Percent(share.get<double>()) : "";
}

std::string Whole(const Json& number) {
  return number.is_number() ? std::to_string(number.get<int64_t>()) : "";
}

std::string Rate(const Json& number) {
  return number.is_number() ? estimates::Ratio(number.get<double>()) : "";
}

std::string Factor(const Json& ratio) {
  return ratio.is_number() ? estimates::Ratio(ratio.get<double>()) + "x" : "";
}

std::string Flops(const Json& number) {
  return number.is_number_unsigned() || number.is_number_integer()
             ? estimates::Flops(cost::Count(number.get<uint64_t>()))
             : "";
}

std::string Bytes(const Json& number) {
  return number.is_number_unsigned() || number.is_number_integer()
             ? estimates::Bytes(cost::Count(number.get<uint64_t>()))
             : "";
}

std::string FlopsPerSecond(const Json& number) {
  return number.is_number() ? estimates::Flops(number.get<double>()) : "";
}

std::string BytesPerSecond(const Json& number) {
  return number.is_number() ? estimates::Bytes(number.get<double>()) : "";
}

}  // namespace ridgeline::report
