import { expect, it } from "vitest";
import { evaluationStatus, type PolicyResult } from "../../../src/model/policy/policy-evaluation.ts";

const result = (level: PolicyResult["level"], status: PolicyResult["status"] = "FAILED") => ({ level, status });

it.each<[string, ReturnType<typeof result>[], string]>([
  ["PASSED without results", [], "PASSED"],
  ["PASSED if exceptions cover all", [result("MANDATORY", "WAIVED")], "PASSED"],
  ["WARNED by advice alone", [result("ADVISORY")], "WARNED"],
  ["FAILED by a violation", [result("ADVISORY"), result("SOFT_MANDATORY")], "FAILED"],
  ["FAILED by a denial", [result("MANDATORY")], "FAILED"],
  ["WARNED beside what an exception covers", [result("ADVISORY"), result("MANDATORY", "WAIVED")], "WARNED"],
  ["ERRORED by one policy that could not be judged", [result("MANDATORY"), result("ADVISORY", "ERROR")], "ERRORED"],
])("an evaluation is %s", (_name, results, status) => {
  expect(evaluationStatus(results)).toBe(status);
});
