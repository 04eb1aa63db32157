import type { IncomingMessage, ServerResponse } from "node:http";
import type { ActorCaller } from "../../model/people/permission.ts";
import { keepsAll } from "../../model/people/rights.ts";
import type { SecretOf } from "./site.ts";

/** A stream, a socket or an answer that was opened with a token. */
export interface TokenHolder {
  tokenEnded(how: TokenEnd): void;
}

/** A token that was revoked or has expired, or one whose caller has lost a right since the connection was opened. */
export type TokenEnd = "ENDED" | "LESS_RIGHTS";

/** Notifies holders of the end of their token. */
export interface TokenWatch {
  leave(holder: TokenHolder): void;
}

/** Notifies the holder once, soon after the token has ended or its rights became less, unless it has left before. */
export type WatchToken = (
  token: ActorCaller,
  check: () => Promise<TokenEnd | "VALID">,
  holder: TokenHolder,
) => TokenWatch;

export interface TokenEndDeps {
  authenticate: (secret: string) => Promise<ActorCaller | null>;
  secretOf: SecretOf;
  /** Absent: a token is checked with requests alone. */
  watchToken?: WatchToken;
}

/** Watches the token of a holder; null if this server watches no tokens. */
export function watchToken(
  { authenticate, watchToken: watch }: Omit<TokenEndDeps, "secretOf">,
  { caller, secret }: { caller: ActorCaller; secret: string },
  holder: TokenHolder,
): TokenWatch | null {
  const check = async (): Promise<TokenEnd | "VALID"> => {
    const now = await authenticate(secret);
    if (now === null) return "ENDED";
    // What was seen when the connection was opened may be in another place now.
    const hasMoved = now.accessVersion.moves !== caller.accessVersion.moves;
    return !hasMoved && keepsAll(now.rights, caller.rights) ? "VALID" : "LESS_RIGHTS";
  };
  return watch?.(caller, check, holder) ?? null;
}

/** Watches the token of an answer until it is closed. */
export function watchAnswer(
  deps: TokenEndDeps,
  answer: ServerResponse,
  token: { caller: ActorCaller; secret: string },
  onEnd: () => void,
): void {
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
  watchAnswer(deps, response, { caller, secret }, () => response.destroy());
  // The token may have ended between its first check and the beginning of the watch.
  if ((await deps.authenticate(secret)) === null) response.destroy();
}
