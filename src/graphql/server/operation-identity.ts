import { createHash } from "node:crypto";
import type { Actor } from "../../model/people/actor.ts";
import type { DocumentFacts } from "./document-facts.ts";
import type { OperationRequest } from "./operation.ts";

/**
 * Returns the identity of a subscription: its document and variables, apart from where it begins, and the actor if a
 * field depends on that. Rights are no part of it: each item is executed once for each view that its readers have.
 */
export function identityOf(
  { dependsOnActor, beginnings }: DocumentFacts,
  { query, operationName, variables }: OperationRequest,
  actor: Actor,
): string {
  const given = Object.entries(variables ?? {}).filter(([name]) => !beginnings.has(name));
  const actorId = dependsOnActor ? actor.id : null;
  const parts = [query, operationName ?? null, sorted(Object.fromEntries(given)), actorId];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

/** Sorts the names of the objects within a value, so that equal values have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, part]) => [name, sorted(part)]);
}
