/** The one connection of a tab for streams: how it is, and since when. */
import { type Client, createClient } from "../../client/client.ts";
import { createListeners } from "../parts/listeners.ts";

/**
 * `LIVE`: the server has answered within the last 15 s. `CHECKING`: a connection is being made. `STALE`: it could not be
 * made, so the page may show what is not true any more.
 */
export type LinkState = "LIVE" | "CHECKING" | "STALE";

export interface LinkStatus {
  readonly state: LinkState;
  /** When the server last proved to be there, in milliseconds; `null`: not yet. */
  readonly aliveAt: number | null;
  /** How often the connection was tried since then. */
  readonly tries: number;
}

const ALIVE_FOR_MS = 15_000;
/** Tabs stay open for weeks: a dropped connection is tried for ever, at most every 10 s. */
const RETRY = { attempts: Number.POSITIVE_INFINITY, baseMs: 250, maxMs: 10_000 };

let status: LinkStatus = { state: "CHECKING", aliveAt: null, tries: 0 };
const listeners = createListeners();
let expiry: ReturnType<typeof setTimeout> | undefined;

function set(next: LinkStatus): void {
  if (next.state === status.state && next.tries === status.tries && next.aliveAt === status.aliveAt) return;
  status = next;
  listeners.notify();
}

function alive(): void {
  clearTimeout(expiry);
  expiry = setTimeout(() => set({ ...status, state: "CHECKING" }), ALIVE_FOR_MS);
  set({ state: "LIVE", aliveAt: Date.now(), tries: 0 });
}

function lost(): void {
  clearTimeout(expiry);
  set({ ...status, state: status.tries > 1 ? "STALE" : "CHECKING" });
}

/** The client of the page: its requests and streams use the session of the browser. */
export const client: Client = createClient({
  url: `${location.origin}/graphql`,
  retry: RETRY,
  onAlive: alive,
  onClosed: lost,
  onRetry: () => set({ ...status, state: status.tries > 0 ? "STALE" : "CHECKING", tries: status.tries + 1 }),
});

/** The state now; the same object until it changes. */
export const linkStatus = (): LinkStatus => status;

export const onLink = listeners.subscribe;

/** A timer that comes later than this was not late: the machine was asleep. Browsers slow the timers of hidden tabs. */
const ASLEEP_MS = 10_000;
const BEAT_MS = 1_000;

/** Checks the connection at once after a sleep, or where a network is back. Until the answer the page may be out of date. */
function wake(): void {
  const { state, aliveAt } = status;
  if (state === "LIVE" && aliveAt !== null && Date.now() - aliveAt > ALIVE_FOR_MS)
    set({ ...status, state: "CHECKING" });
  client.checkNow();
}

/** Notices that the machine or the tab was asleep. */
export function watchWakes(): void {
  const look = (): void => {
    if (document.visibilityState === "visible") wake();
  };
  for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, look);
  for (const event of ["online", "pageshow"]) addEventListener(event, look);
  // A machine that wakes with the page in sight fires none of these events.
  let beatAt = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - beatAt > ASLEEP_MS) look();
    beatAt = now;
  }, BEAT_MS);
}
