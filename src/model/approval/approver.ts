/** Decides which person, if any, an approving actor is. */
import type { ActorKind } from "../people/actor.ts";
import type { Identification } from "../people/identification.ts";

/** UNIDENTIFIED: a user that may be any person, also one that has approved as another actor. */
export const APPROVER_KINDS = ["PERSON", "UNIDENTIFIED", "MACHINE"] as const;
export type ApproverKind = (typeof APPROVER_KINDS)[number];

/** An actor at a gate, with what approval rules ask about it. */
export interface Approver {
  actorId: string;
  kind: ApproverKind;
  /** The id of the actor as which it counts: its own, or that of its sponsor. */
  countsAs: string;
  /** The teams that it is a member of. */
  teamIds: readonly string[];
}

/**
 * Returns what an actor counts as at gates. An administrator can make any number of tokens and of invitations. So a user
 * with tokens alone is no person of its own, nor is one with an invitation where an identity provider knows the people.
 */
export function approverKindOf(
  actorKind: ActorKind,
  identifiedBy: Identification | null,
  hasProvider: boolean,
): ApproverKind {
  if (actorKind !== "USER") return "MACHINE";
  const isProven = identifiedBy === "PROVIDER" || (identifiedBy === "PASSKEY" && !hasProvider);
  return isProven ? "PERSON" : "UNIDENTIFIED";
}
