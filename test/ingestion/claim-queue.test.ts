// Which requests are woken when, with checks that end when the test says so.
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { createHub, type Hub } from "../../src/bus/hub.ts";
import { createClaimQueue, type EnterClaimQueue, type QueuedClaim } from "../../src/ingestion/claim-queue.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { WaitingClaim } from "../../src/persistence/dispatch/waiting-store.ts";

interface Check {
  /** The ids of the claims, in their order; those that were woken have a star. */
  readonly asked: string[];
  readonly areSeen: boolean;
  answer(...called: string[]): void;
  fail(error: Error): void;
}

let hub: Hub;
let enter: EnterClaimQueue;
let checks: Check[];
let reported: unknown[];
let now: number;

beforeEach(() => {
  hub = createHub();
  checks = [];
  reported = [];
  now = 0;
  enter = createClaimQueue({
    jobs: {
      findRetryableClaims(waiting: readonly WaitingClaim[], areSeen) {
        const { promise, resolve, reject } = Promise.withResolvers<string[]>();
        const asked = waiting.map(({ claimId, isCalled }) => (isCalled ? `${claimId}*` : claimId));
        checks.push({ asked, areSeen, answer: (...called) => resolve(called), fail: reject });
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

/** The check that is under way, after so many others. */
async function check(number: number): Promise<Check> {
  await expect.poll(() => checks.length).toBe(number + 1);
  return checks[number] ?? expect.fail();
}

interface Waiting extends Disposable {
  queued: QueuedClaim;
  gone: AbortController;
  /** Whether it was woken; `null`: it waits. */
  end: boolean | null;
}

function wait(claimId: string, queued?: QueuedClaim): Waiting {
  const gone = new AbortController();
  const own = queued ?? enter(gone.signal);
  const waiting: Waiting = { queued: own, gone, end: null, [Symbol.dispose]: () => own[Symbol.dispose]() };
  if (queued === undefined) own.claims();
  const claim = { claimId, runnerId: claimId, instance: "process", tokenId: null };
  void own.woken(claim, LIMITS.claimWaitMs).then((woken) => (waiting.end = woken));
  return waiting;
}

/** Wakes a request by the second check: when the first one begins, there is only the first request. */
async function wokenBySecond(waiting: Waiting, claimId: string): Promise<void> {
  (await check(0)).answer();
  hub.signal("work");
  (await check(1)).answer(claimId);
  await expect.poll(() => waiting.end).toBe(true);
}

it("one check is for all requests, and wakes those that it finds work for", async () => {
  using a = wait("a");
  using b = wait("b");
  using c = wait("c");
  (await check(0)).answer();
  hub.signal("work");
  const second = await check(1);
  expect(second.asked).toEqual(["a", "b", "c"]);
  second.answer("b");
  await expect.poll(() => b.end).toBe(true);
  expect([a.end, c.end]).toEqual([null, null]);
  expect(hub.size).toBe(1);
});

it("a hint that comes while a request claims on its own is not missed", async () => {
  using _a = wait("a");
  (await check(0)).answer();
  const queued = enter(new AbortController().signal);
  queued.claims();
  // Offered after its own statement has read, and announced before it waits.
  hub.signal("work");
  const missed = await check(1);
  expect(missed.asked).toEqual(["a"]);
  using b = wait("b", queued);
  missed.answer();
  const next = await check(2);
  expect(next.asked).toEqual(["a", "b"]);
  next.answer("b");
  await expect.poll(() => b.end).toBe(true);
});

it("the first check finds what was announced before the queue listened", async () => {
  const queued = enter(new AbortController().signal);
  queued.claims();
  hub.signal("work");
  using a = wait("a", queued);
  (await check(0)).answer("a");
  await expect.poll(() => a.end).toBe(true);
});

it("hints during a check cause one more check, however many they are", async () => {
  using _a = wait("a");
  const first = await check(0);
  for (let hint = 0; hint < 3; hint++) hub.signal("work");
  first.answer();
  (await check(1)).answer();
  await setImmediate();
  expect(checks).toHaveLength(2);
});

it("a woken request counts until it is back, and comes back behind the others", async () => {
  using a = wait("a");
  using b = wait("b");
  await wokenBySecond(b, "b");
  b.queued.claims();
  hub.signal("work");
  const during = await check(2);
  expect(during.asked).toEqual(["b*", "a"]);
  during.answer();
  using again = wait("b", b.queued);
  // There was a check while it claimed.
  const afterwards = await check(3);
  expect(afterwards.asked).toEqual(["a", "b"]);
  afterwards.answer();
  await setImmediate();
  expect([a.end, again.end]).toEqual([null, null]);
});

it("a woken request that leaves causes a check for the others", async () => {
  using _a = wait("a");
  const b = wait("b");
  await wokenBySecond(b, "b");
  b[Symbol.dispose]();
  expect((await check(2)).asked).toEqual(["a"]);
});

it("another request is woken instead of one that left, and an empty queue does not listen", async () => {
  const [a, b] = [wait("a"), wait("b")];
  (await check(0)).answer();
  hub.signal("work");
  const second = await check(1);
  a.gone.abort();
  await expect.poll(() => a.end).toBe(false);
  a[Symbol.dispose]();
  // There is one run, and it was the turn of the one that has gone.
  second.answer("a");
  const third = await check(2);
  expect(third.asked).toEqual(["b"]);
  third.answer("b");
  await expect.poll(() => b.end).toBe(true);
  expect(a.end).toBe(false);
  b[Symbol.dispose]();
  expect(hub.size).toBe(0);
  await setImmediate();
  expect(checks).toHaveLength(3);
});

it("a check that fails is reported, and the requests keep waiting", async () => {
  using a = wait("a");
  const broken = new Error("no database");
  (await check(0)).fail(broken);
  await expect.poll(() => reported).toEqual([broken]);
  hub.signal("work");
  (await check(1)).answer("a");
  await expect.poll(() => a.end).toBe(true);
});

it("runners are recorded as seen every few seconds, not with every hint", async () => {
  using _a = wait("a");
  (await check(0)).answer();
  const sees = async (at: number): Promise<boolean> => {
    await setImmediate();
    now = at;
    hub.signal("work");
    const next = await check(checks.length);
    next.answer();
    return next.areSeen;
  };
  expect(await sees(LIMITS.streamPollMs - 1)).toBe(false);
  expect(await sees(LIMITS.streamPollMs)).toBe(true);
  expect(await sees(LIMITS.streamPollMs + 1)).toBe(false);
  // The clock was set back.
  expect(await sees(0)).toBe(true);
});
