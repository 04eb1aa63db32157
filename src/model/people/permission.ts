import type { Actor } from "./actor.ts";
import { isApplyLeg, type RunKind, type RunLeg } from "../lifecycle/run-kind.ts";
import { TOKEN_ROLES, type TokenRole } from "./token.ts";

/** A person or a machine user, by a token. */
export interface TokenCaller {
  type: "token";
  tokenId: string;
  actor: Actor;
  role: TokenRole;
  /** When the token ends by itself; absent: never. */
  expiresAt?: string;
}
/** A runner that asks for work. */
export interface RunnerCaller {
  type: "runner";
  /** null: it is shared by all organizations. */
  poolId: string | null;
  /** By which token of the pool it came. */
  tokenId?: string;
}
/** A runner at work on one leg of one run. */
export interface JobCaller {
  type: "job";
  jobId: string;
  kind: RunKind;
  leg: RunLeg;
  runId: string;
}
export type Caller = TokenCaller | RunnerCaller | JobCaller;

/** What can be asked for, with the least role that gets it. */
const LEAST_ROLE = {
  "organization:read": "READER",
  "organization:write": "ADMIN",
  "workspace:read": "READER",
  "run:read": "READER",
  "figures:read": "READER",
  "workspace:create": "WRITER",
  "workspace:update": "WRITER",
  // Who says that no person is asked has approved in advance.
  "workspace:setGates": "APPROVER",
  // They run without anybody being asked, with the credentials of a run.
  "workspace:setHooks": "ADMIN",
  "workspace:lock": "WRITER",
  "workspace:delete": "ADMIN",
  "variable:write": "WRITER",
  "source:upload": "WRITER",
  "run:create": "WRITER",
  "run:replan": "WRITER",
  "run:cancel": "WRITER",
  "run:discard": "WRITER",
  "run:retry": "WRITER",
  "run:approve": "APPROVER",
  "run:reject": "APPROVER",
  "run:comment": "WRITER",
  "run:forceStop": "ADMIN",
  "workspace:unlock": "WRITER",
  "workspace:forceUnlock": "ADMIN",
  "state:import": "ADMIN",
  // A state holds every secret of what it describes, in clear.
  "stateVersion:read": "WRITER",
  // Who writes the state by hand passes by every gate.
  "stateVersion:write": "ADMIN",
  "stateLock:take": "WRITER",
  "stateLock:force": "ADMIN",
  "state:rollback": "ADMIN",
  "token:write": "ADMIN",
  "bulk:ofOthers": "ADMIN",
  // The addresses of webhooks may hold tokens: who may read them may as well write them.
  "runner:read": "READER",
  // Who has a token of a pool gets the variables of the workspaces that run on it.
  "runnerPool:write": "ADMIN",
  "runner:command": "ADMIN",
  // Whoever chooses the runner chooses whose credentials the run gets.
  "workspace:setRunner": "ADMIN",
  "webhook:read": "ADMIN",
  "webhook:write": "ADMIN",
} as const satisfies Record<string, TokenRole>;
export type TokenAction = keyof typeof LEAST_ROLE;

type JobPlace = Pick<JobCaller, "kind" | "leg">;

/** What a job may do, for runs of which kind and on which legs. */
const JOB_ACTIONS = {
  "job:work": () => true,
  "source:read": ({ kind, leg }) => !isApplyLeg(leg) && kind !== "UNLOCK",
  "archive:write": ({ leg }) => leg === "PLAN" || leg === "REPLAN",
  "archive:read": ({ leg }) => isApplyLeg(leg),
  "state:read": ({ kind }) => kind !== "UNLOCK",
  // A speculative run stands beside one that has the workspace: it must not get into its way.
  "state:lock": ({ kind }) => kind !== "PLAN" && kind !== "UNLOCK",
  "state:write": ({ kind, leg }) => isApplyLeg(leg) || kind === "TASK",
  "rollback:read": ({ kind }) => kind === "TASK",
  "state:break": ({ kind }) => kind === "UNLOCK",
} as const satisfies Record<string, (place: JobPlace) => boolean>;
export type JobAction = keyof typeof JOB_ACTIONS;

export type Action = TokenAction | JobAction | "job:claim";

const RANK: Record<TokenRole, number> = { READER: 0, WRITER: 1, APPROVER: 2, ADMIN: 3 };

/** The roles that may do it. */
export function rolesThatMay(action: TokenAction): TokenRole[] {
  return TOKEN_ROLES.filter((role) => RANK[role] >= RANK[LEAST_ROLE[action]]);
}

function isTokenAction(action: Action): action is TokenAction {
  return action in LEAST_ROLE;
}

function isJobAction(action: Action): action is JobAction {
  return action in JOB_ACTIONS;
}

/**
 * The one door: may this caller do this? Roles hold for the whole installation, so that a subject only matters for
 * jobs, which may touch nothing but themselves.
 */
export function can(caller: Caller, action: Action, subject?: { jobId: string }): boolean {
  switch (caller.type) {
    case "token":
      return isTokenAction(action) && RANK[caller.role] >= RANK[LEAST_ROLE[action]];
    case "runner":
      return action === "job:claim";
    case "job":
      return isJobAction(action) && subject?.jobId === caller.jobId && JOB_ACTIONS[action](caller);
  }
}
