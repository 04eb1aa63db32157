import type { InputIssue, UserErrorCode } from "../../model/kit/user-error.ts";
import type { Run } from "../../model/run/run.ts";
import type { WorkspaceLock } from "../../model/workspace/workspace.ts";
import { builder } from "./builder.ts";
import { describedEnum } from "./described-enum.ts";
import { RunRef, WorkspaceLockRef } from "./refs.ts";

export const UserErrorCodeEnum = describedEnum<UserErrorCode>(
  "UserErrorCode",
  "What a command did not get, for programs. Codes are never renamed.",
  {
    INVALID_INPUT: "Something about the input cannot be used: change what `issues` names.",
    NOT_FOUND: "It does not exist, or the caller may not read it.",
    FORBIDDEN: "The caller's role does not allow it.",
    NAME_TAKEN: "The name is in use: take another one.",
    RUN_STATE_CONFLICT: "The run is no longer where the caller thought: look at it again.",
    STALE_PLAN: "The plan is not the current one, or the state moved: read the newest plan, or replan.",
    IDEMPOTENCY_CONFLICT: "The idempotency key was used for another request: take another one.",
    WORKSPACE_LOCKED: "A lock is in the way: wait until it is gone, or use force.",
  },
);

/** User errors are plain objects: an instance of Error would be taken for a thrown one. */
interface Plain<Type extends string> {
  type: Type;
  code: UserErrorCode;
  message: string;
}
export type UserErrorValue =
  | (Plain<"InvalidInputError"> & { issues: InputIssue[] })
  | Plain<"NotFoundError">
  | Plain<"ForbiddenError">
  | Plain<"NameTakenError">
  | (Plain<"RunStateConflictError"> & { run: Run })
  | (Plain<"StalePlanError"> & { run: Run })
  | (Plain<"IdempotencyConflictError"> & { run: Run })
  | (Plain<"WorkspaceLockedError"> & { lock: WorkspaceLock });
type Value<Type extends UserErrorValue["type"]> = Extract<UserErrorValue, { type: Type }>;

const UserErrorRef = builder.interfaceRef<Plain<UserErrorValue["type"]>>("UserError").implement({
  description: "An outcome that the caller can act on. Anything else is a masked top-level error with an id.",
  resolveType: ({ type }) => type,
  fields: (t) => ({
    code: t.expose("code", { type: UserErrorCodeEnum, description: "What it is, to be matched on." }),
    message: t.exposeString("message", { description: "The same for a person." }),
  }),
});

const InputIssueRef = builder.objectRef<InputIssue>("InputIssue").implement({
  description: "What is wrong with one field of an input.",
  fields: (t) => ({
    path: t.exposeStringList("path", { description: "The way to the field, below `input`." }),
    message: t.exposeString("message", { description: "What is wrong, and what would be right." }),
  }),
});

export const InvalidInputErrorRef = builder.objectRef<Value<"InvalidInputError">>("InvalidInputError").implement({
  description: "Something about the input cannot be used. Nothing was changed.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    issues: t.field({ type: [InputIssueRef], description: "Each fault.", resolve: ({ issues }) => issues }),
  }),
});

export const NotFoundErrorRef = builder.objectRef<Value<"NotFoundError">>("NotFoundError").implement({
  description: "It does not exist, or the caller may not read it.",
  interfaces: [UserErrorRef],
});

export const ForbiddenErrorRef = builder.objectRef<Value<"ForbiddenError">>("ForbiddenError").implement({
  description: "The caller may read it, but the role does not allow the command.",
  interfaces: [UserErrorRef],
});

export const NameTakenErrorRef = builder.objectRef<Value<"NameTakenError">>("NameTakenError").implement({
  description: "Something else has the name already.",
  interfaces: [UserErrorRef],
});

export const RunStateConflictErrorRef = builder
  .objectRef<Value<"RunStateConflictError">>("RunStateConflictError")
  .implement({
    description: "The run is no longer where the caller thought; `run` is how it is now.",
    interfaces: [UserErrorRef],
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run as it is now.", resolve: ({ run }) => run }),
    }),
  });

export const StalePlanErrorRef = builder.objectRef<Value<"StalePlanError">>("StalePlanError").implement({
  description: "The plan named is not the current one, or the state moved since it was made.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run as it is now, with its newest plan.",
      resolve: ({ run }) => run,
    }),
  }),
});

export const IdempotencyConflictErrorRef = builder
  .objectRef<Value<"IdempotencyConflictError">>("IdempotencyConflictError")
  .implement({
    description: "The idempotency key was used for another request.",
    interfaces: [UserErrorRef],
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run that it was used for.", resolve: ({ run }) => run }),
    }),
  });

export const WorkspaceLockedErrorRef = builder
  .objectRef<Value<"WorkspaceLockedError">>("WorkspaceLockedError")
  .implement({
    description: "A lock is in the way.",
    interfaces: [UserErrorRef],
    fields: (t) => ({
      lock: t.field({ type: WorkspaceLockRef, description: "The lock.", resolve: ({ lock }) => lock }),
    }),
  });
