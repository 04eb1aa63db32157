import type { GrantRowFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";

/** Names the person, the team or the runs that have a grant. */
export function principalOf({ actor, team, runsOf }: GrantRowFragment): string {
  if (actor != null) return visible(actor.name);
  if (team != null) return `team ${visible(team.name)}`;
  return runsOf == null ? "others" : `runs of ${runsOf.name}`;
}
