import { expect, test } from "vitest";
import { type StopSignal, stopSignalHandler } from "../../src/server/stop-signals.ts";

/** The steps that signals at these times lead to. */
function stepsOf(...signals: [atMs: number, signal: StopSignal][]): string[] {
  const taken: string[] = [];
  let nowMs = 0;
  const handler = stopSignalHandler(() => nowMs, {
    drain: () => taken.push("drain"),
    interrupt: () => taken.push("interrupt"),
    onEcho: (signal) => taken.push(signal),
  });
  for (const [atMs, signal] of signals) {
    nowMs = atMs;
    handler(signal);
  }
  return taken;
}

test("a Ctrl-C that npm forwards as well counts once", () => {
  expect(stepsOf([0, "SIGINT"], [3, "SIGINT"])).toEqual(["drain", "SIGINT"]);
  expect(stepsOf([0, "SIGINT"], [2999, "SIGINT"])).toEqual(["drain", "SIGINT"]);
});

test("so does what a supervisor sends beside the terminal", () => {
  expect(stepsOf([0, "SIGINT"], [1, "SIGTERM"], [2, "SIGTERM"])).toEqual(["drain", "SIGTERM", "SIGTERM"]);
});

test("a second one that is meant interrupts, however many are pressed in between", () => {
  expect(stepsOf([500, "SIGINT"], [3500, "SIGINT"])).toEqual(["drain", "interrupt"]);
  expect(stepsOf([0, "SIGTERM"], [2000, "SIGINT"], [4000, "SIGTERM"])).toEqual(["drain", "SIGINT", "interrupt"]);
});

test("it interrupts once", () => {
  const signals = [0, 4000, 4003, 9000].map((atMs): [number, StopSignal] => [atMs, "SIGINT"]);
  expect(stepsOf(...signals)).toEqual(["drain", "interrupt", "SIGINT", "SIGINT"]);
});

test("a terminal that closes drains and never interrupts", () => {
  expect(stepsOf([0, "SIGHUP"], [1, "SIGHUP"], [60_000, "SIGHUP"])).toEqual(["drain", "SIGHUP", "SIGHUP"]);
  expect(stepsOf([0, "SIGINT"], [60_000, "SIGHUP"], [60_001, "SIGINT"])).toEqual(["drain", "SIGHUP", "interrupt"]);
});
