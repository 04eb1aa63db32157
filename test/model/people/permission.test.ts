import { expect, test } from "vitest";
import { type Action, type Caller, can } from "../../../src/model/people/permission.ts";
import type { RunKind, RunLeg } from "../../../src/model/lifecycle/run-kind.ts";
import { TOKEN_ROLES, type TokenRole } from "../../../src/model/people/token.ts";

/** Who may do what with a token: every action, with the roles that get it. */
const TOKEN_ACTIONS = {
  "organization:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "workspace:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "run:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "figures:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "workspace:create": ["WRITER", "APPROVER", "ADMIN"],
  "variable:write": ["WRITER", "APPROVER", "ADMIN"],
  "source:upload": ["WRITER", "APPROVER", "ADMIN"],
  "run:create": ["WRITER", "APPROVER", "ADMIN"],
  "run:replan": ["WRITER", "APPROVER", "ADMIN"],
  "run:cancel": ["WRITER", "APPROVER", "ADMIN"],
  "run:discard": ["WRITER", "APPROVER", "ADMIN"],
  "run:retry": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:unlock": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:update": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:lock": ["WRITER", "APPROVER", "ADMIN"],
  "workspace:setGates": ["APPROVER", "ADMIN"],
  "workspace:setHooks": ["ADMIN"],
  "workspace:delete": ["ADMIN"],
  "organization:write": ["ADMIN"],
  "run:approve": ["APPROVER", "ADMIN"],
  "run:reject": ["APPROVER", "ADMIN"],
  "run:comment": ["WRITER", "APPROVER", "ADMIN"],
  "run:forceStop": ["ADMIN"],
  "workspace:forceUnlock": ["ADMIN"],
  "state:import": ["ADMIN"],
  "stateVersion:read": ["WRITER", "APPROVER", "ADMIN"],
  "stateVersion:write": ["ADMIN"],
  "stateLock:take": ["WRITER", "APPROVER", "ADMIN"],
  "stateLock:force": ["ADMIN"],
  "state:rollback": ["ADMIN"],
  "token:write": ["ADMIN"],
  "bulk:ofOthers": ["ADMIN"],
  "runner:read": ["READER", "WRITER", "APPROVER", "ADMIN"],
  "runner:command": ["ADMIN"],
  "runnerPool:write": ["ADMIN"],
  "workspace:setRunner": ["ADMIN"],
  "webhook:read": ["ADMIN"],
  "webhook:write": ["ADMIN"],
} as const satisfies Partial<Record<Action, readonly TokenRole[]>>;

/** Jobs that exist: kind and leg of the run. */
const JOBS = {
  DEPLOY: ["DEPLOY", "PLAN"],
  REPLAN: ["DEPLOY", "REPLAN"],
  PLAN: ["PLAN", "PLAN"],
  APPLY: ["APPLY", "APPLY"],
  DESTROY: ["DESTROY", "DESTROY"],
  TASK: ["TASK", "TASK"],
  UNLOCK: ["UNLOCK", "TASK"],
} as const satisfies Record<string, readonly [RunKind, RunLeg]>;
type JobName = keyof typeof JOBS;

/** What a job may do, and which ones. */
const JOB_ACTIONS = {
  "job:work": ["DEPLOY", "REPLAN", "PLAN", "APPLY", "DESTROY", "TASK", "UNLOCK"],
  "state:read": ["DEPLOY", "REPLAN", "PLAN", "APPLY", "DESTROY", "TASK"],
  // Nothing speculative stands in the way of a run that has the workspace.
  "state:lock": ["DEPLOY", "REPLAN", "APPLY", "DESTROY", "TASK"],
  "source:read": ["DEPLOY", "REPLAN", "PLAN", "TASK"],
  "archive:write": ["DEPLOY", "REPLAN", "PLAN"],
  "archive:read": ["APPLY", "DESTROY"],
  "state:write": ["APPLY", "DESTROY", "TASK"],
  "rollback:read": ["TASK"],
  "state:break": ["UNLOCK"],
} as const satisfies Partial<Record<Action, readonly JobName[]>>;

const EXPECTED = { ...TOKEN_ACTIONS, ...JOB_ACTIONS, "job:claim": [] } as const satisfies Record<
  Action,
  readonly string[]
>;
const ACTIONS = Object.keys(EXPECTED).filter((action): action is Action => action in EXPECTED);

function token(role: TokenRole): Caller {
  return { type: "token", tokenId: "tok_1", role, actor: { id: "usr_1", kind: "USER", name: "ada" } };
}

test.each(ACTIONS)("%s, by each role of a token", (action) => {
  const roles: readonly string[] = action in TOKEN_ACTIONS ? EXPECTED[action] : [];
  expect(TOKEN_ROLES.filter((role) => can(token(role), action))).toEqual(roles);
  expect(TOKEN_ROLES.filter((role) => can(token(role), action, { jobId: "job_1" }))).toEqual(roles);
});

test.each(ACTIONS)("%s, by each job", (action) => {
  const jobs: readonly string[] = action in JOB_ACTIONS ? EXPECTED[action] : [];
  const allowed = (subject?: { jobId: string }): string[] =>
    Object.entries(JOBS)
      .filter(([, [kind, leg]]) => can({ type: "job", jobId: "job_1", runId: "run_1", kind, leg }, action, subject))
      .map(([name]) => name);
  expect(allowed({ jobId: "job_1" })).toEqual(jobs);
  expect(allowed({ jobId: "job_2" })).toEqual([]);
  expect(allowed()).toEqual([]);
});

test("a runner without a job may ask for one, and nothing else", () => {
  expect(ACTIONS.filter((action) => can({ type: "runner", poolId: null }, action))).toEqual(["job:claim"]);
});
