import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Watch } from "../../src/bus/hub.ts";
import { pacedWatch } from "../../src/bus/paced-watch.ts";

/** So long that no test sees its end. */
const PAUSE_MS = 600_000;

let nowMs = 1000;
beforeEach(() => {
  nowMs = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => void vi.restoreAllMocks());

/** A watch whose every wait ends at once. */
function rig() {
  const calls: string[] = [];
  const watch: Watch = {
    reset: () => void calls.push("reset"),
    changed: (timeoutMs) => {
      calls.push(`changed ${timeoutMs}`);
      return Promise.resolve();
    },
    [Symbol.dispose]: () => void calls.push("disposed"),
  };
  const paced = pacedWatch(watch, PAUSE_MS);
  let isReported = false;
  const changed = async (): Promise<boolean> => {
    isReported = false;
    void paced.changed(7).then(() => (isReported = true));
    await new Promise((done) => setImmediate(done));
    return isReported;
  };
  return { paced, calls, changed, isReported: () => isReported };
}

test("reports the first change at once, and the next ones only after the pause", async () => {
  const { paced, calls, changed } = rig();
  expect(await changed()).toBe(true);
  paced.reset();
  nowMs += PAUSE_MS;
  expect(await changed()).toBe(true);
  nowMs -= 1000;
  expect(await changed()).toBe(false);
  paced[Symbol.dispose]();
  expect(calls).toEqual(["changed 7", "reset", "changed 7", "changed 7", "disposed"]);
});

test("ends its pause when it is left, and has none afterwards", async () => {
  const { paced, changed, isReported } = rig();
  paced.reset();
  expect(await changed()).toBe(false);
  paced[Symbol.dispose]();
  await new Promise((done) => setImmediate(done));
  expect(isReported()).toBe(true);
  expect(await changed()).toBe(true);
});
