/** One request to a site that people have named. */
import { openRequest, type RequestOpening } from "./open-request.ts";
import { answerTo, readWhole } from "./untrusted-request.ts";

export interface GuardedRequest extends Omit<RequestOpening, "method" | "headers"> {
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The most bytes of the answer. */
  bytes: number;
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
  { method = "GET", headers = {}, body = "", bytes, ...opening }: GuardedRequest,
): Promise<GuardedAnswer> {
  const request = openRequest(url, { method, headers, ...opening });
  try {
    const answer = await answerTo(request, body);
    const tooLarge = (): Error => new Error(`The document has more than ${bytes} bytes.`);
    return { status: answer.statusCode ?? 0, body: await readWhole(answer, bytes, tooLarge) };
  } finally {
    request.destroy();
  }
}
