import { describe, expect, it, test } from "vitest";
import type { Failure } from "../../../src/model/lifecycle/failure.ts";
import type { WorkspaceLock } from "../../../src/model/workspace/workspace.ts";
import {
  endData,
  gateData,
  lockData,
  type MessageContext,
  writeMessage,
} from "../../../src/model/webhook/webhook-message.ts";
import { fakeActor, fakeOrganization, fakePlan, fakeRun, fakeWorkspace } from "../../support/fake-domain.ts";

const CONTEXT: MessageContext = { organization: fakeOrganization(), workspace: fakeWorkspace() };
const PLACE = {
  organization: { id: fakeOrganization().id, slug: "org-1", name: "Organization 1" },
  workspace: { id: fakeWorkspace().id, name: "workspace-1" },
};
const PERSON = { id: fakeActor.id, kind: "USER", name: "Ada" };
const RUN = {
  id: fakeRun().id,
  number: 1,
  kind: "DEPLOY",
  status: "AWAITING_PLAN_APPROVAL",
  leg: "PLAN",
  outcome: null,
  trigger: "MANUAL",
  message: null,
  createdAt: fakeRun().createdAt,
  finishedAt: null,
  createdBy: PERSON,
};
const LONG = `${"x".repeat(498)}🐘 and more`;

test("a message has its event, its time and its data, and nothing else", () => {
  const text = writeMessage("run.ended", "2026-01-02T03:04:05.678Z", { a: 1 });
  expect(text).toBe('{"type":"run.ended","timestamp":"2026-01-02T03:04:05.678Z","data":{"a":1}}');
});

describe("a run at a gate", () => {
  const about = { createdBy: fakeActor, gate: "PLAN", stage: "security", plan: null } as const;

  it("is sent with its gate, its stage and the counts of its plan, which has no text and no values", () => {
    const run = fakeRun(1, { planVersion: 3 });
    expect(gateData(CONTEXT, { ...about, run, plan: fakePlan(run, 3) })).toEqual({
      ...PLACE,
      run: RUN,
      gate: "PLAN",
      stage: "security",
      planVersion: 3,
      plan: {
        version: 3,
        digest: "d".repeat(64),
        complete: true,
        additions: 2,
        changes: 0,
        destructions: 0,
        replacements: 0,
        imports: 0,
        moves: 0,
        forgets: 0,
      },
    });
  });

  it("may have no plan, and a creator who is not known any more", () => {
    expect(gateData(CONTEXT, { ...about, run: fakeRun(), createdBy: null })).toMatchObject({
      run: { createdBy: null },
      plan: null,
    });
  });

  it("has its message cut to 500 characters, between two of them", () => {
    const message = (text: string) => gateData(CONTEXT, { ...about, run: fakeRun(1, { message: text }) });
    expect(message("x".repeat(500))).toMatchObject({ run: { message: "x".repeat(500) } });
    expect(message("x".repeat(501))).toMatchObject({ run: { message: `${"x".repeat(499)}…` } });
    // Half of a character is none.
    expect(message(LONG)).toMatchObject({ run: { message: `${"x".repeat(498)}\uFFFD…` } });
  });
});

describe("a run that ended", () => {
  const failure: Failure = {
    code: "APPLY_FAILED",
    stage: "APPLY",
    category: "INFRASTRUCTURE_FAILURE",
    retryable: false,
    reason: "QUOTA_EXCEEDED",
    cause: null,
    summary: LONG,
    message: "secret details",
    likelyCause: "a quota",
    evidence: ["line"],
    appliedAddresses: ["a.b"],
    stateUncertain: true,
    resources: Array.from({ length: 11 }, (_, index) => {
      return { address: index === 0 ? null : `a.b[${index}]`, reason: "QUOTA_EXCEEDED", summary: "secret details" };
    }),
  };

  it("is sent with its reason and with what is public of its failure", () => {
    const run = fakeRun(1, { status: "FAILED", reason: LONG, failure, finishedAt: "2026-01-02T03:04:05.678Z" });
    const cut = `${"x".repeat(498)}\uFFFD…`;
    expect(endData(CONTEXT, { run, createdBy: fakeActor })).toEqual({
      ...PLACE,
      run: { ...RUN, status: "FAILED", finishedAt: "2026-01-02T03:04:05.678Z" },
      reason: cut,
      failure: {
        code: "APPLY_FAILED",
        reason: "QUOTA_EXCEEDED",
        cause: null,
        stage: "APPLY",
        category: "INFRASTRUCTURE_FAILURE",
        retryable: false,
        summary: cut,
        stateUncertain: true,
        resources: Array.from({ length: 10 }, (_, index) => {
          return { address: index === 0 ? null : `a.b[${index}]`, reason: "QUOTA_EXCEEDED" };
        }),
      },
    });
  });

  it("may have neither", () => {
    const data = endData(CONTEXT, { run: fakeRun(), createdBy: null });
    expect(data).toEqual({ ...PLACE, run: { ...RUN, createdBy: null }, reason: null, failure: null });
  });
});

describe("a lock", () => {
  const lock: WorkspaceLock = {
    reason: "MANUAL",
    runId: "run_1",
    actorId: fakeActor.id,
    note: LONG,
    since: "2026-01-02T03:04:05.678Z",
    expiresAt: "2026-01-03T00:00:00.000Z",
  };

  it("is sent with its person, its note and its end", () => {
    expect(lockData(CONTEXT, { lock, actor: fakeActor })).toEqual({
      ...PLACE,
      actor: PERSON,
      lock: {
        reason: "MANUAL",
        note: `${"x".repeat(498)}\uFFFD…`,
        since: lock.since,
        expiresAt: lock.expiresAt,
        runId: "run_1",
      },
    });
  });

  it("may be gone, and without a person", () => {
    expect(lockData(CONTEXT, { lock: null, actor: null })).toEqual({ ...PLACE, actor: null, lock: null });
  });
});
