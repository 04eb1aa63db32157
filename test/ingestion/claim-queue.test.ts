// Who is called when, with looks that end when the test says so.
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { createHub, type Hub } from "../../src/bus/hub.ts";
import { createWaitingRoom, type EnterWaitingRoom, type Place } from "../../src/ingestion/claim-queue.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { WaitingClaim } from "../../src/persistence/dispatch/waiting-store.ts";

interface Look {
  /** Who was looked for, in the order of their turn; those who were called have a star. */
  readonly asked: string[];
  readonly areHeard: boolean;
  answer(...called: string[]): void;
  fail(error: Error): void;
}

let hub: Hub;
let enter: EnterWaitingRoom;
let looks: Look[];
let reported: unknown[];
let now: number;

beforeEach(() => {
  hub = createHub();
  looks = [];
  reported = [];
  now = 0;
  enter = createWaitingRoom({
    jobs: {
      findRetryableClaims(waiting: readonly WaitingClaim[], areHeard) {
        const { promise, resolve, reject } = Promise.withResolvers<string[]>();
        const asked = waiting.map(({ claimId, isCalled }) => (isCalled ? `${claimId}*` : claimId));
        looks.push({ asked, areHeard, answer: (...called) => resolve(called), fail: reject });
        return promise;
      },
    },
    waitFor(topic, signal) {
      const watch = hub.watch(topic);
      signal.addEventListener("abort", () => watch[Symbol.dispose](), { once: true });
      return watch;
    },
    clock: () => new Date(now),
    reportError: (error) => `error ${reported.push(error)}`,
  });
});

/** The look that is under way, after so many others. */
async function look(number: number): Promise<Look> {
  await expect.poll(() => looks.length).toBe(number + 1);
  return looks[number] ?? expect.fail();
}

interface Waiting extends Disposable {
  place: Place;
  gone: AbortController;
  /** Whether it was called; null: it waits. */
  end: boolean | null;
}

function wait(claimId: string, place?: Place): Waiting {
  const gone = new AbortController();
  const own = place ?? enter(gone.signal);
  const waiting: Waiting = { place: own, gone, end: null, [Symbol.dispose]: () => own[Symbol.dispose]() };
  if (place === undefined) own.looks();
  const claim = { claimId, runnerId: claimId, instance: "process", tokenId: null };
  void own.called(claim, LIMITS.claimWaitMs).then((called) => (waiting.end = called));
  return waiting;
}

/** By the second look of all: when the first one begins, the first of them is there alone. */
async function called(waiting: Waiting, claimId: string): Promise<void> {
  (await look(0)).answer();
  hub.signal("work");
  (await look(1)).answer(claimId);
  await expect.poll(() => waiting.end).toBe(true);
}

it("one look is for all, and those are woken whom it calls", async () => {
  using a = wait("a");
  using b = wait("b");
  using c = wait("c");
  (await look(0)).answer();
  hub.signal("work");
  const second = await look(1);
  expect(second.asked).toEqual(["a", "b", "c"]);
  second.answer("b");
  await expect.poll(() => b.end).toBe(true);
  expect([a.end, c.end]).toEqual([null, null]);
  expect(hub.size).toBe(1);
});

it("what is announced while a request looks for itself is not missed", async () => {
  using _a = wait("a");
  (await look(0)).answer();
  const place = enter(new AbortController().signal);
  place.looks();
  // Offered after its own statement has read, and announced before it waits.
  hub.signal("work");
  const missed = await look(1);
  expect(missed.asked).toEqual(["a"]);
  using b = wait("b", place);
  missed.answer();
  const next = await look(2);
  expect(next.asked).toEqual(["a", "b"]);
  next.answer("b");
  await expect.poll(() => b.end).toBe(true);
});

it("what is announced before anybody listens is found by the first look", async () => {
  const place = enter(new AbortController().signal);
  place.looks();
  hub.signal("work");
  using a = wait("a", place);
  (await look(0)).answer("a");
  await expect.poll(() => a.end).toBe(true);
});

it("what is announced during a look is looked for by another one, however often it is announced", async () => {
  using _a = wait("a");
  const first = await look(0);
  for (let hint = 0; hint < 3; hint++) hub.signal("work");
  first.answer();
  (await look(1)).answer();
  await setImmediate();
  expect(looks).toHaveLength(2);
});

it("who was called counts until it is back, and comes back behind the others", async () => {
  using a = wait("a");
  using b = wait("b");
  await called(b, "b");
  b.place.looks();
  hub.signal("work");
  const during = await look(2);
  expect(during.asked).toEqual(["b*", "a"]);
  during.answer();
  using again = wait("b", b.place);
  // There was a look while it looked.
  const afterwards = await look(3);
  expect(afterwards.asked).toEqual(["a", "b"]);
  afterwards.answer();
  await setImmediate();
  expect([a.end, again.end]).toEqual([null, null]);
});

it("who was called and leaves has the others looked after", async () => {
  using _a = wait("a");
  const b = wait("b");
  await called(b, "b");
  b[Symbol.dispose]();
  expect((await look(2)).asked).toEqual(["a"]);
});

it("in the place of one that goes away another one is called, and with the last one the listening ends", async () => {
  const [a, b] = [wait("a"), wait("b")];
  (await look(0)).answer();
  hub.signal("work");
  const second = await look(1);
  a.gone.abort();
  await expect.poll(() => a.end).toBe(false);
  a[Symbol.dispose]();
  // There is one run, and it was the turn of the one that has gone.
  second.answer("a");
  const third = await look(2);
  expect(third.asked).toEqual(["b"]);
  third.answer("b");
  await expect.poll(() => b.end).toBe(true);
  expect(a.end).toBe(false);
  b[Symbol.dispose]();
  expect(hub.size).toBe(0);
  await setImmediate();
  expect(looks).toHaveLength(3);
});

it("where a look fails it is told, and they wait on", async () => {
  using a = wait("a");
  const broken = new Error("no database");
  (await look(0)).fail(broken);
  await expect.poll(() => reported).toEqual([broken]);
  hub.signal("work");
  (await look(1)).answer("a");
  await expect.poll(() => a.end).toBe(true);
});

it("runners are noted as waiting every few seconds, not with every hint", async () => {
  using _a = wait("a");
  (await look(0)).answer();
  const hears = async (at: number): Promise<boolean> => {
    await setImmediate();
    now = at;
    hub.signal("work");
    const next = await look(looks.length);
    next.answer();
    return next.areHeard;
  };
  expect(await hears(LIMITS.streamPollMs - 1)).toBe(false);
  expect(await hears(LIMITS.streamPollMs)).toBe(true);
  expect(await hears(LIMITS.streamPollMs + 1)).toBe(false);
  // The clock was set back.
  expect(await hears(0)).toBe(true);
});
