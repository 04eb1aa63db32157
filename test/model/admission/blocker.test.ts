import { expect, test } from "vitest";
import type { BlockerInput } from "../../../src/model/admission/blocker-input.ts";
import type { BlockerKind } from "../../../src/model/admission/blocker-kind.ts";
import {
  type Blocker,
  blockersOf,
  type OrganizationSights,
  shownBlocker,
} from "../../../src/model/admission/blocker.ts";
import type { AdmissionConditions } from "../../../src/model/admission/eligibility.ts";
import { CLAIMABLE_STATUSES, RUN_STATUSES, type RunStatus } from "../../../src/model/lifecycle/run-status.ts";

const AT = "2026-01-02T03:04:05.000Z";
const EARLIER = "2026-01-02T03:00:00.000Z";
const LATER = "2026-01-02T03:05:00.000Z";
const STARTS_AT = "2026-01-02T03:06:00.000Z";

interface Overrides extends Partial<Omit<BlockerInput, "run" | "workspace">> {
  run?: Partial<BlockerInput["run"]>;
  workspace?: Partial<BlockerInput["workspace"]>;
  conditions?: Partial<AdmissionConditions>;
}

const SUPPLY = {
  pool: null,
  labels: [],
  present: 1,
  draining: 0,
  offline: 0,
  drainingSince: null,
  offlineSince: null,
};

/** Of a run in whose way there is nothing, and which has had its place for no time. */
function blockers(
  { run, workspace, conditions, ...rest }: Overrides,
  sights: OrganizationSights = { figures: true, runners: true },
): Blocker[] {
  const found = blockersOf(
    {
      run: { kind: "DEPLOY", status: "READY", statusAt: AT, scheduledAt: null, applyAt: null, ...run },
      workspace: { lock: null, holder: null, ahead: null, position: 1, ...workspace },
      place: { offered: true, reachable: true, since: AT, position: 1 },
      organization: { busy: 0, promised: 0, limit: 3 },
      runners: SUPPLY,
      upstream: null,
      history: { holdMs: null, jobMs: null },
      ...rest,
    },
    { at: AT, paused: false, lock: null, lockRunId: null, frozenUntil: null, ...conditions },
  );
  return found.map((one) => shownBlocker(one, sights));
}

const kinds = (overrides: Overrides): string[] => blockers(overrides).map(({ kind }) => kind);

const MANUAL = {
  reason: "MANUAL",
  since: EARLIER,
  expiresAt: null,
  note: null,
  actorName: "alice",
  runNumber: null,
} as const;

const IN_THE_WAY = {
  conditions: { paused: true, lock: "MANUAL", frozenUntil: LATER },
  workspace: {
    lock: { ...MANUAL, expiresAt: LATER },
    holder: { id: "run_1", number: 1, since: EARLIER },
    ahead: { id: "run_2", number: 2, since: EARLIER },
    position: 2,
  },
} as const satisfies Overrides;

test.each(CLAIMABLE_STATUSES)("%s, about to be taken by a runner: nothing is in the way", (status) => {
  expect(kinds({ run: { status } })).toEqual([]);
});

test.each(RUN_STATUSES.filter((status) => status !== "QUEUED" && !CLAIMABLE_STATUSES.includes(status)))(
  "%s waits for nothing that could block it",
  (status) => {
    expect(kinds({ ...IN_THE_WAY, place: null, run: { status } })).toEqual([]);
  },
);

const ENDS: Partial<Record<BlockerKind, string>> = {
  WORKSPACE_LOCKED: LATER,
  FREEZE_WINDOW: LATER,
  SCHEDULED_AT: STARTS_AT,
};

