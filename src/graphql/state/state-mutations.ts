/** What people do with a state: bringing an older version back, and breaking a lock that was left. */
import type { Run } from "../../model/run/run.ts";
import type { StateRollback } from "../../model/state/state-version.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { RunRef, StateVersionRef } from "../kit/refs.ts";
import {
  ForbiddenErrorRef,
  IdempotencyConflictErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";
import { workspaceSuccess } from "../workspace/workspace-success.ts";

const RollbackStateInputRef = builder.inputType("RollbackStateInput", {
  description: "An older version of a state that is to be the current one again. Needs the role ADMIN.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace." }),
    stateVersionId: t.id({ required: true, description: "The version, which must not be the current one." }),
    message: t.string({ description: "Why, for those who decide about it." }),
    idempotencyKey: t.string({
      description:
        "The same key with the same request within 24 hours gives the first run again; unique per workspace and caller.",
    }),
  }),
});

const RollbackStateSuccessRef = builder
  .objectRef<{ type: "RollbackStateSuccess"; run: Run; created: boolean }>("RollbackStateSuccess")
  .implement({
    description: "The run exists. It changes the state alone: infrastructure stays as it is.",
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run, of kind TASK.", resolve: ({ run }) => run }),
      created: t.exposeBoolean("created", {
        description: "false: the idempotency key had been used for the same request.",
      }),
    }),
  });

const RollbackStateResultRef = builder.unionType("RollbackStateResult", {
  description: "What came of `rollbackState`.",
  types: [
    RollbackStateSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    IdempotencyConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});

builder.mutationField("rollbackState", (t) =>
  t.field({
    type: RollbackStateResultRef,
    description:
      "A new run of kind TASK that stores an older version of the state once more, as the newest one, by the engine's own `state push`. A person must approve it; where the state moves before that, it is discarded. It needs no `tasksAllowed`, because nobody chooses its command.",
    args: { input: t.arg({ type: RollbackStateInputRef, required: true, description: "Where to." }) },
    resolve: (_root, { input: { message, idempotencyKey, ...input } }, context) =>
      answer(
        context,
        ["InvalidInputError", "NotFoundError", "ForbiddenError", "IdempotencyConflictError"],
        async () => ({
          type: "RollbackStateSuccess" as const,
          ...(await context.domain.rollbackState(context.caller, {
            ...input,
            message: message ?? null,
            idempotencyKey: idempotencyKey ?? null,
          })),
        }),
      ),
  }),
);

const StateRollbackRef = builder.objectRef<StateRollback>("StateRollback").implement({
  description: "What a run that brings a state back is about.",
  fields: (t) => ({
    to: t.field({
      type: StateVersionRef,
      description: "The version that it stores once more.",
      resolve: async ({ stateVersionId }, _args, { loaders }) =>
        present(await loaders.stateVersion.load(stateVersionId), `The state ${stateVersionId}`),
    }),
    fromSerial: t.float({
      description: "The serial of the state that it takes the place of; where another is the current one, it is stale.",
      resolve: ({ stateSerial }) => stateSerial,
    }),
  }),
});

builder.objectField(RunRef, "stateRollback", (t) =>
  t.field({
    type: StateRollbackRef,
    nullable: true,
    description: "The older state that it brings back; null for any other run.",
    resolve: ({ id }, _args, { loaders }) => loaders.stateRollback.load(id),
  }),
);

const ForceUnlockStateInputRef = builder.inputType("ForceUnlockStateInput", {
  description: "A state lock that somebody left behind. Needs the role ADMIN.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace." }),
    lockId: t.string({ required: true, description: "The id of the lock, so that no other is broken." }),
  }),
});

const ForceUnlockStateResultRef = builder.unionType("ForceUnlockStateResult", {
  description: "What came of `forceUnlockState`.",
  types: [
    workspaceSuccess("ForceUnlockStateSuccess", "The state has no lock any more."),
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    RunStateConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});

builder.mutationField("forceUnlockState", (t) =>
  t.field({
    type: ForceUnlockStateResultRef,
    description:
      "Breaks the engine's lock on a state, as `terraform force-unlock` does. That of a run at work is not broken; the lock of a workspace that an interrupted apply left is another one.",
    args: { input: t.arg({ type: ForceUnlockStateInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "ForceUnlockStateSuccess" as const,
        workspace: await context.domain.forceUnlockState(context.caller, input),
      })),
  }),
);
