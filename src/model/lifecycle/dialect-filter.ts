/** Which runs a vendor's words are about: the tables of the dialects, read backwards. */
import {
  type AmnifyStatus,
  type ForgecroftStatus,
  type HcpRunStatus,
  type RunDialects,
  type SmartDeployStatus,
  type SpaceliftState,
  toDialects,
} from "./dialects.ts";
import { type RunPlace, reachablePlaces } from "./run-reach.ts";

/** Given fields are joined by AND; an empty list matches nothing. */
export interface DialectFilter {
  amnify?: readonly AmnifyStatus[];
  spacelift?: readonly SpaceliftState[];
  hcp?: readonly HcpRunStatus[];
  forgecroftPlan?: readonly ForgecroftStatus[];
  forgecroftApply?: readonly ForgecroftStatus[];
  forgecroftUnlock?: readonly ForgecroftStatus[];
  smartDeploy?: readonly SmartDeployStatus[];
}

/** A place, with all that a dialect looks at. */
export interface DialectPlace extends RunPlace {
  forced: boolean;
}

/** The places of all runs that the filter is about. */
export function placesInDialect(filter: DialectFilter): DialectPlace[] {
  return reachablePlaces()
    .flatMap((place) => [false, true].map((forced) => ({ ...place, forced })))
    .filter((place) => speaks(toDialects(place, place.forced), filter));
}

function speaks(words: RunDialects, filter: DialectFilter): boolean {
  const { plan, apply, unlock } = words.forgecroft;
  return (
    says(filter.amnify, words.amnify) &&
    says(filter.spacelift, words.spacelift) &&
    says(filter.hcp, words.hcp) &&
    says(filter.forgecroftPlan, plan) &&
    says(filter.forgecroftApply, apply) &&
    says(filter.forgecroftUnlock, unlock) &&
    says(filter.smartDeploy, words.smartDeploy.status)
  );
}

function says<Word extends string>(wanted: readonly Word[] | undefined, word: Word | null): boolean {
  return wanted === undefined || (word !== null && wanted.includes(word));
}