test.each<[RunStatus, string[]]>([
  ["QUEUED", ["WORKSPACE_PAUSED", "WORKSPACE_LOCKED", "SCHEDULED_AT", "WORKSPACE_BUSY"]],
  ["READY", ["WORKSPACE_PAUSED", "WORKSPACE_BUSY"]],
  ["REPLAN_REQUESTED", ["WORKSPACE_PAUSED", "WORKSPACE_BUSY"]],
  ["CONFIRMED", ["WORKSPACE_PAUSED", "WORKSPACE_LOCKED", "SCHEDULED_AT", "FREEZE_WINDOW", "WORKSPACE_BUSY"]],
])("%s, with everything in the way", (status, expected) => {
  const found = blockers({ ...IN_THE_WAY, run: { status, scheduledAt: STARTS_AT, applyAt: STARTS_AT } });
  expect(found.map(({ kind }) => kind)).toEqual(expected);
  // Every one says since when, and a sentence; those that end by themselves, when.
  for (const { kind, since, until, message } of found) {
    expect([kind, since]).toEqual([kind, kind === "WORKSPACE_LOCKED" ? EARLIER : AT]);
    expect(message).toMatch(/^[A-Z].{10,}\.$/);
    expect([kind, until]).toEqual([kind, ENDS[kind] ?? null]);
    if (kind === "SCHEDULED_AT" || kind === "FREEZE_WINDOW") expect(message).toContain(until);
  }
});

test("a queued run is never without a blocker", () => {
  const [due, ...rest] = blockers({ run: { status: "QUEUED", scheduledAt: EARLIER }, place: null });
  expect(rest).toEqual([]);
  expect(due).toMatchObject({ kind: "SCHEDULED_AT", until: EARLIER, position: null });
  const [next] = blockers({ run: { status: "QUEUED" }, place: null, workspace: { position: 4 } });
  expect(next).toMatchObject({ kind: "WORKSPACE_BUSY", until: null, position: 4, message: due?.message });
  expect(next?.message).toMatch(/^[A-Z].{10,}\.$/);
  expect(kinds({ run: { status: "QUEUED" }, place: null })).toEqual(["WORKSPACE_BUSY"]);
  expect(kinds({ run: { status: "QUEUED", kind: "PLAN" }, place: null })).toEqual(["WORKSPACE_BUSY"]);
});

test("a busy workspace names the run, its place in the queue, and since when both have been there", () => {
  const holder = { id: "run_1", number: 41, since: EARLIER };
  const run = { status: "QUEUED" } as const;
  const [busy] = blockers({ run, workspace: { holder, position: 2 } });
  expect(busy).toMatchObject({ kind: "WORKSPACE_BUSY", runId: "run_1", since: AT, position: 2 });
  expect(busy?.message).toBe("Run 41 holds the workspace. Wait for its end, or cancel it.");
  const [later] = blockers({ run, workspace: { holder: { ...holder, since: LATER } } });
  expect(later?.since).toBe(LATER);
  const ahead = { id: "run_2", number: 2, since: EARLIER };
  expect(blockers({ run, workspace: { holder, ahead } }).map(({ runId }) => runId)).toEqual(["run_1"]);
  const [waits] = blockers({ run, workspace: { ahead } });
  expect(waits).toMatchObject({ runId: "run_2", message: "Run 2 comes first. Wait for it, or cancel it." });
});

test("a speculative plan does not wait for the workspace, but for plans of it that come first", () => {
  const run = { kind: "PLAN", status: "QUEUED" } as const;
  expect(kinds({ ...IN_THE_WAY, run })).toEqual(["WORKSPACE_PAUSED", "WORKSPACE_LOCKED"]);
  const [behind] = blockers({ run: { kind: "PLAN" }, place: null, workspace: { position: 3 } });
  expect(behind).toMatchObject({ kind: "NO_RUNNER", position: 3 });
  expect(behind?.message).toContain("Another plan of the workspace");
  const [next] = blockers({ place: null });
  expect(next?.message).toMatch(/^The [^A-Z]{10,}\.$/);
});

test("an UNLOCK passes the lock of an interrupted apply, which names its run to the others", () => {
  const conditions = { lock: "APPLY_INTERRUPTED", lockRunId: "run_9" } as const;
  const run = { status: "QUEUED", kind: "UNLOCK" } as const;
  expect(kinds({ run, conditions })).toEqual(["WORKSPACE_BUSY"]);
  const lock = { ...MANUAL, reason: "APPLY_INTERRUPTED", actorName: null, runNumber: 9 } as const;
  const [locked] = blockers({ run: { ...run, kind: "DEPLOY" }, conditions, workspace: { lock } });
  expect(locked).toMatchObject({
    kind: "WORKSPACE_LOCKED",
    runId: "run_9",
    message:
      `The workspace is locked since ${EARLIER}: the apply of run 9 was interrupted. ` +
      "Check what it did, then unlock the workspace with force.",
  });
  const by = { conditions: { lock: "MANUAL" }, workspace: { lock: { ...MANUAL, note: "moving house" } } } as const;
  const [manual] = blockers({ run: { ...run, kind: "DEPLOY" }, ...by });
  expect(manual?.message).toBe(
    `The workspace is locked by alice since ${EARLIER}: "moving house". Unlock it, or wait.`,
  );
});

