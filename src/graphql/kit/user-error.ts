import {
  type InputIssue,
  type PolicyDenial,
  type SourceProblem,
  USER_ERRORS,
  type UserError,
  type UserErrorCode,
  type UserErrorType,
} from "../../model/kit/user-error.ts";
import { type Permission, PERMISSIONS } from "../../model/people/permission-set.ts";
import { SIGN_IN_METHODS, type SignInMethod } from "../../model/people/session.ts";
import { JUDGEMENT_LIMITS } from "../../model/policy/judgement-limits.ts";
import type { SeenChangeset } from "../../model/changeset/changeset.ts";
import type { Run } from "../../model/run/run.ts";
import type { Workspace, WorkspaceLock } from "../../model/workspace/workspace.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { describedEnum } from "./described-enum.ts";
import { present } from "./errors.ts";
import { PermissionEnum } from "./permission.ts";
import { ChangesetRef, PolicyDenialRef, RunRef, WorkspaceLockRef, WorkspaceRef } from "./refs.ts";
import { SignInMethodEnum } from "./sign-in-method.ts";

export const UserErrorCodeEnum = describedEnum<UserErrorCode>(
  "UserErrorCode",
  "The reason why a command was refused, for programs. Codes are never renamed.",
  {
    INVALID_INPUT: "The input is not valid: change the fields that `issues` names.",
    NOT_FOUND: "The object does not exist, or the caller may not read it.",
    FORBIDDEN: "The caller's rights do not allow the command.",
    REAUTHENTICATION_REQUIRED: "The person of the session must sign in again first: open `url`.",
    LAST_ADMINISTRATOR: "No administrator would be left: give the role ADMIN to another one first.",
    NAME_TAKEN: "The name is in use: choose another one.",
    RUN_STATE_CONFLICT: "The status of the run does not allow the command: read the run again.",
    STALE_PLAN: "The plan is not the current one, or the state changed: read the newest plan, or replan.",
    DEPENDENCY_CYCLE: "The workspace would depend on itself: leave out one of the dependencies in `cycle`.",
    STALE_CHANGESET:
      "A run or a plan of the changeset is another one, or a newer changeset was promoted: review it again.",
    IDEMPOTENCY_CONFLICT: "The idempotency key was used for another request: choose another one.",
    HOST_UNREACHABLE: "The git host could not be read: wait, or correct its address or its credential.",
    POLICY_DENIED: "Policies forbid the run: change what `results` names, or request an exception.",
    POLICY_INVALID:
      "A version of a policy set does not compile, or its tests fail: correct what `problems` names, and push it again.",
    WORKSPACE_LOCKED: "The workspace is locked: wait until it is unlocked, or use force.",
  },
);

/** A user error as a plain object: graphql-js would treat an instance of Error as thrown. */
interface Plain<Type extends string> {
  type: Type;
  code: UserErrorCode;
  message: string;
}
export type UserErrorValue =
  | (Plain<"InvalidInputError"> & { issues: InputIssue[] })
  | Plain<"NotFoundError">
  | (Plain<"ForbiddenError"> & { permission: Permission | null; scopeId: string | null })
  | (Plain<"ReauthenticationRequiredError"> & { url: string | null; methods: SignInMethod[] })
  | Plain<"NameTakenError">
  | Plain<"LastAdministratorError">
  | Plain<"HostUnreachableError">
  | (Plain<"RunStateConflictError"> & { run: Run })
  | (Plain<"StalePlanError"> & { run: Run; seen: number })
  | (Plain<"DependencyCycleError"> & { cycle: Workspace[] })
  | (Plain<"StaleChangesetError"> & { changeset: SeenChangeset })
  | (Plain<"IdempotencyConflictError"> & { run: Run })
  | (Plain<"PolicyDeniedError"> & { results: readonly PolicyDenial[] })
  | (Plain<"PolicyInvalidError"> & { problems: readonly SourceProblem[] })
  | (Plain<"WorkspaceLockedError"> & { lock: WorkspaceLock });
type Value<Type extends UserErrorValue["type"]> = Extract<UserErrorValue, { type: Type }>;

const UserErrorRef = builder.interfaceRef<Plain<UserErrorValue["type"]>>("UserError").implement({
  description: "A refusal that the caller can act on. Any other error is a masked top-level error with an id.",
  resolveType: ({ type }) => type,
  fields: (t) => ({
    code: t.expose("code", { type: UserErrorCodeEnum, description: "The code, for programs." }),
    message: t.exposeString("message", { description: "The reason and the remedy in words." }),
  }),
});

const InputIssueRef = builder.objectRef<InputIssue>("InputIssue").implement({
  description: "A problem with one field of an input.",
  fields: (t) => ({
    path: t.exposeStringList("path", { description: "The path of the field below `input`." }),
    message: t.exposeString("message", { description: "The problem, and the allowed values." }),
  }),
});

