import type { RepositoryView, SourceCommit } from "../kit/git-fetcher.ts";
import type { GitMirror } from "./git-mirror.ts";
import type { GitObjects } from "./git-objects.ts";
import type { Remote } from "./git-remote.ts";

/** A mirror with the key of what is kept about its contents, and its remote. */
export interface MirrorPlace {
  key: string;
  mirror: GitMirror;
  remote: Remote;
}

/** Brings refs up to date, if any are given, and gives `work` what they point to. Throws as git does. */
export async function openView<Result>(
  place: MirrorPlace,
  refs: readonly string[],
  work: (view: RepositoryView) => Promise<Result>,
): Promise<Result> {
  const { mirror, remote } = place;
  const commits = refs.length === 0 ? new Map<string, string>() : await mirror.look(remote, refs);
  if (refs.length === 0) await mirror.open(remote);
  return mirror.withObjects((objects) => work(viewOf(place, objects, commits)));
}

/**
 * Gives `work` a commit that was seen before. Refs are brought up to date only if the mirror does not have it: the runs of
 * a push would ask the host once each. `commits` may be empty.
 */
export async function openCommit<Result>(
  place: MirrorPlace,
  { ref, commit }: SourceCommit,
  work: (view: RepositoryView) => Promise<Result>,
): Promise<Result> {
  const { mirror, remote } = place;
  if (!mirror.isFilled) return openView(place, [ref], work);
  await mirror.open(remote);
  return mirror.withObjects(async (objects) => {
    const commits = (await objects.has(commit)) ? new Map<string, string>() : await mirror.look(remote, [ref]);
    return work(viewOf(place, objects, commits));
  });
}

function viewOf(
  { key, mirror }: MirrorPlace,
  objects: GitObjects,
  commits: ReadonlyMap<string, string>,
): RepositoryView {
  return {
    mirror: key,
    commits,
    isAncestor: (older, newer) => mirror.isAncestor(older, newer),
    messageOf: (commit) => objects.messageOf(commit),
    async objects(commit) {
      return {
        commit,
        rootTree: await objects.rootTree(commit),
        readTree: (oid) => objects.readTree(oid),
        readBlob: (oid, maxBytes) => objects.readBlob(oid, maxBytes),
        readWithin: (oid, budget) => objects.readWithin(oid, budget),
        prefetch: (oids) => objects.prefetch(oids),
      };
    },
  };
}
