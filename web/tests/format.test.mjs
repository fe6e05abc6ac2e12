// Numbers look as the program prints them: src/base/units.cc.
import assert from "node:assert/strict";
import test from "node:test";

import {load} from "./support/source.mjs";

const {format, fixed} = await load("shared/format.ts");

const cases = [
  ["seconds", 0, "0 us"],
  ["seconds", 1.6e-5, "16.0 us"],
  ["seconds", 4.3e-7, "0.43 us"],
  ["seconds", 0.0009996, "1000 us"],
  ["seconds", -0.001402, "-1.40 ms"],
  ["seconds", -4.3e-7, "-0.43 us"],
  ["seconds", 0.001, "1.00 ms"],
  ["seconds", 0.0204449025, "20.4 ms"],
  ["seconds", 0.5861821666666667, "586 ms"],
  ["seconds", 1, "1.00 s"],
  ["seconds", 28.111135838, "28.1 s"],
  ["seconds", 12345.6, "12346 s"],
  ["seconds", null, ""],
  ["nanoseconds", 1_500_000, "1.50 ms"],
  ["percent", 0.18204049689264432, "18 %"],
  ["percent", 0, "0 %"],
  ["percent", 1, "100 %"],
  ["percent", -0.00125, "-0.1 %"],
  ["percent", 0.0025, "0.2 %"],
  ["percent", 0.0331, "3.3 %"],
  ["percent", 0.0996, "10 %"],
  ["hundredths", 83.2, "83 %"],
  ["hundredths", 0.125, "0.1 %"],
  ["precise_percent", 0.000361, "0.0361 %"],
  ["precise_percent", 0.3241, "32.4 %"],
  ["precise_percent", 1, "100 %"],
  ["precise_percent", 0, "0 %"],
  ["precise_hundredths", 98.86, "98.9 %"],
  ["factor", 44.57, "44.6x"],
  ["factor", 1.288, "1.29x"],
  ["flops", 4_320_000_000_000, "4.32 TFLOP"],
  ["flops", 0, "0 FLOP"],
  ["flops", 999.4, "999 FLOP"],
  ["flops", 999.5, "1.00 kFLOP"],
  ["flops", 1e21, "1000000 PFLOP"],
  ["bytes", 1_150_000_000, "1.15 GB"],
  ["bytes", 999, "999 B"],
  ["bytes", 1000, "1.00 kB"],
  ["bytes", 5, "5.00 B"],
  ["bytes_per_s", 1.792e12, "1.79 TB/s"],
  ["bytes_per_s", 1792, "1.79 kB/s"],
  ["flops_per_s", 2.095e14, "210 TFLOP/s"],
  ["flops_per_s", 180733000608.777, "181 GFLOP/s"],
  ["parameters", 3_336_106_240, "3.34 B"],
  ["parameters", 926_000, "926 K"],
  ["parameters", 12, "12.0"],
  ["ratio", 2164.2, "2164"],
  ["ratio", 0.9876, "0.99"],
  ["ratio", 12.996914564260711, "13.0"],
  ["ratio", 2.5, "2.50"],
  ["ratio", 0.125, "0.12"],
  ["ratio", 1234.5, "1234"],
  ["ratio", 1235.5, "1236"],
  ["ratio", -3.14159, "-3.14"],
  ["whole", 3336106240, "3,336,106,240"],
  ["id", 12345, "12345"],
  ["whole", 0, "0"],
  ["whole", 171004, "171,004"],
  ["whole", 999, "999"],
  ["whole", -1000, "-1,000"],
  ["signed_bytes", -23_000_000, "-23.0 MB"],
  ["signed_bytes", 512, "512 B"],
  ["signed_bytes", 5.1e9, "5.10 GB"],
  ["signed_bytes", 7e15, "7.00 PB"],
  ["text", "a<b", "a<b"],
  ["text", false, "false"],
  ["words", "memory_bound", "memory bound"],
  ["first_segment", "a/b/c", "a"],
  ["last_segment", "a/b/c", "c"],
  ["launch_measure", "start_to_start", "from API call start"],
  ["launch_measure", "end_to_start", "from API call end"],
  ["launch_measure", "another", "another"],
  ["sentence", "3.11 s in 22.8 us", "3.11\u00A0s in 22.8\u00A0us"],
  [
    "sentence", "a 95 % CI of +/- 5 % in 6 samples",
    "a 95\u00A0%\u00A0CI of +/-\u00A05\u00A0% in 6 samples"
  ],
  [
    "sentence", "467 MFLOP, 1.20 GB/s, 4 kernels",
    "467\u00A0MFLOP, 1.20\u00A0GB/s, 4 kernels"
  ],
  ["yes_no", true, "yes"],
  ["parity", null, "output not compared with a reference"],
  ["parity", "not_checked", "output not compared with a reference"],
  ["parity", "failed", "parity failed"],
  ["completeness", true, "complete"],
  ["shell_word", "a=b", "a=b"],
  ["shell_word", "it's", "'it'\\''s'"],
];

for (const [name, value, expected] of cases) {
  test(
    `${name} of ${JSON.stringify(value)} is ${JSON.stringify(expected)}`,
    () => assert.equal(format(name, value), expected));
}

test("halves are rounded to even, as by printf", () => {
  for (const [value, behind, expected] of [
         [0.5, 0, "0"], [1.5, 0, "2"], [2.5, 0, "2"], [0.125, 2, "0.12"],
         [0.375, 2, "0.38"], [1.005, 2, "1.00"], [-0.5, 0, "-0"],
         [999999999999999.625, 2, "999999999999999.62"],
         [1e22, 1, "10000000000000000000000.0"]]) {
    assert.equal(fixed(value, behind), expected);
  }
});
