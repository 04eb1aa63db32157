import type { IncomingMessage } from "node:http";
import { isSessionSecret } from "../../model/people/session.ts";
import { bearerSecret } from "./bearer.ts";
import { GRAPHQL_PATH, requestPath } from "./request-path.ts";

/** The address by which browsers know the server. Sessions are for its own pages alone. */
export interface Site {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Whether browsers reach it over TLS. */
  readonly isSecure: boolean;
}

/** Finds the secret of a request: that of its token, or that of the session of its browser; empty if there is none. */
export type SecretOf = (request: Sender) => string;

/** The parts of a request that decide whose it is. */
export type Sender = Pick<IncomingMessage, "headers" | "method" | "url">;

const SESSION = "holdpoint";
const COOKIE_LENGTH = 8192;

/**
 * The name of a cookie. Browsers take a name with this prefix over TLS alone, from this host alone and for all of its
 * paths, so that no other host of the domain can set it.
 */
export function cookieName({ isSecure }: Site, name: string = SESSION): string {
  return isSecure ? `__Host-${name}` : name;
}

/** Returns the value of a cookie; empty if there is none. */
export function readCookie({ headers }: Pick<Sender, "headers">, name: string): string {
  const { cookie = "" } = headers;
  if (cookie.length > COOKIE_LENGTH) return "";
  for (const part of cookie.split(";")) {
    const pair = part.trim();
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1);
  }
  return "";
}

/** Writes a cookie that scripts cannot read and that requests of other sites do not bring. `maxAgeS` 0 removes it. */
export function writeCookie({ isSecure }: Site, name: string, value: string, maxAgeS: number): string {
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Creates the function that finds the secret of a request. `site` null: the server has no sign-in and reads no cookies. */
export function createSecretOf(site: Site | null): SecretOf {
  return (request) => {
    const { authorization } = request.headers;
    return authorization === undefined ? sessionSecret(site, request) : withoutSession(bearerSecret(authorization));
  };
}

/** Returns the secret of the session of a browser; empty unless a page of the site itself sent the request. */
export function sessionSecret(site: Site | null, request: Sender): string {
  return site !== null && isOfOwnPage(site, request) ? readCookie(request, cookieName(site)) : "";
}

/** A session is for browsers: its secret is no token, also where it was stolen. */
export function withoutSession(secret: string): string {
  return isSessionSecret(secret) ? "" : secret;
}

/**
 * Whether a page of the site itself sent the request. Browsers name the origin of a page where something can be changed
 * or a socket is opened; other sites cannot forge it. An origin that CORS allows is another site.
 */
export function isOfOwnPage(site: Site, request: Sender): boolean {
  const { origin, upgrade } = request.headers;
  const isRead = (request.method === "GET" || request.method === "HEAD") && upgrade === undefined;
  // A page that sends a query by GET names no origin, and a link of another site could be such a request.
  if (isRead && requestPath(request.url) === GRAPHQL_PATH) return false;
  if (origin !== undefined) return origin === site.origin;
  if (!isRead) return false;
  return request.headers["sec-fetch-site"] === "same-origin";
}
