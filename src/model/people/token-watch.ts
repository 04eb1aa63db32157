/** Connections that stay open learn that the token that opened them is no longer valid. */

/** A token that was revoked or has expired, or one whose caller has lost a right since the connection was opened. */
export type TokenEnd = "ENDED" | "LESS_RIGHTS";
export type TokenState = TokenEnd | "VALID" | ValidUntil;

/** A token that is valid, with another end than the connection was opened with. `null`: it has none. */
export interface ValidUntil {
  readonly until: string | null;
}

/** A token that opened a long-lived connection. */
export interface WatchedToken {
  credentialId: string;
  /** When the token expires; absent: never. */
  expiresAt?: string;
  /** The topic that notifies of its end; absent: `token:` with its id. */
  topic?: `run:${string}`;
  /** The token that opened the session; absent: it is a token itself, or no token opened it. */
  openedById?: string;
  /** Equal for the connections of one token whose checks have one result: its secret, and its address where that counts. */
  variant?: string;
}

/** A stream, a socket or an answer that was opened with a token. */
export interface TokenHolder {
  tokenEnded(how: TokenEnd): void;
}

/** The watch of one token, shared by all of its holders. */
export interface TokenWatch {
  /** Removes a holder. */
  leave(holder: TokenHolder): void;
}

/** Notifies the holder once, soon after the token has ended or its rights became less, unless it has left before. */
export type WatchToken = (token: WatchedToken, check: () => Promise<TokenState>, holder: TokenHolder) => TokenWatch;
