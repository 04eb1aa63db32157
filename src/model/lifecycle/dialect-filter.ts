/** Converts filters in the terms of other products to positions of runs, by the tables of the dialects. */
import {
  type AmnifyStatus,
  type ForgecroftStatus,
  type HcpRunStatus,
  type RunDialects,
  type SmartDeployStatus,
  type SpaceliftState,
  toDialects,
} from "./dialects.ts";
import { type RunPosition, reachablePositions } from "./legal-changes.ts";

/** A filter by dialect. Given fields are joined by AND; an empty list matches nothing. */
export interface DialectFilter {
  amnify?: readonly AmnifyStatus[];
  spacelift?: readonly SpaceliftState[];
  hcp?: readonly HcpRunStatus[];
  forgecroftPlan?: readonly ForgecroftStatus[];
  forgecroftApply?: readonly ForgecroftStatus[];
  forgecroftUnlock?: readonly ForgecroftStatus[];
  smartDeploy?: readonly SmartDeployStatus[];
}

/** The position of a run with everything that a dialect depends on. */
export interface DialectPosition extends RunPosition {
  forced: boolean;
}

/** Returns the positions of all runs that the filter matches. */
export function positionsInDialect(filter: DialectFilter): DialectPosition[] {
  return reachablePositions()
    .flatMap((position) => [false, true].map((forced) => ({ ...position, forced })))
    .filter((position) => matchesDialect(toDialects(position, position.forced), filter));
}

function matchesDialect(words: RunDialects, filter: DialectFilter): boolean {
  const { plan, apply, unlock } = words.forgecroft;
  return (
    matches(filter.amnify, words.amnify) &&
    matches(filter.spacelift, words.spacelift) &&
    matches(filter.hcp, words.hcp) &&
    matches(filter.forgecroftPlan, plan) &&
    matches(filter.forgecroftApply, apply) &&
    matches(filter.forgecroftUnlock, unlock) &&
    matches(filter.smartDeploy, words.smartDeploy.status)
  );
}

function matches<Word extends string>(wanted: readonly Word[] | undefined, word: Word | null): boolean {
  return wanted === undefined || (word !== null && wanted.includes(word));
}
