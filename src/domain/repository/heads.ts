/** Reads what workspaces have at the heads of their tracked branches, so that their sync is known without git. */
import { LIMITS } from "../../model/kit/limits.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import { upsertInputsOfWorkspaces } from "../../persistence/inputs/source-inputs-store.ts";
import {
  claimStaleHeads,
  listStaleHeads,
  releaseHeads,
  type StaleHead,
  upsertHeads,
} from "../../persistence/repository/head-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import { listWorkspacesOfRepository } from "../../persistence/workspace/workspace-store.ts";
import type { WorkspaceInputs } from "../inputs/read-inputs.ts";
import type { Deps } from "../kit/deps.ts";
import { GitClosed } from "../kit/git-fetcher.ts";
import { inputsAt, withRepository } from "./judge-change.ts";

/** Reads the heads that moved, and those of workspaces with other settings. Returns the number of their repositories. */
export async function headRound(deps: Deps): Promise<number> {
  const claim = { at: after(deps, 0), until: after(deps, LIMITS.headsMs) };
  const ids = await deps.database.statement((statement) => claimStaleHeads(statement, claim, LIMITS.headsAtOnce));
  await Promise.all(ids.map((id) => readOrDefer(deps, id)));
  return ids.length;
}

function after({ clock }: Deps, ms: number): string {
  return new Date(clock().getTime() + ms).toISOString();
}

async function readOrDefer(deps: Deps, repositoryId: string): Promise<void> {
  let until: string | null = null;
  try {
    await readHeads(deps, repositoryId);
  } catch (error) {
    // A host that is away is an error of its repository already, which people see.
    const isKnown = error instanceof UserError || error instanceof GitClosed;
    if (!isKnown) deps.reportError(error, `reading heads of ${repositoryId}`);
    if (!(error instanceof GitClosed)) until = after(deps, LIMITS.headsMs);
  }
  await deps.database.statement((statement) => releaseHeads(statement, repositoryId, until));
}

async function readHeads(deps: Deps, repositoryId: string): Promise<void> {
  const { database } = deps;
  const [repository = null] = await findRepositories(database, [repositoryId]);
  const stale = await listStaleHeads(database, repositoryId);
  if (repository === null || stale.length === 0) return;
  const all = await listWorkspacesOfRepository(database, repositoryId);
  const read = await withRepository(deps, repository, [], async (view) => {
    const inputs = new Map<string, WorkspaceInputs>();
    for (const [commit, some] of Map.groupBy(stale, (head) => head.commit)) {
      const ids = new Set(some.map(({ workspaceId }) => workspaceId));
      for (const [id, one] of await inputsAt(deps, view, all, { commit, ids })) inputs.set(id, one);
    }
    return inputs;
  });
  await database.transaction((tx) => recordHeads(deps, tx, stale, read));
}

async function recordHeads(
  { clock }: Deps,
  tx: Parameters<typeof upsertHeads>[0],
  stale: readonly StaleHead[],
  read: ReadonlyMap<string, WorkspaceInputs>,
): Promise<void> {
  const at = clock().toISOString();
  const changed = new Map<string, SourceInputs>();
  const heads = stale.map((head): StaleHead => {
    const found = read.get(head.workspaceId);
    const inputs = found?.type === "READ" ? found.inputs : null;
    if (inputs !== null && inputs.digest !== head.digest) changed.set(head.workspaceId, inputs);
    return { ...head, digest: inputs?.digest ?? null };
  });
  await upsertInputsOfWorkspaces(tx, changed, at);
  await upsertHeads(tx, heads, at);
}
