import { invalidField } from "../../model/user-error.ts";
import type { WorkspaceSource } from "../../model/workspace.ts";
import type { Deps } from "../deps.ts";
import { type PackedSource, packDirectory } from "./pack-directory.ts";

/** What a run will be made of, packed as it is now. Throws INVALID_INPUT naming the field below `source`. */
export function prepareSource(deps: Deps, source: WorkspaceSource): Promise<PackedSource> {
  if (source.type === "directory") return packDirectory(source.path, deps.sourceRoots);
  throw invalidField("source", "cannot be fetched yet.");
}
