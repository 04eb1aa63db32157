/** Reads the refs of repositories from their hosts, and records those that moved. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { GitHost } from "../../model/repository/git-host.ts";
import {
  addFinder,
  compareRefs,
  type FollowedRefs,
  type FoundBy,
  hookHealth,
  lookPauseMs,
  type RefDifference,
} from "../../model/repository/look.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findGitHosts } from "../../persistence/repository/git-host-store.ts";
import {
  findFollowedRefs,
  forgetGitRefs,
  listGitRefs,
  setGitRefs,
} from "../../persistence/repository/git-ref-store.ts";
import { type BegunLook, endLook, lockLook } from "../../persistence/repository/look-store.ts";
import { insertRefChanges, takeChangeNumbers } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories, setDefaultBranch } from "../../persistence/repository/repository-store.ts";
import { AppTokenRefused } from "../kit/app-tokens.ts";
import type { Deps } from "../kit/deps.ts";
import { RefsUnreadable, type RemoteRefs } from "../kit/ref-reader.ts";
import { openAccess } from "../source/host-access.ts";
import { enqueueHookMissing } from "./enqueue-hook-missing.ts";
import { anyFollows } from "./follows.ts";

/** The refs that a look found at the host. */
interface Seen {
  remote: RemoteRefs;
  followed: FollowedRefs;
  /** Whether changes of a ref start runs anywhere. */
  startsRuns: (ref: string) => boolean;
  difference: RefDifference;
}

interface Place {
  repository: Repository;
  host: GitHost;
}

/**
 * Reads the refs of a repository and records the changes, in one transaction with the end of the look. A host that cannot
 * be read is an error of the repository, which people see. `by`: the server that has begun the look.
 */
export async function lookOnce(deps: Deps, by: string, begun: BegunLook): Promise<void> {
  const place = await findPlace(deps, begun.repositoryId);
  if (place === null) return;
  try {
    const seen = await readHost(deps, place, begun);
    await deps.database.transaction((tx) => recordLook(tx, deps, { by, begun, place, seen }));
  } catch (error) {
    if (!(error instanceof RefsUnreadable)) throw error;
    await deps.database.transaction((tx) => recordFailure(tx, deps, { by, begun, place, error }));
  }
}

async function findPlace({ database }: Deps, repositoryId: string): Promise<Place | null> {
  const [repository = null] = await findRepositories(database, [repositoryId]);
  const [host = null] = repository === null ? [] : await findGitHosts(database, [repository.gitHostId]);
  return repository === null || host === null ? null : { repository, host };
}

/** Throws RefsUnreadable. */
async function readHost(deps: Deps, { repository }: Place, begun: BegunLook): Promise<Seen> {
  const { database, refs } = deps;
  const { triggers, ...followed } = await findFollowedRefs(database, repository.id);
  const known = await listGitRefs(database, repository.id);
  const { login } = await openAccess(deps, repository).catch((error: unknown) => {
    throw error instanceof AppTokenRefused ? new RefsUnreadable(error.message, { cause: error }) : error;
  });
  const remote = await refs.read(repository.url, login, followed);
  const difference = compareRefs(known, remote.commits, followed, begun.tagsSeen);
  return { remote, followed, startsRuns: anyFollows(triggers), difference };
}

interface Look {
  by: string;
  begun: BegunLook;
  place: Place;
}

async function recordLook(
  tx: Transaction,
  deps: Deps,
  { by, begun, place, seen }: Look & { seen: Seen },
): Promise<void> {
  const { repository, host } = place;
  // Another server has looked since, and its refs are newer.
  if (!(await lockLook(tx, repository.id, by))) return;
  const at = deps.clock().toISOString();
  const { moved, set, forget } = seen.difference;
  await setGitRefs(tx, repository.id, set, at);
  await forgetGitRefs(tx, repository.id, forget);
  const { defaultBranch } = seen.remote;
  if (defaultBranch !== null && defaultBranch !== repository.defaultBranch) {
    await setDefaultBranch(tx, repository.id, defaultBranch);
  }
  const finder = finderOf(begun);
  if (moved.length > 0) await insertMoved(tx, deps, repository, seen, { finder, at });
  const foundBy = moved.length > 0 ? addFinder(begun.foundBy, finder) : begun.foundBy;
  const health = hookHealth(host.kind, foundBy);
  if (health === "MISSING" && hookHealth(host.kind, begun.foundBy) !== "MISSING") {
    await enqueueHookMissing(tx, deps, { repository, host, foundBy });
  }
  await endLook(tx, {
    repositoryId: repository.id,
    done: begun.wanted,
    at,
    nextAt: after(deps, lookPauseMs(health, 0, randomOf(deps))),
    error: null,
    failures: 0,
    foundBy,
    tagsSeen: seen.followed.tags,
  });
  tx.announce("repositories");
}

function finderOf({ isHooked, isCalled }: BegunLook): FoundBy {
  if (isHooked) return "HOOK";
  return isCalled ? "CALLER" : "POLL";
}

/** Records changes. Of those that start nothing no commit is read: a repository may have thousands of tags. */
async function insertMoved(
  tx: Transaction,
  deps: Deps,
  { id: repositoryId, organizationId }: Repository,
  { difference: { moved }, startsRuns }: Seen,
  { finder, at }: { finder: FoundBy; at: string },
): Promise<void> {
  const first = await takeChangeNumbers(tx, repositoryId, moved.length);
  const changes = moved.map(
    ({ ref, before, after: commit }, index): RefChange => ({
      id: deps.newId("refChange"),
      organizationId,
      repositoryId,
      seq: first + index,
      ref,
      before,
      after: commit,
      forced: null,
      foundBy: finder,
      foundAt: at,
      decidedAt: commit !== null && startsRuns(ref) ? null : at,
      changesetId: null,
      supersededById: null,
      error: null,
    }),
  );
  await insertRefChanges(tx, changes);
}

/** The requests count as answered: a host that is away must not be asked every second. A later hook asks again. */
async function recordFailure(
  tx: Transaction,
  deps: Deps,
  { by, begun, place, error }: Look & { error: RefsUnreadable },
): Promise<void> {
  const { repository, host } = place;
  if (!(await lockLook(tx, repository.id, by))) return;
  const failures = begun.failures + 1;
  const pauseMs = lookPauseMs(hookHealth(host.kind, begun.foundBy), failures, randomOf(deps));
  await endLook(tx, {
    repositoryId: repository.id,
    done: begun.wanted,
    at: deps.clock().toISOString(),
    nextAt: after(deps, pauseMs),
    error: error.message.slice(0, LIMITS.textLength),
    failures,
    foundBy: begun.foundBy,
    tagsSeen: begun.tagsSeen,
  });
}

function after({ clock }: Pick<Deps, "clock">, ms: number): string {
  return new Date(clock().getTime() + ms).toISOString();
}

function randomOf({ randomBytes }: Pick<Deps, "randomBytes">): number {
  return Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32;
}
