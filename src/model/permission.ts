import type { Actor } from "./actor.ts";
import { isApplyLeg, type RunLeg } from "./run-kind.ts";
import type { TokenRole } from "./token.ts";

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
}
/** A runner at work on one leg of one run. */
export interface JobCaller {
  type: "job";
  jobId: string;
  leg: RunLeg;
  /** For the log. */
  runId?: string;
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
  "run:forceStop": "ADMIN",
  "workspace:unlock": "WRITER",
  "workspace:forceUnlock": "ADMIN",
  "state:import": "ADMIN",
  "token:write": "ADMIN",
} as const satisfies Record<string, TokenRole>;
export type TokenAction = keyof typeof LEAST_ROLE;

/** What a job may do, and on which legs. */
const JOB_ACTIONS = {
  "job:work": () => true,
  "source:read": (leg) => !isApplyLeg(leg),
  "archive:write": (leg) => !isApplyLeg(leg),
  "archive:read": isApplyLeg,
  "state:read": () => true,
  "state:lock": () => true,
  "state:write": isApplyLeg,
} as const satisfies Record<string, (leg: RunLeg) => boolean>;
export type JobAction = keyof typeof JOB_ACTIONS;

export type Action = TokenAction | JobAction | "job:claim";

const RANK: Record<TokenRole, number> = { READER: 0, WRITER: 1, APPROVER: 2, ADMIN: 3 };

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
      return isJobAction(action) && subject?.jobId === caller.jobId && JOB_ACTIONS[action](caller.leg);
  }
}
