import { expect, it } from "vitest";
import { createVersions } from "../../../src/console/live/versions.ts";

const run = (id: string, version: number) => ({ __typename: "Run", id, version });

it("tells an answer that is older than what was seen", () => {
  const versions = createVersions();
  expect(versions.note({ runEvents: { run: run("a", 5) } })).toBe(false);
  expect(versions.note({ runs: { edges: [{ node: run("b", 1) }, { node: run("a", 4) }] } })).toBe(true);
  expect(versions.note({ run: run("a", 5) })).toBe(false);
  expect(versions.note({ run: run("a", 6) })).toBe(false);
  expect(versions.note({ run: run("a", 5) })).toBe(true);
});

it("knows runs apart, and takes no other object for one", () => {
  const versions = createVersions();
  versions.note({ run: run("a", 5), plan: { __typename: "Plan", id: "p", version: 9 } });
  expect(versions.note({ plan: { __typename: "Plan", id: "p", version: 1 }, other: run("c", 1), none: null })).toBe(
    false,
  );
});

it("forgets the runs that it saw least lately", () => {
  const versions = createVersions(2);
  for (const id of ["a", "b", "a", "c"]) versions.note({ run: run(id, 5) });
  expect(versions.note({ run: run("a", 4) })).toBe(true);
  expect(versions.note({ run: run("b", 4) })).toBe(false);
});
