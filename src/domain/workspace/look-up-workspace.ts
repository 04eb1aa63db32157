import { idKind } from "../../model/kit/id.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";

/** The workspace that a caller names; what is no workspace's id at all does not reach the database. */
export async function lookUpWorkspace(reader: Reader, id: string): Promise<Workspace | null> {
  return idKind(id) === "workspace" ? findWorkspace(reader, id) : null;
}
