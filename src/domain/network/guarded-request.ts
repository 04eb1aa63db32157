/** One request to a site that people have named. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { isAllowedAddress, literalAddress, targetOf } from "./address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "./guarded-lookup.ts";
import { answerTo, readWhole } from "./untrusted-request.ts";

export interface GuardedRequest {
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  allowed: readonly AllowedTarget[];
  /** The most bytes of the answer. */
  bytes: number;
  signal: AbortSignal;
  /** Absent: the system resolves names. */
  resolve?: Resolve | undefined;
  /** Certificates of authorities in place of those of Node. */
  ca?: Buffer | undefined;
}

export interface GuardedAnswer {
  status: number;
  body: Buffer;
}

/**
 * Sends a request and reads the answer. The address is checked when the connection is made. Follows no redirects, uses no
 * proxies of the environment, and keeps no connection. Throws TargetRefused, and errors of the connection.
 */
export async function guardedRequest(
  url: URL,
  { method = "GET", headers = {}, body = "", allowed, bytes, signal, resolve, ca }: GuardedRequest,
): Promise<GuardedAnswer> {
  const target = targetOf(url);
  const literal = literalAddress(target);
  if (literal !== null && !isAllowedAddress(literal, target, allowed)) throw new TargetRefused();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const lookup = guardedLookup(target, allowed, resolve);
  const request = send(url, { method, headers, agent: false, lookup, signal, ...(ca !== undefined && { ca }) });
  try {
    const answer = await answerTo(request, body);
    const tooLarge = (): Error => new Error(`The document has more than ${bytes} bytes.`);
    return { status: answer.statusCode ?? 0, body: await readWhole(answer, bytes, tooLarge) };
  } finally {
    request.destroy();
  }
}
