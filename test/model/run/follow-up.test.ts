import { describe, expect, it } from "vitest";
import {
  type FollowUpRefusal,
  promotionRefusal,
  requireFollowUp,
  retryRefusal,
  rollbackRefusal,
} from "../../../src/model/run/follow-up.ts";
import { RUN_KINDS } from "../../../src/model/lifecycle/run-kind.ts";
import { isTerminal, RUN_STATUSES } from "../../../src/model/lifecycle/run-status.ts";
import type { TokenRole } from "../../../src/model/people/role.ts";
import { invalidField } from "../../../src/model/kit/user-error.ts";
import { fakeCaller, fakePlan, fakeRun, fakeWorkspace } from "../../support/fake-domain.ts";
import { rightsOfRole } from "../../support/rights.ts";

const by = (role: TokenRole) => ({ ...fakeCaller, role, rights: rightsOfRole(role) });

describe("a retry", () => {
  it("is of whatever has ended, in whatever way", () => {
    for (const kind of RUN_KINDS) {
      for (const status of RUN_STATUSES) {
        const run = fakeRun(1, { kind, status });
        const workspace = fakeWorkspace(1, { tasksAllowed: true });
        const refusal = retryRefusal(by("ADMIN"), { run, workspace, plan: fakePlan(run) });
        expect([kind, status, refusal?.code]).toEqual([
          kind,
          status,
          isTerminal(status) ? undefined : "RUN_STATE_CONFLICT",
        ]);
      }
    }
  });

  it("asks again for what its kind asks for, in the order of the errors", () => {
    const refused = (kind: (typeof RUN_KINDS)[number], role: TokenRole, tasksAllowed: boolean, stateSerial: number) => {
      const run = fakeRun(1, { kind, status: "READY" });
      const ended = fakeRun(1, { kind, status: "FAILED" });
      const workspace = fakeWorkspace(1, { tasksAllowed, stateSerial });
      return [run, ended].map((each) => retryRefusal(by(role), { run: each, workspace, plan: fakePlan(each) })?.code);
    };
    expect(refused("UNLOCK", "APPROVER", false, 0)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    expect(refused("TASK", "WRITER", false, 0)).toEqual(["INVALID_INPUT", "INVALID_INPUT"]);
    expect(refused("TASK", "WRITER", true, 0)).toEqual(["RUN_STATE_CONFLICT", undefined]);
    expect(refused("APPLY", "WRITER", false, 1)).toEqual(["RUN_STATE_CONFLICT", "STALE_PLAN"]);
    expect(refused("DEPLOY", "WRITER", false, 1)).toEqual(["RUN_STATE_CONFLICT", undefined]);
  });
});

describe("a retry is not", () => {
  it("of what brought a state back", () => {
    const run = fakeRun(1, { kind: "TASK", status: "FINISHED", trigger: "ROLLBACK" });
    const workspace = fakeWorkspace(1, { tasksAllowed: true });
    const refusal = retryRefusal(by("ADMIN"), { run, workspace, plan: null });
    expect(refusal).toEqual({
      code: "INVALID_INPUT",
      reason: "is a rollback of a state: request it again (rollbackState).",
    });
  });

  it("of an apply whose plan is not kept any more; other kinds plan again", () => {
    const workspace = fakeWorkspace(1);
    const retry = (kind: "APPLY" | "DEPLOY", archiveExpiredAt: string | null) => {
      const run = fakeRun(1, { kind, status: "FAILED" });
      return retryRefusal(by("WRITER"), { run, workspace, plan: { ...fakePlan(run), archiveExpiredAt } });
    };
    expect(retry("APPLY", "2026-01-02T03:04:05.000Z")).toEqual({
      code: "INVALID_INPUT",
      reason: "applied a plan whose files were removed on 2026-01-02. Plan again.",
    });
    expect(retry("APPLY", null)).toBeNull();
    expect(retry("DEPLOY", "2026-01-02T03:04:05.000Z")).toBeNull();
    const run = fakeRun(1, { kind: "APPLY", status: "FAILED" });
    expect(retryRefusal(by("WRITER"), { run, workspace, plan: null })).toBeNull();
  });
});

it("a refusal says in a sentence what is in the way", () => {
  const [ready, task, plan] = [
    fakeRun(1, { status: "READY" }),
    fakeRun(2, { kind: "TASK", status: "FAILED" }),
    fakeRun(3, { kind: "UNLOCK", status: "FAILED" }),
  ];
  const workspace = fakeWorkspace(1, { tasksAllowed: false });
  const retry = (run: typeof ready) => retryRefusal(by("WRITER"), { run, workspace, plan: null })?.reason;
  expect(retry(ready)).toBe("Cannot retry a run of kind DEPLOY that is READY: wait for its end.");
  expect(retry(task)).toBe("is a TASK, but the workspace does not allow tasks (tasksAllowed).");
  expect(retry(plan)).toBe(
    "Your rights do not allow breaking state locks here. It needs the permission WORKSPACE_FORCE_UNLOCK, as in the role OPERATOR.",
  );
  expect(promotionRefusal({ kind: "DEPLOY", status: "FINISHED" })?.reason).toBe(
    "must be a run of kind PLAN, not DEPLOY.",
  );
  expect(promotionRefusal({ kind: "PLAN", status: "FAILED" })?.reason).toBe(
    "Cannot promote a run of kind PLAN that is FAILED. It must be FINISHED.",
  );
  const applied = { outcome: "APPLIED", refreshOnly: false, revision: "r" } as const;
  const rollback = (other: Partial<Parameters<typeof rollbackRefusal>[0]>) =>
    rollbackRefusal({ ...applied, ...other })?.reason;
  expect(rollback({ outcome: null })).toBe("must be a run whose plan was applied.");
  expect(rollback({ refreshOnly: true })).toBe(
    "must be a run that applied its configuration, not one that only refreshed the state.",
  );
  expect(rollback({ revision: null })).toBe("must be a run with a source.");
});

it("a promotion is of a PLAN run that FINISHED", () => {
  expect(promotionRefusal({ kind: "PLAN", status: "FINISHED" })).toBeNull();
  expect(promotionRefusal({ kind: "PLAN", status: "FAILED" })?.code).toBe("RUN_STATE_CONFLICT");
  expect(promotionRefusal({ kind: "DEPLOY", status: "FINISHED" })?.code).toBe("INVALID_INPUT");
});

it("a rollback is to a configuration that was applied", () => {
  const applied = { outcome: "APPLIED", refreshOnly: false, revision: "r" } as const;
  expect(rollbackRefusal(applied)).toBeNull();
  for (const other of [
    { outcome: null },
    { outcome: "DESTROYED" },
    { refreshOnly: true },
    { revision: null },
  ] as const) {
    expect(rollbackRefusal({ ...applied, ...other })?.code).toBe("INVALID_INPUT");
  }
});

it("what is refused is answered so", () => {
  expect(() => requireFollowUp(null, "run_1")).not.toThrow();
  const thrown = (refusal: FollowUpRefusal): unknown => {
    try {
      return requireFollowUp(refusal, "run_1");
    } catch (error) {
      return error;
    }
  };
  const invalid = thrown({ code: "INVALID_INPUT", reason: "must be another." });
  expect(invalid).toEqual(invalidField("runId", "must be another."));
  const stale = thrown({ code: "STALE_PLAN", reason: "It moved." });
  expect(stale).toMatchObject({ code: "STALE_PLAN", message: "It moved.", details: { runId: "run_1" } });
});