test("no place: how many of how many are taken", () => {
  const place = { offered: false, reachable: true, since: EARLIER, position: 4 };
  const [full] = blockers({ place, organization: { busy: 3, promised: 0, limit: 3 } });
  expect(full).toMatchObject({ kind: "ORGANIZATION_LIMIT", since: EARLIER, position: 4 });
  expect(full?.message).toBe("The organization has 3 of 3 concurrent runs. Wait, or raise `concurrencyLimit`.");
  const [promised] = blockers({ place, organization: { busy: 1, promised: 2, limit: 3 } });
  expect(promised?.message).toBe(
    "The organization has 3 of 3 concurrent runs, 2 of which wait for a runner. Wait, or raise `concurrencyLimit`.",
  );
});

test("a check for drift of a pool that runs as many as it may", () => {
  const place = { offered: false, reachable: true, limited: true, since: EARLIER, position: 4 };
  const message =
    "The pool runs as many checks for drift as it may at once. Wait, or raise `driftCheckLimit` of the pool.";
  const shown = { kind: "DRIFT_LIMIT", since: EARLIER, message, estimatedStartAt: null };
  expect(blockers({ place })).toMatchObject([{ ...shown, position: 4 }]);
  expect(blockers({ place }, { figures: false, runners: false })).toMatchObject([{ ...shown, position: null }]);
});

test("no runner: none is there, or none comes within one round of the scheduler", () => {
  const gone = { ...SUPPLY, present: 0, offline: 1, offlineSince: EARLIER };
  const message = `No runner is available (1 offline since ${EARLIER}). Start one.`;
  expect(blockers({ runners: gone })).toMatchObject([{ kind: "NO_RUNNER", since: EARLIER, message }]);
  expect(blockers({ runners: { ...SUPPLY, present: 0 } })).toMatchObject([{ since: AT }]);
  const place = (since: string) => ({ offered: true, reachable: true, since, position: 2 });
  expect(kinds({ place: place("2026-01-02T03:04:03.000Z") })).toEqual([]);
  const [atWork] = blockers({ place: place("2026-01-02T03:04:02.999Z") });
  expect(atWork).toMatchObject({
    kind: "NO_RUNNER",
    message: "All runners are busy. Wait, or start another one.",
    position: 2,
  });
});

test("no runner: what is missing is named, also where others have the places of the organization", () => {
  const place = { offered: false, reachable: false, since: AT, position: 1 };
  const wanted = { ...SUPPLY, pool: "gpu", labels: ["a100", "eu"], present: 0 };
  const [none] = blockers({ place, runners: wanted });
  const message = "No runner of the pool gpu with the labels a100, eu is available. Start one.";
  expect(none).toMatchObject({ kind: "NO_RUNNER", message, since: AT });
  const gone = { offline: 2, offlineSince: EARLIER, draining: 1, drainingSince: LATER };
  const [some] = blockers({ place, runners: { ...wanted, labels: ["eu"], ...gone } });
  expect(some?.message).toBe(
    `No runner of the pool gpu with the label eu is available (2 offline since ${EARLIER}, 1 draining since ${LATER}). Start one.`,
  );
  expect(some?.since).toBe(LATER);
});

test("no runner: those of which nobody knows since when are gone, and none is missing where one is present", () => {
  const runners = { ...SUPPLY, present: 0, offline: 1, draining: 2 };
  expect(blockers({ runners })).toMatchObject([
    { since: AT, message: "No runner is available (1 offline, 2 draining). Start one." },
  ]);
  const place = { offered: true, reachable: true, since: EARLIER, position: 1 };
  expect(blockers({ place, runners: { ...SUPPLY, offline: 1, offlineSince: LATER } })).toMatchObject([
    { since: EARLIER },
  ]);
});

