import { describe, expect, it } from "vitest";
import { promotionRefusal, requireFollowUp, retryRefusal, rollbackRefusal } from "../../../src/model/run/follow-up.ts";
import { rightsOfRole } from "../../../src/model/people/grant.ts";
import { RUN_KINDS } from "../../../src/model/lifecycle/run-kind.ts";
import { isTerminal, RUN_STATUSES } from "../../../src/model/lifecycle/run-status.ts";
import type { TokenRole } from "../../../src/model/people/token.ts";
import { invalidField } from "../../../src/model/kit/user-error.ts";
import { fakeCaller, fakePlan, fakeRun, fakeWorkspace } from "../../support/fake-domain.ts";

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
  expect(() => requireFollowUp({ code: "INVALID_INPUT", reason: "must be another." }, "run_1")).toThrow(
    invalidField("runId", "must be another."),
  );
  expect(() => requireFollowUp({ code: "STALE_PLAN", reason: "It moved." }, "run_1")).toThrow("It moved.");
});
