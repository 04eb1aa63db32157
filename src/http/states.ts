/**
 * States as files. `GET /state-versions/<id>` takes one home. `/state/<organization>/<workspace>` is what the http
 * backend of a person's own engine asks: GET, POST, LOCK and UNLOCK; `/lock` below it takes POST and DELETE as well.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { SentState } from "../domain/state/keep-state.ts";
import type { BackendPlace, LockRequest, StateHolder } from "../domain/state/state-backend.ts";
import type { StateFile } from "../domain/state/read-state-bytes.ts";
import type { StateFiles } from "../domain/state/state-files.ts";
import { namedHolder } from "../model/workspace/lock-holder.ts";
import { parseStateAside } from "../ingestion/parse-state.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import { answerPreflight } from "./cors.ts";
import { answerJson } from "./json-answer.ts";
import { describeRefusal, readBounded, Refusal } from "./transfers.ts";

export interface StateDeps {
  files: StateFiles;
  authenticate: (request: IncomingMessage, response: ServerResponse) => Promise<TokenCaller | null>;
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
}

const VERSION_PATH = /^\/state-versions\/([^/]+)$/;
const BACKEND_PATH = /^\/state\/([^/]+)\/([^/]+?)(\/lock)?$/;
const STATUS_LOCKED = 423;

/** Whether a path is answered here. */
export function isStatePath(path: string): boolean {
  return VERSION_PATH.test(path) || isBackendPath(path);
}

/** Engines know Basic authentication only. */
export function isBackendPath(path: string): boolean {
  return BACKEND_PATH.test(path);
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export async function answerState(deps: StateDeps, path: string, { request, response }: Exchange): Promise<void> {
  const version = VERSION_PATH.exec(path)?.[1];
  if (version !== undefined && request.method === "OPTIONS") return answerPreflight(response, "GET, OPTIONS");
  try {
    const caller = await deps.authenticate(request, response);
    if (caller === null) throw new Refusal(401, "UNAUTHENTICATED", "A valid token is needed.");
    if (version !== undefined) return await download(deps, caller, version, { request, response });
    return await answerBackend(deps, caller, path, { request, response });
  } catch (error) {
    // Who broke off hears nothing, and half an answer cannot be mended.
    const broken = request.errored !== null || response.destroyed || response.headersSent;
    if (broken && !isGone(error)) deps.reportError(error);
    if (broken) return void response.destroy();
    if (!request.complete) response.setHeader("connection", "close");
    const { status, ...body } = describeRefusal(deps, error);
    answerJson(response, status, body);
  }
}

/** Whether the other end left, which is no fault of this one. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

async function download(deps: StateDeps, caller: TokenCaller, id: string, exchange: Exchange): Promise<void> {
  requireMethod(exchange, ["GET"], "GET, OPTIONS");
  const file = await deps.files.download(caller, id);
  const name = `${file.version.id}.tfstate`;
  exchange.response.setHeader("content-disposition", `attachment; filename="${name}"`);
  await send(exchange.response, file);
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

function requireMethod({ request, response }: Exchange, methods: readonly string[], allow = methods.join(", ")): void {
  if (methods.includes(request.method ?? "")) return;
  response.setHeader("allow", allow);
  throw new Refusal(405, "METHOD_NOT_ALLOWED", `Only ${allow} is answered here.`);
}

async function answerBackend(deps: StateDeps, caller: TokenCaller, path: string, exchange: Exchange): Promise<void> {
  const [, organization = "", workspace = "", below] = BACKEND_PATH.exec(path) ?? [];
  const place = { organization, workspace };
  const { request, response } = exchange;
  const action = actionOf(request.method ?? "", below !== undefined);
  if (action === null) {
    requireMethod(
      exchange,
      below === undefined ? ["GET", "POST", "LOCK", "UNLOCK"] : ["POST", "LOCK", "DELETE", "UNLOCK"],
    );
    return;
  }
  if (action === "READ") {
    const file = await deps.files.read(caller, place);
    if (file !== null) return send(response, file);
    response.writeHead(204).end();
    return;
  }
  const { holder } = await change(deps, caller, place, action, request);
  const refused = action === "UNLOCK" ? 409 : STATUS_LOCKED;
  answerJson(response, holder === null ? 200 : refused, holder === null ? {} : namedHolder(holder));
}

type BackendAction = "READ" | "WRITE" | "LOCK" | "UNLOCK";

function actionOf(method: string, lock: boolean): BackendAction | null {
  if (method === "LOCK" || method === "UNLOCK") return method;
  if (lock) return method === "POST" ? "LOCK" : method === "DELETE" ? "UNLOCK" : null;
  return method === "GET" ? "READ" : method === "POST" ? "WRITE" : null;
}

async function change(
  { files }: StateDeps,
  caller: TokenCaller,
  place: BackendPlace,
  action: Exclude<BackendAction, "READ">,
  request: IncomingMessage,
): Promise<{ holder: StateHolder | null }> {
  if (action === "WRITE") {
    const lockId = new URL(request.url ?? "/", "http://server").searchParams.get("ID") ?? "";
    return files.write(caller, place, lockId, () => readState(request));
  }
  const body = await readBounded(request, LIMITS.requestBytes);
  if (action === "LOCK") return files.lock(caller, place, parseLock(body));
  // Whoever breaks a lock by the engine's own command names none.
  return files.unlock(caller, place, body.length === 0 ? null : parseLock(body).ID);
}

async function readState(request: IncomingMessage): Promise<SentState> {
  const body = await readBounded(request, LIMITS.stateBytes);
  const sent = request.headers["content-md5"];
  if (sent !== undefined && createHash("md5").update(body).digest("base64") !== sent) {
    throw new Refusal(400, "MALFORMED", "The body is not the one that its Content-MD5 is of.");
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
  if (!result.success) throw new Refusal(400, "MALFORMED", "The body must be the engine's lock info, with an ID.");
  return result.data;
}

function tryParse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
