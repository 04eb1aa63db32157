import { randomUUID } from "node:crypto";

import { GraphQLError } from "graphql";

import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { PUBLIC_CODES } from "../kit/errors.ts";

/** Receives every error that clients see masked, with the id that they see. */
export type Report = (error: unknown, errorId: string) => void;

/**
 * Creates the function that masks errors. A client sees the errors that this API makes on purpose, and GraphQL's own about
 * the document and its variables. Any other error is a bug: it is reported once, and the client sees its id.
 */
export function createMaskError(
  report: Report,
  newErrorId: () => string = randomUUID,
): (error: unknown) => GraphQLError {
  return (error) => {
    const cause = causeOf(error);
    const shown = shownError(error, cause);
    if (shown !== null) return shown;
    const errorId = newErrorId();
    report(cause, errorId);
    if (cause instanceof StoreUnavailable) return located(error, cause.shownAs(errorId), { code: cause.code, errorId });
    return located(error, "Unexpected error.", { code: "INTERNAL", errorId });
  };
}

/** Returns the error that was thrown originally. */
function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError !== undefined && cause.originalError !== null) {
    cause = cause.originalError;
  }
  return cause;
}

function shownError(error: unknown, cause: unknown): GraphQLError | null {
  if (cause instanceof UserError) {
    const { code, message, details } = cause;
    if (code === "NOT_FOUND" || code === "HOST_UNREACHABLE") return located(error, message, { code });
    return code === "INVALID_INPUT" ? located(error, message, { code, issues: details.issues ?? [] }) : null;
  }
  if (!(error instanceof GraphQLError) || !(cause instanceof GraphQLError)) return null;
  if (isPublic(error.extensions["code"])) return error;
  if (isAboutValues(error.message)) {
    return located(error, error.message, { code: "INVALID_INPUT", issues: [{ path: [], message: error.message }] });
  }
  // Without a path it is about the request as a whole; with one, a resolver broke the schema's promises.
  if (error.path !== undefined) return null;
  const { http, code } = error.extensions;
  // No GraphQL request at all: 400 for every media type, also for the one whose answers are 200 otherwise. What has a
  // status of its own keeps it, such as 405 for a mutation by GET.
  if (code === "BAD_REQUEST") {
    return located(error, error.message, { code: "QUERY_REFUSED", http: { status: 400, ...http, spec: false } });
  }
  return located(error, error.message, { code: "QUERY_REFUSED", ...(http === undefined ? {} : { http }) });
}

function isPublic(code: unknown): boolean {
  return PUBLIC_CODES.some((known) => known === code);
}

/** graphql-js gives its errors about the values of variables and arguments no code of their own. */
function isAboutValues(message: string): boolean {
  return /^(Variable|Argument|Expected value of)\b/.test(message);
}

function located(error: unknown, message: string, extensions: Record<string, unknown>): GraphQLError {
  if (!(error instanceof GraphQLError)) return new GraphQLError(message, { extensions });
  const { nodes, source, positions, path } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
