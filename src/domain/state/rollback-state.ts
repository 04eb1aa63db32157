import type { ActorCaller } from "../../model/people/permission.ts";
import { idKind } from "../../model/kit/id.ts";
import { describeRollback, type StateVersion } from "../../model/state/state-version.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findStateVersions, insertStateRollback } from "../../persistence/state/state-version-store.ts";
import { type CreationPolicies, underCreationPolicies } from "../creation/creation-policies.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { queueRun } from "../lifecycle/queue-run.ts";
import { type CreatedRun, findEarlierRun, recordRequest } from "../run/run-idempotency.ts";
import { checkIdempotencyKey } from "../run/run-input.ts";
import { commandWorkspace } from "../workspace/workspace-command.ts";
import type { RollbackStateInput } from "./state-domain.ts";

/**
 * Creates a TASK with a fixed command: it stores an older version of the state again, as the newest. It waits for an
 * approval like every TASK. If the state moves meanwhile, the run is discarded or its approval refused.
 */
export function rollbackState(deps: Deps, caller: ActorCaller, input: RollbackStateInput): Promise<CreatedRun> {
  const { workspaceId, stateVersionId, message } = input;
  const spec = {
    name: "rollbackState",
    presence: "ALWAYS",
    permission: "STATE_ROLLBACK",
    words: "rolling the state back",
    workspaceId,
    check: (check: InputCheck) => {
      check.text("message", message);
      checkIdempotencyKey(check, input.idempotencyKey);
    },
  } as const;
  const content = ["rollbackState", stateVersionId, message];
  const request = { workspaceId, key: input.idempotencyKey, content };
  const create = async (tx: Transaction, workspace: Workspace, policies: CreationPolicies): Promise<CreatedRun> => {
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
      source: null,
      variables: null,
      // Hooks run with a configuration; a rollback of a state has none.
      hooks: [],
      createdAt: deps.clock().toISOString(),
      policies,
    });
    await insertStateRollback(tx, run.id, { stateVersionId: to.id, stateSerial: workspace.stateSerial });
    return recordRequest(tx, caller, request, run);
  };
  return underCreationPolicies(deps, "REFUSE", (policies) =>
    commandWorkspace(deps, caller, spec, (tx, workspace) => create(tx, workspace, policies)),
  );
}

/** Returns an older version of the workspace's state. Throws INVALID_INPUT, with one message for every reason. */
async function getOlderState(tx: Transaction, workspaceId: string, id: string): Promise<StateVersion> {
  const [version = null] = idKind(id) === "stateVersion" ? await findStateVersions(tx, [id]) : [];
  if (version?.workspaceId !== workspaceId) {
    throw invalidField("stateVersionId", "must be a version of the state of this workspace.");
  }
  if (version.isCurrent) throw invalidField("stateVersionId", "is the current state already.");
  return version;
}
