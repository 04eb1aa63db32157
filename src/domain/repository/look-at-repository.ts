import { setTimeout as pause } from "node:timers/promises";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { RefChange } from "../../model/repository/ref-change.ts";
import type { Repository } from "../../model/repository/repository.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { claimLooks, findLooks, requestLook } from "../../persistence/repository/look-store.ts";
import { findLastChange, listRefChangesSince } from "../../persistence/repository/ref-change-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import { commandInSteps } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { HostLimits } from "./host-slots.ts";
import { lookOnce } from "./look.ts";
import { leaseName } from "./looks.ts";

export interface LookAtRepositoryInput {
  repositoryId: string;
}

function claimOf({ clock }: Deps, by: string, repositoryId: string) {
  const at = (ms: number): string => new Date(clock().getTime() + ms).toISOString();
  const until = at(LIMITS.refReadMs + LIMITS.lookLeaseMs);
  return { by, repositoryId, at: at(0), until, notSince: at(-LIMITS.lookPauseMs) };
}

/** The changes that an answer names; a repository with many new tags has more. */
const CHANGES_SHOWN = 100;
const PAUSE_MS = 100;
/** A caller waits for its own look alone. */
const UNLIMITED: HostLimits = { full: [], hosts: [], counts: [], perHost: 1 };

/**
 * Requests a look of a repository, as a hook does, waits for its end, and returns the changes. Throws
 * HOST_UNREACHABLE if the host cannot be read, or no look ends in time.
 */
export function lookAtRepository(
  deps: Deps,
  caller: ActorCaller,
  { repositoryId }: LookAtRepositoryInput,
): Promise<RefChange[]> {
  const spec = {
    name: "lookAtRepository",
    subjectId: repositoryId,
    noun: "repository",
    find: (reader: Reader) => lookUpRepository(reader, repositoryId),
    placeOf: ({ organizationId }: Repository) => organizationPlace({ id: organizationId }),
    sight: "WORKSPACE_READ",
    permission: "WORKSPACE_UPDATE",
    words: "reading repositories now",
  } as const;
  return commandInSteps(deps, caller, spec, async () => {
    const { database } = deps;
    const { request, last } = await database.transaction(async (tx) => {
      const before = await findLastChange(tx, repositoryId);
      const number = await requestLook(tx, repositoryId);
      return { request: number, last: before };
    });
    await waitForLook(deps, repositoryId, request ?? 0);
    return listRefChangesSince(database, repositoryId, last, CHANGES_SHOWN);
  });
}

async function lookUpRepository(reader: Reader, id: string): Promise<Repository | null> {
  const [repository = null] = idKind(id) === "repository" ? await findRepositories(reader, [id]) : [];
  return repository;
}

/** Waits until a request for a look is answered: here, unless another look of the repository is in progress. */
async function waitForLook(deps: Deps, repositoryId: string, request: number): Promise<void> {
  const { database } = deps;
  const by = leaseName(deps);
  for (let waitedMs = 0; waitedMs < LIMITS.lookWaitMs; waitedMs += PAUSE_MS) {
    const claim = claimOf(deps, by, repositoryId);
    const [begun] = await database.statement((statement) => claimLooks(statement, claim, UNLIMITED, 1));
    if (begun !== undefined) await lookOnce(deps, by, begun);
    const [look = null] = await findLooks(database, [repositoryId]);
    // The repository was deleted meanwhile.
    if (look === null) return;
    if (look.done >= request) {
      if (look.error !== null) throw new UserError("HOST_UNREACHABLE", look.error);
      return;
    }
    await pause(PAUSE_MS);
  }
  const seconds = LIMITS.lookWaitMs / 1000;
  throw new UserError(
    "HOST_UNREACHABLE",
    `The repository was not read within ${seconds} s. It is read as soon as possible.`,
  );
}
