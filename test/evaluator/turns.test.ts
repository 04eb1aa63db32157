/** The order in which calls get their turns: those in the background give way to all others. */
import { expect, it } from "vitest";
import { createTurns, type Turns } from "../../src/evaluator/process/turns.ts";

/** A call that ends when it is told to, or when it gives way. */
function begin(turns: Turns, log: string[], name: string, isBackground = false) {
  const { promise: told, resolve: end } = Promise.withResolvers<void>();
  const call = turns.take(isBackground, async (giveWay) => {
    log.push(`begin ${name}`);
    const asked = new Promise<void>((resolve) => giveWay.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([told, asked]);
    log.push(`${giveWay.aborted ? "yield" : "end"} ${name}`);
  });
  return { end, call };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("gives turns in the order of calls, as many at a time as there are", async () => {
  const [turns, log] = [createTurns(2), [] as string[]];
  const [a, b, c] = ["a", "b", "c"].map((name) => begin(turns, log, name));
  await settle();
  expect(log).toEqual(["begin a", "begin b"]);
  b?.end();
  await b?.call;
  await settle();
  expect(log).toEqual(["begin a", "begin b", "end b", "begin c"]);
  a?.end();
  c?.end();
  await Promise.all([a?.call, c?.call]);
});

it("leaves one turn free of work in the background, and begins others before it", async () => {
  const [turns, log] = [createTurns(2), [] as string[]];
  const slow = begin(turns, log, "slow", true);
  const slower = begin(turns, log, "slower", true);
  const quick = begin(turns, log, "quick");
  await settle();
  expect(log).toEqual(["begin slow", "begin quick"]);
  slow.end();
  await slow.call;
  await settle();
  expect(log).toEqual(["begin slow", "begin quick", "end slow", "begin slower"]);
  slower.end();
  quick.end();
  await Promise.all([slower.call, quick.call]);
});

it("takes the turn of work in the background for a call that would wait, and no turn of others", async () => {
  const [turns, log] = [createTurns(3), [] as string[]];
  const slow = ["slow 1", "slow 2"].map((name) => begin(turns, log, name, true));
  const first = begin(turns, log, "first");
  await settle();
  const second = begin(turns, log, "second");
  await settle();
  expect(log).toEqual(["begin slow 1", "begin slow 2", "begin first", "yield slow 1", "begin second"]);
  const [third, fourth] = [begin(turns, log, "third"), begin(turns, log, "fourth")];
  await settle();
  expect(log.slice(5)).toEqual(["yield slow 2", "begin third"]);
  first.end();
  await settle();
  expect(log.slice(7)).toEqual(["end first", "begin fourth"]);
  for (const call of [second, third, fourth]) call.end();
  await Promise.all([...slow, first, second, third, fourth].map(({ call }) => call));
});

it("has the one turn that there is in the background as well, until another call comes", async () => {
  const [turns, log] = [createTurns(1), [] as string[]];
  const slow = begin(turns, log, "slow", true);
  const next = begin(turns, log, "next", true);
  await settle();
  expect(log).toEqual(["begin slow"]);
  const quick = begin(turns, log, "quick");
  await settle();
  expect(log).toEqual(["begin slow", "yield slow", "begin quick"]);
  quick.end();
  await settle();
  expect(log.slice(3)).toEqual(["end quick", "begin next"]);
  next.end();
  await Promise.all([slow.call, next.call, quick.call]);
});

it("gives the turn back when a call fails", async () => {
  const turns = createTurns(1);
  await expect(turns.take(false, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await turns.take(false, () => Promise.resolve("next"))).toBe("next");
});
