import { type FieldNode, locatedError, type ResponsePath } from "graphql";
import type { Execution } from "./field-step.ts";
import { PartialInfoError } from "./resolve-info.ts";

interface Position {
  readonly nodes: readonly FieldNode[];
  readonly isNullable: boolean;
}

/**
 * Records an error at a nullable position, whose value is then null. Throws the located error where null is not
 * allowed. Errors below a position that is null already are dropped, as in graphql-js.
 */
export function recordError(execution: Execution, cause: unknown, at: Position, path: ResponsePath | undefined): null {
  if (cause instanceof PartialInfoError) execution.isDelegated = true;
  const error = locatedError(cause, at.nodes, toKeys(path));
  if (!at.isNullable) throw error;
  const { errors, nulled } = execution;
  if (!isBelowNull(nulled, path)) {
    nulled.add(path);
    errors.push(error);
  }
  return null;
}

function isBelowNull(nulled: ReadonlySet<ResponsePath | undefined>, path: ResponsePath | undefined): boolean {
  for (let part = path; part !== undefined; part = part.prev) if (nulled.has(part)) return true;
  return false;
}

function toKeys(path: ResponsePath | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let part = path; part !== undefined; part = part.prev) keys.push(part.key);
  return keys.toReversed();
}
