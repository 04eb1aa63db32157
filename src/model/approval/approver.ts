import type { ActorKind } from "../people/actor.ts";
import type { Gate } from "./approval.ts";

/** The proof of which person a user is: an account at the identity provider, or a passkey from an invitation. */
export const IDENTIFICATIONS = ["PROVIDER", "PASSKEY"] as const;
export type Identification = (typeof IDENTIFICATIONS)[number];

/** An actor that may approve, with what rules ask about it. */
export interface Approver {
  actorId: string;
  actorKind: ActorKind;
  /** `null`: it is known by tokens alone. */
  identifiedBy: Identification | null;
  /** The teams that it is a member of. */
  teamIds: readonly string[];
  /** The gates at which it may approve. */
  gates: readonly Gate[];
}
