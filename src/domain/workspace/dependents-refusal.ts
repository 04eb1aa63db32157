import type { WorkspaceRefusal } from "../../model/workspace/workspace-use.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listDependentIds } from "../../persistence/dependency/dependency-store.ts";

/** Refuses to delete a workspace on which others depend; `null` if none does. They may be hidden, and are only counted. */
export async function refuseDependents(reader: Reader, workspaceId: string): Promise<WorkspaceRefusal | null> {
  const { length: count } = await listDependentIds(reader, [workspaceId]);
  if (count === 0) return null;
  const words = count === 1 ? "a workspace depends" : `${count} workspaces depend`;
  const reason = `must have no dependents: ${words} on it. Change their dependencies first.`;
  return { code: "INVALID_INPUT", field: "workspaceId", reason };
}
