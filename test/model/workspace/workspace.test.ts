import { expect, test } from "vitest";
import {
  type DeploymentInput,
  deploymentStatus,
  unexpiredLock,
  type WorkspaceLock,
} from "../../../src/model/workspace/workspace.ts";

const NOTHING: DeploymentInput = { paused: false, deploying: false, last: null, applied: false };
const FAILED = { status: "FAILED", outcome: null } as const;
const DESTROYED = { status: "FINISHED", outcome: "DESTROYED" } as const;
const APPLIED = { status: "FINISHED", outcome: "APPLIED" } as const;

test.each<[string, Partial<DeploymentInput>, string]>([
  ["nothing ever happened", {}, "PENDING"],
  ["something was applied", { applied: true, last: APPLIED }, "RUNNING"],
  ["something was applied long ago", { applied: true }, "RUNNING"],
  ["the last one destroyed", { applied: true, last: DESTROYED }, "DESTROYED"],
  ["the last one failed", { applied: true, last: FAILED }, "FAILED"],
  ["the first one failed", { last: FAILED }, "FAILED"],
  ["the last one timed out", { applied: true, last: { status: "TIMED_OUT", outcome: null } }, "FAILED"],
  ["the last apply was stopped", { applied: true, last: { status: "STOPPED", outcome: null } }, "FAILED"],
  [
    "the last one skipped its apply",
    { applied: true, last: { status: "FINISHED", outcome: "APPLY_SKIPPED" } },
    "RUNNING",
  ],
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
