import type { IncomingMessage } from "node:http";
import type { Browser } from "../../domain/sign-in/open-session.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { cookieName, readCookie, type Site, writeCookie } from "../kit/site.ts";

/** Writes the cookie that signs a browser in. */
export function sessionCookie(site: Site, secret: string): string {
  return writeCookie(site, cookieName(site), secret, LIMITS.sessionMs / 1000);
}

/** Writes the cookie that signs a browser out. */
export function noSessionCookie(site: Site): string {
  return writeCookie(site, cookieName(site), "", 0);
}

/** Describes the browser that signs in. */
export function browserOf(site: Site, request: IncomingMessage, address: string): Browser {
  const former = readCookie(request, cookieName(site));
  return {
    address: address === "unknown" ? null : address,
    userAgent: request.headers["user-agent"] ?? null,
    formerSecret: former === "" ? null : former,
  };
}
