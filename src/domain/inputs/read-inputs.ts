/** Decides for all workspaces of a repository at once which files of a commit the engine reads. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { ScanCache } from "../kit/git-fetcher.ts";
import { type CollectedInputs, collectInputs, FolderMissing, isBelow, type TrackedFolder } from "./collect-inputs.ts";
import { type CommitObjects, FOLDER } from "../kit/commit-objects.ts";
import { FolderScanner } from "./folder-scan.ts";
import { digestEntries } from "./input-set.ts";
import { type FileEntry, RepositoryTree } from "./repository-tree.ts";

/** A workspace of the repository. */
export interface TrackedWorkspace extends TrackedFolder {
  workspaceId: string;
}

export type WorkspaceInputs =
  | { type: "READ"; inputs: SourceInputs; entries: readonly FileEntry[] }
  /** The folder does not exist in the commit. The message continues the name of the field `source.git.path`. */
  | { type: "MISSING"; message: string };

/**
 * Reads the inputs of workspaces at a commit, by their ids. `workspaces` must be all of the repository, because a
 * folder does not include those of other workspaces below it. `only`: the ids of those that are read; absent: all.
 */
export async function readInputs(
  objects: CommitObjects,
  cache: ScanCache,
  workspaces: readonly TrackedWorkspace[],
  only?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, WorkspaceInputs>> {
  const tree = new RepositoryTree(objects);
  await using scanner = new FolderScanner(tree, cache, LIMITS.scannedFiles);
  const workspacesBelow = below(workspaces.map(({ path }) => path));
  const wanted = only === undefined ? workspaces : workspaces.filter(({ workspaceId }) => only.has(workspaceId));
  const read = wanted.map(async (workspace): Promise<[string, WorkspaceInputs]> => {
    try {
      const collected = await collectInputs(workspace, { tree, scanner, workspacesBelow, forArchive: false });
      return [workspace.workspaceId, { type: "READ", ...toInputs(objects, collected) }];
    } catch (error) {
      if (!(error instanceof FolderMissing)) throw error;
      return [workspace.workspaceId, { type: "MISSING", message: error.message }];
    }
  });
  return new Map(await Promise.all(read));
}

/** A workspace whose archive is packed. */
export interface PackedWorkspace extends TrackedFolder {
  /** Folders of other workspaces of the repository. */
  others: readonly string[];
}

export interface PackedInputs {
  inputs: SourceInputs;
  packed: CollectedInputs;
  /** The whole repository, if the engine may read any part of it; else `null`. */
  all: ReadonlyMap<string, FileEntry> | null;
}

/** Reads the inputs of one workspace, with everything that its archive takes. Throws FolderMissing. */
export async function readPackedInputs(
  objects: CommitObjects,
  cache: ScanCache,
  workspace: PackedWorkspace,
): Promise<PackedInputs> {
  const tree = new RepositoryTree(objects);
  await using scanner = new FolderScanner(tree, cache, LIMITS.scannedFiles);
  const options = { tree, scanner, workspacesBelow: below(workspace.others) };
  const counted = await collectInputs(workspace, { ...options, forArchive: false });
  const packed = await collectInputs(workspace, { ...options, forArchive: true });
  const all = packed.readsAll ? await tree.files(".", objects.rootTree) : null;
  const entries = all === null ? null : new Map(all.map((file) => [file.path, file]));
  return { inputs: toInputs(objects, counted).inputs, packed, all: entries };
}

/** Looks up which of the folders are below another one; each answer is kept. */
function below(folders: readonly string[]): (path: string) => readonly string[] {
  const all = [...new Set(folders)];
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const found = known.get(path) ?? all.filter((folder) => isBelow(folder, path));
    known.set(path, found);
    return found;
  };
}

/** The number of names of each kind that are kept and shown. */
const SHOWN = 1000;

function toInputs(
  { commit, rootTree }: CommitObjects,
  { entries, folders, paths, unresolved, readsAll }: CollectedInputs,
): { inputs: SourceInputs; entries: readonly FileEntry[] } {
  const all: FileEntry[] = readsAll
    ? [...entries.values(), { path: ".", mode: FOLDER, oid: rootTree }]
    : [...entries.values()];
  const inputs = {
    digest: digestEntries(all),
    commit,
    folders: shown(folders),
    paths: shown(readsAll ? [".", ...paths] : paths),
    unresolved: shown(unresolved),
  };
  return { inputs, entries: all };
}

function shown(names: Iterable<string>): string[] {
  return firstOf([...names].toSorted(), SHOWN);
}

/** The first names of a list, and how many others there are. */
export function firstOf(names: readonly string[], atMost: number): string[] {
  return names.length > atMost ? [...names.slice(0, atMost), `and ${names.length - atMost} others`] : [...names];
}
