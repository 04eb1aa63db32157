import type { BulkAction, BulkOperation, BulkResult, BulkState } from "../../model/bulk/bulk.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { ActorRef } from "../people/actor.ts";
import { answer } from "../kit/answer.ts";
import { GateEnum } from "../approval/approval.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition, numberPosition } from "../kit/cursor.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { RunRef } from "../kit/refs.ts";
import { RunFilterRef, toFilter } from "../run/run-list.ts";
import { ForbiddenErrorRef, InvalidInputErrorRef, NotFoundErrorRef, UserErrorCodeEnum } from "../kit/user-error.ts";

const BulkActionEnum = describedEnum<BulkAction>("BulkAction", "What is done to each run.", {
  CANCEL: "As `cancelRun`, without force.",
  DISCARD: "As `discardRun`.",
  APPROVE: "As `approveRun`, of the plan that was the newest one when the operation was created.",
  RETRY: "As `retryRun`.",
});

const BulkStateEnum = describedEnum<BulkState>("BulkState", "Where an operation is.", {
  RUNNING: "Runs have their turn, one after the other.",
  STOPPED: "Somebody stopped it; what was done until then stays done.",
  FINISHED: "Every run had its turn.",
});

const BulkResultRef = builder.objectRef<BulkResult>("BulkResult").implement({
  description: "What came of an operation for one run.",
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run as it is now; null where its workspace was deleted.",
      resolve: ({ runId }, _args, { loaders }) => loaders.run.load(runId),
    }),
    runId: t.exposeID("runId", { description: "Its id." }),
    ok: t.exposeBoolean("ok", {
      nullable: true,
      description: "Whether it was done; null until the run had its turn.",
    }),
    code: t.expose("code", {
      type: UserErrorCodeEnum,
      nullable: true,
      description: "Why it was refused; null where it was not, and where something unexpected went wrong.",
    }),
    message: t.exposeString("message", { nullable: true, description: "The same for a person." }),
    newRun: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that a RETRY made.",
      resolve: ({ newRunId }, _args, { loaders }) => (newRunId === null ? null : loaders.run.load(newRunId)),
    }),
    at: t.expose("doneAt", { type: "DateTime", nullable: true, description: "When the run had its turn." }),
  }),
});

const ResultEdgeRef = edgeRef<BulkResult>("BulkResult", "result");
const ResultConnectionRef = connectionRef<BulkResult>("BulkResult", "A page of results, in the order of the turns.");
builder.objectField(ResultEdgeRef, "node", (t) =>
  t.field({ type: BulkResultRef, description: "The result.", resolve: (edge) => edge.node }),
);
builder.objectField(ResultConnectionRef, "edges", (t) =>
  t.field({ type: [ResultEdgeRef], description: "The results.", resolve: (connection) => connection.edges }),
);

const BulkOperationRef = builder.objectRef<BulkOperation>("BulkOperation").implement({
  description: "One action on many runs. The server does it, and goes on whatever becomes of the caller.",
  interfaces: [NodeRef],
  fields: (t) => ({
    action: t.expose("action", { type: BulkActionEnum, description: "What is done to each run." }),
    gate: t.expose("gate", { type: GateEnum, nullable: true, description: "With APPROVE: which gate." }),
    comment: t.exposeString("comment", { nullable: true, description: "What its creator said about it." }),
    state: t.expose("state", { type: BulkStateEnum, description: "Where it is." }),
    total: t.exposeInt("totalCount", { description: "How many runs matched when it was created." }),
    done: t.exposeInt("doneCount", { description: "How many of them had their turn." }),
    succeeded: t.exposeInt("succeededCount", { description: "For how many of those it was done." }),
    failed: t.int({
      description: "For how many of those it was refused.",
      resolve: ({ doneCount, succeededCount }) => doneCount - succeededCount,
    }),
    createdBy: t.field({
      type: ActorRef,
      description: "Under whose rights it is done, as they are when each run has its turn.",
      resolve: async ({ createdById }, _args, { loaders }) =>
        present(await loaders.actor.load(createdById), `Actor ${createdById}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was finished or stopped.",
    }),
    results: t.field({
      type: ResultConnectionRef,
      description: "What came of it for each run, oldest run first; also those that had no turn yet.",
      args: pageArgs(),
      resolve: async (operation, args, { caller, domain }) => {
        const name = `results of ${operation.id}`;
        const request = toPageRequest(args, { name, position: numberPosition });
        return toConnection(name, await domain.listBulkResults(caller, operation, request), (item) => item.position);
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

/** The success of a command about an operation: the operation as it is afterwards. */
function bulkSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; operation: BulkOperation }>(name).implement({
    description,
    fields: (t) => ({
      operation: t.field({
        type: BulkOperationRef,
        description: "The operation as it is now; read it again by `node`.",
        resolve: ({ operation }) => operation,
      }),
    }),
  });
}

const BulkRunActionInputRef = builder.inputType("BulkRunActionInput", {
  description: "One action, and the runs that it is for.",
  fields: (t) => ({
    filter: t.field({
      type: RunFilterRef,
      required: true,
      description: `Which runs, as they match now: at least one field, and at most ${LIMITS.bulkRuns} runs.`,
    }),
    action: t.field({ type: BulkActionEnum, required: true, description: "What is done to each of them." }),
    gate: t.field({ type: GateEnum, description: "Which gate; required with APPROVE, and only with it." }),
    comment: t.string({ description: "Kept with each approval, or as the reason of each end; not with RETRY." }),
    idempotencyKey: t.string({
      description: "The same request with the same key gives the first operation, for 24 hours.",
    }),
  }),
});

const BulkRunActionResultRef = builder.unionType("BulkRunActionResult", {
  description: "What came of `bulkRunAction`.",
  types: [bulkSuccess("BulkRunActionSuccess", "The operation has begun."), InvalidInputErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("bulkRunAction", (t) =>
  t.field({
    type: BulkRunActionResultRef,
    description: "Begins one action on many runs; each has a result of its own, as if it had been asked for by itself.",
    args: { input: t.arg({ type: BulkRunActionInputRef, required: true, description: "What, and for which runs." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "ForbiddenError"], async () => ({
        type: "BulkRunActionSuccess" as const,
        operation: await context.domain.bulkRunAction(context.caller, {
          filter: toFilter(null, { filter: input.filter }),
          action: input.action,
          gate: input.gate ?? null,
          comment: input.comment ?? null,
          idempotencyKey: input.idempotencyKey ?? null,
        }),
      })),
  }),
);

const StopBulkOperationInputRef = builder.inputType("StopBulkOperationInput", {
  description: "An operation that is to end.",
  fields: (t) => ({ operationId: t.id({ required: true, description: "The operation." }) }),
});

const StopBulkOperationResultRef = builder.unionType("StopBulkOperationResult", {
  description: "What came of `stopBulkOperation`.",
  types: [bulkSuccess("StopBulkOperationSuccess", "Nothing more is begun."), NotFoundErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("stopBulkOperation", (t) =>
  t.field({
    type: StopBulkOperationResultRef,
    description: "Ends an operation between two runs. What was done stays done; one that has ended stays as it is.",
    args: { input: t.arg({ type: StopBulkOperationInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError"], async () => ({
        type: "StopBulkOperationSuccess" as const,
        operation: await context.domain.stopBulkOperation(context.caller, input),
      })),
  }),
);
