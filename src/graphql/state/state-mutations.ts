/** The commands on a state: roll back to an older version, and break a lock. */
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
  description: "The older version of a state to restore. Needs the role ADMIN.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace." }),
    stateVersionId: t.id({ required: true, description: "The version to restore, which must not be the current one." }),
    message: t.string({ description: "The reason for the run, for its approvers." }),
    idempotencyKey: t.string({
      description:
        "An idempotency key, unique per workspace and caller. A repeated request with the same key within 24 hours returns the first run.",
    }),
  }),
});

const RollbackStateSuccessRef = builder
  .objectRef<{ type: "RollbackStateSuccess"; run: Run; created: boolean }>("RollbackStateSuccess")
  .implement({
    description: "The run was created. It changes only the state, not the infrastructure.",
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run, of kind TASK.", resolve: ({ run }) => run }),
      created: t.exposeBoolean("created", {
        description: "Whether the run is new. `false` if the idempotency key was already used for the same request.",
      }),
    }),
  });

const RollbackStateResultRef = builder.unionType("RollbackStateResult", {
  description: "The result of `rollbackState`.",
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
      "Creates a run of kind TASK that stores an older version of the state as the newest one, by the engine's `state push`. A person must approve it; if the state changes first, the run is discarded. It does not need `tasksAllowed`, because its command is fixed.",
    args: { input: t.arg({ type: RollbackStateInputRef, required: true, description: "The version to restore." }) },
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
  description: "The rollback of a state by a run.",
  fields: (t) => ({
    to: t.field({
      type: StateVersionRef,
      description: "The version that the run restores.",
      resolve: async ({ stateVersionId }, _args, { loaders }) =>
        present(await loaders.stateVersion.load(stateVersionId), `The state ${stateVersionId}`),
    }),
    fromSerial: t.float({
      description: "The serial of the state that it replaces. The rollback is stale if another serial is current.",
      resolve: ({ stateSerial }) => stateSerial,
    }),
  }),
});

builder.objectField(RunRef, "stateRollback", (t) =>
  t.field({
    type: StateRollbackRef,
    nullable: true,
    description: "The rollback of a state. `null` for any other run.",
    resolve: ({ id }, _args, { loaders }) => loaders.stateRollback.load(id),
  }),
);

const ForceUnlockStateInputRef = builder.inputType("ForceUnlockStateInput", {
  description: "The state lock to break. Needs the role ADMIN.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace." }),
    lockId: t.string({ required: true, description: "The id of the lock, so that no other lock is broken." }),
  }),
});

const ForceUnlockStateResultRef = builder.unionType("ForceUnlockStateResult", {
  description: "The result of `forceUnlockState`.",
  types: [
    workspaceSuccess("ForceUnlockStateSuccess", "The state is unlocked."),
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
      "Breaks the engine's lock on a state, as `terraform force-unlock` does. The lock of an executing run is not broken. A workspace lock, which an interrupted apply may leave, is removed by `unlockWorkspace`.",
    args: { input: t.arg({ type: ForceUnlockStateInputRef, required: true, description: "The lock to break." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "ForceUnlockStateSuccess" as const,
        workspace: await context.domain.forceUnlockState(context.caller, input),
      })),
  }),
);
