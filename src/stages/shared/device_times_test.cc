#include "stages/shared/device_times.h"

#include <gtest/gtest.h>

#include "base/byte_source.h"
#include "profiles/torch_trace/torch_trace.h"

namespace ridgeline::stages {
namespace {

std::vector<report::OperatorDeviceTime> TimesIn(std::string_view events) {
  const std::string text = R"({"traceEvents": [)" + std::string(events) + "]}";
  MemorySource source(text);
  const auto rows = profiles::ReadTorchTrace(source);
  EXPECT_TRUE(rows.ok());
  return DeviceTimesOf(rows.value());
}

TEST(DeviceTimes, AreOfTheOperatorThatLaunchedTheKernel) {
  const auto times = TimesIn(
      R"({"ph":"X","cat":"user_annotation","name":"decode","pid":1,"tid":1,"ts":0,"dur":60},
         {"ph":"X","cat":"cpu_op","name":"aten::linear","pid":1,"tid":1,"ts":0,"dur":50},
         {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":5,"dur":20},
         {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,
          "ts":10,"dur":2,"args":{"correlation":7}},
         {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,
          "ts":30,"dur":2,"args":{"correlation":8}},
         {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":20,"dur":100,
          "args":{"device":0,"stream":7,"correlation":7}},
         {"ph":"X","cat":"kernel","name":"bias","pid":0,"tid":7,"ts":120,"dur":30,
          "args":{"device":0,"stream":7,"correlation":8}})");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].name, "aten::mm");
  EXPECT_EQ(times[0].self_ns, 100'000);
  EXPECT_EQ(times[1].name, "aten::linear");
  EXPECT_EQ(times[1].self_ns, 30'000);
  const std::string text = report::DeviceTimesMarkdown(times);
  EXPECT_NE(text.find("| aten::mm | 77 % | 0.100 ms | 1 |"), std::string::npos) << text;
}

TEST(DeviceTimes, AreNotThereWithoutAGpu) {
  const auto times = TimesIn(
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":5})");
  EXPECT_TRUE(times.empty());
  EXPECT_EQ(report::DeviceTimesMarkdown(times), "");
}

}  // namespace
}  // namespace ridgeline::stages
