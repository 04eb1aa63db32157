export const ACTOR_KINDS = ["USER", "MACHINE", "SYSTEM"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** A person, a machine user or the system, as the cause of something. Actors are never deleted. */
export interface Actor {
  id: string;
  kind: ActorKind;
  name: string;
}

/** The actor of everything that the system does on its own; the first migration writes it. */
export const SYSTEM_ACTOR_ID = "sys_00000000000000000000000000";
/** The person behind the admin token of the installation; the first migration writes it. */
export const ADMIN_ACTOR_ID = "usr_00000000000000000000000000";
/** The token of that person; its secret is set at every start. */
export const ADMIN_TOKEN_ID = "tok_00000000000000000000000000";
/** The organization `default`, which exists from the start. */
export const DEFAULT_ORGANIZATION_ID = "org_00000000000000000000000000";
