/** Keeps what happened while the page had no connection: the streams deliver it once the connection is back. */
import type { OrganizationRunsSubscription } from "../generated/graphql.ts";
import { createListeners } from "../parts/listeners.ts";
import { linkStatus, onLink } from "./link.ts";

type Item = OrganizationRunsSubscription["organizationEvents"];
export type MissedRun = Extract<Item, { readonly run: object }>["run"];

/** The time without a connection, and the runs that changed in it. */
export interface Absence {
  /** In milliseconds. */
  readonly from: number;
  readonly to: number;
  /** As they are now, the last that changed first. */
  readonly runs: readonly MissedRun[];
  /** Whether more has happened than the server keeps. */
  readonly isCut: boolean;
}

/** A connection that was away for less is no absence: the page changes as if it had been there. */
const SHORTEST_MS = 15_000;
/** Once nothing has come for this long, all that was missed is there. */
const SILENCE_MS = 1_000;
/** A busy organization is never silent. */
const LONGEST_MS = 10_000;

let absence: Absence | null = null;
/** The absence whose items are coming; `null`: items are new. */
let filling: { readonly end: () => void; readonly until: number } | null = null;
let silence: ReturnType<typeof setTimeout> | undefined;
const listeners = createListeners();

/** Begins to watch the connection. */
export function watchAbsences(): void {
  let leftAt: number | null = null;
  onLink(() => {
    const { state, aliveAt } = linkStatus();
    if (state !== "LIVE") {
      leftAt ??= aliveAt;
      return;
    }
    if (leftAt !== null && Date.now() - leftAt >= SHORTEST_MS) fill(leftAt);
    leftAt = null;
  });
}

function fill(from: number): void {
  const to = Date.now();
  absence = { from: absence?.from ?? from, to, runs: absence?.runs ?? [], isCut: absence?.isCut ?? false };
  const end = (): void => {
    filling = null;
  };
  filling = { end, until: to + LONGEST_MS };
  awaitSilence();
}

function awaitSilence(): void {
  if (filling === null) return;
  clearTimeout(silence);
  const { end, until } = filling;
  silence = setTimeout(end, Math.max(0, Math.min(SILENCE_MS, until - Date.now())));
}

/** Takes an item of a stream: it was missed if the connection has just come back. */
export function noteMissed(item: Item): void {
  if (filling === null || absence === null) return;
  if ("run" in item) {
    const { run } = item;
    absence = { ...absence, runs: [run, ...absence.runs.filter(({ id }) => id !== run.id)] };
  } else if (item.__typename === "CursorExpired") absence = { ...absence, isCut: true };
  awaitSilence();
  listeners.notify();
}

/** The last absence in which something happened; `null` if there was none, or a person has read it. */
export const lastAbsence = (): Absence | null =>
  absence !== null && (absence.runs.length > 0 || absence.isCut) ? absence : null;

/** Forgets the absence, which was read. */
export function dismissAbsence(): void {
  absence = null;
  filling = null;
  listeners.notify();
}

export const onAbsence = listeners.subscribe;
