import { expect, test } from "vitest";
import {
  type JudgedTarget,
  judgeHealth,
  type RuntimeHealth,
  worstOf,
} from "../../../src/model/health/runtime-health.ts";

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

test("without a target the reason is that no probe watches the health", () => {
  expect(judgeHealth([]).reason).toBe("No probe watches the health of this workspace.");
});

test.each<[RuntimeHealth, JudgedTarget[]]>([
  ["UNREACHABLE", [required("UNREACHABLE")]],
  ["DEGRADED", [required("HEALTHY"), required("DEGRADED")]],
  ["UNKNOWN", [required("UNKNOWN")]],
])("a target that is %s and has no reason yet has no result", (health, targets) => {
  const verdict = judgeHealth(targets.map((target) => ({ ...target, reason: null })));
  expect(verdict).toEqual({ health, reason: "The probe web: it has no result." });
});

test("a required target that is down is the reason, before others that are", () => {
  const targets = [shown("UNREACHABLE"), required("HEALTHY"), { ...required("UNREACHABLE"), probe: "api" }];
  expect(judgeHealth(targets).reason).toBe("The probe api: Why.");
});

test("the worst target is the first of the worst health", () => {
  const targets = (["HEALTHY", "UNKNOWN", "DEGRADED", "UNREACHABLE", "UNREACHABLE"] as const).map((status, number) => {
    return { status, number };
  });
  expect([4, 3, 2, 1, 0].map((length) => worstOf(targets.slice(0, length)))).toEqual([
    targets[3],
    targets[2],
    targets[1],
    targets[0],
    null,
  ]);
  expect(worstOf(targets)).toBe(targets[3]);
});
