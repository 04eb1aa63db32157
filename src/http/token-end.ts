import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenCaller } from "../model/permission.ts";
import { bearerSecret } from "./bearer.ts";

/** Calls `onEnd` once, soon after the token was revoked or has expired, unless it is disposed before. */
export type WatchToken = (token: TokenCaller, isLive: () => Promise<boolean>, onEnd: () => void) => Disposable;

export interface TokenEndDeps {
  authenticate: (secret: string) => Promise<TokenCaller | null>;
  /** Absent: a token is looked at only when something is asked for. */
  watchToken?: WatchToken;
}

/** Watches the token of a connection until it is closed. */
export function watchConnection(
  { authenticate, watchToken }: TokenEndDeps,
  connection: { once: (event: "close", listener: () => void) => unknown },
  token: { caller: TokenCaller; secret: string },
  onEnd: () => void,
): void {
  const isLive = async (): Promise<boolean> => (await authenticate(token.secret)) !== null;
  const watch = watchToken?.(token.caller, isLive, onEnd);
  if (watch !== undefined) connection.once("close", () => watch[Symbol.dispose]());
}

/**
 * A stream of server-sent events breaks off when its token ends: its status was sent long ago, and a client that
 * comes again is told with 401.
 */
export async function endWithToken(
  deps: TokenEndDeps,
  { headers }: IncomingMessage,
  response: ServerResponse,
  caller: TokenCaller,
): Promise<void> {
  if (response.closed) return;
  const secret = bearerSecret(headers.authorization);
  watchConnection(deps, response, { caller, secret }, () => response.destroy());
  // Between the question whose token it is and now, nobody was told of its end.
  if ((await deps.authenticate(secret)) === null) response.destroy();
}
