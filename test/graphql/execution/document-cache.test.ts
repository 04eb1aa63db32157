import { expect, test } from "vitest";
import { createDocumentCache } from "../../../src/graphql/execution/document-cache.ts";

test("keeps what was used last, so many and so much of it", () => {
  const cache = createDocumentCache<number>({ size: 3, length: 10 });
  for (const [index, key] of ["a", "b", "c"].entries()) cache.set(key, index);
  cache.get("a");
  cache.set("d", 3);
  expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
  cache.set("12345678", 4);
  expect(["a", "c", "d", "12345678"].map((key) => cache.get(key))).toEqual([undefined, 2, 3, 4]);
  cache.set("12345678", 5);
  expect([cache.get("d"), cache.get("12345678")]).toEqual([3, 5]);
  cache.set("x".repeat(11), 6);
  expect(["d", "12345678", "x".repeat(11)].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined]);
});

test("does not keep what is too long to come again", () => {
  const cache = createDocumentCache<number>();
  cache.set("x".repeat(10_001), 1);
  expect(cache.get("x".repeat(10_001))).toBeUndefined();
});
