import { GraphQLError } from "graphql";

import type { InputIssue } from "../../model/kit/user-error.ts";

/** The codes of top-level errors that a client sees as they are; every other error is masked as INTERNAL. */
export const PUBLIC_CODES = [
  "UNAUTHENTICATED",
  "NOT_FOUND",
  "INVALID_INPUT",
  "QUERY_REFUSED",
  "RATE_LIMITED",
  "STORE_UNAVAILABLE",
] as const;

/** Arguments of a query or subscription that cannot be used; mutations answer with InvalidInputError instead. */
export function inputError(issues: InputIssue[]): GraphQLError {
  const message = issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join(" ");
  return new GraphQLError(message, { extensions: { code: "INVALID_INPUT", issues } });
}

/** The subject of a subscription that does not exist or may not be read. */
export function notFoundError(what: string): GraphQLError {
  return new GraphQLError(`There is no such ${what}, or you may not read it.`, { extensions: { code: "NOT_FOUND" } });
}

/** A document that is not executed at all. Over HTTP the status is 400 where the media type allows it. */
export function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "QUERY_REFUSED", http: { spec: true, status: 400 } } });
}

/** Something that another row points to, and that therefore cannot be missing. */
export function present<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}
