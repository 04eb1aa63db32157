import { LIMITS } from "../../model/kit/limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { spendAttempt } from "../../persistence/people/identity-store.ts";
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
  /** The id of the logout token, which is good once: a copy must not end later sessions. */
  tokenId: string;
}

/** The use cases of pages on which people sign in and out, which have no caller yet. */
export interface SignIns {
  byProvider(signIn: ProviderSignIn, browser: Browser): Promise<OpenedSession>;
  passkeys: Passkeys | null;
  /** Ends the session of a browser, if there is one. */
  signOut(secret: string): Promise<void>;
  /** Ends the sessions that an identity provider names; `false` if the logout token was used before. */
  endProviderSessions(logout: ProviderLogout): Promise<boolean>;
  /** Protects what a browser keeps between two requests of a sign-in. */
  seal(purpose: Purpose, kept: string): string;
  /** Returns what was sealed for a purpose; `null` if it is not ours, for another purpose, or too old. */
  open(purpose: Purpose, sealed: string): string | null;
}

/** The reason for which a browser keeps something: an attempt to sign in, a challenge, or a request of a program. */
export type Purpose = "attempt" | "challenge" | "request";

const ownerOf = (purpose: Purpose): string => `sign-in/${purpose}`;
const TIME_BYTES = 8;

export function createSignIns(deps: Deps): SignIns {
  async function end(tx: Transaction, selection: SessionSelection): Promise<void> {
    const ended = await revokeSessions(tx, selection, deps.clock().toISOString());
    for (const id of ended) tx.announce(`token:${id}`);
  }
  return {
    passkeys: deps.publicUrl === null ? null : createPasskeys(deps, deps.publicUrl),
    byProvider: (signIn, browser) => signInByProvider(deps, signIn, browser),
    signOut: (secret) => deps.database.transaction((tx) => end(tx, { secretHash: hashSecret(secret) })),
    endProviderSessions: ({ tokenId, ...logout }) =>
      deps.database.transaction(async (tx) => {
        const until = new Date(deps.clock().getTime() + LIMITS.signInMs).toISOString();
        const isNew = await spendAttempt(tx, hashSecret(`${logout.issuer} ${tokenId}`), until);
        if (isNew) await end(tx, logout);
        return isNew;
      }),
    seal(purpose, kept) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeDoubleBE(deps.clock().getTime());
      return deps.cipher.seal(Buffer.concat([time, Buffer.from(kept)]), ownerOf(purpose)).toString("base64url");
    },
    open(purpose, sealed) {
      const bytes = opened(() => deps.cipher.open(Buffer.from(sealed, "base64url"), ownerOf(purpose)));
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
