import type { Actor } from "./actor.ts";

/** A person or a machine user that has grants or a team in an organization, or belongs to it. */
export interface Member {
  actor: Actor;
  organizationId: string;
  email: string | null;
  /** When a token of it was last used, to the minute. */
  lastSeenAt: string | null;
  /** `null`: it is enabled. */
  disabledAt: string | null;
  /** `null`: no one invited it. */
  invitedById: string | null;
  /** When it begins, or began, to count as a person of its own at gates; `null`: from the start. */
  countsAloneAt: string | null;
}
