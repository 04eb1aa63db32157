import { expect, test } from "vitest";
import {
  type DeploymentInput,
  deploymentStatus,
  unexpiredLock,
  type WorkspaceLock,
} from "../../../src/model/workspace/workspace.ts";

const NOTHING: DeploymentInput = { paused: false, deploying: false, last: null, applied: false, health: "UNKNOWN" };
const FAILED = { kind: "DEPLOY", status: "FAILED", outcome: null, applied: false } as const;
const DESTROYED = { kind: "DESTROY", status: "FINISHED", outcome: "DESTROYED", applied: true } as const;
const APPLIED = { kind: "DEPLOY", status: "FINISHED", outcome: "APPLIED", applied: true } as const;
const STOPPED = { kind: "DEPLOY", status: "STOPPED", outcome: null, applied: false } as const;

test.each<[string, Partial<DeploymentInput>, string]>([
  ["nothing ever happened", {}, "PENDING"],
  ["something was applied", { applied: true, last: APPLIED }, "RUNNING"],
  ["something was applied long ago", { applied: true }, "RUNNING"],
  ["the last one destroyed", { applied: true, last: DESTROYED }, "DESTROYED"],
  ["the last one failed", { applied: true, last: FAILED }, "FAILED"],
  ["the first one failed", { last: FAILED }, "FAILED"],
  ["the last one timed out", { applied: true, last: { ...FAILED, status: "TIMED_OUT" } }, "FAILED"],
  ["the last apply was stopped", { applied: true, last: STOPPED }, "FAILED"],
  ["the last one was stopped while it was verified", { applied: true, last: { ...STOPPED, applied: true } }, "RUNNING"],
  ["the last one was applied, and not verified", { applied: true, last: { ...FAILED, applied: true } }, "FAILED"],
  [
    "the last destroy was stopped while it was verified",
    { applied: true, last: { ...STOPPED, kind: "DESTROY", applied: true } },
    "DESTROYED",
  ],
  ["the last destroy was stopped", { applied: true, last: { ...STOPPED, kind: "DESTROY" } }, "FAILED"],
  [
    "the last one skipped its apply",
    { applied: true, last: { ...APPLIED, outcome: "APPLY_SKIPPED", applied: false } },
    "RUNNING",
  ],
  ["it does not answer", { applied: true, last: APPLIED, health: "UNREACHABLE" }, "UNREACHABLE"],
  ["a part of it does not answer", { applied: true, last: APPLIED, health: "DEGRADED" }, "DEGRADED"],
  ["it answers", { applied: true, last: APPLIED, health: "HEALTHY" }, "RUNNING"],
  ["it does not answer after a failure", { applied: true, last: FAILED, health: "UNREACHABLE" }, "FAILED"],
  [
    "it does not answer, and a run is under way",
    { deploying: true, applied: true, health: "UNREACHABLE" },
    "DEPLOYING",
  ],
  ["it does not answer, and is paused", { paused: true, applied: true, health: "UNREACHABLE" }, "PAUSED"],
  ["it still answers after a destroy", { applied: true, last: DESTROYED, health: "HEALTHY" }, "DESTROYED"],
  ["one is under way after a failure", { deploying: true, last: FAILED }, "DEPLOYING"],
  ["one is under way after a destroy", { deploying: true, applied: true, last: DESTROYED }, "DEPLOYING"],
  ["paused, while one is under way", { paused: true, deploying: true, last: FAILED }, "PAUSED"],
])("%s", (_name, facts, expected) => {
  expect(deploymentStatus({ ...NOTHING, ...facts })).toBe(expected);
});

test("a lock stands until the instant of its end; one without an end stays", () => {
  const at = "2026-01-02T03:04:05.000Z";
  const lock = (expiresAt: string | null): WorkspaceLock => {
    return { reason: "MANUAL", runId: null, actorId: null, note: null, since: at, expiresAt };
  };
  for (const expiresAt of [null, "2026-01-02T03:04:05.001Z"]) {
    expect(unexpiredLock(lock(expiresAt), at)).toEqual(lock(expiresAt));
  }
  for (const expiresAt of [at, "2026-01-02T03:04:04.999Z"]) expect(unexpiredLock(lock(expiresAt), at)).toBeNull();
  expect(unexpiredLock(null, at)).toBeNull();
});
