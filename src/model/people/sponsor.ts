/**
 * Decides as which person an actor counts at gates. An administrator can invite any number of people, and open the links
 * itself. So who was invited counts as the one that invited it, until others have had time to see the new person.
 */
export interface Sponsor {
  actorId: string;
  /** When the person begins to count as one of its own. */
  until: string;
}

/** Returns the id of the actor as which an actor counts at an instant. */
export function personOf(actorId: string, sponsor: Sponsor | null | undefined, at: string): string {
  return sponsor && sponsor.until > at ? sponsor.actorId : actorId;
}
