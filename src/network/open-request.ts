import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import { isRefusedLiteral, targetOf } from "./address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "./guarded-lookup.ts";

export interface RequestOpening {
  method: "GET" | "POST";
  headers: Readonly<Record<string, string | number>>;
  allowed: readonly AllowedTarget[];
  signal: AbortSignal;
  /** Absent: the system resolves names. */
  resolve?: Resolve | undefined;
  /** Certificates of authorities in place of those of Node. */
  ca?: Buffer | undefined;
}

/**
 * Opens a request to an untrusted target. The address is checked when the connection is made. Follows no redirects. The
 * agent of its own keeps no connection, and ignores the proxies of the global one. Throws TargetRefused for a literal address.
 */
export function openRequest(
  url: URL,
  { method, headers, allowed, signal, resolve, ca }: RequestOpening,
): ClientRequest {
  const target = targetOf(url);
  if (isRefusedLiteral(target, allowed)) throw new TargetRefused();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const lookup = guardedLookup(target, allowed, resolve);
  return send(url, { method, headers, agent: false, lookup, signal, ...(ca !== undefined && { ca }) });
}
