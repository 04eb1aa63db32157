import type { Actor } from "./actor.ts";

/** How a person signed in. */
export const SIGN_IN_METHODS = ["OIDC", "PASSKEY", "TOKEN"] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Begins the secrets of sessions, and no token. */
export const SESSION_PREFIX = "hps_";

/** Whether a text has the form of the secret of a session. */
export function isSessionSecret(text: string): boolean {
  return text.startsWith(SESSION_PREFIX);
}

/** A browser in which a person is signed in. */
export interface Session {
  id: string;
  actor: Actor;
  method: SignInMethod;
  /** The network address at the sign-in, and the name that the browser gave itself; `null` if unknown. */
  address: string | null;
  userAgent: string | null;
  createdAt: string;
  /** The last request, to the minute. */
  seenAt: string;
  /**
   * When the person last proved to be present, or showed the token again; `null`: the identity provider did not send it.
   */
  presentAt: string | null;
  expiresAt: string;
}

/** A session at an identity provider: its issuer, the person there, and its own id of the session, if it has one. */
export interface ProviderSession {
  issuer: string;
  subject: string;
  providerSession: string | null;
}
