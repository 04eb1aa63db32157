import { can, type TokenCaller } from "../../model/people/permission.ts";
import { idKind } from "../../model/kit/id.ts";
import { describeRollback, type StateVersion } from "../../model/state/state-version.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findStateVersions, insertStateRollback } from "../../persistence/state/state-version-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";
import { queueRun } from "../lifecycle/queue-run.ts";
import { type CreatedRun, findEarlierRun, noteRequest } from "../run/run-idempotency.ts";
import { checkIdempotencyKey } from "../run/run-input.ts";
import { lookUpWorkspace } from "../workspace/look-up-workspace.ts";
import type { RollbackStateInput } from "./state-domain.ts";

/**
 * A run of kind TASK whose command nobody chooses: it stores an older version of the state once more, as the newest. It
 * waits for a person as every TASK does, and what that person was shown is about the state as it is now: where that
 * moves, the run is discarded, or its approval refused.
 */
export function rollbackState(deps: Deps, caller: TokenCaller, input: RollbackStateInput): Promise<CreatedRun> {
  const { workspaceId, stateVersionId, message } = input;
  return recorded(deps, caller, "rollbackState", workspaceId, async () => {
    const found = await lookUpWorkspace(deps.database, workspaceId);
    if (found === null || !can(caller, "workspace:read")) throw notFound("workspace");
    authorize(caller, "state:rollback", "rolling the state back");
    const check = new InputCheck();
    check.text("message", message);
    checkIdempotencyKey(check, input.idempotencyKey);
    check.done();
    const content = ["rollbackState", stateVersionId, message];
    const request = { workspaceId, key: input.idempotencyKey, content };
    return deps.database.transaction(async (tx) => {
      const workspace = await lockKeptWorkspace(tx, workspaceId);
      if (workspace === null) throw notFound("workspace");
      const earlier = await findEarlierRun(tx, deps, caller, request);
      if (earlier !== null) return earlier;
      const to = await getOlderState(tx, workspaceId, stateVersionId);
      const run = await queueRun(tx, deps, caller, workspace, {
        kind: "TASK",
        trigger: "ROLLBACK",
        message,
        revision: null,
        targets: [],
        replace: [],
        refreshOnly: false,
        command: describeRollback(to, { serial: workspace.stateSerial }),
        metadata: {},
        priority: 0,
        scheduledAt: null,
        originId: to.runId,
        planRunId: null,
        planVersion: 0,
        sourceBlobId: null,
        variables: null,
        // What a workspace does around its configuration has no place where there is no configuration.
        hooks: [],
        createdAt: deps.clock().toISOString(),
      });
      await insertStateRollback(tx, run.id, { stateVersionId: to.id, stateSerial: workspace.stateSerial });
      return noteRequest(tx, caller, request, run);
    });
  });
}

/** Throws INVALID_INPUT, in the same words whatever else it is. */
async function getOlderState(tx: Transaction, workspaceId: string, id: string): Promise<StateVersion> {
  const [version = null] = idKind(id) === "stateVersion" ? await findStateVersions(tx, [id]) : [];
  if (version?.workspaceId !== workspaceId) {
    throw invalidField("stateVersionId", "must be a version of the state of this workspace.");
  }
  if (version.isCurrent) throw invalidField("stateVersionId", "is the current state already.");
  return version;
}
