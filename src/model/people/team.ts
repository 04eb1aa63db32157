/** People of an organization who get the same grants. */
export interface Team {
  id: string;
  organizationId: string;
  name: string;
  /** The groups of the identity provider whose people are members. */
  externalIds: readonly string[];
  createdAt: string;
}

export const MEMBERSHIP_SOURCES = ["MANUAL", "LOGIN"] as const;
export type MembershipSource = (typeof MEMBERSHIP_SOURCES)[number];

/** A membership; a person may be a member by several sources. */
export interface TeamMember {
  teamId: string;
  actorId: string;
  source: MembershipSource;
  addedAt: string;
  /** When the identity provider last confirmed it; `null` if it was added by hand. */
  confirmedAt: string | null;
  /** When it lapses unless it is confirmed again; `null`: never. */
  lapsesAt: string | null;
}
