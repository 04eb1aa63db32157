import { LIMITS } from "../../model/kit/limits.ts";
import { revokeSessions, type SessionSelection } from "../../persistence/people/session-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret } from "../token/secret.ts";
import type { Browser, OpenedSession } from "./open-session.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { type ProviderSignIn, signInByProvider } from "./sign-in-by-provider.ts";

/** A logout at an identity provider: of one of its sessions, of a person, or of both. */
export interface ProviderLogout {
  issuer: string;
  subject: string | null;
  providerSession: string | null;
}

/** The use cases of pages on which people sign in and out, which have no caller yet. */
export interface SignIns {
  byProvider(signIn: ProviderSignIn, browser: Browser): Promise<OpenedSession>;
  passkeys: Passkeys | null;
  /** Ends the session of a browser, if there is one. */
  signOut(secret: string): Promise<void>;
  /** Ends the sessions that an identity provider names. */
  endProviderSessions(logout: ProviderLogout): Promise<void>;
  /** Protects what a browser keeps between two requests of a sign-in; `null` if it is not ours, or too old. */
  seal(attempt: string): string;
  open(sealed: string): string | null;
}

/** The owner under which attempts are sealed. */
const OWNER = "sign-in/attempt";
const TIME_BYTES = 8;

export function createSignIns(deps: Deps): SignIns {
  const end = (selection: SessionSelection): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const ended = await revokeSessions(tx, selection, deps.clock().toISOString());
      for (const id of ended) tx.announce(`token:${id}`);
    });
  return {
    passkeys: deps.publicUrl === null ? null : createPasskeys(deps, deps.publicUrl),
    byProvider: (signIn, browser) => signInByProvider(deps, signIn, browser),
    signOut: (secret) => end({ secretHash: hashSecret(secret) }),
    endProviderSessions: (logout) => end(logout),
    seal(attempt) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeDoubleBE(deps.clock().getTime());
      return deps.cipher.seal(Buffer.concat([time, Buffer.from(attempt)]), OWNER).toString("base64url");
    },
    open(sealed) {
      const bytes = opened(() => deps.cipher.open(Buffer.from(sealed, "base64url"), OWNER));
      if (bytes === null || bytes.length < TIME_BYTES) return null;
      const ageMs = deps.clock().getTime() - bytes.readDoubleBE();
      return ageMs <= LIMITS.signInMs ? bytes.subarray(TIME_BYTES).toString() : null;
    },
  };
}

/** A browser may send anything: bytes that cannot be opened are no error of ours. */
function opened(open: () => Buffer): Buffer | null {
  try {
    return open();
  } catch {
    return null;
  }
}
