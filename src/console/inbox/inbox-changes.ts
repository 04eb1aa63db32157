/** Announces that the inbox may have changed: the streams of the page note their items here, and views of it read again. */
import { createListeners } from "../parts/listeners.ts";
import { type Marked, toneOf } from "../parts/words.ts";

/** An item of a stream, as far as it matters here. */
export interface NotedItem {
  readonly __typename: string;
  readonly run?: Marked & { readonly id: string };
}

const listeners = createListeners();
/** Runs that needed a person when they were last read or changed: what they do next changes the inbox. */
const needing = new Set<string>();

/** Notes the runs of an inbox that was read. */
export function noteRuns(ids: readonly string[]): void {
  for (const id of ids) needing.add(id);
}

/** Notes an item of a stream. A run that neither needs a person nor did is at work: that changes no inbox. */
export function noteItem({ __typename, run }: NotedItem): void {
  if (run === undefined) {
    // A lock that an interrupted apply has left may be gone; behind an expired cursor anything may have changed.
    const mayMatter = __typename === "CursorExpired" || (__typename === "WorkspaceChanged" && needing.size > 0);
    if (mayMatter) listeners.notify();
    return;
  }
  const did = needing.delete(run.id);
  const needs = ["asks", "bad"].includes(toneOf(run));
  if (needs) needing.add(run.id);
  if (needs || did) listeners.notify();
}

export const onInboxChange = listeners.subscribe;
