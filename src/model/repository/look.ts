/** Decides when the refs of a repository are read, and what became of them since. */
import { LIMITS } from "../kit/limits.ts";
import { type GitHostKind, sendsHooks } from "./git-host.ts";

/** The ways in which the look was requested that found a change. */
export const FOUND_BY = ["CALLER", "HOOK", "POLL"] as const;
export type FoundBy = (typeof FOUND_BY)[number];

export const HOOK_HEALTHS = ["MISSING", "UNPROVEN", "WORKING"] as const;
export type HookHealth = (typeof HOOK_HEALTHS)[number];

/** The changes whose finders are remembered, and those that prove a hook, or that it is missing. */
const REMEMBERED = 5;
const PROOF = 3;

/**
 * Judges the hooks of a repository by who found its newest changes: `H` for hooks and `P` for polling, the newest last.
 * Hooks are proven by three changes in a row; three of five that polling found show that they do not arrive.
 */
export function hookHealth(kind: GitHostKind, foundBy: string): HookHealth {
  if (!sendsHooks(kind)) return "UNPROVEN";
  if (foundBy.endsWith("H".repeat(PROOF))) return "WORKING";
  return countPolled(foundBy) >= PROOF ? "MISSING" : "UNPROVEN";
}

function countPolled(foundBy: string): number {
  return foundBy.split("P").length - 1;
}

/** Adds a look that found changes to those that are remembered. */
export function addFinder(foundBy: string, finder: FoundBy): string {
  if (finder === "CALLER") return foundBy;
  return (foundBy + (finder === "HOOK" ? "H" : "P")).slice(-REMEMBERED);
}

/** Returns how many of the remembered changes polling found, for people: "4 of the last 5". */
export function polledShare(foundBy: string): string {
  return `${countPolled(foundBy)} of the last ${foundBy.length}`;
}

const JITTER = 0.1;

/** Returns the time between two looks by the clock. */
export function pollMs(health: HookHealth): number {
  return health === "WORKING" ? LIMITS.provenLookMs : LIMITS.lookMs;
}

/** Returns the pause until the next look by the clock: 1, 2, 4 ... 30 minutes after failures. `random`: from 0 to 1. */
export function lookPauseMs(health: HookHealth, failures: number, random: number): number {
  const retryMs = Math.min(LIMITS.lookMs * 2 ** Math.min(failures - 1, 10), LIMITS.lookRetryMs);
  return Math.round((failures === 0 ? pollMs(health) : retryMs) * (1 - JITTER + 2 * JITTER * random));
}

/** The refs that workspaces follow. */
export interface FollowedRefs {
  /** Names without `refs/heads/`. */
  branches: readonly string[];
  tags: boolean;
}

/** A ref that moved; `null`: it was not there before, or is not any more. */
export interface MovedRef {
  ref: string;
  before: string | null;
  after: string | null;
}

/** The difference between two looks. */
export interface RefDifference {
  moved: MovedRef[];
  /** The refs to remember, with their commits. */
  set: { ref: string; oid: string | null }[];
  /** The refs that no workspace follows any more. */
  forget: string[];
}

const BRANCHES = "refs/heads/";
const TAGS = "refs/tags/";

function branchRef(name: string): string {
  return BRANCHES + name;
}

/** Returns the name of a tag; `null` if the ref is none. */
export function tagOf(ref: string): string | null {
  return ref.startsWith(TAGS) ? ref.slice(TAGS.length) : null;
}

/** Returns the name of a branch; `null` if the ref is none. */
export function branchOf(ref: string): string | null {
  return ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : null;
}

/**
 * Returns the commit with which a look compares a ref; `null`: the ref was not there. `undefined`: the ref is not followed
 * yet, so a look remembers it, and it has not moved. `tagsSeen`: whether the tags are remembered.
 */
export function rememberedCommit(
  known: ReadonlyMap<string, string | null>,
  ref: string,
  tagsSeen: boolean,
): string | null | undefined {
  if (known.has(ref)) return known.get(ref);
  return tagOf(ref) !== null && tagsSeen ? null : undefined;
}

/**
 * Compares the refs that are remembered with those that were found. A ref that is followed for the first time has not
 * moved: it is remembered, and a branch also where it is not there yet. `tagsSeen`: whether the tags are remembered.
 */
export function compareRefs(
  known: ReadonlyMap<string, string | null>,
  found: ReadonlyMap<string, string>,
  { branches, tags }: FollowedRefs,
  tagsSeen: boolean,
): RefDifference {
  const moved: MovedRef[] = [];
  const set: RefDifference["set"] = [];
  const followed = new Set(branches.map(branchRef));
  const note = (ref: string, before: string | null | undefined, after: string | null): void => {
    if (before === after) return;
    set.push({ ref, oid: after });
    if (before !== undefined) moved.push({ ref, before, after });
  };
  for (const ref of followed) note(ref, rememberedCommit(known, ref, tagsSeen), found.get(ref) ?? null);
  if (tags) {
    for (const [ref, oid] of found) {
      if (tagOf(ref) === null) continue;
      followed.add(ref);
      note(ref, rememberedCommit(known, ref, tagsSeen), oid);
    }
  }
  const forget: string[] = [];
  for (const [ref, before] of known) {
    if (followed.has(ref)) continue;
    forget.push(ref);
    if (tags && tagOf(ref) !== null) moved.push({ ref, before, after: null });
  }
  return { moved, set, forget };
}
