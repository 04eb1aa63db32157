import type { Actor } from "./actor.ts";

/** Begins the codes of invitations. */
export const INVITATION_PREFIX = "hpi_";

/** A link by which a new person makes a passkey and becomes a member of teams. It is good once. */
export interface Invitation {
  id: string;
  organizationId: string;
  /** The person, who exists from the invitation on and cannot sign in before it is accepted. */
  actor: Actor;
  email: string | null;
  teamIds: readonly string[];
  invitedById: string;
  createdAt: string;
  expiresAt: string;
}
