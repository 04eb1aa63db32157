/**
 * The requests for work that a server holds open. One check of the database finds work for all of them: after a hint and,
 * because hints may be lost, every few seconds. It wakes as many requests as there are runs for them. Each request claims
 * on its own before it waits and after it was woken, so waking one too many is harmless.
 */
import type { IdleClaim } from "../domain/job/find-retryable-claims.ts";
import type { Jobs } from "../domain/job/jobs.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { WaitFor } from "./wait-for.ts";

export interface ClaimQueueDeps {
  jobs: Pick<Jobs, "findRetryableClaims">;
  waitFor: WaitFor;
  clock: () => Date;
  reportError: (error: unknown) => string;
}

/** One request in the queue. If it was woken and then leaves, with work or without, the others are checked again. */
export interface QueuedClaim extends Disposable {
  /** Marks the start of the request's own claim: `woken` does not miss hints from here on. */
  claims(): void;
  /** Waits until the request is woken. Returns false if the time is over, or the signal aborts. */
  woken(claim: IdleClaim, timeoutMs: number): Promise<boolean>;
}

/** Adds a request. `signal` aborts when its client has disconnected. */
export type EnterClaimQueue = (signal: AbortSignal) => QueuedClaim;

interface Waiter {
  claim: IdleClaim;
  isCalled: boolean;
  wake: () => void;
}

interface Queue extends ClaimQueueDeps {
  /** In their order. */
  readonly waiters: Set<Waiter>;
  /** Counts the reasons for a check: hints, and intervals in which a hint may have been lost. */
  changeCount: number;
  isChecking: boolean;
  isCheckDue: boolean;
  /** When the runners were last recorded as seen, in milliseconds. */
  seenAt: number;
  /** Aborted when the queue is empty. */
  closed: AbortController;
}

export function createClaimQueue(deps: ClaimQueueDeps): EnterClaimQueue {
  const closed = new AbortController();
  const state = { changeCount: 0, isChecking: false, isCheckDue: false, seenAt: 0, closed };
  const queue: Queue = { ...deps, waiters: new Set(), ...state };
  return (signal) => {
    let waiter: Waiter | null = null;
    let knownCount = 0;
    return {
      claims() {
        knownCount = queue.changeCount;
      },
      async woken(claim, timeoutMs) {
        if (timeoutMs <= 0 || signal.aborted) return false;
        // Its own claim may have read before a change, and the check for that change did not include it.
        const isLate = queue.changeCount !== knownCount;
        const former = waiter;
        waiter = { claim, isCalled: false, wake: () => undefined };
        add(queue, waiter);
        // After `add`, so that it is behind the others and the queue is never empty in between.
        if (former !== null) remove(queue, former);
        if (isLate) void check(queue);
        await untilWoken(waiter, timeoutMs, signal);
        return waiter.isCalled;
      },
      [Symbol.dispose]() {
        if (waiter === null) return;
        remove(queue, waiter);
        if (!waiter.isCalled) return;
        queue.changeCount += 1;
        void check(queue);
      },
    };
  };
}

function add(queue: Queue, waiter: Waiter): void {
  const isFirst = queue.waiters.size === 0;
  queue.waiters.add(waiter);
  if (!isFirst) return;
  queue.seenAt = queue.clock().getTime();
  queue.closed = new AbortController();
  void followHints(queue, queue.closed.signal);
}

function remove(queue: Queue, waiter: Waiter): void {
  queue.waiters.delete(waiter);
  if (queue.waiters.size === 0) queue.closed.abort();
}

/** Waits until the request is woken, the time is over, or the signal aborts. */
async function untilWoken(waiter: Waiter, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiter.wake = resolve;
  signal.addEventListener("abort", () => resolve(), { once: true });
  const timer = setTimeout(resolve, timeoutMs);
  await promise;
  clearTimeout(timer);
}

/** Checks after each hint while the queue is not empty. The first check covers hints from before it listens. */
async function followHints(queue: Queue, signal: AbortSignal): Promise<void> {
  using hints = queue.waitFor("work", signal);
  while (!signal.aborted) {
    hints.reset();
    await check(queue);
    await hints.changed(LIMITS.streamPollMs);
    queue.changeCount += 1;
  }
}

/** Checks one at a time; a call during a check causes another one after it. Never rejects. */
async function check(queue: Queue): Promise<void> {
  queue.isCheckDue = true;
  if (queue.isChecking) return;
  queue.isChecking = true;
  try {
    while (queue.isCheckDue && queue.waiters.size > 0) {
      queue.isCheckDue = false;
      await wakeRetryable(queue);
    }
  } catch (error) {
    // If the database cannot be reached, the requests keep waiting: the next check is due in a few seconds.
    if (queue.waiters.size > 0) queue.reportError(error);
  } finally {
    queue.isChecking = false;
  }
}

async function wakeRetryable(queue: Queue): Promise<void> {
  const now = queue.clock().getTime();
  const areSeen = Math.abs(now - queue.seenAt) >= LIMITS.streamPollMs;
  // Woken requests come first: a run that one of them is about to claim must not wake another one.
  const checked = [...queue.waiters].toSorted((a, b) => Number(b.isCalled) - Number(a.isCalled));
  const claims = checked.map(({ claim, isCalled }) => ({ ...claim, isCalled }));
  const retryable = new Set(await queue.jobs.findRetryableClaims(claims, areSeen));
  if (areSeen) queue.seenAt = now;
  for (const waiter of checked.filter(({ claim }) => retryable.has(claim.claimId))) {
    if (queue.waiters.has(waiter)) {
      waiter.isCalled = true;
      waiter.wake();
    } else {
      // It left during the check: another request is to be woken instead.
      queue.isCheckDue = true;
    }
  }
}
