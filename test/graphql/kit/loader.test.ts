import { expect, test } from "vitest";
import { loaderById, loaderByKey, Loaders, loaderOf, loaderOfFewBatched } from "../../../src/graphql/kit/loader.ts";
import { createFakeDomain, fakeCaller } from "../../support/fake-domain.ts";

const { domain } = createFakeDomain();

/** A read that notes the keys of each of its batches. */
function recordedRead() {
  const batches: (readonly string[])[] = [];
  const read = async (_domain: unknown, _caller: unknown, keys: readonly string[]): Promise<string[]> => {
    batches.push(keys);
    return keys.map((key) => `value of ${key}`);
  };
  return { batches, read };
}

test("keys that are asked for at the same time share a batch, and a key is read once", async () => {
  const { batches, read } = recordedRead();
  const loader = loaderOf(read);
  const loaders = new Loaders(domain, fakeCaller);
  const values = await Promise.all(["a", "b", "a"].map((key) => loaders.load(loader, key)));
  expect(values).toEqual(["value of a", "value of b", "value of a"]);
  await loaders.load(loader, "b");
  expect(batches).toEqual([["a", "b"]]);
});

test("operations share no values, and an operation reads again after it was cleared", async () => {
  const { batches, read } = recordedRead();
  const loader = loaderOf(read);
  const [one, other] = [new Loaders(domain, fakeCaller), new Loaders(domain, fakeCaller)];
  await one.load(loader, "a");
  await other.load(loader, "a");
  expect(batches).toHaveLength(2);
  one.clear();
  await one.load(loader, "a");
  expect(batches).toHaveLength(3);
});

test("keys that are objects are told apart by their cache key", async () => {
  const batches: unknown[] = [];
  const loader = loaderByKey(
    async (_domain, _caller, keys: readonly { at: number }[]) => {
      batches.push(keys);
      return keys.map(({ at }) => at);
    },
    ({ at }) => String(at),
  );
  const loaders = new Loaders(domain, fakeCaller);
  const found = await Promise.all([{ at: 1 }, { at: 1 }, { at: 2 }].map((key) => loaders.load(loader, key)));
  expect(found).toEqual([1, 1, 2]);
  expect(batches).toEqual([[{ at: 1 }, { at: 2 }]]);
});

test("an id of another kind gives null and is not read", async () => {
  const { batches, read } = recordedRead();
  const loader = loaderById(["run"], read);
  const loaders = new Loaders(domain, fakeCaller);
  const run = "run_00000000000000000000000000";
  const found = await Promise.all(["tok_00000000000000000000000000", "", run].map((id) => loaders.load(loader, id)));
  expect(found).toEqual([null, null, `value of ${run}`]);
  expect(batches).toEqual([[run]]);
});

test("the values that one request may ask for are counted over all of its batches, also after it was cleared", async () => {
  const { batches, read } = recordedRead();
  const few = { most: 2, path: "field", message: "At most 2." };
  const loader = loaderOfFewBatched(read, (key: string) => key, few);
  const loaders = new Loaders(domain, fakeCaller);
  await loaders.load(loader, "a");
  await Promise.all(["a", "b"].map((key) => loaders.load(loader, key)));
  loaders.clear();
  await expect(loaders.load(loader, "c")).rejects.toMatchObject({ extensions: { issues: [{ path: ["field"] }] } });
  expect(batches).toEqual([["a"], ["b"]]);
  expect(await new Loaders(domain, fakeCaller).load(loader, "c")).toBe("value of c");
});
