/** Limits the files that a server sends at a time: each holds a part of its content in memory. */
import type { ServerResponse } from "node:http";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, countedCredential } from "../../model/people/permission.ts";
import { HttpError } from "../route/failure.ts";

const RETRY_AFTER_S = 5;

/** Sends a file unless too many are being sent. */
export type ExportLimit = (response: ServerResponse, caller: ActorCaller, send: () => Promise<void>) => Promise<void>;

/** Creates the limit of a server; a token gets half of it. */
export function createExportLimit(): ExportLimit {
  /** Answers that are being sent, with the id of their token. */
  const sending = new Map<ServerResponse, string>();
  return async (response, caller, send) => {
    const credentialId = countedCredential(caller);
    const own = sending.values().filter((tokenId) => tokenId === credentialId);
    if (sending.size >= LIMITS.logExports || own.toArray().length >= LIMITS.logExportsPerToken) {
      response.setHeader("retry-after", RETRY_AFTER_S);
      const message = `Too many logs and plans are being exported. Try again in ${RETRY_AFTER_S} seconds.`;
      throw new HttpError(503, "TOO_MANY_EXPORTS", message);
    }
    sending.set(response, credentialId);
    try {
      await send();
    } finally {
      sending.delete(response);
    }
  };
}
