import type { Actor } from "./actor.ts";

/** A passkey of a person: a key pair whose private half an authenticator keeps. */
export interface Passkey {
  id: string;
  actorId: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** A passkey with what verifies its signatures. */
export interface PasskeyCredential {
  id: string;
  actor: Actor;
  /** Whether the person is disabled. */
  disabled: boolean;
  credentialId: Buffer;
  /** COSE key. */
  publicKey: Buffer;
  /** Signatures so far; 0 if the authenticator does not count. */
  counter: number;
}
