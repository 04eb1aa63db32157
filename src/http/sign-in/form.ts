import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../model/kit/limits.ts";
import { readBody } from "../kit/request-body.ts";
import { HttpError } from "../route/failure.ts";

/** Reads the fields of a small form with an announced length; none if the client left. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!(length <= LIMITS.signInBodyBytes)) {
    throw new HttpError(
      413,
      "TOO_LARGE",
      `Send a body with a Content-Length of at most ${LIMITS.signInBodyBytes} bytes.`,
    );
  }
  return new URLSearchParams((await readBody(request))?.toString() ?? "");
}
