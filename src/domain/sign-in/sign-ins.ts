import { LIMITS } from "../../model/kit/limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { spendAttempt } from "../../persistence/people/identity-store.ts";
import { revokeSessions, type SessionSelection } from "../../persistence/people/session-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret } from "../token/secret.ts";
import type { Browser, OpenedSession } from "./open-session.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { signInByLink, signInByToken } from "./sign-in-by-token.ts";
import { SignInRefused } from "./sign-in-refused.ts";
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
  /** Opens a session with a token of the API. Throws SignInRefused. */
  byToken(secret: string, browser: Browser): Promise<OpenedSession>;
  /** Opens a session with the code of a link from `createLink`. Throws SignInRefused. */
  byLink(code: string, browser: Browser): Promise<OpenedSession>;
  /** Creates the code of a link that signs in with the admin token, once and for some minutes. `secret`: that of the token. */
  createLink(secret: string): string;
  /** Ends the session of a browser, if there is one. */
  signOut(secret: string): Promise<void>;
  /** Ends the sessions that an identity provider names; `false` if the logout token was used before. */
  endProviderSessions(logout: ProviderLogout): Promise<boolean>;
  /** Protects what a browser keeps between two requests of a sign-in. */
  seal(purpose: Purpose, kept: string): string;
  /** Returns what was sealed for a purpose; `null` if it is not ours, for another purpose, or too old. */
  open(purpose: Purpose, sealed: string): string | null;
}

/** The reason for which something is kept: an attempt to sign in, a challenge, a request of a program, or a link. */
export type Purpose = "attempt" | "challenge" | "request" | "link";

const ownerOf = (purpose: Purpose): string => `sign-in/${purpose}`;
const TIME_BYTES = 8;
const LINK_BYTES = 16;

export function createSignIns(deps: Deps): SignIns {
  async function end(tx: Transaction, selection: SessionSelection): Promise<void> {
    const ended = await revokeSessions(tx, selection, deps.clock().toISOString());
    for (const id of ended) tx.announce(`token:${id}`);
  }
  const seal: SignIns["seal"] = (purpose, kept) => {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeDoubleBE(deps.clock().getTime());
    return deps.cipher.seal(Buffer.concat([time, Buffer.from(kept)]), ownerOf(purpose)).toString("base64url");
  };
  const open: SignIns["open"] = (purpose, sealed) => {
    const bytes = opened(() => deps.cipher.open(Buffer.from(sealed, "base64url"), ownerOf(purpose)));
    if (bytes === null || bytes.length < TIME_BYTES) return null;
    const ageMs = deps.clock().getTime() - bytes.readDoubleBE();
    return ageMs <= LIMITS.signInMs ? bytes.subarray(TIME_BYTES).toString() : null;
  };
  return {
    seal,
    open,
    byToken: (secret, browser) => signInByToken(deps, secret, browser),
    async byLink(code, browser) {
      const link = open("link", code);
      if (link === null)
        throw new SignInRefused("The link is not valid any more. Start the server again for a new one.");
      return signInByLink(deps, { digest: hashSecret(link), secretHash: secretHashOf(link) }, browser);
    },
    createLink: (secret) =>
      seal("link", [Buffer.from(deps.randomBytes(LINK_BYTES)), hashSecret(secret)].map(inBase64Url).join(".")),
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
  };
}

const inBase64Url = (bytes: Buffer): string => bytes.toString("base64url");

/** The digest of the admin token's secret in an opened link. */
function secretHashOf(link: string): Buffer {
  return Buffer.from(link.split(".")[1] ?? "", "base64url");
}

/** A browser may send anything: bytes that cannot be opened are no error of ours. */
function opened(open: () => Buffer): Buffer | null {
  try {
    return open();
  } catch {
    return null;
  }
}
