import { expect, test } from "vitest";
import { BatchedLoader } from "../../../src/graphql/kit/batched-loader.ts";

/** A loader whose reads end when they are told to. */
function heldLoader() {
  const reads: { keys: readonly string[]; end: PromiseWithResolvers<(string | Error)[]> }[] = [];
  const loader = new BatchedLoader((keys: readonly string[]) => {
    const end = Promise.withResolvers<(string | Error)[]>();
    reads.push({ keys, end });
    return end.promise;
  });
  const keys = () => reads.map((read) => read.keys);
  const end = (index: number, ...values: (string | Error)[]) => reads[index]?.end.resolve(values);
  return { loader, keys, end, reads };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("keys of one turn and of its promise jobs are read together, each once", async () => {
  const { loader, keys, end } = heldLoader();
  const many = loader.loadMany(["a", "b"]);
  const later = Promise.resolve()
    .then(() => undefined)
    .then(() => Promise.all([loader.load("c"), loader.load("a")]));
  await nextTurn();
  expect(keys()).toEqual([["a", "b", "c"]]);
  end(0, "A", "B", "C");
  expect(await many).toEqual(["A", "B"]);
  expect(await later).toEqual(["C", "A"]);
});

test("keys that are asked for while a read is under way are read by another one", async () => {
  const { loader, keys, end } = heldLoader();
  const first = loader.loadMany(["a", "b"]);
  await nextTurn();
  const second = loader.loadMany(["c", "b", "d", "a"]);
  await nextTurn();
  expect(keys()).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  end(1, "C", "D");
  end(0, "A", "B");
  expect(await first).toEqual(["A", "B"]);
  expect(await second).toEqual(["C", "B", "D", "A"]);
});

test("an error in place of a value is that of its key alone", async () => {
  const { loader, end } = heldLoader();
  const many = loader.loadMany(["a", "b"]);
  const [a, b] = [loader.load("a"), loader.load("b")];
  const broken = new Error("b is broken");
  await nextTurn();
  end(0, "A", broken);
  expect(await many).toEqual(["A", broken]);
  expect(await a).toBe("A");
  await expect(b).rejects.toBe(broken);
});

test("a read that fails is the error of all of its keys, and of no others", async () => {
  const { loader, end, reads } = heldLoader();
  const many = loader.loadMany(["a", "b"]);
  const one = loader.load("a");
  await nextTurn();
  const later = loader.loadMany(["c", "a"]);
  const failure = new Error("no connection");
  reads[0]?.end.reject(failure);
  expect(await many).toEqual([failure, failure]);
  await expect(one).rejects.toBe(failure);
  await nextTurn();
  end(1, "C");
  expect(await later).toEqual(["C", failure]);
});

test("a read that no one waits for fails without an unhandled rejection", async () => {
  const loader = new BatchedLoader((_keys: readonly string[]) => Promise.reject(new Error("no connection")));
  void loader.loadMany(["a"]);
  await nextTurn();
  await expect(loader.load("a")).rejects.toThrow("no connection");
});

test("a read that gives another number of values fails", async () => {
  const { loader, end } = heldLoader();
  const one = loader.load("a");
  await nextTurn();
  end(0, "A", "B");
  await expect(one).rejects.toThrow("2 values for 1 keys");
});

test("what was read is forgotten when it is cleared, also while it is read", async () => {
  const { loader, keys, end } = heldLoader();
  const first = loader.load("a");
  await nextTurn();
  loader.clear();
  const second = loader.load("a");
  await nextTurn();
  expect(keys()).toEqual([["a"], ["a"]]);
  end(0, "old");
  end(1, "new");
  expect(await first).toBe("old");
  expect(await second).toBe("new");
});
