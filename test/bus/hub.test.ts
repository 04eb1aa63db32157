import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHub, type Watch } from "../../src/bus/hub.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a watch has seen a change, once everything happened that can without time. */
function follow(watch: Watch, timeoutMs = 1000): () => Promise<boolean> {
  let changed = false;
  void watch.changed(timeoutMs).then(() => (changed = true));
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return changed;
  };
}

describe("a watch", () => {
  it("changes at a hint about its own topic", async () => {
    const hub = createHub();
    const [one, peer, other] = [hub.watch("log:1"), hub.watch("log:1"), hub.watch("log:2")].map((watch) =>
      follow(watch),
    );
    expect([await one?.(), await peer?.(), await other?.()]).toEqual([false, false, false]);
    hub.signal("log:1");
    expect([await one?.(), await peer?.(), await other?.()]).toEqual([true, true, false]);
    hub.signal("log:3");
    expect(await other?.()).toBe(false);
    hub.signalAll();
    expect(await other?.()).toBe(true);
  });

  it("loses no hint that came while nothing waited for one, and forgets those before a reset", async () => {
    const hub = createHub();
    const watch = hub.watch("log:1");
    hub.signal("log:1");
    hub.signal("log:1");
    expect(await follow(watch)()).toBe(true);
    expect(await follow(watch)()).toBe(true);
    watch.reset();
    const later = follow(watch);
    expect(await later()).toBe(false);
    hub.signal("log:1");
    expect(await later()).toBe(true);
  });

  it("changes after a time without a hint, and then waits for the next one", async () => {
    const hub = createHub();
    const watch = hub.watch("log:1");
    const first = follow(watch, 1000);
    await vi.advanceTimersByTimeAsync(999);
    expect(await first()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first()).toBe(true);
    const second = follow(watch, 1000);
    expect(await second()).toBe(false);
    hub.signal("log:1");
    expect(await second()).toBe(true);
    // The timer of what has ended is no change of what comes next.
    watch.reset();
    const third = follow(watch, 5000);
    await vi.advanceTimersByTimeAsync(1500);
    expect(await third()).toBe(false);
    expect(vi.getTimerCount()).toBe(1);
  });

  it("changes when it is disposed, and leaves nothing behind", async () => {
    const hub = createHub();
    const [watch, peer] = [hub.watch("log:1"), hub.watch("log:1")];
    expect(hub.size).toBe(2);
    const waiting = follow(watch);
    watch[Symbol.dispose]();
    expect([await waiting(), hub.size, vi.getTimerCount()]).toEqual([true, 1, 0]);
    hub.signal("log:1");
    expect(await follow(peer)()).toBe(true);
    peer[Symbol.dispose]();
    expect(hub.size).toBe(0);
  });

  it("is not one of a later watch of its topic, also where it is disposed twice", () => {
    const hub = createHub();
    const former = hub.watch("log:1");
    former[Symbol.dispose]();
    const later = hub.watch("log:1");
    former[Symbol.dispose]();
    expect(hub.size).toBe(1);
    later[Symbol.dispose]();
    expect(hub.size).toBe(0);
  });
});

it("forgets a topic when the last watch of it is disposed, and not before", () => {
  const hub = createHub();
  using forget = vi.spyOn(Map.prototype, "delete");
  const forgotten = (): unknown[] => forget.mock.calls.flat().filter((topic) => topic === "log:1");
  const [one, other] = [hub.watch("log:1"), hub.watch("log:1")];
  one[Symbol.dispose]();
  expect(forgotten()).toEqual([]);
  other[Symbol.dispose]();
  expect(forgotten()).toEqual(["log:1"]);
});

it("has a watch disposed twice as once, also where its topic has no other", () => {
  const hub = createHub();
  const watch = hub.watch("log:1");
  watch[Symbol.dispose]();
  expect(() => watch[Symbol.dispose]()).not.toThrow();
  expect(hub.size).toBe(0);
});

it("wakes a watch of several topics by each of them, until it is disposed", async () => {
  const hub = createHub();
  const watch = hub.watch("log:1", "run:1");
  expect(hub.size).toBe(2);
  for (const topic of ["log:1", "run:1"] as const) {
    watch.reset();
    const seen = follow(watch);
    expect(await seen()).toBe(false);
    hub.signal(topic);
    expect(await seen()).toBe(true);
  }
  watch[Symbol.dispose]();
  expect(hub.size).toBe(0);
});

it("counts no watches of tokens", () => {
  const hub = createHub();
  hub.watch("token:tok_1", "rights");
  hub.watch("rights");
  hub.watch("log:1");
  expect(hub.size).toBe(1);
});
