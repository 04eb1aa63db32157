import { describe, expect, it, test } from "vitest";
import type { WorkspaceLock } from "../../../src/model/workspace/workspace.ts";
import {
  isOwnLock,
  refuseDeletion,
  refuseImport,
  refuseOthersLock,
  refuseStateUnlock,
  refuseTask,
  type WorkspaceUse,
} from "../../../src/model/workspace/workspace-use.ts";

const ALICE = "usr_alice";
const BOB = "usr_bob";
const SINCE = "2026-01-02T03:04:05.678Z";
const MANUAL: WorkspaceLock = {
  reason: "MANUAL",
  runId: null,
  actorId: ALICE,
  note: null,
  since: SINCE,
  expiresAt: null,
};
const INTERRUPTED: WorkspaceLock = { ...MANUAL, reason: "APPLY_INTERRUPTED", runId: "run_12", actorId: null };
const FREE: WorkspaceUse = {
  locker: { actorName: "alice", runNumber: 12 },
  liveRun: null,
  stateLock: null,
  state: null,
};
const LIVE: WorkspaceUse = { ...FREE, liveRun: { id: "run_13", number: 13, status: "PLANNING" } };
const OF_PERSON = { id: "l", who: "bob@host", runId: null, runNumber: null, actorId: BOB, inUse: false };
const OF_JOB = { id: "l", who: "runner", runId: "run_13", runNumber: 13, actorId: null, inUse: true };
const BY_ALICE = `The workspace is locked by alice since ${SINCE}.`;
const BY_RUN = `The workspace is locked since ${SINCE}: the apply of run 12 was interrupted.`;

test("a lock is its person's own, and that of an interrupted apply no person's", () => {
  expect(isOwnLock(MANUAL, ALICE)).toBe(true);
  expect(isOwnLock(MANUAL, BOB)).toBe(false);
  expect(isOwnLock({ ...INTERRUPTED, actorId: ALICE }, ALICE)).toBe(false);
});

describe("locking, and unlocking without force", () => {
  it("are free without a lock, and under one's own", () => {
    expect(refuseOthersLock(null, FREE, BOB)).toBeNull();
    expect(refuseOthersLock(MANUAL, FREE, ALICE)).toBeNull();
  });

  it("are refused under another lock, with what to do", () => {
    expect(refuseOthersLock(MANUAL, FREE, BOB)).toEqual({
      code: "WORKSPACE_LOCKED",
      reason: `${BY_ALICE} An admin can unlock it with force.`,
    });
    expect(refuseOthersLock(INTERRUPTED, FREE, BOB)).toEqual({
      code: "WORKSPACE_LOCKED",
      reason: `${BY_RUN} Check what it did, then unlock the workspace with force.`,
    });
  });
});

describe("a deletion", () => {
  const state = (resourceCount: number | null) => ({ resourceCount, hasOlder: false });

  it("is refused while a run is live, also with force", () => {
    const reason = "Run 13 is PLANNING; cancel it, or wait for its end.";
    const refusal = { code: "RUN_STATE_CONFLICT", runId: "run_13", reason };
    for (const force of [false, true]) expect(refuseDeletion(MANUAL, LIVE, force)).toEqual(refusal);
  });

  it("is refused under any lock, also with force", () => {
    for (const force of [false, true]) {
      expect(refuseDeletion(MANUAL, FREE, force)).toEqual({
        code: "WORKSPACE_LOCKED",
        reason: `${BY_ALICE} Unlock it first.`,
      });
      expect(refuseDeletion(INTERRUPTED, FREE, force)).toEqual({
        code: "WORKSPACE_LOCKED",
        reason: `${BY_RUN} Unlock it first.`,
      });
    }
  });

  it("is refused while a person's engine has the state, and not for what a job left behind", () => {
    const reason = "must have no lock on its state. It is locked by bob@host; release it first.";
    const refusal = { code: "INVALID_INPUT", field: "workspaceId", reason };
    expect(refuseDeletion(null, { ...FREE, stateLock: OF_PERSON }, true)).toEqual(refusal);
    expect(refuseDeletion(null, { ...FREE, stateLock: OF_JOB }, false)).toBeNull();
  });

  it.each([
    [1, "1 resource"],
    [2, "2 resources"],
    [null, "some resources"],
  ])("needs force where %s resources are left in the state", (count, what) => {
    expect(refuseDeletion(null, { ...FREE, state: state(count) }, false)).toEqual({
      code: "INVALID_INPUT",
      field: "force",
      reason: `must be true: the state still has ${what}, which no workspace would manage any more.`,
    });
    expect(refuseDeletion(null, { ...FREE, state: state(count) }, true)).toBeNull();
  });

  it("needs none where nothing is left", () => {
    expect(refuseDeletion(null, { ...FREE, state: state(0) }, false)).toBeNull();
    expect(refuseDeletion(null, FREE, false)).toBeNull();
  });
});

describe("an import of a state", () => {
  it("is refused while a run is live", () => {
    expect(refuseImport(null, LIVE, ALICE)).toEqual({
      code: "RUN_STATE_CONFLICT",
      runId: "run_13",
      reason: "Run 13 is PLANNING. Wait for its end, then import the state.",
    });
  });

  it("is refused under another person's lock alone", () => {
    expect(refuseImport(MANUAL, FREE, BOB)).toEqual({
      code: "WORKSPACE_LOCKED",
      reason: `${BY_ALICE} Unlock it, then import the state.`,
    });
    for (const lock of [null, MANUAL, INTERRUPTED]) expect(refuseImport(lock, FREE, ALICE)).toBeNull();
  });

  it("is refused while a person's engine has the state, and not for what a job left behind", () => {
    expect(refuseImport(null, { ...FREE, stateLock: OF_PERSON }, ALICE)).toEqual({
      code: "WORKSPACE_LOCKED",
      reason: "The state is locked by bob@host. Release the lock, then import the state.",
    });
    expect(refuseImport(null, { ...FREE, stateLock: OF_JOB }, ALICE)).toBeNull();
  });
});

test("a state lock is not broken while its run is at work, and any other one is", () => {
  expect(refuseStateUnlock({ ...FREE, stateLock: OF_JOB })).toEqual({
    code: "RUN_STATE_CONFLICT",
    runId: "run_13",
    reason: "Run 13 is executing and holds the state lock: wait for its end.",
  });
  expect(refuseStateUnlock({ ...FREE, stateLock: { ...OF_JOB, runNumber: null } })).toMatchObject({
    reason: "A run is executing and holds the state lock: wait for its end.",
  });
  for (const stateLock of [null, { ...OF_JOB, inUse: false }, { ...OF_PERSON, inUse: true }]) {
    expect(refuseStateUnlock({ ...FREE, stateLock })).toBeNull();
  }
});

test("a task needs a workspace that allows tasks", () => {
  expect(refuseTask({ tasksAllowed: true })).toBeNull();
  expect(refuseTask({ tasksAllowed: false })).toEqual({
    code: "INVALID_INPUT",
    field: "kind",
    reason: "cannot be TASK, because the workspace has `tasksAllowed` false.",
  });
});
