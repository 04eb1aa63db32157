import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { describeChange } from "../../../src/console/plan/pattern.ts";
import { keepSeen, readSeen, shareSeen } from "../../../src/console/plan/seen-changes.ts";

let kept: Map<string, string>;
beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const digests = (prefix: string, count: number) => new Set(Array.from({ length: count }, (_, at) => `${prefix}${at}`));

it("keeps the marks of each run apart, and forgets a run without any", () => {
  keepSeen("run_1", new Set(["a", "b"]));
  keepSeen("run_2", new Set(["b"]));
  expect([...readSeen("run_1")]).toEqual(["a", "b"]);
  expect([...readSeen("run_2")]).toEqual(["b"]);
  expect([...readSeen("run_3")]).toEqual([]);
  keepSeen("run_1", new Set());
  expect([...readSeen("run_1")]).toEqual([]);
  expect([...kept.values()].join()).not.toContain("run_1");
});

it("drops the runs that were marked first once there are too many marks", () => {
  for (const run of ["run_1", "run_2", "run_3"]) keepSeen(run, digests(run, 20_000));
  expect(readSeen("run_1").size).toBe(0);
  expect(readSeen("run_2").size).toBe(20_000);
  expect(readSeen("run_3").size).toBe(20_000);
});

it.each(["", "{", "null", '{"a":1}', '[["run_1"]]', '[["run_1",[1]]]', '["run_1"]'])(
  "takes %j for no marks",
  (text) => {
    kept.set("holdpoint-seen", text);
    expect(readSeen("run_1").size).toBe(0);
    keepSeen("run_1", new Set(["a"]));
    expect([...readSeen("run_1")]).toEqual(["a"]);
  },
);

it("has no marks where the browser keeps nothing", () => {
  vi.stubGlobal("localStorage", undefined);
  keepSeen("run_1", new Set(["a"]));
  expect(readSeen("run_1").size).toBe(0);
});

it("states whether all changes of a pattern are marked, or some", () => {
  const changes = ["a", "b"].map((digest) =>
    describeChange({
      address: digest,
      digest,
      action: "UPDATE",
      type: "t",
      imported: false,
      unknownPaths: [],
      sensitivePaths: [],
    }),
  );
  expect(shareSeen(changes, new Set(["c"]))).toBe("NONE");
  expect(shareSeen(changes, new Set(["b", "c"]))).toBe("SOME");
  expect(shareSeen(changes, new Set(["a", "b"]))).toBe("ALL");
});
