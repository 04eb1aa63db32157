import { expect, test } from "vitest";
import { comparePlans } from "../../../src/model/plan/compare-plans.ts";
import type { IndexedChange } from "../../../src/model/plan/plan-index.ts";

function change(address: string, digest: string): IndexedChange {
  return { address, digest, action: "CREATE", module: null, type: "a", imported: false, previousAddress: null };
}

test("changes belong together by their address, and are equal by their digest", () => {
  const [same, old, changed, gone, fresh] = [
    change("a.same", "1"),
    change("a.other", "2"),
    change("a.other", "3"),
    change("a.gone", "4"),
    change("a.new", "5"),
  ] as const;
  expect(comparePlans([same, changed, fresh], [gone, old, same])).toEqual({
    added: [fresh],
    removed: [gone],
    altered: [changed],
    sameCount: 1,
  });
});

test("instances whose keys are masked share an address: each is counted once", () => {
  const all = (...digests: string[]) => digests.map((digest) => change('a.b["(sensitive value)"]', digest));
  expect(comparePlans(all("1", "1", "2"), all("2", "1", "3"))).toEqual({
    added: [],
    removed: [],
    altered: all("1"),
    sameCount: 2,
  });
  expect(comparePlans(all("1", "1"), all("1"))).toMatchObject({ added: all("1"), removed: [], sameCount: 1 });
  expect(comparePlans(all("1"), all("1", "2"))).toMatchObject({ added: [], removed: all("2"), sameCount: 1 });
  expect(comparePlans([], [])).toEqual({ added: [], removed: [], altered: [], sameCount: 0 });
});

test("the digest of each of many changes with one address is read a few times", () => {
  let reads = 0;
  const all = (prefix: string): IndexedChange[] =>
    Array.from({ length: 1000 }, (_, n) => ({
      ...change("a.b", ""),
      get digest() {
        reads += 1;
        return `${prefix}${n}`;
      },
    }));
  expect(comparePlans(all("x"), all("y")).altered).toHaveLength(1000);
  expect(reads).toBeLessThanOrEqual(4 * 2 * 1000);
});
