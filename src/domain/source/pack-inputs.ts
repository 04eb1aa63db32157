/** Packs what the engine reads of a commit, at its paths. */
import type { LimitFunction } from "p-limit";
import { LIMITS } from "../../model/kit/limits.ts";
import { LINK, SUBMODULE } from "../kit/commit-objects.ts";
import type { CollectedInputs } from "../inputs/collect-inputs.ts";
import type { FileEntry } from "../inputs/repository-tree.ts";
import type { PackableObjects, PackedSource } from "../kit/git-fetcher.ts";
import { packEntries } from "./pack-entries.ts";
import { arrange, safeName, type SourceEntry, SourceRefused } from "./source-entry.ts";

const EXECUTABLE = "100755";

/**
 * Packs what was collected, or the whole repository if the engine may read any part of it. If that is too much, what is
 * known must do: the engine names what it misses.
 */
export async function packCollected(
  objects: PackableObjects,
  { packed, all }: { packed: CollectedInputs; all: ReadonlyMap<string, FileEntry> | null },
  limit: LimitFunction,
): Promise<PackedSource> {
  if (all === null) return packInputs(objects, packed, limit);
  try {
    return await packInputs(objects, { entries: all, outside: new Set() }, limit);
  } catch (error) {
    if (!(error instanceof SourceRefused)) throw error;
    return packInputs(objects, packed, limit);
  }
}

/** Packs collected files. Throws SourceRefused for links that leave the repository, and if they are too many. */
async function packInputs(
  objects: PackableObjects,
  { entries, outside }: Pick<CollectedInputs, "entries" | "outside">,
  limit: LimitFunction,
): Promise<PackedSource> {
  const [leaving] = outside;
  if (leaving !== undefined) {
    throw new SourceRefused(`holds the link ${JSON.stringify(leaving)}, which leads out of it.`);
  }
  const files = [...entries.values()].filter(({ mode }) => mode !== SUBMODULE);
  if (files.length > LIMITS.sourceFiles) throw new SourceRefused(`has more than ${LIMITS.sourceFiles} files.`);
  await objects.prefetch(files.map(({ oid }) => oid));
  return limit(() => packFiles(objects, files));
}

async function packFiles(objects: PackableObjects, files: readonly FileEntry[]): Promise<PackedSource> {
  const budget = { left: LIMITS.sourceBytes };
  const read = files.map(async ({ path, mode, oid }): Promise<SourceEntry> => {
    const body = await objects.readWithin(oid, budget);
    if (body === null) {
      throw new SourceRefused(`has more than the ${LIMITS.sourceBytes} bytes that can be packed.`);
    }
    const target = mode === LINK ? body.toString() : null;
    return { name: safeName(path), executable: mode === EXECUTABLE, target, read: () => Promise.resolve(body) };
  });
  return packEntries(arrange(await Promise.all(read)));
}
