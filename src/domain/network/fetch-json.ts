/** Reads a JSON document of a site that people have named. */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { isAllowedAddress, literalAddress, targetOf } from "./address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "./guarded-lookup.ts";

interface FetchSettings {
  allowed: readonly AllowedTarget[];
  /** The most time that it takes, and the most bytes of the answer. */
  timeoutMs: number;
  bytes: number;
  /** Absent: the system resolves names. */
  resolve?: Resolve;
}

/**
 * Reads a JSON document. The address is checked when the connection is made. Follows no redirects, uses no proxies of
 * the environment, and keeps no connection. Throws for everything that is not a document of bounded size.
 */
export async function fetchJson(url: URL, { allowed, timeoutMs, bytes, resolve }: FetchSettings): Promise<unknown> {
  const target = targetOf(url);
  const literal = literalAddress(target);
  if (literal !== null && !isAllowedAddress(literal, target, allowed)) throw new TargetRefused();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, {
    headers: { accept: "application/json" },
    agent: false,
    lookup: guardedLookup(target, allowed, resolve),
    signal: AbortSignal.timeout(timeoutMs),
  });
  try {
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      request.once("response", done);
      // Stays attached: an error without a listener would end the process.
      request.on("error", fail);
      request.once("close", () => fail(new Error("The connection ended without a response.")));
      request.end();
    });
    if (answer.statusCode !== 200) throw new Error(`${url.host} answered with status ${answer.statusCode}.`);
    const document: unknown = JSON.parse(await readWhole(answer, bytes));
    return document;
  } finally {
    request.destroy();
  }
}

async function readWhole(answer: IncomingMessage, atMost: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > atMost) throw new Error(`The document has more than ${atMost} bytes.`);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString();
}
