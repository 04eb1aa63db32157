import { expect, test } from "vitest";
import { batchReads } from "../../../src/domain/kit/batch-reads.ts";

/** A read that waits until it is let go on; its answers are the keys in capitals, with the number of the read. */
function reading(most = 10, patienceMs = 60_000) {
  const asked: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const ask = batchReads(
    async (keys) => {
      asked.push([...keys]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      const number = gates.length;
      await gate.promise;
      return keys.map((key) => `${key.toUpperCase()}${number}`);
    },
    most,
    patienceMs,
  );
  return { ask, asked, gates };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("who asks in one turn is answered by one read, each with its own answers", async () => {
  const { ask, asked, gates } = reading();
  const both = Promise.all([ask(["a", "b"]), Promise.resolve().then(() => ask(["c", "a"]))]);
  await turn();
  gates[0]?.resolve();
  expect(await both).toEqual([
    ["A1", "B1"],
    ["C1", "A1"],
  ]);
  expect(asked).toEqual([["a", "b", "c"]]);
});

test("who asks while a read is under way is answered by the next one, with all who do", async () => {
  const { ask, asked, gates } = reading();
  const first = ask(["a"]);
  await turn();
  const others = [ask(["a"])];
  await turn();
  others.push(ask(["b"]));
  await turn();
  expect(asked).toEqual([["a"]]);
  gates[0]?.resolve();
  expect(await first).toEqual(["A1"]);
  await turn();
  gates[1]?.resolve();
  expect(await Promise.all(others)).toEqual([["A2"], ["B2"]]);
  expect(asked).toEqual([["a"], ["a", "b"]]);
});

test("nobody waits for ever for a read that is not over", async () => {
  const { ask, gates } = reading(10, 1);
  const first = ask(["a"]);
  await turn();
  const second = ask(["a"]);
  await turn();
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.resolve();
  expect(await second).toEqual(["A2"]);
  gates[0]?.resolve();
  expect(await first).toEqual(["A1"]);
});

test("a read has its bound; a single question may have more", async () => {
  const { ask, asked, gates } = reading(2);
  const all = Promise.all([ask(["a"]), ask(["b"]), ask(["c", "d", "e"]), ask(["f"])]);
  for (let read = 0; read < 3; read += 1) {
    await turn();
    gates[read]?.resolve();
  }
  expect((await all).flat().map((answer) => answer.slice(0, 1))).toEqual(["A", "B", "C", "D", "E", "F"]);
  expect(asked).toEqual([["a", "b"], ["c", "d", "e"], ["f"]]);
});

test("two reads are under way where the next one is full; what else there is waits for both", async () => {
  const { ask, asked, gates } = reading(2);
  const all = Promise.all(["a", "b", "c", "d", "e", "f", "g"].map((key) => ask([key])));
  await turn();
  const two = [
    ["a", "b"],
    ["c", "d"],
  ];
  expect(asked).toEqual(two);
  gates[1]?.resolve();
  await turn();
  const three = [...two, ["e", "f"]];
  expect(asked).toEqual(three);
  gates[0]?.resolve();
  await turn();
  expect(asked).toEqual(three);
  gates[2]?.resolve();
  await turn();
  gates[3]?.resolve();
  expect(await all).toEqual([["A1"], ["B1"], ["C2"], ["D2"], ["E3"], ["F3"], ["G4"]]);
});

test("what fails fails for all who asked, and for nobody after them", async () => {
  let fails = true;
  const ask = batchReads(async (keys) => {
    if (fails) throw new Error("no");
    return keys.map(() => null);
  }, 10);
  const both = await Promise.allSettled([ask(["a"]), ask(["b"])]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await ask(["a"])).toEqual([null]);
});

test("fewer answers than keys are an error", async () => {
  await expect(batchReads(async () => [], 10)(["a"])).rejects.toThrow("fewer answers");
});

test("requests for the same keys count once", async () => {
  const { ask, asked, gates } = reading(2);
  const all = Promise.all([ask(["a"]), ask(["a"]), ask(["a"]), ask(["b"])]);
  await turn();
  gates[0]?.resolve();
  expect(await all).toEqual([["A1"], ["A1"], ["A1"], ["B1"]]);
  expect(asked).toEqual([["a", "b"]]);
});
