import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ActorCaller, keepsRights } from "../../model/people/permission.ts";
import type { TokenHolder, TokenState, TokenWatch, WatchToken } from "../../model/people/token-watch.ts";
import type { AddressOf } from "./client-address.ts";
import type { SecretOf } from "./site.ts";

/** Finds the caller of a token that is sent from an address; `null` if it is not valid there. */
export type Authenticate = (secret: string, addressOf: () => string | null) => Promise<ActorCaller | null>;

export interface TokenEndDeps {
  authenticate: Authenticate;
  /** As `authenticate`, without noting that the credential is in use: for connections that stay open. */
  recheck: Authenticate;
  addressOf: AddressOf;
  secretOf: SecretOf;
  /** Absent: a token is checked with requests alone. */
  watchToken?: WatchToken;
}

/** The token by which a connection was opened. */
export interface OpenedBy {
  caller: ActorCaller;
  secret: string;
  /** `null`: not known. */
  address: string | null;
}

/** Watches the token of a holder; null if this server watches no tokens. */
export function watchToken(
  { recheck, watchToken: watch }: Pick<TokenEndDeps, "recheck" | "watchToken">,
  { caller, secret, address }: OpenedBy,
  holder: TokenHolder,
): TokenWatch | null {
  if (watch === undefined) return null;
  const { credentialId, expiresAt, networks, openedBy } = caller;
  const check = async (): Promise<TokenState> => {
    const now = await recheck(secret, () => address);
    if (now === null) return "ENDED";
    if (!keepsRights(now, caller)) return "LESS_RIGHTS";
    // An end was brought forward, or the secret is that from before a rotation.
    return now.expiresAt === expiresAt ? "VALID" : { until: now.expiresAt ?? null };
  };
  // After a rotation connections of both secrets are open.
  const variant = hash("sha256", secret, "base64") + (networks === undefined ? "" : ` ${address}`);
  // The token of a run ends with a change of the run.
  const topic = caller.run && { topic: `run:${caller.run.id}` as const };
  const opener = openedBy && { openedById: openedBy.id };
  const end = expiresAt === undefined ? {} : { expiresAt };
  return watch({ credentialId, ...end, ...topic, ...opener, variant }, check, holder);
}

/** Watches the token of an answer until it is closed. */
export function watchAnswer(deps: TokenEndDeps, answer: ServerResponse, token: OpenedBy, onEnd: () => void): void {
  const holder = { tokenEnded: onEnd };
  const watch = watchToken(deps, token, holder);
  if (watch !== null) answer.once("close", () => watch.leave(holder));
}

/**
 * Closes a stream of server-sent events when its token ends. Its status was sent long ago; a client that reconnects
 * gets 401.
 */
export async function endWithToken(
  deps: TokenEndDeps,
  request: IncomingMessage,
  response: ServerResponse,
  caller: ActorCaller,
): Promise<void> {
  if (response.closed) return;
  const secret = deps.secretOf(request);
  const address = deps.addressOf(request);
  watchAnswer(deps, response, { caller, secret, address }, () => response.destroy());
  // The token may have ended between its first check and the beginning of the watch.
  if ((await deps.recheck(secret, () => address)) === null) response.destroy();
}
