import { expect, test } from "vitest";
import { createHostQueue } from "../../src/probing/host-queue.ts";

/** A queue whose work is ended by hand, by its name. */
function rig(limits: { atOnce: number; atOnceHost: number }) {
  const queue = createHostQueue(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (host: string, name: string): void =>
    queue.add(host, () => {
      begun.push(name);
      return new Promise((done) => ends.set(name, done));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((done) => setImmediate(done));
  };
  return { queue, begun, add, end };
}

test("a host has room for its share alone, and the others begin", async () => {
  const { begun, add, end } = rig({ atOnce: 3, atOnceHost: 2 });
  for (const name of ["a1", "a2", "a3", "a4"]) add("a", name);
  add("b", "b1");
  add("c", "c1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  expect(begun.slice(3)).toEqual(["c1"]);
  // What waited for its host comes before what came later.
  add("d", "d1");
  await end("a1");
  expect(begun.slice(4)).toEqual(["a3"]);
  await end("a2");
  expect(begun.slice(5)).toEqual(["a4"]);
  for (const name of ["c1", "a3", "a4", "d1"]) await end(name);
  expect(begun.slice(6)).toEqual(["d1"]);
  add("a", "a5");
  add("a", "a6");
  add("a", "a7");
  expect(begun.slice(7)).toEqual(["a5", "a6"]);
});

test("what waits is dropped at the end, and what has begun is waited for", async () => {
  const { queue, begun, add, end } = rig({ atOnce: 2, atOnceHost: 1 });
  for (const [host, name] of [
    ["a", "a1"],
    ["a", "a2"],
    ["b", "b1"],
    ["c", "c1"],
  ] as const)
    add(host, name);
  expect(begun).toEqual(["a1", "b1"]);
  let isOver = false;
  const ended = queue[Symbol.asyncDispose]().then(() => (isOver = true));
  await end("a1");
  expect(isOver).toBe(false);
  await end("b1");
  await ended;
  expect(begun).toEqual(["a1", "b1"]);
});