test("estimates: the median times the place, never in the past, none without history or where a person decides", () => {
  const minute = 60_000;
  const history = { holdMs: 10 * minute, jobMs: minute };
  const estimate = (overrides: Overrides) => blockers({ history, ...overrides })[0]?.estimatedStartAt;
  const run = { status: "QUEUED" } as const;
  const holder = { id: "run_1", number: 1, since: EARLIER };
  // Four minutes and five seconds of ten are over.
  expect(estimate({ run, workspace: { holder, position: 1 } })).toBe("2026-01-02T03:10:00.000Z");
  expect(estimate({ run, workspace: { holder, position: 3 } })).toBe("2026-01-02T03:30:00.000Z");
  const overdue = { ...holder, since: "2026-01-02T02:00:00.000Z" };
  expect(estimate({ run, workspace: { holder: overdue } })).toBe(AT);
  expect(estimate({ run, workspace: { holder }, conditions: { paused: true } })).toBeNull();
  expect(estimate({ run, workspace: { holder }, history: { holdMs: null, jobMs: minute } })).toBeNull();
  // Three at a time: the fourth is of the second round.
  const place = { offered: false, reachable: true, since: AT, position: 4 };
  expect(estimate({ place })).toBe("2026-01-02T03:06:05.000Z");
  expect(estimate({ place, history: { holdMs: minute, jobMs: null } })).toBeNull();
  expect(estimate({ place: null })).toBeNull();
  const ahead = { id: "run_2", number: 2, since: EARLIER };
  expect(estimate({ run, workspace: { ahead, position: 2 } })).toBe("2026-01-02T03:14:05.000Z");
});

test("estimates: there is none beside what ends when a person decides, or at an instant of its own", () => {
  const history = { holdMs: 60_000, jobMs: 60_000 };
  const run = { status: "CONFIRMED", applyAt: LATER } as const;
  const found = blockers({ ...IN_THE_WAY, run, history });
  expect(found.map(({ estimatedStartAt }) => estimatedStartAt)).toEqual([null, null, null, null, null]);
  const { holder } = IN_THE_WAY.workspace;
  const alone: Overrides[] = [
    { conditions: { paused: true } },
    { conditions: { lock: "MANUAL" } },
    { conditions: { frozenUntil: LATER } },
    { run },
  ];
  for (const each of alone) {
    const [, busy] = blockers({ run: { status: "CONFIRMED" }, ...each, workspace: { holder }, history });
    expect(busy).toMatchObject({ kind: "WORKSPACE_BUSY", estimatedStartAt: null });
  }
});

test("a blocker without the figures of the organization has no place, no estimate and no counts", () => {
  const waits = {
    place: { offered: false, reachable: true, since: EARLIER, position: 4 },
    organization: { busy: 2, promised: 1, limit: 3 },
    upstream: null,
    history: { holdMs: null, jobMs: 60_000 },
  };
  const [shown] = blockers(waits);
  expect(shown).toMatchObject({ kind: "ORGANIZATION_LIMIT", position: 4, message: expect.stringContaining("3 of 3") });
  expect(shown?.estimatedStartAt).not.toBe(null);
  const [reduced] = blockers(waits, { figures: false, runners: true });
  const message = "The organization has reached its limit of concurrent runs. Wait, or raise `concurrencyLimit`.";
  expect(reduced).toEqual({ ...shown, message, position: null, estimatedStartAt: null });
});

test("a blocker without the runners of the organization names no pool and no number of them", () => {
  const waits = {
    place: { offered: true, reachable: true, since: EARLIER, position: 4 },
    runners: { ...SUPPLY, pool: "secret", labels: ["gpu"], present: 0, draining: 2, drainingSince: AT },
  };
  const [shown] = blockers(waits);
  expect(shown).toMatchObject({
    kind: "NO_RUNNER",
    since: AT,
    message: expect.stringMatching(/secret.*gpu.*2 draining/),
  });
  const [reduced] = blockers(waits, { figures: true, runners: false });
  const message = "No runner with the label gpu is available. Start one.";
  expect(reduced).toEqual({ ...shown, message, since: EARLIER });
});

test("a blocker of the workspace is the same for all who read the run", () => {
  const [shown] = blockers(IN_THE_WAY);
  expect(blockers(IN_THE_WAY, { figures: false, runners: false })[0]).toEqual(shown);
});
