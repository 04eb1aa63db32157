/**
 * The changes that a person has marked as seen, by run and by the digests of the changes, kept in this browser. In a new plan only
 * changes that differ have no mark.
 */
import { keep, readKept } from "../parts/kept.ts";
import type { DescribedChange } from "./pattern.ts";

const NAME = "holdpoint-seen";
/** More digests than this do not fit beside the rest; the runs that were marked first are dropped. */
const MOST = 50_000;

type Kept = readonly (readonly [runId: string, digests: readonly string[]])[];

/** Reads the marks of a run. There are none where the browser keeps nothing. */
export function readSeen(runId: string): ReadonlySet<string> {
  return new Set(readAll().find(([id]) => id === runId)?.[1]);
}

/** Keeps the marks of a run. Where the browser keeps nothing, they last as long as the page. */
export function keepSeen(runId: string, seen: ReadonlySet<string>): void {
  const all: Kept = [...readAll().filter(([id]) => id !== runId), [runId, [...seen]]];
  let count = 0;
  const newest = all.toReversed().filter(([, digests]) => (count += digests.length) <= MOST && digests.length > 0);
  keep(NAME, JSON.stringify(newest.toReversed()));
}

function readAll(): Kept {
  try {
    const value: unknown = JSON.parse(readKept(NAME) ?? "[]");
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Kept[number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [runId, digests]: unknown[] = value;
  return typeof runId === "string" && Array.isArray(digests) && digests.every((digest) => typeof digest === "string");
}

/** Whether all changes, some or none of them are marked. */
export function shareSeen(changes: readonly DescribedChange[], seen: ReadonlySet<string>): "ALL" | "SOME" | "NONE" {
  const count = changes.filter(({ change }) => seen.has(change.digest)).length;
  if (count === 0) return "NONE";
  return count === changes.length ? "ALL" : "SOME";
}
