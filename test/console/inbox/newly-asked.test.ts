import { expect, it } from "vitest";
import { newlyAsked, type Reading } from "../../../src/console/inbox/newly-asked.ts";

const reading = (ids: readonly string[], count = ids.length): Reading<{ since: string; run: { id: string } }> => ({
  items: ids.map((name) => ({ since: name.slice(1), run: { id: name.slice(0, 1) } })),
  count,
  isCut: count > ids.length,
});
const changeOf = (former: Parameters<typeof newlyAsked>[0], now: Parameters<typeof newlyAsked>[1]) => {
  const { runs, count } = newlyAsked(former, now);
  return { runs: runs.map(({ run }) => run.id), count };
};

it("reports nothing at first, and then each run once for each time that it asks", () => {
  expect(changeOf(null, reading(["a1"]))).toEqual({ runs: [], count: null });
  expect(changeOf(reading(["a1"]), reading(["a1", "b2"]))).toEqual({ runs: ["b"], count: null });
  expect(changeOf(reading(["a1", "b2"]), reading(["b2", "a3"]))).toEqual({ runs: ["a"], count: null });
  expect(changeOf(reading(["a1"]), reading([]))).toEqual({ runs: [], count: null });
});

it("reports the number where not all are read, and takes no run that moves up for a new one", () => {
  expect(changeOf(reading(["a1", "b2"]), reading(["a1", "b2"], 3))).toEqual({ runs: [], count: 3 });
  expect(changeOf(reading(["a1", "b2"], 3), reading(["a1", "b2"], 5))).toEqual({ runs: [], count: 5 });
  expect(changeOf(reading(["a1", "b2"], 4), reading(["b2", "c3"], 3))).toEqual({ runs: [], count: null });
  expect(changeOf(reading(["a1", "b2"], 3), reading(["b2", "c3"]))).toEqual({ runs: [], count: null });
});
