import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderByKey } from "../kit/loader.ts";
import type { BulkAction, BulkCounts, BulkOperation, BulkResult, BulkState } from "../../model/bulk/bulk.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { GateEnum } from "../approval/approval.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { RunRef, runLoader } from "../kit/refs.ts";
import { sealedNumbers } from "../kit/sealed-number.ts";
import { RunFilterRef, toFilter } from "../run/run-list.ts";
import { UserErrorCodeEnum } from "../kit/user-error.ts";

const bulkOperationLoader = loaderById(["bulkOperation"], (domain, caller, ids) => domain.bulkOperations(caller, ids));

const bulkCountsLoader = loaderByKey<BulkOperation, BulkCounts>(
  (domain, caller, operations) => domain.bulkCounts(caller, operations),
  ({ id, doneCount }) => `${id} ${doneCount}`,
);

const BulkActionEnum = describedEnum<BulkAction>("BulkAction", "The action on each run.", {
  CANCEL: "`cancelRun` without force.",
  DISCARD: "`discardRun`.",
  APPROVE: "`approveRun` of the plan that was the newest when the operation was created.",
  RETRY: "`retryRun`.",
});

export const BulkStateEnum = describedEnum<BulkState>("BulkState", "The state of an operation.", {
  RUNNING: "The runs are processed one after the other.",
  STOPPED: "The operation was stopped. Completed actions stay.",
  FINISHED: "Every run was processed.",
});

const BulkResultRef = builder.objectRef<BulkResult>("BulkResult").implement({
  description: "The result of an operation for one run.",
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run as it is now. `null` if its workspace was deleted.",
      resolve: ({ runId }, _args, { loaders }) => loaders.load(runLoader, runId),
    }),
    runId: t.exposeID("runId", { description: "The id of the run." }),
    ok: t.exposeBoolean("ok", {
      nullable: true,
      description: "Whether the action succeeded. `null` if the run was not processed yet.",
    }),
    code: t.expose("code", {
      type: UserErrorCodeEnum,
      nullable: true,
      description: "The code of the refusal. `null` if the action was not refused, or failed unexpectedly.",
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "The refusal or failure in words. `null` if there is none.",
    }),
    newRun: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that a RETRY created. `null` for other actions.",
      resolve: ({ newRunId }, _args, { loaders }) => (newRunId === null ? null : loaders.load(runLoader, newRunId)),
    }),
    at: t.expose("doneAt", {
      type: "DateTime",
      nullable: true,
      description: "When the run was processed. `null` if it was not yet.",
    }),
  }),
});

const ResultEdgeRef = edgeRef<BulkResult>("BulkResult", "result");
const ResultConnectionRef = connectionRef<BulkResult>("BulkResult", "A page of results, in the order of processing.");
builder.objectField(ResultEdgeRef, "node", (t) =>
  t.field({ type: BulkResultRef, description: "The result.", resolve: (edge) => edge.node }),
);
builder.objectField(ResultConnectionRef, "edges", (t) =>
  t.field({ type: [ResultEdgeRef], description: "The results.", resolve: (connection) => connection.edges }),
);

