import { z } from "zod";
import { type InputIssue, UserError, type UserErrorCode } from "../../model/kit/user-error.ts";
import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";
import { StateRefused } from "../../model/state/state-refused.ts";

/** How a token is sent: engines only know Basic authentication, with the token as the password. */
export type RouteAuth = "bearer" | "basic";

/** An error as a client sees it. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  issues?: readonly InputIssue[];
  /** The id under which the log has an unexpected error. */
  errorId?: string;
}

/** Writes an error as the body of an answer. */
export type ErrorForm = (failure: Failure) => object;

/** `{ code, message, issues }` */
export const plainErrors: ErrorForm = ({ code, message, issues, errorId }) => ({
  code,
  message: errorId === undefined ? message : `Unexpected error (${errorId}).`,
  ...(issues && { issues }),
});

/** The form of a GraphQL response, for requests that are refused before they have an operation. */
export const graphqlErrors: ErrorForm = ({ status, code, message, errorId }) => ({
  errors: [
    {
      message,
      extensions: { code: status === 405 ? "QUERY_REFUSED" : code, ...(errorId !== undefined && { errorId }) },
    },
  ],
});

/** An error with a status and a code of its own, for requests that reach no use case. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function unauthenticated(auth: RouteAuth = "bearer"): HttpError {
  const message =
    auth === "bearer"
      ? "The token is missing or not valid. Send a valid bearer token."
      : "The token is missing or not valid. Send a valid one as the password.";
  return new HttpError(401, "UNAUTHENTICATED", message);
}

const STATUS_OF: Record<UserErrorCode, number> = {
  INVALID_INPUT: 400,
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  NAME_TAKEN: 409,
  RUN_STATE_CONFLICT: 409,
  STALE_PLAN: 409,
  STALE_CHANGESET: 409,
  DEPENDENCY_CYCLE: 409,
  IDEMPOTENCY_CONFLICT: 409,
  REAUTHENTICATION_REQUIRED: 403,
  LAST_ADMINISTRATOR: 409,
  HOST_UNREACHABLE: 502,
  POLICY_DENIED: 403,
  POLICY_INVALID: 400,
  WORKSPACE_LOCKED: 423,
};

/** Errors of the parsers that runners use too. */
const protocolError = z.object({ name: z.literal("JobError"), code: z.string(), message: z.string() });

const PROTOCOL_STATUS: Partial<Record<string, number>> = { TOO_LARGE: 413, TIMED_OUT: 408, BUSY: 503 };

/** Describes an error that the client can act on; null if it is unexpected. */
function describeExpected(error: unknown): Failure | null {
  if (error instanceof HttpError) return { status: error.status, code: error.code, message: error.message };
  if (error instanceof UserError) {
    const { code, message, details } = error;
    return { status: STATUS_OF[code], code, message, ...(details.issues && { issues: details.issues }) };
  }
  if (error instanceof StateRefused) return { status: 409, code: error.code, message: error.message };
  const { data } = protocolError.safeParse(error);
  return data === undefined
    ? null
    : { status: PROTOCOL_STATUS[data.code] ?? 400, code: data.code, message: data.message };
}

/** Describes an error to the client. What is unexpected is reported, and described by its id alone. */
export function describeFailure(error: unknown, reportError: (error: unknown) => string): Failure {
  const expected = describeExpected(error);
  if (expected !== null) return expected;
  const errorId = reportError(error);
  if (error instanceof StoreUnavailable) return { status: 503, code: error.code, message: error.shownAs(errorId) };
  return { status: 500, code: "INTERNAL", message: "Unexpected error.", errorId };
}

/** Whether a client can act on the error, so that it needs no report. */
export function isExpected(error: unknown): boolean {
  return describeExpected(error) !== null;
}

/** Whether the error means that the other end left. */
export function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return GONE.has(code);
}

const GONE: ReadonlySet<unknown> = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ABORT_ERR"]);
