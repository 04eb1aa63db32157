/** Bodies that are too large for GraphQL: archives of sources, and states that were made elsewhere. */
import type { IncomingMessage } from "node:http";
import type { Transfers } from "../../domain/transfers.ts";
import { readBody } from "../../ingestion/body.ts";
import { parseStateAside } from "../../ingestion/parse-state.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";

const SOURCE_TYPES = new Set(["application/gzip", "application/x-gzip"]);
const STATE_TYPES = new Set(["application/json"]);

/** `POST /sources`: keeps an archive that may become a source. */
export async function uploadSource(
  transfers: Transfers,
  { request, response }: HttpExchange,
  caller: ActorCaller,
): Promise<void> {
  const read = (): Promise<Buffer> => readLimited(request, SOURCE_TYPES, LIMITS.sourceBytes);
  const { id, digest, size } = await transfers.uploadSource(caller, read);
  answerJson(response, 201, { uploadId: id, digest, size });
}

/** `POST /workspaces/<id>/state`: imports a state. */
export async function importState(
  transfers: Transfers,
  { request, response, parameter }: HttpExchange,
  caller: ActorCaller,
): Promise<void> {
  const workspaceId = parameter("id");
  const { created, ...state } = await transfers.importState(caller, workspaceId, async () => {
    const body = await readLimited(request, STATE_TYPES, LIMITS.stateBytes);
    return { body, state: await parseStateAside({ body, byPerson: true }) };
  });
  answerJson(response, created ? 201 : 200, { workspaceId, ...state });
}

async function readLimited(request: IncomingMessage, types: ReadonlySet<string>, maxBytes: number): Promise<Buffer> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!types.has(type)) {
    throw new HttpError(415, "UNSUPPORTED_MEDIA_TYPE", `The content-type must be ${[...types].join(" or ")}.`);
  }
  return readBounded(request, maxBytes);
}

/** Reads a body. Throws if it is too large, or if its sender stops in the middle of it. */
export function readBounded(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return readBody(request, maxBytes, { silenceMs: LIMITS.transferSilenceMs });
}
