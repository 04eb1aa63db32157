/** States as files: downloads by id, and the `http` backend for an engine of a person. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { SentState } from "../../domain/state/keep-state.ts";
import type { WorkspaceNames, LockRequest, StateHolder } from "../../domain/state/state-backend.ts";
import type { StateFile } from "../../domain/state/read-state-bytes.ts";
import type { StateFiles } from "../../domain/state/state-files.ts";
import { parseStateAside } from "../../ingestion/parse-state.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { namedHolder } from "../../model/workspace/lock-holder.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";
import { readBounded } from "./transfers.ts";

const STATUS_LOCKED = 423;

/** `GET /state-versions/<id>` */
export async function downloadState(
  files: StateFiles,
  { response, parameter }: HttpExchange,
  caller: ActorCaller,
): Promise<void> {
  const file = await files.download(caller, parameter("id"));
  response.setHeader("content-disposition", `attachment; filename="${file.version.id}.tfstate"`);
  await send(response, file);
}

async function send(response: ServerResponse, { version, body }: StateFile): Promise<void> {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": version.size,
    "cache-control": "no-store",
    etag: `"${version.digest}"`,
  });
  await pipeline(body, response);
}

type BackendAction = "READ" | "WRITE" | "LOCK" | "UNLOCK";

/** The actions by method of `/state/<organization>/<workspace>`, and of `/lock` below it. */
export const BACKEND_ACTIONS: Readonly<Record<string, BackendAction>> = {
  GET: "READ",
  POST: "WRITE",
  LOCK: "LOCK",
  UNLOCK: "UNLOCK",
};
export const LOCK_ACTIONS: Readonly<Record<string, "LOCK" | "UNLOCK">> = {
  POST: "LOCK",
  LOCK: "LOCK",
  DELETE: "UNLOCK",
  UNLOCK: "UNLOCK",
};

/** A parameter of the lock's id comes with a write; others may be a part of the address that the engine was given. */
export const backendQuery = z.object({ ID: z.string().default("") });

/** Serves one of the actions of an `http` backend, by the method of the request. */
export async function serveBackend(
  files: StateFiles,
  actions: Readonly<Record<string, BackendAction>>,
  { request, response, parameter }: HttpExchange,
  caller: ActorCaller,
  query: () => z.output<typeof backendQuery>,
): Promise<void> {
  const place: WorkspaceNames = { organization: parameter("organization"), workspace: parameter("workspace") };
  const action = actions[request.method ?? ""] ?? "READ";
  if (action === "READ") {
    const file = await files.read(caller, place);
    if (file !== null) return send(response, file);
    response.writeHead(204).end();
    return;
  }
  const { holder } = await change(action);
  const refused = action === "UNLOCK" ? 409 : STATUS_LOCKED;
  answerJson(response, holder === null ? 200 : refused, holder === null ? {} : namedHolder(holder));

  async function change(asked: Exclude<BackendAction, "READ">): Promise<{ holder: StateHolder | null }> {
    if (asked === "WRITE") return files.write(caller, place, query().ID, () => readState(request));
    const body = await readBounded(request, LIMITS.requestBytes);
    if (asked === "LOCK") return files.lock(caller, place, parseLock(body));
    // `force-unlock` of an engine names no lock.
    return files.unlock(caller, place, body.length === 0 ? null : parseLock(body).ID);
  }
}

async function readState(request: IncomingMessage): Promise<SentState> {
  const body = await readBounded(request, LIMITS.stateBytes);
  const sent = request.headers["content-md5"];
  if (sent !== undefined && createHash("md5").update(body).digest("base64") !== sent) {
    throw new HttpError(400, "MALFORMED", "The body does not match its Content-MD5. Send it again.");
  }
  return { body, state: await parseStateAside({ body, byPerson: true }) };
}

const TEXT_LENGTH = 1000;
const text = z
  .string()
  .default("")
  .transform((value) => value.slice(0, TEXT_LENGTH).replaceAll("\0", "\ufffd").toWellFormed());
const lockInfo: z.ZodType<LockRequest> = z.object({
  ID: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\0]*$/),
  Operation: text,
  Info: text,
  Who: text,
  Version: text,
  Created: text,
  Path: text,
});

function parseLock(body: Buffer): LockRequest {
  const result = lockInfo.safeParse(tryParse(body));
  if (!result.success) throw new HttpError(400, "MALFORMED", "The body must be the engine's lock info, with an ID.");
  return result.data;
}

function tryParse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