const InvalidInputErrorRef = builder.objectRef<Value<"InvalidInputError">>("InvalidInputError").implement({
  description: "The input is not valid. Nothing was changed.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    issues: t.field({
      type: [InputIssueRef],
      description: "All problems of the input.",
      resolve: ({ issues }) => issues,
    }),
  }),
});

const NotFoundErrorRef = builder.objectRef<Value<"NotFoundError">>("NotFoundError").implement({
  description: "The object does not exist, or the caller may not read it.",
  interfaces: [UserErrorRef],
});

const ForbiddenErrorRef = builder.objectRef<Value<"ForbiddenError">>("ForbiddenError").implement({
  description: "The caller may read the object, but its rights do not allow the command.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    permission: t.expose("permission", {
      type: PermissionEnum,
      nullable: true,
      description: "The permission that the caller lacks. `null` if another rule forbids the command.",
    }),
    scopeId: t.exposeID("scopeId", {
      nullable: true,
      description:
        "The organization, the project or the workspace where the caller lacks it. `null` if it is the installation, or all of them.",
    }),
  }),
});

const ReauthenticationRequiredErrorRef = builder
  .objectRef<Value<"ReauthenticationRequiredError">>("ReauthenticationRequiredError")
  .implement({
    description:
      "The command takes a sign-in of the last 10 minutes. The rights of the caller allow it; its session is older.",
    interfaces: [UserErrorRef],
    fields: (t) => ({
      url: t.exposeString("url", {
        nullable: true,
        description:
          "The page on which the person signs in again; add `&return=` with a path of this site. `null` if the server does not know its address.",
      }),
      methods: t.field({
        type: [SignInMethodEnum],
        description: "The ways in which the person can sign in.",
        resolve: ({ methods }) => methods,
      }),
    }),
  });

const NameTakenErrorRef = builder.objectRef<Value<"NameTakenError">>("NameTakenError").implement({
  description: "Another object has the name already.",
  interfaces: [UserErrorRef],
});

const LastAdministratorErrorRef = builder
  .objectRef<Value<"LastAdministratorError">>("LastAdministratorError")
  .implement({
    description: "No administrator would be left who could undo the command.",
    interfaces: [UserErrorRef],
  });

const HostUnreachableErrorRef = builder.objectRef<Value<"HostUnreachableError">>("HostUnreachableError").implement({
  description: "The git host could not be read. Its repositories are read again later.",
  interfaces: [UserErrorRef],
});

const RunStateConflictErrorRef = builder.objectRef<Value<"RunStateConflictError">>("RunStateConflictError").implement({
  description: "The status of the run does not allow the command; `run` is the run as it is now.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    run: t.field({ type: RunRef, description: "The run as it is now.", resolve: ({ run }) => run }),
  }),
});

const StalePlanErrorRef = builder.objectRef<Value<"StalePlanError">>("StalePlanError").implement({
  description: "The given plan is not the current one, or the state changed since it was made.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run as it is now, with its newest plan.",
      resolve: ({ run }) => run,
    }),
    seen: t.exposeInt("seen", {
      description:
        "The version of the plan that the command named. For a command that named a run instead, the version of the plan of this run.",
    }),
  }),
});

const DependencyCycleErrorRef = builder.objectRef<Value<"DependencyCycleError">>("DependencyCycleError").implement({
  description: "The workspace would depend on itself.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    cycle: t.field({
      type: [WorkspaceRef],
      description: "The workspaces on the way back to it that the caller may read, in order.",
      resolve: ({ cycle }) => cycle,
    }),
  }),
});

const StaleChangesetErrorRef = builder.objectRef<Value<"StaleChangesetError">>("StaleChangesetError").implement({
  description: "A run or a plan of the changeset is not the one that the caller reviewed.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    changeset: t.field({
      type: ChangesetRef,
      description: "The changeset as it is now.",
      resolve: ({ changeset }) => changeset,
    }),
  }),
});

const IdempotencyConflictErrorRef = builder
  .objectRef<Value<"IdempotencyConflictError">>("IdempotencyConflictError")
  .implement({
    description: "The idempotency key was used for another request. Use a new key.",
    interfaces: [UserErrorRef],
    fields: (t) => ({
      run: t.field({ type: RunRef, description: "The run that the key was used for.", resolve: ({ run }) => run }),
    }),
  });

export const PolicyProblemRef = builder.objectRef<SourceProblem>("PolicyProblem").implement({
  description: "A mistake in the source of policies.",
  fields: (t) => ({
    file: t.exposeString("file", { description: "The rule, the file or the tests that have the mistake." }),
    line: t.exposeInt("line", { nullable: true, description: "The line, from 1. `null` if none is known." }),
    column: t.exposeInt("column", { nullable: true, description: "The column, from 1. `null` if none is known." }),
    message: t.exposeString("message", { description: "The mistake, and what would be right." }),
  }),
});

