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

const POOL_NAME = "Unique within the organization: small letters, digits and hyphens; at most 63.";
const RESERVED = "Whether only workspaces that name it run on it.";
const ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError", "NameTakenError"] as const;
const ERROR_REFS = [InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, NameTakenErrorRef] as const;

/** The success of a command about a pool: the pool as it is afterwards. */
function poolSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; runnerPool: RunnerPool }>(name).implement({
    description,
    fields: (t) => ({
      runnerPool: t.field({ type: RunnerPoolRef, description: "The pool.", resolve: ({ runnerPool }) => runnerPool }),
    }),
  });
}

const CreateRunnerPoolInputRef = builder.inputType("CreateRunnerPoolInput", {
  description: "A new pool of runners.",
  fields: (t) => ({
    organizationId: t.id({ required: true, description: "The organization that it belongs to." }),
    name: t.string({ required: true, description: POOL_NAME }),
    description: t.string({ description: "What it is for." }),
    reserved: t.boolean({ required: true, defaultValue: false, description: RESERVED }),
  }),
});
const CreateRunnerPoolSuccessRef = poolSuccess("CreateRunnerPoolSuccess", "The pool was created.");
const CreateRunnerPoolResultRef = builder.unionType("CreateRunnerPoolResult", {
  description: "What came of `createRunnerPool`.",
  types: [CreateRunnerPoolSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("createRunnerPool", (t) =>
  t.field({
    type: CreateRunnerPoolResultRef,
    description: "Creates a pool of runners. Runners come into it by its tokens.",
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
  description: "Fields that are absent stay as they are.",
  fields: (t) => ({
    poolId: t.id({ required: true, description: "The pool." }),
    name: t.string({ description: POOL_NAME }),
    description: t.string({ description: "What it is for; null: nothing." }),
    reserved: t.boolean({ description: RESERVED }),
  }),
});
const UpdateRunnerPoolSuccessRef = poolSuccess("UpdateRunnerPoolSuccess", "The pool was changed.");
const UpdateRunnerPoolResultRef = builder.unionType("UpdateRunnerPoolResult", {
  description: "What came of `updateRunnerPool`.",
  types: [UpdateRunnerPoolSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("updateRunnerPool", (t) =>
  t.field({
    type: UpdateRunnerPoolResultRef,
    description: "Changes a pool of runners. What its runners have they finish.",
    args: { input: t.arg({ type: UpdateRunnerPoolInputRef, required: true, description: "What to change." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "UpdateRunnerPoolSuccess" as const,
        runnerPool: await context.domain.updateRunnerPool(context.caller, input),
      })),
  }),
);

const DeleteRunnerPoolInputRef = builder.inputType("DeleteRunnerPoolInput", {
  description: "Refused while a workspace names the pool, and while a runner of it is at work.",
  fields: (t) => ({ poolId: t.id({ required: true, description: "The pool." }) }),
});
const DeleteRunnerPoolSuccessRef = builder
  .objectRef<{ type: "DeleteRunnerPoolSuccess"; deletedId: string }>("DeleteRunnerPoolSuccess")
  .implement({
    description: "The pool is not found any more, its tokens let nobody in, its name is free.",
    fields: (t) => ({ deletedId: t.exposeID("deletedId", { description: "The id of the pool." }) }),
  });
const DeleteRunnerPoolResultRef = builder.unionType("DeleteRunnerPoolResult", {
  description: "What came of `deleteRunnerPool`.",
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
    args: { input: t.arg({ type: DeleteRunnerPoolInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "DeleteRunnerPoolSuccess" as const,
        deletedId: await context.domain.deleteRunnerPool(context.caller, input),
      })),
  }),
);

const CreateRunnerTokenInputRef = builder.inputType("CreateRunnerTokenInput", {
  description: "A new runner token. The secret is shown once, in the answer.",
  fields: (t) => ({
    poolId: t.id({ required: true, description: "The pool that it lets runners into." }),
    name: t.string({ required: true, description: "A name for it, unique within the pool." }),
    expiresAt: t.field({ type: "DateTime", description: "When it ends; absent: never." }),
  }),
});
const CreateRunnerTokenSuccessRef = builder
  .objectRef<{ type: "CreateRunnerTokenSuccess"; token: RunnerToken; secret: string }>("CreateRunnerTokenSuccess")
  .implement({
    description: "The token exists.",
    fields: (t) => ({
      token: t.field({ type: RunnerTokenRef, description: "The token.", resolve: ({ token }) => token }),
      secret: t.exposeString("secret", { description: "What runners are started with. It is never shown again." }),
    }),
  });
const CreateRunnerTokenResultRef = builder.unionType("CreateRunnerTokenResult", {
  description: "What came of `createRunnerToken`.",
  types: [CreateRunnerTokenSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("createRunnerToken", (t) =>
  t.field({
    type: CreateRunnerTokenResultRef,
    description:
      "Creates what lets runners into a pool. Whoever has it can get the variables and the states of the workspaces that run there.",
    args: { input: t.arg({ type: CreateRunnerTokenInputRef, required: true, description: "The token." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "CreateRunnerTokenSuccess" as const,
        ...(await context.domain.createRunnerToken(context.caller, { ...input, expiresAt: input.expiresAt ?? null })),
      })),
  }),
);

const RevokeRunnerTokenInputRef = builder.inputType("RevokeRunnerTokenInput", {
  description: "A runner token that is to end.",
  fields: (t) => ({ tokenId: t.id({ required: true, description: "The token." }) }),
});
const RevokeRunnerTokenSuccessRef = builder
  .objectRef<{ type: "RevokeRunnerTokenSuccess"; revokedId: string }>("RevokeRunnerTokenSuccess")
  .implement({
    description: "Nobody gets work by the token any more.",
    fields: (t) => ({ revokedId: t.exposeID("revokedId", { description: "The id of the token." }) }),
  });
const RevokeRunnerTokenResultRef = builder.unionType("RevokeRunnerTokenResult", {
  description: "What came of `revokeRunnerToken`.",
  types: [RevokeRunnerTokenSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("revokeRunnerToken", (t) =>
  t.field({
    type: RevokeRunnerTokenResultRef,
    description: "Ends a runner token at once. Jobs that runners have by it go on to their end.",
    args: { input: t.arg({ type: RevokeRunnerTokenInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "RevokeRunnerTokenSuccess" as const,
        revokedId: await context.domain.revokeRunnerToken(context.caller, input),
      })),
  }),
);
