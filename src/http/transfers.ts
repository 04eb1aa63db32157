/** What is sent beside GraphQL, because it is large: `POST /sources` and `POST /workspaces/<id>/state`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { Transfers } from "../domain/transfers.ts";
import { readBody } from "../ingestion/body.ts";
import { parseStateAside } from "../ingestion/parse-state.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import { StoreAway } from "../model/runner/store-away.ts";
import { StateRefused } from "../model/state/state-refused.ts";
import { UserError, type UserErrorCode } from "../model/kit/user-error.ts";
import { answerPreflight } from "./cors.ts";
import { answerJson } from "./json-answer.ts";

export interface TransferDeps {
  transfers: Transfers;
  authenticate: (request: IncomingMessage, response: ServerResponse) => Promise<TokenCaller | null>;
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
}

const STATE_PATH = /^\/workspaces\/([^/]+)\/state$/;
const METHODS = "POST, OPTIONS";
const SOURCE_TYPES = new Set(["application/gzip", "application/x-gzip"]);
const STATE_TYPES = new Set(["application/json"]);

/** Whether a path is answered here. */
export function isTransferPath(path: string): boolean {
  return path === "/sources" || STATE_PATH.test(path);
}

/** What is wrong with a request before anybody reads it. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const STATUS_OF: Record<UserErrorCode, number> = {
  INVALID_INPUT: 400,
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  NAME_TAKEN: 409,
  RUN_STATE_CONFLICT: 409,
  STALE_PLAN: 409,
  IDEMPOTENCY_CONFLICT: 409,
  WORKSPACE_LOCKED: 423,
};

/** Answers with JSON; an error has `code` and `message`. */
export async function answerTransfer(
  deps: TransferDeps,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === "OPTIONS") return answerPreflight(response, METHODS);
  try {
    const { status, body } = await transfer(deps, path, request, response);
    answerJson(response, status, body);
  } catch (error) {
    // Who broke off hears nothing.
    if (request.errored !== null || response.destroyed) return void response.destroy();
    // What was not read of the body would be taken for the next request.
    if (!request.complete) response.setHeader("connection", "close");
    const { status, ...body } = describeRefusal(deps, error);
    answerJson(response, status, body);
  }
}

async function transfer(
  deps: TransferDeps,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ status: number; body: object }> {
  const caller = await deps.authenticate(request, response);
  if (caller === null) throw new Refusal(401, "UNAUTHENTICATED", "A valid bearer token is needed.");
  if (request.method !== "POST") {
    response.setHeader("allow", METHODS);
    throw new Refusal(405, "METHOD_NOT_ALLOWED", "Only POST is answered here.");
  }
  const workspaceId = STATE_PATH.exec(path)?.[1];
  if (workspaceId === undefined) {
    const read = (): Promise<Buffer> => readLimited(request, SOURCE_TYPES, LIMITS.sourceBytes);
    const { id, digest, size } = await deps.transfers.uploadSource(caller, read);
    return { status: 201, body: { uploadId: id, digest, size } };
  }
  const { created, ...state } = await deps.transfers.importState(caller, workspaceId, async () => {
    const body = await readLimited(request, STATE_TYPES, LIMITS.stateBytes);
    return { body, state: await parseStateAside({ body, byPerson: true }) };
  });
  return { status: created ? 201 : 200, body: { workspaceId, ...state } };
}

async function readLimited(request: IncomingMessage, types: ReadonlySet<string>, maxBytes: number): Promise<Buffer> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!types.has(type)) {
    throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", `The content-type must be ${[...types].join(" or ")}.`);
  }
  return readBounded(request, maxBytes);
}

/** The body, if it is not too large, and its sender does not stop in the middle of it. */
export function readBounded(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return readBody(request, maxBytes, { silenceMs: LIMITS.transferSilenceMs });
}

/** Errors of the parsers that runners use too. */
const protocolError = z.object({ name: z.literal("JobError"), code: z.string(), message: z.string() });

const PROTOCOL_STATUS: Partial<Record<string, number>> = { TOO_LARGE: 413, TIMED_OUT: 408 };

/** What a client hears of an error. */
export function describeRefusal(
  { reportError }: Pick<TransferDeps, "reportError">,
  error: unknown,
): { status: number; code: string; message: string } {
  if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message };
  if (error instanceof UserError) return { status: STATUS_OF[error.code], code: error.code, message: error.message };
  if (error instanceof StateRefused) return { status: 409, code: error.code, message: error.message };
  if (error instanceof StoreAway) {
    return { status: 503, code: error.code, message: error.shownAs(reportError(error)) };
  }
  const parsed = protocolError.safeParse(error);
  if (parsed.success) {
    const { code, message } = parsed.data;
    return { status: PROTOCOL_STATUS[code] ?? 400, code, message };
  }
  return { status: 500, code: "INTERNAL", message: `Something went wrong (${reportError(error)}).` };
}
