/** Sends one request over HTTP and reads the beginning of its answer. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { ProbeAnswer } from "../model/probe/judge-answer.ts";
import type { ProbeHeader, ProbeMethod } from "../model/probe/probe.ts";
import { PROBE_LIMITS } from "../model/probe/probe-limits.ts";
import { urlProblem } from "../model/probe/target-address.ts";
import { endWith } from "./deadline.ts";
import { BadAnswer } from "./failure-of-error.ts";
import { targetOf } from "../network/address-guard.ts";
import type { ConnectionRules } from "./connection-rules.ts";
import { openTcp, openTls } from "./open-connection.ts";
import { readBeginning } from "./read-beginning.ts";

export interface HttpMessage {
  method: ProbeMethod;
  url: string;
  headers: readonly ProbeHeader[];
  body: string | null;
  followRedirects: boolean;
}

export interface SendTools extends ConnectionRules {
  /** Ends the connection. */
  signal: AbortSignal;
  /** Milliseconds of a clock that does not jump. */
  now: () => number;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** Redirects after which a POST keeps its method and body. */
const KEEPING: readonly number[] = [307, 308];

/** Sends a message, follows redirects where that is wanted, and judges each address before it connects. */
export async function sendHttp(message: HttpMessage, tools: SendTools): Promise<ProbeAnswer> {
  const begun = tools.now();
  let current = message;
  for (let redirects = 0; ; redirects++) {
    const { answer, location } = await sendOnce(current, tools);
    if (!message.followRedirects || location === null || !REDIRECTS.includes(answer.status)) {
      return { ...answer, latencyMs: Math.round(tools.now() - begun) };
    }
    if (redirects === PROBE_LIMITS.redirects) {
      throw new BadAnswer(`It redirects more than ${PROBE_LIMITS.redirects} times.`);
    }
    current = redirected(current, answer.status, location);
  }
}

/** Another site gets no headers of the probe: they may be secrets. */
function redirected(message: HttpMessage, status: number, location: string): HttpMessage {
  const url = URL.canParse(location, message.url) ? new URL(location, message.url) : null;
  if (url === null || urlProblem(url.href) !== null)
    throw new BadAnswer("It redirects to an address that is not valid.");
  const isSameSite = url.origin === new URL(message.url).origin;
  const isPost = message.method === "POST";
  const keeps = !isPost || (KEEPING.includes(status) && isSameSite);
  if (!keeps && KEEPING.includes(status)) throw new BadAnswer("It redirects the body to another site.");
  return {
    ...message,
    url: url.href,
    method: keeps ? message.method : "GET",
    body: keeps ? message.body : null,
    headers: isSameSite ? message.headers : [],
  };
}

async function sendOnce(
  message: HttpMessage,
  tools: SendTools,
): Promise<{ answer: ProbeAnswer; location: string | null }> {
  const request = open(message, tools);
  using _end = endWith(tools.signal, request);
  // A head that was good, and a body that breaks the protocol: the stream of the body reports that it was cut off.
  let failure: Error | null = null;
  request.on("error", (error) => (failure ??= error));
  try {
    const response = await responseTo(request, message.body);
    const body = await readBeginning(response, PROBE_LIMITS.answerBytes);
    const headers = headersOf(response);
    const answer = { status: response.statusCode ?? 0, headers, body: body.toString(), latencyMs: 0 };
    return { answer, location: response.headers.location ?? null };
  } catch (error) {
    throw failure ?? error;
  }
}

/** The signal is no option of the request: Node would hold it by a weak reference. */
function open({ method, url: text, headers, body }: HttpMessage, tools: SendTools): ClientRequest {
  const url = new URL(text);
  const target = targetOf(url);
  const isSecure = url.protocol === "https:";
  const fields: Record<string, string | string[]> = { "user-agent": "Holdpoint-Probe", accept: "*/*" };
  for (const { name, value } of headers) fields[name.toLowerCase()] = value;
  // An answer that is compressed could not be searched.
  fields["accept-encoding"] = "identity";
  if (body !== null) fields["content-length"] = String(Buffer.byteLength(body));
  const send = isSecure ? requestHttps : requestHttp;
  return send(url, {
    method,
    headers: fields,
    maxHeaderSize: PROBE_LIMITS.answerHeadBytes,
    // A request that opens its own connection has no agent, which would be an object more for each probe.
    createConnection() {
      const connection = isSecure ? openTls(target, nameOf(fields["host"]), tools) : openTcp(target, tools);
      return connection.once("close", () => process.nextTick(letGo, connection));
    },
  });
}

/**
 * Frees the request of a connection that has ended. Sockets of Node hold a function that V8 makes old at once, so they stay until it
 * collects the whole heap, with all that they refer to (ADR 10). Agents clear this field as well, when they keep a connection.
 */
function letGo(connection: Socket): void {
  Object.assign(connection, { _httpMessage: null });
}

/** Returns the name of a Host header that the probe gives: TLS asks for it, too. */
function nameOf(host: string | string[] | undefined): string | null {
  return typeof host === "string" ? host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "") : null;
}

function responseTo(request: ClientRequest, body: string | null): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    request.once("response", done);
    request.once("error", fail);
    // An upgrade that was not asked for ends without a response.
    request.once("close", () => fail(new BadAnswer("The connection ended without an answer.")));
    request.end(body ?? undefined);
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) found[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return found;
}
