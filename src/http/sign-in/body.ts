import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../model/kit/limits.ts";
import { readBody } from "../kit/request-body.ts";
import { HttpError } from "../route/failure.ts";

/** Reads the fields of a small form; none if the client left. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request));
}

/** Reads a small JSON value; `null` if the text is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!(length <= LIMITS.signInBodyBytes)) {
    const message = `Send a body with a Content-Length of at most ${LIMITS.signInBodyBytes} bytes.`;
    throw new HttpError(413, "TOO_LARGE", message);
  }
  return (await readBody(request))?.toString() ?? "";
}
