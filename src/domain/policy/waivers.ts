/** Exceptions as they concern one run: the violations that they waive, and whether they still do. */
import { type Violation, waivers } from "../../model/policy/policy-exception.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { countExceptionsInForce, listExceptionsInForce } from "../../persistence/policy/policy-exception-store.ts";
import { addressPattern } from "../kit/patterns.ts";

/** Returns by violation the exception in force that covers it. Without violations it costs no statement. */
export async function findWaivers(
  reader: Reader,
  { workspaceId }: Pick<Run, "workspaceId">,
  violations: readonly Violation[],
  at: string,
): Promise<Map<string, string>> {
  const setIds = new Set(violations.flatMap(({ source, ownerId }) => (source === "POLICY" ? [ownerId] : [])));
  if (setIds.size === 0) return new Map();
  const exceptions = await listExceptionsInForce(reader, { setIds: [...setIds], workspaceId, at });
  return waivers(violations, exceptions, addressPattern);
}

/** Whether all of these exceptions are in force at an instant. */
export async function areExceptionsInForce(reader: Reader, ids: readonly string[], at: string): Promise<boolean> {
  const asked = [...new Set(ids)];
  return asked.length === 0 || (await countExceptionsInForce(reader, asked, at)) === asked.length;
}
