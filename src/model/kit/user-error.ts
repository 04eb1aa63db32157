/** The errors that a caller can act on. Any other error is a bug and is masked by the transports. */
export const USER_ERRORS = {
  INVALID_INPUT: { type: "InvalidInputError", retryable: false },
  NOT_FOUND: { type: "NotFoundError", retryable: false },
  FORBIDDEN: { type: "ForbiddenError", retryable: false },
  NAME_TAKEN: { type: "NameTakenError", retryable: false },
  RUN_STATE_CONFLICT: { type: "RunStateConflictError", retryable: false },
  STALE_PLAN: { type: "StalePlanError", retryable: false },
  DEPENDENCY_CYCLE: { type: "DependencyCycleError", retryable: false },
  STALE_CHANGESET: { type: "StaleChangesetError", retryable: false },
  IDEMPOTENCY_CONFLICT: { type: "IdempotencyConflictError", retryable: false },
  REAUTHENTICATION_REQUIRED: { type: "ReauthenticationRequiredError", retryable: false },
  LAST_ADMINISTRATOR: { type: "LastAdministratorError", retryable: false },
  HOST_UNREACHABLE: { type: "HostUnreachableError", retryable: true },
  POLICY_DENIED: { type: "PolicyDeniedError", retryable: false },
  POLICY_INVALID: { type: "PolicyInvalidError", retryable: false },
  WORKSPACE_LOCKED: { type: "WorkspaceLockedError", retryable: true },
} as const;
export type UserErrorCode = keyof typeof USER_ERRORS;
export type UserErrorType = (typeof USER_ERRORS)[UserErrorCode]["type"];

/** A problem with one field of an input. The path begins below `input`. */
export interface InputIssue {
  path: string[];
  message: string;
}

/** A mistake in a file. Lines and columns count from 1. */
export interface SourceProblem {
  file: string;
  line: number | null;
  column: number | null;
  message: string;
}

/** A result of a policy for which a run was not created. It is stored nowhere. */
export interface PolicyDenial {
  policySetId: string;
  policySetName: string;
  policy: string;
  rule: string;
  level: "ADVISORY" | "SOFT_MANDATORY" | "MANDATORY";
  /** ERROR: the policy could not be judged. */
  status: "FAILED" | "ERROR";
  message: string;
  remediation: string | null;
}

/** The details of a user error besides its message. */
export interface UserErrorDetails {
  issues?: InputIssue[];
  /** The id of the run, from which its current state is read. */
  runId?: string;
  /** The version of the plan that the caller named; absent if it named none. */
  planVersion?: number;
  /** The ids of workspaces that depend on one another, in order. */
  workspaceIds?: readonly string[];
  /** The id of the changeset, likewise. */
  changesetId?: string;
  /** The permission that is missing, and the organization, project or workspace where; `null`: the installation. */
  permission?: string;
  scopeId?: string | null;
  /** The page on which the person signs in again; `null` if its address is not known; and the ways to do so. */
  reauthentication?: { url: string | null; methods: readonly string[] };
  /** The mistakes in the source of a policy version. */
  problems?: readonly SourceProblem[];
  /** The results of policies that forbid the command, the first ones. */
  denials?: readonly PolicyDenial[];
  /** The locked workspace. */
  workspaceId?: string;
}

export class UserError extends Error {
  readonly code: UserErrorCode;
  readonly details: UserErrorDetails;

  constructor(code: UserErrorCode, message: string, details: UserErrorDetails = {}) {
    super(message);
    this.name = "UserError";
    this.code = code;
    this.details = details;
  }
}

export function notFound(what: string): UserError {
  return new UserError("NOT_FOUND", `The ${what} does not exist, or you may not read it.`);
}

export function invalidInput(issues: InputIssue[]): UserError {
  const message = issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join(" ");
  return new UserError("INVALID_INPUT", message, { issues });
}

export function invalidField(path: string, message: string): UserError {
  return invalidInput([{ path: path.split("."), message }]);
}
