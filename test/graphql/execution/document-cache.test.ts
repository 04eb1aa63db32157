import { expect, test } from "vitest";
import { createDocumentCache } from "../../../src/graphql/execution/document-cache.ts";

const DOCUMENT = {};

test("keeps the documents that were used last, within their number and their length", () => {
  const cache = createDocumentCache({ documents: 3, characters: 14 });
  const kept = (...texts: string[]) => texts.filter((text) => cache.get(text) === DOCUMENT);
  for (const text of ["a", "b", "c"]) cache.set(text, DOCUMENT);
  cache.get("a");
  cache.set("d", DOCUMENT);
  expect(kept("a", "b", "c", "d")).toEqual(["a", "c", "d"]);
  cache.set("12345678", DOCUMENT);
  expect(kept("a", "c", "d", "12345678")).toEqual(["c", "d", "12345678"]);
  cache.set("123456789", DOCUMENT);
  expect(kept("c", "d", "12345678", "123456789")).toEqual(["123456789"]);
});

test("does not keep a document that is too long to be sent again", () => {
  const cache = createDocumentCache();
  cache.set("x".repeat(9999), DOCUMENT);
  cache.set("x".repeat(10_000), DOCUMENT);
  expect(cache.get("x".repeat(9999))).toBe(DOCUMENT);
  expect(cache.get("x".repeat(10_000))).toBeUndefined();
});
