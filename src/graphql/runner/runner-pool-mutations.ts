import type { RunnerPool, RunnerToken } from "../../model/runner/runner.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { RunnerPoolRef, RunnerTokenRef } from "../kit/refs.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NameTakenErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";

const POOL_NAME = "The name, unique within the organization: 1 to 63 small letters, digits and hyphens.";
const RESERVED = "Whether only workspaces that name the pool run on it.";
const ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError", "NameTakenError"] as const;
const ERROR_REFS = [InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, NameTakenErrorRef] as const;

/** Builds the success type of a command on a pool, with the pool after the command. */
function poolSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; runnerPool: RunnerPool }>(name).implement({
    description,
    fields: (t) => ({
      runnerPool: t.field({ type: RunnerPoolRef, description: "The pool.", resolve: ({ runnerPool }) => runnerPool }),
    }),
  });
}

const CreateRunnerPoolInputRef = builder.inputType("CreateRunnerPoolInput", {
  description: "The pool to create.",
  fields: (t) => ({
    organizationId: t.id({ required: true, description: "The organization of the pool." }),
    name: t.string({ required: true, description: POOL_NAME }),
    description: t.string({ description: "The purpose of the pool." }),
    reserved: t.boolean({ required: true, defaultValue: false, description: RESERVED }),
  }),
});
const CreateRunnerPoolSuccessRef = poolSuccess("CreateRunnerPoolSuccess", "The pool was created.");
const CreateRunnerPoolResultRef = builder.unionType("CreateRunnerPoolResult", {
  description: "The result of `createRunnerPool`.",
  types: [CreateRunnerPoolSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("createRunnerPool", (t) =>
  t.field({
    type: CreateRunnerPoolResultRef,
    description: "Creates a pool of runners. Runners join it with its tokens.",
    args: { input: t.arg({ type: CreateRunnerPoolInputRef, required: true, description: "The pool." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "CreateRunnerPoolSuccess" as const,
        runnerPool: await context.domain.createRunnerPool(context.caller, {
          ...input,
          description: input.description ?? null,
        }),
      })),
  }),
);

const UpdateRunnerPoolInputRef = builder.inputType("UpdateRunnerPoolInput", {
  description: "The changes to a pool. An absent field is not changed.",
  fields: (t) => ({
    poolId: t.id({ required: true, description: "The pool." }),
    name: t.string({ description: POOL_NAME }),
    description: t.string({ description: "The purpose of the pool; null removes it." }),
    reserved: t.boolean({ description: RESERVED }),
  }),
});
const UpdateRunnerPoolSuccessRef = poolSuccess("UpdateRunnerPoolSuccess", "The pool was changed.");
const UpdateRunnerPoolResultRef = builder.unionType("UpdateRunnerPoolResult", {
  description: "The result of `updateRunnerPool`.",
  types: [UpdateRunnerPoolSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("updateRunnerPool", (t) =>
  t.field({
    type: UpdateRunnerPoolResultRef,
    description: "Changes a pool of runners. Its runners finish the jobs that they have.",
    args: {
      input: t.arg({ type: UpdateRunnerPoolInputRef, required: true, description: "The pool and its changes." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "UpdateRunnerPoolSuccess" as const,
        runnerPool: await context.domain.updateRunnerPool(context.caller, input),
      })),
  }),
);

const DeleteRunnerPoolInputRef = builder.inputType("DeleteRunnerPoolInput", {
  description: "The pool to delete. It is refused while a workspace names the pool, or one of its runners has a job.",
  fields: (t) => ({ poolId: t.id({ required: true, description: "The pool." }) }),
});
const DeleteRunnerPoolSuccessRef = builder
  .objectRef<{ type: "DeleteRunnerPoolSuccess"; deletedId: string }>("DeleteRunnerPoolSuccess")
  .implement({
    description: "The pool is deleted, its tokens no longer work, and its name is free.",
    fields: (t) => ({ deletedId: t.exposeID("deletedId", { description: "The id of the pool." }) }),
  });
const DeleteRunnerPoolResultRef = builder.unionType("DeleteRunnerPoolResult", {
  description: "The result of `deleteRunnerPool`.",
  types: [
    DeleteRunnerPoolSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    RunStateConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});
builder.mutationField("deleteRunnerPool", (t) =>
  t.field({
    type: DeleteRunnerPoolResultRef,
    description: "Deletes a pool of runners with its tokens.",
    args: { input: t.arg({ type: DeleteRunnerPoolInputRef, required: true, description: "The pool to delete." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "DeleteRunnerPoolSuccess" as const,
        deletedId: await context.domain.deleteRunnerPool(context.caller, input),
      })),
  }),
);

const CreateRunnerTokenInputRef = builder.inputType("CreateRunnerTokenInput", {
  description: "The runner token to create. Its secret is shown once, in the result.",
  fields: (t) => ({
    poolId: t.id({ required: true, description: "The pool that runners join with the token." }),
    name: t.string({ required: true, description: "The name of the token, unique within the pool." }),
    expiresAt: t.field({ type: "DateTime", description: "When the token expires. If absent, it never expires." }),
  }),
});
const CreateRunnerTokenSuccessRef = builder
  .objectRef<{ type: "CreateRunnerTokenSuccess"; token: RunnerToken; secret: string }>("CreateRunnerTokenSuccess")
  .implement({
    description: "The token was created.",
    fields: (t) => ({
      token: t.field({ type: RunnerTokenRef, description: "The token.", resolve: ({ token }) => token }),
      secret: t.exposeString("secret", {
        description: "The secret that runners are started with. It is never shown again.",
      }),
    }),
  });
const CreateRunnerTokenResultRef = builder.unionType("CreateRunnerTokenResult", {
  description: "The result of `createRunnerToken`.",
  types: [CreateRunnerTokenSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("createRunnerToken", (t) =>
  t.field({
    type: CreateRunnerTokenResultRef,
    description:
      "Creates a token with which runners join a pool. Its holder can get the variables and states of the workspaces that run in the pool.",
    args: { input: t.arg({ type: CreateRunnerTokenInputRef, required: true, description: "The token." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "CreateRunnerTokenSuccess" as const,
        ...(await context.domain.createRunnerToken(context.caller, { ...input, expiresAt: input.expiresAt ?? null })),
      })),
  }),
);

const RevokeRunnerTokenInputRef = builder.inputType("RevokeRunnerTokenInput", {
  description: "The runner token to revoke.",
  fields: (t) => ({ tokenId: t.id({ required: true, description: "The token." }) }),
});
const RevokeRunnerTokenSuccessRef = builder
  .objectRef<{ type: "RevokeRunnerTokenSuccess"; revokedId: string }>("RevokeRunnerTokenSuccess")
  .implement({
    description: "The token no longer works.",
    fields: (t) => ({ revokedId: t.exposeID("revokedId", { description: "The id of the token." }) }),
  });
const RevokeRunnerTokenResultRef = builder.unionType("RevokeRunnerTokenResult", {
  description: "The result of `revokeRunnerToken`.",
  types: [RevokeRunnerTokenSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("revokeRunnerToken", (t) =>
  t.field({
    type: RevokeRunnerTokenResultRef,
    description: "Revokes a runner token at once. Jobs that runners claimed with it continue to their end.",
    args: { input: t.arg({ type: RevokeRunnerTokenInputRef, required: true, description: "The token to revoke." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "RevokeRunnerTokenSuccess" as const,
        revokedId: await context.domain.revokeRunnerToken(context.caller, input),
      })),
  }),
);
