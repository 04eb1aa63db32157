import { expect, it } from "vitest";
import { followStream } from "../../../src/console/live/follow-stream.ts";

type Script = readonly (readonly (string | Error)[])[];

/** Plays streams one after the other; gives what was received and how each was opened. */
async function play(scripts: Script, stopAfter = Number.POSITIVE_INFINITY) {
  const controller = new AbortController();
  const [received, opened]: [string[], boolean[]] = [[], []];
  let pauses = 0;
  let isComplete = false;
  async function* stream(script: readonly (string | Error)[]): AsyncGenerator<string> {
    for (const item of script) {
      if (item instanceof Error) throw item;
      yield item;
    }
  }
  await followStream(
    {
      next(item: string) {
        received.push(item);
        if (received.length >= stopAfter) controller.abort();
      },
      complete: () => (isComplete = true),
    },
    {
      open(isFresh) {
        opened.push(isFresh);
        return stream(scripts[opened.length - 1] ?? []);
      },
      isExpired: (item) => item === "expired",
      pause: () => Promise.resolve(void (pauses += 1)),
      signal: controller.signal,
    },
  );
  return { received, opened, pauses, isComplete };
}

it("ends with its stream", async () => {
  expect(await play([["a", "b"]])).toEqual({ received: ["a", "b"], opened: [false], pauses: 0, isComplete: true });
});

it("begins again where its place has expired, and passes that on", async () => {
  const { received, opened, isComplete } = await play([["a", "expired"], ["b"]]);
  expect([received, opened, isComplete]).toEqual([["a", "expired", "b"], [false, true], true]);
});

it("continues where it was after a failure, also twice, and also behind an expired place", async () => {
  const broken = new Error("refused");
  const { received, opened, pauses } = await play([["a", broken], [broken], ["expired"], ["b", broken], ["c"]]);
  expect(received).toEqual(["a", "expired", "b", "c"]);
  expect(opened).toEqual([false, false, false, true, false]);
  expect(pauses).toBe(3);
});

it("stops when it is not wanted any more, without an end", async () => {
  const { opened, isComplete } = await play([["a", "expired"], ["b"]], 2);
  expect([opened, isComplete]).toEqual([[false], false]);
});
