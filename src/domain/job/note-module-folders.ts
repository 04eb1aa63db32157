import { joinPath } from "../../model/source/file-scan.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertReportedFolders } from "../../persistence/inputs/source-inputs-store.ts";

/**
 * Notes folders that the engine of a run took modules from although its inputs do not have them. They count as inputs of
 * the workspace from then on.
 */
export async function noteModuleFolders(
  tx: Transaction,
  runId: string,
  folders: readonly string[],
  at: string,
): Promise<void> {
  const inside = folders.filter((path) => joinPath(".", path) === path);
  if (inside.length > 0) await insertReportedFolders(tx, { runId, at }, inside);
}
