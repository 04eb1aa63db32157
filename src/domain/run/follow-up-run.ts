/** Creates runs from earlier runs, except retries. */
import type { FollowUpRefusal } from "../../model/run/follow-up.ts";
import { requireFollowUp } from "../../model/run/follow-up.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { getRunInput } from "../../persistence/run/run-store.ts";
import { type CreationPolicies, underCreationPolicies } from "../creation/creation-policies.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import type { FollowUpInput } from "./follow-up-input.ts";
import { queueRun, type RunOrder } from "../lifecycle/queue-run.ts";
import { commandRun } from "./run-command.ts";
import { type CreatedRun, findEarlierRun, recordRequest } from "./run-idempotency.ts";
import { checkIdempotencyKey, checkRunNotes, inOrder, toMetadata } from "./run-input.ts";

/** The parts of the new run that come from the other run. */
type Inherited = Pick<
  RunOrder,
  "trigger" | "message" | "targets" | "replace" | "refreshOnly" | "metadata" | "priority" | "variables"
>;

export interface FollowUp {
  name: "promoteRun" | "rollbackRun";
  words: string;
  refusal: (run: Run) => FollowUpRefusal | null;
  /** Returns the inherited parts; fields of the input take precedence. */
  inherit: (reader: Reader, run: Run) => Inherited | Promise<Inherited>;
}

/** Creates a DEPLOY from the source of a run. Repeating a request with the same key returns the first run. */
export function followUp(
  deps: Deps,
  caller: ActorCaller,
  input: FollowUpInput,
  { name, words, refusal, inherit }: FollowUp,
): Promise<CreatedRun> {
  const { runId, message, metadata, priority } = input;
  const spec = {
    name,
    permission: permissionToRun("DEPLOY"),
    words,
    runId,
    comment: null,
    check: (check) => {
      checkRunNotes(check, input);
      checkIdempotencyKey(check, input.idempotencyKey);
    },
  } satisfies Parameters<typeof commandRun>[2];
  const create = async (tx: Transaction, { run, workspace }: LockedRun, policies: CreationPolicies) => {
    const content = [name, runId, message, metadata === null ? null : inOrder(metadata), priority];
    const request = { workspaceId: workspace.id, key: input.idempotencyKey, content };
    const earlier = await findEarlierRun(tx, deps, caller, request);
    if (earlier !== null) return earlier;
    requireFollowUp(refusal(run), runId);
    const inherited = await inherit(tx, run);
    const created = await queueRun(tx, deps, caller, workspace, {
      ...inherited,
      message: message ?? inherited.message,
      metadata: metadata === null ? inherited.metadata : toMetadata(metadata),
      priority: priority ?? inherited.priority,
      kind: "DEPLOY",
      // Also in a rollback: the hooks of a workspace are not part of what is rolled back.
      hooks: null,
      revision: run.revision,
      command: null,
      scheduledAt: null,
      originId: run.id,
      planRunId: null,
      planVersion: 0,
      source: (await getRunInput(tx, runId)).source,
      createdAt: deps.clock().toISOString(),
      policies,
    });
    return recordRequest(tx, caller, request, created);
  };
  return underCreationPolicies(deps, "REFUSE", (policies) =>
    commandRun(deps, caller, spec, (tx, locked) => create(tx, locked, policies)),
  );
}
