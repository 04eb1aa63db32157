import { expect, test } from "vitest";
import { type BlockerFacts, blockersOf } from "../../src/model/blocker.ts";
import { CLAIMABLE_STATUSES, RUN_STATUSES, type RunStatus } from "../../src/model/run-status.ts";

const AT = "2026-01-02T03:04:05.000Z";
const EARLIER = "2026-01-02T03:00:00.000Z";
const LATER = "2026-01-02T03:05:00.000Z";

interface Overrides {
  run?: Partial<BlockerFacts["run"]>;
  workspace?: Partial<BlockerFacts["workspace"]>;
  organization?: BlockerFacts["organization"];
  runners?: BlockerFacts["runners"];
}

/** A run in whose way there is nothing. */
function facts({ run, workspace, organization, runners }: Overrides): BlockerFacts {
  return {
    run: { kind: "DEPLOY", status: "QUEUED", statusAt: AT, ...run },
    workspace: { paused: false, lock: null, holder: null, ahead: null, position: 1, ...workspace },
    organization: organization ?? { busy: 0, limit: 3 },
    runners: runners ?? { present: true, lastSeenAt: AT },
  };
}

const kinds = (overrides: Overrides): string[] => blockersOf(facts(overrides)).map(({ kind }) => kind);

const EVERYTHING = {
  workspace: {
    paused: true,
    lock: { reason: "MANUAL", since: EARLIER },
    holder: { id: "run_1", number: 1, since: EARLIER },
    ahead: { id: "run_2", number: 2, since: EARLIER },
    position: 2,
  },
  organization: { busy: 3, limit: 3 },
  runners: { present: false, lastSeenAt: EARLIER },
} as const satisfies Overrides;

test("a run that nothing is in the way of has no blockers", () => {
  for (const status of RUN_STATUSES) expect(kinds({ run: { status } })).toEqual([]);
});

test.each(RUN_STATUSES.filter((status) => status !== "QUEUED" && !CLAIMABLE_STATUSES.includes(status)))(
  "%s waits for nothing that could block it",
  (status) => {
    expect(kinds({ ...EVERYTHING, run: { status } })).toEqual([]);
  },
);

test.each<[RunStatus, string[]]>([
  ["QUEUED", ["WORKSPACE_BUSY", "WORKSPACE_LOCKED", "WORKSPACE_PAUSED"]],
  ["READY", ["WORKSPACE_PAUSED", "ORGANIZATION_LIMIT", "NO_RUNNER"]],
  ["REPLAN_REQUESTED", ["WORKSPACE_PAUSED", "ORGANIZATION_LIMIT", "NO_RUNNER"]],
  ["CONFIRMED", ["WORKSPACE_PAUSED", "WORKSPACE_LOCKED", "ORGANIZATION_LIMIT", "NO_RUNNER"]],
])("%s, with everything in the way", (status, expected) => {
  expect(kinds({ ...EVERYTHING, run: { status } })).toEqual(expected);
});

test("a busy workspace names the run, its place in the queue, and since when both have been there", () => {
  const holder = { id: "run_1", number: 41, since: EARLIER };
  const [busy] = blockersOf(facts({ workspace: { holder, position: 2 } }));
  expect(busy).toMatchObject({ kind: "WORKSPACE_BUSY", runId: "run_1", since: AT, position: 2 });
  expect(busy?.message).toContain("41");
  const [later] = blockersOf(facts({ workspace: { holder: { ...holder, since: LATER } } }));
  expect(later?.since).toBe(LATER);
});

test("the holder comes before a run that is only ahead in the queue", () => {
  const holder = { id: "run_1", number: 1, since: EARLIER };
  const ahead = { id: "run_2", number: 2, since: EARLIER };
  expect(blockersOf(facts({ workspace: { holder, ahead } })).map(({ runId }) => runId)).toEqual(["run_1"]);
  const [waits] = blockersOf(facts({ workspace: { ahead } }));
  expect(waits).toMatchObject({ runId: "run_2", message: "Run 2 comes first." });
});

test("a speculative plan does not wait for the workspace", () => {
  expect(kinds({ ...EVERYTHING, run: { kind: "PLAN" } })).toEqual(["WORKSPACE_LOCKED", "WORKSPACE_PAUSED"]);
});

test("the organization's limit is reached with the last place, and says how many of how many", () => {
  const at = (busy: number): string[] =>
    blockersOf(facts({ run: { status: "READY" }, organization: { busy, limit: 3 } })).map(({ message }) => message);
  expect(at(2)).toEqual([]);
  expect(at(3)).toEqual(["3 of 3 runs of the organization occupy a runner."]);
});

test("no runner: since one was last heard from, or since the run waits", () => {
  const since = (lastSeenAt: string | null): string[] =>
    blockersOf(facts({ run: { status: "READY" }, runners: { present: false, lastSeenAt } })).map((b) => b.since);
  expect(since(EARLIER)).toEqual([EARLIER]);
  expect(since(null)).toEqual([AT]);
});

test("the two locks are told apart", () => {
  const message = (reason: "MANUAL" | "APPLY_INTERRUPTED"): string | undefined =>
    blockersOf(facts({ workspace: { lock: { reason, since: EARLIER } } }))[0]?.message;
  expect(message("MANUAL")).toContain("by a person");
  expect(message("APPLY_INTERRUPTED")).toContain("interrupted");
});
