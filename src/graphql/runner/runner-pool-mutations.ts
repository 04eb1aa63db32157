import type { RunnerPool } from "../../model/runner/runner.ts";
import { deletedSuccess, revokedSuccess } from "../kit/success.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { RunnerPoolRef, RunnerTokenRef } from "../kit/refs.ts";
import { DRIFT_CHECK_LIMIT } from "./runner-pool.ts";

const POOL_NAME = "The name, unique within the organization: 1 to 63 small letters, digits and hyphens.";
const RESERVED = "Whether only workspaces that name the pool run on it.";

/** Builds the success type of a command on a pool, with the pool after the command. */
function poolSuccess(description: string): Success<RunnerPool> {
  return {
    description,
    fields: (t) => ({
      runnerPool: t.field({ type: RunnerPoolRef, description: "The pool.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("createRunnerPool", {
  description: "Creates a pool of runners. Runners join it with its tokens.",
  argument: "The pool.",
  input: {
    description: "The pool to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the pool." }),
      name: t.string({ required: true, description: POOL_NAME }),
      description: t.string({ description: "The purpose of the pool." }),
      reserved: t.boolean({ required: true, defaultValue: false, description: RESERVED }),
      driftCheckLimit: t.int({ description: DRIFT_CHECK_LIMIT }),
    }),
  },
  success: poolSuccess("The pool was created."),
  run: ({ createRunnerPool }, caller, { input }) =>
    createRunnerPool(caller, {
      ...input,
      description: input.description ?? null,
      driftCheckLimit: input.driftCheckLimit ?? null,
    }),
});

mutation("updateRunnerPool", {
  description: "Changes a pool of runners. Its runners finish the jobs that they have.",
  argument: "The pool and its changes.",
  input: {
    description: "The changes to a pool. An absent field is not changed.",
    fields: (t) => ({
      poolId: t.id({ required: true, description: "The pool." }),
      name: t.string({ description: POOL_NAME }),
      description: t.string({ description: "The purpose of the pool; null removes it." }),
      reserved: t.boolean({ description: RESERVED }),
      driftCheckLimit: t.int({ description: DRIFT_CHECK_LIMIT }),
    }),
  },
  success: poolSuccess("The pool was changed."),
  run: ({ updateRunnerPool }, caller, { input }) => updateRunnerPool(caller, input),
});

mutation("deleteRunnerPool", {
  description: "Deletes a pool of runners with its tokens.",
  argument: "The pool to delete.",
  input: {
    description: "The pool to delete. It is refused while a workspace names the pool, or one of its runners has a job.",
    fields: (t) => ({ poolId: t.id({ required: true, description: "The pool." }) }),
  },
  success: deletedSuccess(
    "The pool is deleted, its tokens no longer work, and its name is free.",
    "The id of the pool.",
  ),
  run: ({ deleteRunnerPool }, caller, { input }) => deleteRunnerPool(caller, input),
});

mutation("createRunnerToken", {
  description:
    "Creates a token with which runners join a pool. Its holder can get the variables and states of the workspaces that run in the pool.",
  argument: "The token.",
  input: {
    description: "The runner token to create. Its secret is shown once, in the result.",
    fields: (t) => ({
      poolId: t.id({ required: true, description: "The pool that runners join with the token." }),
      name: t.string({ required: true, description: "The name of the token, unique within the pool." }),
      expiresAt: t.field({ type: "DateTime", description: "When the token expires. If absent, it never expires." }),
    }),
  },
  success: {
    description: "The token was created.",
    fields: (t) => ({
      token: t.field({ type: RunnerTokenRef, description: "The token.", resolve: ({ value }) => value.token }),
      secret: t.string({
        description: "The secret that runners are started with. It is never shown again.",
        resolve: ({ value }) => value.secret,
      }),
    }),
  },
  run: ({ createRunnerToken }, caller, { input }) =>
    createRunnerToken(caller, { ...input, expiresAt: input.expiresAt ?? null }),
});

mutation("revokeRunnerToken", {
  description: "Revokes a runner token at once. Jobs that runners claimed with it continue to their end.",
  argument: "The token to revoke.",
  input: {
    description: "The runner token to revoke.",
    fields: (t) => ({ tokenId: t.id({ required: true, description: "The token." }) }),
  },
  success: revokedSuccess("The token no longer works.", "The id of the token."),
  run: ({ revokeRunnerToken }, caller, { input }) => revokeRunnerToken(caller, input),
});
