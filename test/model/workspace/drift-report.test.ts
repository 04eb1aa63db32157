import { describe, expect, it } from "vitest";
import { type DriftMode } from "../../../src/model/workspace/drift-settings.ts";
import {
  driftStatus,
  findDrift,
  type FoundChange,
  type Ignores,
  type PlannedChange,
} from "../../../src/model/workspace/drift-report.ts";

const planned = (more: Partial<PlannedChange> = {}): PlannedChange => ({
  address: "a.b",
  type: "a",
  action: "UPDATE",
  paths: ["size"],
  digest: "p",
  ...more,
});
const found = (more: Partial<FoundChange> = {}): FoundChange => ({
  address: "a.b",
  type: "a",
  action: "UPDATE",
  paths: ["size"],
  relevant: true,
  digest: "f",
  ...more,
});
const NOTHING: Ignores = () => false;
const look = (
  plan: PlannedChange[],
  drift: FoundChange[],
  { mode = "PLAN", ignores = NOTHING }: { mode?: DriftMode; ignores?: Ignores } = {},
) => findDrift(plan, drift, { mode, ignores });

describe("drift", () => {
  it("is what a run would change, without reads and moves", () => {
    const plan = [
      planned(),
      planned({ address: "data.c", action: "READ" }),
      planned({ address: "a.d", action: "NO_OP" }),
    ];
    expect(look(plan, [])).toEqual({
      resources: [{ address: "a.b", type: "a", change: null, plannedAction: "UPDATE", paths: ["size"], digest: "p" }],
      ignoredCount: 0,
    });
  });

  it("joins what changed with what a run would do about it, by address", () => {
    const { resources } = look(
      [planned({ address: "a.z" }), planned({ paths: ["size", "tags"] })],
      [found({ paths: ["name", "size"] })],
    );
    expect(resources.map(({ address }) => address)).toEqual(["a.b", "a.z"]);
    expect(resources[0]).toMatchObject({
      change: "UPDATE",
      plannedAction: "UPDATE",
      paths: ["name", "size", "tags"],
      digest: "pf",
    });
  });

  it("without a planned change counts if the configuration depends on it, or if the state is only refreshed", () => {
    expect(look([], [found()]).resources).toMatchObject([{ change: "UPDATE", plannedAction: null }]);
    expect(look([], [found({ relevant: false })]).resources).toEqual([]);
    expect(look([], [found({ relevant: false })], { mode: "REFRESH_ONLY" }).resources).toHaveLength(1);
    // A run would undo it: whether the engine calls it relevant does not matter.
    expect(look([planned()], [found({ relevant: false })]).resources).toMatchObject([{ change: "UPDATE" }]);
  });
});

describe("what is ignored", () => {
  const only =
    (...paths: string[]): Ignores =>
    (_address, path) =>
      paths.includes(path);

  it("is a resource of which all differences are", () => {
    const plan = [planned({ paths: ["size", "tags"] })];
    expect(look(plan, [], { ignores: only("size") })).toMatchObject({ resources: [{}], ignoredCount: 0 });
    expect(look(plan, [], { ignores: only("size", "tags") })).toEqual({ resources: [], ignoredCount: 1 });
    expect(look(plan, [], { ignores: only("*") })).toEqual({ resources: [], ignoredCount: 1 });
  });

  it("is no resource that is gone, or would be made again, unless it is ignored as a whole", () => {
    const attributes = only("size");
    expect(look([], [found({ action: "DELETE" })], { ignores: attributes }).resources).toHaveLength(1);
    expect(look([planned({ action: "REPLACE" })], [], { ignores: attributes }).resources).toHaveLength(1);
    expect(look([planned({ action: "CREATE", paths: [] })], [], { ignores: attributes }).resources).toHaveLength(1);
    expect(look([planned({ paths: [] })], [], { ignores: attributes }).resources).toHaveLength(1);
    expect(look([planned({ action: "REPLACE" })], [], { ignores: only("*") }).resources).toEqual([]);
  });
});

it.each([
  [true, null, false, "DRIFTED"],
  [true, "ERRORED", false, "DRIFTED"],
  [true, "DRIFTED", true, "ACKNOWLEDGED"],
  [false, null, false, "UNKNOWN"],
  [false, "CLEAN", false, "NONE"],
  // It was undone since.
  [false, "DRIFTED", true, "NONE"],
  [false, "ERRORED", false, "ERRORED"],
] as const)(
  "drift %s with the newest report %s, acknowledged %s, is %s",
  (isDrifted, result, isAcknowledged, status) => {
    expect(driftStatus(isDrifted, result === null ? null : { result }, isAcknowledged)).toBe(status);
  },
);
