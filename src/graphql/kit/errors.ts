import { GraphQLError } from "graphql";

import type { InputIssue } from "../../model/kit/user-error.ts";

/** The codes of the top-level errors that a client sees unmasked. Every other error is masked as INTERNAL. */
export const PUBLIC_CODES = [
  "UNAUTHENTICATED",
  "NOT_FOUND",
  "INVALID_INPUT",
  "QUERY_REFUSED",
  "RATE_LIMITED",
  "HOST_UNREACHABLE",
  "STORE_UNAVAILABLE",
] as const;

/** Makes the error for invalid arguments of a query or subscription. Mutations return InvalidInputError instead. */
export function inputError(issues: InputIssue[]): GraphQLError {
  const message = issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join(" ");
  return new GraphQLError(message, { extensions: { code: "INVALID_INPUT", issues } });
}

/** Makes the error for the subject of a subscription that does not exist or may not be read. */
export function notFoundError(what: string): GraphQLError {
  return new GraphQLError(`The ${what} does not exist, or you may not read it.`, { extensions: { code: "NOT_FOUND" } });
}

/** Makes the error for a document that is not executed. Its HTTP status is 400 if the media type allows it. */
export function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "QUERY_REFUSED", http: { spec: true, status: 400 } } });
}

/** Returns a value that another row refers to and that therefore exists. Throws if it is missing. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