const PolicyDeniedErrorRef = builder.objectRef<Value<"PolicyDeniedError">>("PolicyDeniedError").implement({
  description: "Policies at the point RUN_CREATE forbid the run. No run was created, and nothing else was changed.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    results: t.field({
      type: [PolicyDenialRef],
      description: `The results that forbid it, the first ${JUDGEMENT_LIMITS.denialsShown}. They are not stored. Empty if the policies changed each time while they judged.`,
      resolve: ({ results }) => [...results],
    }),
  }),
});

const PolicyInvalidErrorRef = builder.objectRef<Value<"PolicyInvalidError">>("PolicyInvalidError").implement({
  description: "The version does not compile, uses what does not exist, or its tests fail.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    problems: t.field({
      type: [PolicyProblemRef],
      description: "All mistakes.",
      resolve: ({ problems }) => [...problems],
    }),
  }),
});

const WorkspaceLockedErrorRef = builder.objectRef<Value<"WorkspaceLockedError">>("WorkspaceLockedError").implement({
  description: "The workspace is locked.",
  interfaces: [UserErrorRef],
  fields: (t) => ({
    lock: t.field({ type: WorkspaceLockRef, description: "The lock.", resolve: ({ lock }) => lock }),
  }),
});

/** The error types that a union of a mutation may have, by their names. */
export const ERROR_REFS = {
  InvalidInputError: InvalidInputErrorRef,
  NotFoundError: NotFoundErrorRef,
  ForbiddenError: ForbiddenErrorRef,
  ReauthenticationRequiredError: ReauthenticationRequiredErrorRef,
  NameTakenError: NameTakenErrorRef,
  LastAdministratorError: LastAdministratorErrorRef,
  HostUnreachableError: HostUnreachableErrorRef,
  RunStateConflictError: RunStateConflictErrorRef,
  StalePlanError: StalePlanErrorRef,
  DependencyCycleError: DependencyCycleErrorRef,
  StaleChangesetError: StaleChangesetErrorRef,
  IdempotencyConflictError: IdempotencyConflictErrorRef,
  PolicyDeniedError: PolicyDeniedErrorRef,
  PolicyInvalidError: PolicyInvalidErrorRef,
  WorkspaceLockedError: WorkspaceLockedErrorRef,
} satisfies Record<UserErrorType, unknown>;

/** Takes the place of an error that names a run which the caller may not read. */
const HIDDEN_RUN = {
  type: "ForbiddenError",
  code: "FORBIDDEN",
  message: "A run that you may not read prevents this now. Try again later, or ask a person who may read it.",
  permission: "RUN_READ",
  scopeId: null,
} as const;

/** Returns the value of a user error, with the objects that it shows as they are now. */
export async function toErrorValue(context: GraphqlContext, error: UserError): Promise<UserErrorValue> {
  const { code, message, details } = error;
  const { type } = USER_ERRORS[code];
  switch (type) {
    case "InvalidInputError":
      return { type, code, message, issues: details.issues ?? [] };
    case "ForbiddenError": {
      const permission = PERMISSIONS.find((known) => known === details.permission) ?? null;
      return { type, code, message, permission, scopeId: details.scopeId ?? null };
    }
    case "ReauthenticationRequiredError": {
      const { url = null, methods = [] } = details.reauthentication ?? {};
      return { type, code, message, url, methods: SIGN_IN_METHODS.filter((method) => methods.includes(method)) };
    }
    case "PolicyDeniedError":
      return { type, code, message, results: details.denials ?? [] };
    case "PolicyInvalidError":
      return { type, code, message, problems: details.problems ?? [] };
    case "NotFoundError":
    case "NameTakenError":
    case "LastAdministratorError":
    case "HostUnreachableError":
      return { type, code, message };
    case "RunStateConflictError":
    case "StalePlanError":
    case "IdempotencyConflictError": {
      const [run = null] = await context.domain.runs(context.caller, [present(details.runId, `The run of ${code}`)]);
      if (run === null) return HIDDEN_RUN;
      return type === "StalePlanError"
        ? { type, code, message, run, seen: details.planVersion ?? run.planVersion }
        : { type, code, message, run };
    }
    case "DependencyCycleError": {
      const found = await context.domain.workspaces(context.caller, details.workspaceIds ?? []);
      return { type, code, message, cycle: found.filter((one) => one !== null) };
    }
    case "StaleChangesetError": {
      const id = present(details.changesetId, `The changeset of ${code}`);
      const [changeset] = await context.domain.changesets(context.caller, [id]);
      return { type, code, message, changeset: present(changeset, `Changeset ${id}`) };
    }
    case "WorkspaceLockedError": {
      const workspaceId = present(details.workspaceId, `The workspace of ${code}`);
      const [workspace] = await context.domain.workspaces(context.caller, [workspaceId]);
      return { type, code, message, lock: present(workspace?.lock, `The lock of ${workspaceId}`) };
    }
  }
}
