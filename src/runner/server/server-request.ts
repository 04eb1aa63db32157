import { z } from "zod";
import type { ProtocolError } from "../../ingestion/wire.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { BackOff } from "./back-off.ts";

/** The server refused the request for good. */
export class ProtocolRefusal extends Error {
  override readonly name = "ProtocolRefusal";
  readonly status: number;
  readonly body: Buffer;

  constructor(status: number, body: Buffer) {
    super(refusalText(status, body));
    this.status = status;
    this.body = body;
  }
}

/** The request may succeed on a retry: the network failed, or the server is starting, stopping or overloaded. */
export class ServerAway extends Error {
  override readonly name = "ServerAway";
}

export interface ServerRequest {
  method: string;
  /** Below `/runner/v1/`. */
  path: string;
  token: string;
  /** A Blob is streamed from its file. */
  body?: string | Buffer<ArrayBuffer> | Blob;
  contentType?: string;
  timeoutMs: number;
  signal: AbortSignal;
}

const errorSchema = z.object({ code: z.string(), message: z.string() }) satisfies z.ZodType<
  Omit<ProtocolError, "code"> & { code: string }
>;

function refusalText(status: number, body: Buffer): string {
  try {
    const { code, message } = errorSchema.parse(JSON.parse(body.toString()));
    return `${code}: ${message} (status ${status})`;
  } catch {
    return `The server answered with status ${status}`;
  }
}

/** Sends once. Gives the response (2xx); throws ServerAway, ProtocolRefusal, or the signal's reason. */
export async function sendOnce(serverUrl: string, request: ServerRequest): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(requestUrl(serverUrl, request.path), {
      method: request.method,
      headers: {
        authorization: `Bearer ${request.token}`,
        ...(request.contentType === undefined ? {} : { "content-type": request.contentType }),
      },
      body: request.body ?? null,
      redirect: "error",
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)]),
    });
  } catch (error) {
    request.signal.throwIfAborted();
    throw new ServerAway(`${request.method} ${request.path}: ${describe(error)}`, { cause: error });
  }
  if (response.ok) return response;
  throw refusalOf(request, response.status, Buffer.from(await readBody(response, request.signal)));
}

export function requestUrl(serverUrl: string, path: string): URL {
  return new URL(`runner/v1/${path}`, serverUrl.endsWith("/") ? serverUrl : `${serverUrl}/`);
}

/** Maps an answer other than 2xx to an error. A redirect comes from a proxy, so the request is retried. */
export function refusalOf(
  { method, path }: Pick<ServerRequest, "method" | "path">,
  status: number,
  body: Buffer,
): ServerAway | ProtocolRefusal {
  if (status < 400 || status >= 500 || status === 429 || status === 408) {
    return new ServerAway(`${method} ${path}: status ${status}`);
  }
  return new ProtocolRefusal(status, body);
}

/** Reads the whole body. Throws ServerAway if the connection breaks meanwhile. */
export async function readBody(response: Response, signal: AbortSignal): Promise<ArrayBuffer> {
  try {
    return await response.arrayBuffer();
  } catch (error) {
    signal.throwIfAborted();
    throw new ServerAway(`The answer broke off: ${describe(error)}`, { cause: error });
  }
}

/** Repeats `attempt` while the server does not answer, until the signal aborts. */
export async function retryUntilAnswered<T>(
  attempt: () => Promise<T>,
  wait: { backOff: BackOff; signal: AbortSignal; log: RunnerLog },
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      wait.signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      if (count === 1) wait.log.warn({ reason: error.message }, "The server does not answer: retrying");
      await wait.backOff.wait(wait.signal).catch(() => wait.signal.throwIfAborted());
    }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
