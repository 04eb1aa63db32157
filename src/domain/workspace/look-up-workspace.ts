import { idKind } from "../../model/kit/id.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";

/** Finds a workspace by id; `null` without a statement if the id is of another kind. */
export async function lookUpWorkspace(reader: Reader, id: string): Promise<Workspace | null> {
  return idKind(id) === "workspace" ? findWorkspace(reader, id) : null;
}
