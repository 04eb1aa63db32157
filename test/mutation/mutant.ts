import type { Stryker } from "@stryker-mutator/core";

type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

/** A mutation that the tests were run against. */
export type Mutant = Pick<
  MutantResult,
  "fileName" | "mutatorName" | "status" | "statusReason" | "location" | "replacement"
>;

/** Counts of mutants. What does not compile or cannot be loaded is no mutant of any use, and is in none of them. */
export interface Score {
  killed: number;
  timedOut: number;
  survived: number;
  /** Survived, as no test reaches them. */
  unreached: number;
}

const LENGTH = 80;

export function isSurvivor({ status }: Pick<Mutant, "status">): boolean {
  return status === "Survived" || status === "NoCoverage";
}

/** A test that gives up waiting, in the words of vitest and of StrykerJS. */
const GIVEN_UP = /timed out in/i;

/** Whether a limit of time noticed a mutant. On a busy machine it may have ended tests that would have passed. */
export function isByTime({ status, statusReason }: Pick<Mutant, "status" | "statusReason">): boolean {
  return status === "Timeout" || (status === "Killed" && GIVEN_UP.test(statusReason ?? ""));
}

export function scoreOf(mutants: readonly Pick<Mutant, "status">[]): Score {
  const count = (status: Mutant["status"]): number => mutants.filter((mutant) => mutant.status === status).length;
  return {
    killed: count("Killed"),
    timedOut: count("Timeout"),
    survived: count("Survived"),
    unreached: count("NoCoverage"),
  };
}

/** How many of a hundred mutants the tests notice; 100 where there are none. */
export function percentOf({ killed, timedOut, survived, unreached }: Score): number {
  const noticed = killed + timedOut;
  const all = noticed + survived + unreached;
  return all === 0 ? 100 : (100 * noticed) / all;
}

/**
 * The line of a mutation with the mutation in its place: `if (⟦count > 1 → count >= 1⟧) return;`. It names a mutation of
 * a file for as long as its line stays.
 */
export function describeMutant({ location, replacement }: Mutant, source: string): string {
  const { start, end } = location;
  const line = source.split("\n")[start.line - 1] ?? "";
  const from = start.column - 1;
  const to = start.line === end.line ? end.column - 1 : line.length;
  return `${line.slice(0, from)}⟦${line.slice(from, to)} → ${shortened(replacement)}⟧${line.slice(to)}`.trim();
}

/** Whether a text has the line of a mutation that describeMutant has named. */
export function hasLineOf(change: string, source: string): boolean {
  const [before = "", rest = ""] = change.split("⟦");
  const [mutation = "", after = ""] = rest.split("⟧");
  return source.split("\n").some((line) => {
    const text = line.trim();
    const isAround = text.startsWith(before) && text.endsWith(after);
    return isAround && mutation.startsWith(`${text.slice(before.length, text.length - after.length)} → `);
  });
}

function shortened(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  return words.length > LENGTH ? `${words.slice(0, LENGTH)}…` : words;
}
