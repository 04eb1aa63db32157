import type { RepositoryView } from "../kit/git-fetcher.ts";
import type { GitMirror } from "./git-mirror.ts";
import type { Remote } from "./git-remote.ts";

/** Brings refs up to date, if any are given, and gives `work` what they point to. Throws as git does. */
export async function openView<Result>(
  key: string,
  mirror: GitMirror,
  remote: Remote,
  refs: readonly string[],
  work: (view: RepositoryView) => Promise<Result>,
): Promise<Result> {
  const commits = refs.length === 0 ? new Map<string, string>() : await mirror.look(remote, refs);
  if (refs.length === 0) await mirror.open(remote);
  return mirror.withObjects((objects) =>
    work({
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
    }),
  );
}
