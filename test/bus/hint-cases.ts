/** Cases that hints fulfil over each bus: they carry topics from every server to every server, and report a gap. */
import { describe, expect, test } from "vitest";
import type { HintListener, Notifier, Topic } from "../../src/persistence/database/notifier.ts";
import { waitUntil } from "../support/eventually.ts";

/** The hints of one server. */
export interface HintsEnd extends AsyncDisposable {
  notifier: Notifier;
  received: (Topic | "ALL")[];
  errors: Error[];
}

/** The parts of an end that do not depend on the bus, and the listener that fills them. */
export function newEnd(): { end: Pick<HintsEnd, "received" | "errors">; listener: HintListener } {
  const end = { received: [] as HintsEnd["received"], errors: [] as Error[] };
  return {
    end,
    listener: { signal: (topic) => end.received.push(topic), signalAll: () => end.received.push("ALL") },
  };
}

/** `open` connects one more server; `cut` ends every connection to the bus. */
export function describeHints(bus: string, open: () => Promise<HintsEnd>, cut: () => Promise<void>): void {
  describe(`hints over ${bus}`, () => {
    test("go from each server to each, its own included, many of one moment as one", async () => {
      await using first = await open();
      await using second = await open();
      first.received.length = 0;
      for (let i = 0; i < 100; i++) first.notifier.send(["run:run_1", "work"]);
      second.notifier.send(["token:tok_1", "bulk", "webhooks", "ws:ws_1", "org:org_1", "log:run_1"]);
      for (const { received } of [first, second]) {
        const topics = (): string[] => received.filter((each) => each !== "ALL");
        await waitUntil(() => topics().length >= 8);
        expect(topics().toSorted()).toEqual([
          "bulk",
          "log:run_1",
          "org:org_1",
          "run:run_1",
          "token:tok_1",
          "webhooks",
          "work",
          "ws:ws_1",
        ]);
      }
    });

    test("of thousands of runs at once all arrive", async () => {
      await using first = await open();
      await using second = await open();
      const topics = Array.from({ length: 5000 }, (_, number): Topic => `run:run_${String(number).padStart(26, "0")}`);
      first.notifier.send(topics);
      await waitUntil(() => new Set(second.received).size >= topics.length);
      expect(new Set(second.received)).toEqual(new Set(topics));
    });

    test("that were sent before the end arrive, later ones are dropped", async () => {
      await using second = await open();
      const first = await open();
      second.received.length = 0;
      first.notifier.send(["run:kept"]);
      await first[Symbol.asyncDispose]();
      first.notifier.send(["run:dropped"]);
      await waitUntil(() => second.received.includes("run:kept"));
      await using third = await open();
      third.notifier.send(["run:last"]);
      await waitUntil(() => second.received.includes("run:last"));
      expect(second.received).not.toContain("run:dropped");
      expect(first.errors).toEqual([]);
    });

    test("that were lost with a connection are made up for by reading everything", async () => {
      await using first = await open();
      await using second = await open();
      second.received.length = 0;
      await cut();
      first.notifier.send(["run:lost"]);
      await waitUntil(() => second.received.includes("ALL"));
      await waitUntil(
        () => {
          first.notifier.send(["run:after"]);
          return second.received.includes("run:after");
        },
        { interval: 50 },
      );
      expect(second.errors.length).toBeGreaterThan(0);
    });
  });
}
