/**
 * Where requests for work wait. One look at the database a server finds work for all of them, when a hint comes and, as
 * hints may be lost, every few seconds; then as many are called as there are runs for them. Each looks for itself before
 * it waits and when it is called, so that whoever is called for nothing does no harm.
 */
import type { IdleClaim } from "../domain/job/find-retryable-claims.ts";
import type { Jobs } from "../domain/job/jobs.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { WaitFor } from "./wait-for.ts";

export interface WaitingRoomDeps {
  jobs: Pick<Jobs, "findRetryableClaims">;
  waitFor: WaitFor;
  clock: () => Date;
  reportError: (error: unknown) => string;
}

/** Of one request. Who was called and leaves for good, with work or without it, has the others looked after. */
export interface Place extends Disposable {
  /** Before it looks for itself: what is announced from here on is not missed by `called`. */
  looks(): void;
  /** Waits until it is called; false: the time is over, or the signal aborts. */
  called(claim: IdleClaim, timeoutMs: number): Promise<boolean>;
}

/** Where `signal` aborts, nobody waits for the answer any more. */
export type EnterWaitingRoom = (signal: AbortSignal) => Place;

interface Seat {
  claim: IdleClaim;
  isCalled: boolean;
  wake: () => void;
}

interface Room extends WaitingRoomDeps {
  /** In the order of their turn. */
  readonly seats: Set<Seat>;
  /** How often something was heard, or may have been missed, for which those who wait are looked after. */
  news: number;
  isLooking: boolean;
  isLookWanted: boolean;
  /** When the runners were last noted as waiting, in milliseconds. */
  heardAt: number;
  /** Aborted when nobody waits any more. */
  closed: AbortController;
}

export function createWaitingRoom(deps: WaitingRoomDeps): EnterWaitingRoom {
  const closed = new AbortController();
  const state = { news: 0, isLooking: false, isLookWanted: false, heardAt: 0, closed };
  const room: Room = { ...deps, seats: new Set(), ...state };
  return (signal) => {
    let seat: Seat | null = null;
    let known = 0;
    return {
      looks() {
        known = room.news;
      },
      async called(claim, timeoutMs) {
        if (timeoutMs <= 0 || signal.aborted) return false;
        // It may have looked for itself before the news, and those who waited were looked after without it.
        const isLate = room.news !== known;
        const former = seat;
        seat = { claim, isCalled: false, wake: () => undefined };
        sit(room, seat);
        // Behind the others.
        if (former !== null) leave(room, former);
        if (isLate) void look(room);
        await end(seat, timeoutMs, signal);
        return seat.isCalled;
      },
      [Symbol.dispose]() {
        if (seat === null) return;
        leave(room, seat);
        if (!seat.isCalled) return;
        room.news += 1;
        void look(room);
      },
    };
  };
}

function sit(room: Room, seat: Seat): void {
  const isFirst = room.seats.size === 0;
  room.seats.add(seat);
  if (!isFirst) return;
  room.heardAt = room.clock().getTime();
  room.closed = new AbortController();
  void attend(room, room.closed.signal);
}

function leave(room: Room, seat: Seat): void {
  room.seats.delete(seat);
  if (room.seats.size === 0) room.closed.abort();
}

/** Of the waiting: that it is called, that the time is over, or that the signal aborts. */
async function end(seat: Seat, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  seat.wake = resolve;
  signal.addEventListener("abort", () => resolve(), { once: true });
  const timer = setTimeout(resolve, timeoutMs);
  await promise;
  clearTimeout(timer);
}

/** While anybody waits. The first look is for hints that came before it listens. */
async function attend(room: Room, signal: AbortSignal): Promise<void> {
  using hints = room.waitFor("work", signal);
  while (!signal.aborted) {
    hints.reset();
    await look(room);
    await hints.changed(LIMITS.streamPollMs);
    room.news += 1;
  }
}

/** One at a time; who wants one meanwhile gets one that begins afterwards. Never rejects. */
async function look(room: Room): Promise<void> {
  room.isLookWanted = true;
  if (room.isLooking) return;
  room.isLooking = true;
  try {
    while (room.isLookWanted && room.seats.size > 0) {
      room.isLookWanted = false;
      await callThem(room);
    }
  } catch (error) {
    // Where the database is away, they wait on: the next look is due in a few seconds.
    if (room.seats.size > 0) room.reportError(error);
  } finally {
    room.isLooking = false;
  }
}

async function callThem(room: Room): Promise<void> {
  const now = room.clock().getTime();
  const areHeard = Math.abs(now - room.heardAt) >= LIMITS.streamPollMs;
  // Who was called comes first: runs that they are about to take call nobody else.
  const asked = [...room.seats].toSorted((a, b) => Number(b.isCalled) - Number(a.isCalled));
  const claims = asked.map(({ claim, isCalled }) => ({ ...claim, isCalled }));
  const called = new Set(await room.jobs.findRetryableClaims(claims, areHeard));
  if (areHeard) room.heardAt = now;
  for (const seat of asked.filter(({ claim }) => called.has(claim.claimId))) {
    if (room.seats.has(seat)) {
      seat.isCalled = true;
      seat.wake();
    } else {
      // It left during the look: another one is to be called in its place.
      room.isLookWanted = true;
    }
  }
}
