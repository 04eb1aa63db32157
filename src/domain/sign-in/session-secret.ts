import { SESSION_PREFIX } from "../../model/people/session.ts";

const SECRET_BYTES = 32;

/** Creates the secret of a session: a prefix that no token has, and 256 random bits. */
export function newSessionSecret(randomBytes: (count: number) => Uint8Array): string {
  return SESSION_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}