addNode("bulkOperation", "BulkOperation", bulkOperationLoader);
export const BulkOperationRef = builder.objectRef<BulkOperation>("BulkOperation").implement({
  extensions: requiredPermissions("BULK_OTHERS"),
  description:
    "One action on many runs. The server completes it even if the client disconnects. It counts and lists those runs that the caller may read.",
  interfaces: [NodeRef],
  fields: (t) => ({
    action: t.expose("action", { type: BulkActionEnum, description: "The action on each run." }),
    gate: t.expose("gate", {
      type: GateEnum,
      nullable: true,
      description: "The gate of an APPROVE. `null` for other actions.",
    }),
    comment: t.exposeString("comment", {
      nullable: true,
      description: "The comment of its creator. `null` if there is none.",
    }),
    state: t.expose("state", { type: BulkStateEnum, description: "The state of the operation." }),
    total: t.int({
      description: "The number of runs that matched when the operation was created.",
      resolve: async (operation, _args, { loaders }) => (await loaders.load(bulkCountsLoader, operation)).totalCount,
    }),
    done: t.int({
      description: "The number of processed runs.",
      resolve: async (operation, _args, { loaders }) => (await loaders.load(bulkCountsLoader, operation)).doneCount,
    }),
    succeeded: t.int({
      description: "The number of runs for which the action succeeded.",
      resolve: async (operation, _args, { loaders }) =>
        (await loaders.load(bulkCountsLoader, operation)).succeededCount,
    }),
    failed: t.int({
      description: "The number of runs for which the action was refused or failed.",
      resolve: async (operation, _args, { loaders }) => {
        const { doneCount, succeededCount } = await loaders.load(bulkCountsLoader, operation);
        return doneCount - succeededCount;
      },
    }),
    createdBy: t.field({
      type: ActorRef,
      description: "The actor whose permissions are checked when each run is processed.",
      resolve: async ({ createdById }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, createdById), `Actor ${createdById}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the operation finished or was stopped. `null` if it is running.",
    }),
    results: t.field({
      type: ResultConnectionRef,
      description: "The result for each run, oldest run first, including runs that are not processed yet.",
      args: pageArgs(),
      resolve: async (operation, args, { caller, domain, cursorKeyOf }) => {
        const name = `results of ${operation.id}`;
        // The numbers count the runs that are hidden as well.
        const positions = sealedNumbers(cursorKeyOf, name);
        const request = toPageRequest(args, { name, position: positions.read });
        const page = await domain.listBulkResults(caller, operation, request);
        return toConnection(name, page, (item) => positions.seal(item.position));
      },
    }),
  }),
});

const EdgeRef = edgeRef<BulkOperation>("BulkOperation", "operation");
const ConnectionRef = connectionRef<BulkOperation>("BulkOperation", "A page of operations, newest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: BulkOperationRef, description: "The operation.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The operations.", resolve: (connection) => connection.edges }),
);

builder.queryField("bulkOperations", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The caller's own operations on many runs, newest first.",
    args: pageArgs(),
    resolve: async (_root, args, { caller, domain }) => {
      const name = "bulk operations";
      const request = toPageRequest(args, { name, position: namePosition });
      return toConnection(name, await domain.listBulkOperations(caller, request), ({ id }) => id);
    },
  }),
);

/** Builds the success type of a command on an operation, with the operation after the command. */
function bulkSuccess(description: string): Success<BulkOperation> {
  return {
    description,
    fields: (t) => ({
      operation: t.field({
        type: BulkOperationRef,
        description: "The operation as it is now. Read it again by `node`.",
        resolve: ({ value }) => value,
      }),
    }),
  };
}

mutation("bulkRunAction", {
  description:
    "Starts one action on many runs. Each run has a result of its own, as if the command had been sent for it alone.",
  argument: "The action and the runs.",
  input: {
    description: "The action, and the runs to take it on.",
    fields: (t) => ({
      filter: t.field({
        type: RunFilterRef,
        required: true,
        description: `The filter that selects the runs now: at least one field, and at most ${LIMITS.bulkRuns} runs.`,
      }),
      action: t.field({ type: BulkActionEnum, required: true, description: "The action on each run." }),
      gate: t.field({ type: GateEnum, description: "The gate, which is required with APPROVE and refused otherwise." }),
      comment: t.string({
        description: "The comment of each approval, or the reason of each end. Refused with RETRY.",
      }),
      idempotencyKey: t.string({
        description:
          "An idempotency key. A repeated request with the same key within 24 hours returns the first operation.",
      }),
    }),
  },
  success: bulkSuccess("The operation has begun."),
  run: ({ bulkRunAction }, caller, { input }) =>
    bulkRunAction(caller, {
      filter: toFilter(null, { filter: input.filter }),
      action: input.action,
      gate: input.gate ?? null,
      comment: input.comment ?? null,
      idempotencyKey: input.idempotencyKey ?? null,
    }),
});

mutation("stopBulkOperation", {
  description:
    "Stops an operation between two runs. Completed actions stay. An operation that has ended does not change.",
  argument: "The operation to stop.",
  input: {
    description: "The operation to stop.",
    fields: (t) => ({ operationId: t.id({ required: true, description: "The operation." }) }),
  },
  success: bulkSuccess("Nothing more is begun."),
  run: ({ stopBulkOperation }, caller, { input }) => stopBulkOperation(caller, input),
});
