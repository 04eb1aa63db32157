import { createHash } from "node:crypto";
import type { ResourceChange } from "../../model/plan/plan.ts";

/** 160 bits: two changes that a person made up to be confused do not meet. */
const DIGEST_LENGTH = 27;

/**
 * Computes the digest of what a person sees of a change. Hidden values are not a part of it, so that it is no way to
 * guess one. The server computes it: a runner could send an equal one for another change.
 */
export function changeDigest(change: ResourceChange): string {
  const seen = [
    change.address,
    change.type,
    change.action,
    change.createBeforeDestroy,
    change.previousAddress,
    change.imported,
    change.importId,
    change.reason,
    change.replacePaths,
    change.sensitivePaths.toSorted(),
    change.unknownPaths.toSorted(),
    change.before,
    change.after,
  ];
  return createHash("sha256").update(JSON.stringify(seen, sortedKeys)).digest("base64url").slice(0, DIGEST_LENGTH);
}

/** Postgres orders the keys of a jsonb by their length: a stored value has the digest of the one that was sent. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
