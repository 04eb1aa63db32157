/** The requests by which a page signs in and out. The token is sent once, and kept nowhere. */

/** How people can sign in beside a token. */
export interface Ways {
  /** The host of the identity provider; `null`: there is none. */
  readonly provider: string | null;
  readonly passkeys: boolean;
}

/** Gives how people can sign in; `null` where the server has no address for browsers, so that no one can. */
export async function findWays(): Promise<Ways | null> {
  const answer = await fetch("/auth/session", { headers: { accept: "application/json" } });
  if (!answer.ok) return null;
  const body: unknown = await answer.json();
  const ways = fieldOf(body, "ways");
  const provider = fieldOf(ways, "provider");
  return { provider: typeof provider === "string" ? provider : null, passkeys: fieldOf(ways, "passkeys") === true };
}

/** Signs in; gives the problem in words, or `null` if there is none. */
export async function signIn(shown: { token: string } | { code: string }): Promise<string | null> {
  const answer = await fetch("/auth/session", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(shown),
  }).catch(() => null);
  if (answer === null) return "The server does not answer.";
  if (answer.ok) return null;
  const body: unknown = await answer.json().catch(() => null);
  const message = fieldOf(body, "message");
  return typeof message === "string" ? message : `The server answered with HTTP ${answer.status}.`;
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await fetch("/auth/logout", { method: "POST", redirect: "manual" });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
