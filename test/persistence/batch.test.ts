import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { batch } from "../../src/persistence/database/batch.ts";

/** Work that ends when it is told to, and what it was given. */
function work(most: number, atOnce = 1) {
  const groups: { items: readonly number[]; end: PromiseWithResolvers<readonly string[]> }[] = [];
  const ask = batch(
    (items: readonly number[]) => {
      const end = Promise.withResolvers<readonly string[]>();
      groups.push({ items, end });
      return end.promise;
    },
    { most, atOnce, patienceMs: 60_000 },
  );
  const end = async (index: number) => {
    const group = groups[index];
    group?.end.resolve(group.items.map((item) => `done ${item}`));
    await setImmediate();
  };
  return { ask, end, groups, given: () => groups.map(({ items }) => items) };
}

test("what comes in one turn goes together, and what comes meanwhile goes with the next", async () => {
  const { ask, end, given } = work(10);
  const first = [ask(1), ask(2)];
  await setImmediate();
  const later = [ask(3), ask(4), ask(5)];
  await setImmediate();
  expect(given()).toEqual([[1, 2]]);
  await end(0);
  expect(await Promise.all(first)).toEqual(["done 1", "done 2"]);
  expect(given()).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  await end(1);
  expect(await Promise.all(later)).toEqual(["done 3", "done 4", "done 5"]);
  const alone = ask(6);
  await setImmediate();
  await end(2);
  expect(await alone).toBe("done 6");
});

test("a group has a size, and one is worked on at a time", async () => {
  const { ask, end, given } = work(2);
  const all = Promise.all([1, 2, 3, 4, 5].map((item) => ask(item)));
  await setImmediate();
  expect(given()).toEqual([[1, 2]]);
  await end(0);
  expect(given()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await end(1);
  await end(2);
  expect(await all).toEqual([1, 2, 3, 4, 5].map((item) => `done ${item}`));
});

test("an error is everybody's of its group, and nobody else's", async () => {
  const { ask, end, groups } = work(2);
  const all = Promise.allSettled([ask(1), ask(2), ask(3)]);
  await setImmediate();
  groups[0]?.end.reject(new Error("no"));
  await setImmediate();
  await end(1);
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("a group that hangs is waited for only so long, and may end later", async () => {
  const ended: string[] = [];
  const ask = batch(
    async (items: readonly string[]) => {
      if (items.includes("hangs")) await hangs.promise;
      ended.push(...items);
      return items;
    },
    { most: 1, atOnce: 1, patienceMs: 1 },
  );
  const hangs = Promise.withResolvers<void>();
  const [first, second] = [ask("hangs"), ask("next")];
  expect(await second).toBe("next");
  hangs.resolve();
  expect(await first).toBe("hangs");
  expect(ended).toEqual(["next", "hangs"]);
});

test("several groups may be under way; what comes beyond them waits for one", async () => {
  const { ask, end, given } = work(10, 2);
  const all = Promise.all(
    [1, 2, 3, 4].map(async (item) => {
      for (let turn = 1; turn < item; turn += 1) await setImmediate();
      return ask(item);
    }),
  );
  for (let turn = 0; turn < 6; turn += 1) await setImmediate();
  expect(given()).toEqual([[1], [2]]);
  await end(1);
  expect(given()).toEqual([[1], [2], [3, 4]]);
  await end(0);
  await end(2);
  expect(await all).toEqual([1, 2, 3, 4].map((item) => `done ${item}`));
});

test("an item may be answered later than others of its group, or not at all", async () => {
  const ask = batch(
    (items: readonly number[]) =>
      Promise.resolve(items.map((item) => (item === 1 ? Promise.reject(new Error("no")) : item))),
    { most: 10, atOnce: 1, patienceMs: 60_000 },
  );
  expect((await Promise.allSettled([ask(1), ask(2)])).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("equal items that wait share a result, which a later one does not get", async () => {
  const given: (readonly string[])[] = [];
  const ask = batch(
    async (items: readonly string[]) => {
      given.push(items);
      return items.map((item) => `${item} ${given.length}`);
    },
    { most: 10, atOnce: 1, patienceMs: 60_000, keyOf: (item) => item },
  );
  expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual(["a 1", "a 1", "b 1"]);
  expect(await ask("a")).toBe("a 2");
  expect(given).toEqual([["a", "b"], ["a"]]);
});
