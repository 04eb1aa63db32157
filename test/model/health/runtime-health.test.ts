import { expect, test } from "vitest";
import { type JudgedTarget, judgeHealth, type RuntimeHealth } from "../../../src/model/health/runtime-health.ts";

const required = (status: RuntimeHealth): JudgedTarget => ({
  probe: "web",
  weight: "REQUIRED",
  status,
  reason: "Why.",
});
const shown = (status: RuntimeHealth): JudgedTarget => ({
  ...required(status),
  probe: "extra",
  weight: "INFORMATIONAL",
});

const CASES: [RuntimeHealth, JudgedTarget[]][] = [
  ["UNKNOWN", []],
  ["HEALTHY", [required("HEALTHY")]],
  ["UNREACHABLE", [required("UNREACHABLE")]],
  ["UNREACHABLE", [required("UNREACHABLE"), required("UNREACHABLE"), shown("HEALTHY")]],
  ["UNREACHABLE", [required("UNREACHABLE"), shown("UNKNOWN")]],
  ["DEGRADED", [required("UNREACHABLE"), required("HEALTHY")]],
  ["DEGRADED", [required("UNREACHABLE"), required("UNKNOWN")]],
  ["DEGRADED", [required("DEGRADED")]],
  ["DEGRADED", [required("HEALTHY"), shown("UNREACHABLE")]],
  ["DEGRADED", [required("HEALTHY"), shown("DEGRADED")]],
  ["DEGRADED", [required("UNKNOWN"), shown("UNREACHABLE")]],
  ["DEGRADED", [shown("UNREACHABLE")]],
  ["UNKNOWN", [required("UNKNOWN")]],
  ["UNKNOWN", [required("HEALTHY"), required("UNKNOWN")]],
  ["UNKNOWN", [shown("HEALTHY"), shown("UNKNOWN")]],
  ["HEALTHY", [required("HEALTHY"), shown("UNKNOWN")]],
  ["HEALTHY", [shown("HEALTHY")]],
];

test.each(CASES)("%s: %j", (health, targets) => {
  const verdict = judgeHealth(targets);
  expect(verdict.health).toBe(health);
  expect(verdict.reason === null).toBe(health === "HEALTHY");
});

test("the reason names the probe that decides", () => {
  expect(judgeHealth([required("HEALTHY"), shown("UNREACHABLE")]).reason).toBe("The probe extra: Why.");
});
