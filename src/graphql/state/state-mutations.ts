/** The commands on a state: roll back to an older version, and break a lock. */
import { loaderOf } from "../kit/loader.ts";
import type { StateRollback } from "../../model/state/state-version.ts";
import { createdRunSuccess, workspaceSuccess } from "../kit/success.ts";
import { idempotencyKeyInput } from "../kit/idempotency-key.ts";
import { mutation } from "../kit/mutation.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { RunRef, StateVersionRef, stateVersionLoader } from "../kit/refs.ts";

const stateRollbackLoader = loaderOf((domain, caller, ids) => domain.stateRollbacks(caller, ids));

mutation("rollbackState", {
  description:
    "Creates a run of kind TASK that stores an older version of the state as the newest one, by the engine's `state push`. A person must approve it; if the state changes first, the run is discarded. It does not need `tasksAllowed`, because its command is fixed.",
  argument: "The version to restore.",
  input: {
    description: "The older version of a state to restore. Needs the role ADMIN.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace." }),
      stateVersionId: t.id({
        required: true,
        description: "The version to restore, which must not be the current one.",
      }),
      message: t.string({ description: "The reason for the run, for its approvers." }),
      idempotencyKey: idempotencyKeyInput(t),
    }),
  },
  success: createdRunSuccess(
    "The run was created. It changes only the state, not the infrastructure.",
    "The run, of kind TASK.",
  ),
  run: ({ rollbackState }, caller, { input: { message, idempotencyKey, ...input } }) =>
    rollbackState(caller, {
      ...input,
      message: message ?? null,
      idempotencyKey: idempotencyKey ?? null,
    }),
});

const StateRollbackRef = builder.objectRef<StateRollback>("StateRollback").implement({
  description: "The rollback of a state by a run.",
  fields: (t) => ({
    to: t.field({
      type: StateVersionRef,
      description: "The version that the run restores.",
      resolve: async ({ stateVersionId }, _args, { loaders }) =>
        present(await loaders.load(stateVersionLoader, stateVersionId), `The state ${stateVersionId}`),
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
    resolve: ({ id }, _args, { loaders }) => loaders.load(stateRollbackLoader, id),
  }),
);

mutation("forceUnlockState", {
  description:
    "Breaks the engine's lock on a state, as `terraform force-unlock` does. The lock of an executing run is not broken. A workspace lock, which an interrupted apply may leave, is removed by `unlockWorkspace`.",
  argument: "The lock to break.",
  input: {
    description: "The state lock to break. Needs the role ADMIN.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace." }),
      lockId: t.string({ required: true, description: "The id of the lock, so that no other lock is broken." }),
    }),
  },
  success: workspaceSuccess("The state is unlocked."),
  run: ({ forceUnlockState }, caller, { input }) => forceUnlockState(caller, input),
});
