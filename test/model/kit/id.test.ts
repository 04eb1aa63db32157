import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ADMIN_ACTOR_ID,
  ADMIN_TOKEN_ID,
  DEFAULT_ORGANIZATION_ID,
  SYSTEM_ACTOR_ID,
} from "../../../src/model/people/actor.ts";
import { createIds, firstIdAt, ID_PREFIXES, idKind, type IdKind, idTimeMs } from "../../../src/model/kit/id.ts";

const KINDS = Object.keys(ID_PREFIXES).filter((kind): kind is IdKind => kind in ID_PREFIXES);

function idAt(ms: number, byte: number): string {
  return createIds(
    () => new Date(ms),
    (count) => new Uint8Array(count).fill(byte),
  )("run");
}

test("an id is its kind's prefix, the time and the randomness", () => {
  expect(idAt(0, 0)).toBe(`run_${"0".repeat(26)}`);
  expect(idAt(33, 255)).toBe(`run_0000000011${"z".repeat(16)}`);
  expect(idAt(2 ** 48 - 1, 0)).toBe(`run_7zzzzzzzzz${"0".repeat(16)}`);
});

test("ids sort by time, whatever the randomness", () => {
  const ms = fc.nat({ max: 2 ** 48 - 1 });
  const byte = fc.nat({ max: 255 });
  fc.assert(
    fc.property(ms, ms, byte, byte, (a, b, x, y) => {
      fc.pre(a !== b);
      expect(idAt(a, x) < idAt(b, y)).toBe(a < b);
    }),
  );
});

test("ids of one process sort in the order of their making, also where the clock goes back a little", () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.nat({ max: 255 })), {
    minLength: 2,
    maxLength: 50,
  });
  fc.assert(
    fc.property(steps, (made) => {
      let ms = 1_000_000;
      let byte = 0;
      const newId = createIds(
        () => new Date(ms),
        (count) => new Uint8Array(count).fill(byte),
      );
      const ids = made.map(([step, fill]) => {
        ms += step;
        byte = fill;
        return newId("run");
      });
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test("ids of one millisecond count up, into the next one when the digits are used up", () => {
  const zs = "z".repeat(14);
  const bytes = [new Uint8Array(16).fill(31).with(15, 30), new Uint8Array(16)];
  const newId = createIds(
    () => new Date(5),
    () => bytes.shift() ?? new Uint8Array(16).fill(9),
  );
  expect([newId("run"), newId("run"), newId("run"), newId("run")]).toEqual([
    `run_0000000005${zs}zy`,
    `run_0000000005${zs}zz`,
    `run_0000000006${"0".repeat(16)}`,
    `run_0000000006${"0".repeat(15)}1`,
  ]);
});

test("a clock that is set back by hours is believed: lists by time of creation begin and end by the time of ids", () => {
  let ms = 10_000_000;
  const newId = createIds(
    () => new Date(ms),
    (count) => new Uint8Array(count),
  );
  newId("run");
  ms -= 2 * 60 * 60 * 1000;
  expect(idTimeMs(newId("run"))).toBe(ms);
  ms -= 1000;
  expect(idTimeMs(newId("run"))).toBe(ms + 1000);
});

test("an id tells its kind, and no two kinds share a prefix", () => {
  const newId = createIds(
    () => new Date("2026-01-02T03:04:05Z"),
    (count) => new Uint8Array(count).map((_, index) => index * 17),
  );
  for (const kind of KINDS) expect(idKind(newId(kind))).toBe(kind);
  expect(new Set(Object.values(ID_PREFIXES)).size).toBe(KINDS.length);
});

test("the ids that exist from the start are ids", () => {
  const ids = [SYSTEM_ACTOR_ID, ADMIN_ACTOR_ID, ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID];
  expect(ids.map(idKind)).toEqual(["systemActor", "user", "token", "organization"]);
});

test.each([
  "",
  "run",
  "run_",
  `run_${"0".repeat(25)}`,
  `run_${"0".repeat(27)}`,
  `run_${"0".repeat(25)}i`,
  `run_${"0".repeat(25)}l`,
  `run_${"0".repeat(25)}o`,
  `run_${"0".repeat(25)}u`,
  `run_${"0".repeat(25)}A`,
  `RUN_${"0".repeat(26)}`,
  `nothing_${"0".repeat(26)}`,
  ` run_${"0".repeat(26)}`,
  `run_${"0".repeat(26)}\n`,
  `constructor_${"0".repeat(26)}`,
])("%j is no id", (text) => {
  expect(idKind(text)).toBeNull();
});

test("the first id of an instant is the lowest, and all before it are lower", () => {
  expect(firstIdAt("run", 33)).toBe(`run_0000000011${"0".repeat(16)}`);
  expect(firstIdAt("job", 33)).toBe(`job_0000000011${"0".repeat(16)}`);
  expect(idAt(32, 255) < firstIdAt("run", 33)).toBe(true);
  expect(firstIdAt("run", 33) <= idAt(33, 0)).toBe(true);
});

test("a clock that is set back by half an hour is not believed, and by more it is", () => {
  const start = 10_000_000;
  const after = (backMs: number): number => {
    let ms = start;
    const newId = createIds(
      () => new Date(ms),
      (count) => new Uint8Array(count),
    );
    newId("run");
    ms -= backMs;
    return idTimeMs(newId("run"));
  };
  expect(after(30 * 60 * 1000)).toBe(start);
  expect(after(30 * 60 * 1000 + 1)).toBe(start - 30 * 60 * 1000 - 1);
});
