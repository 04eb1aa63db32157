import { expect, test } from "vitest";
import { canJob, type JobAction } from "../../../src/model/people/permission.ts";
import type { RunKind, RunLeg } from "../../../src/model/lifecycle/run-kind.ts";

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
} as const satisfies Record<JobAction, readonly JobName[]>;

const JOB_ACTION_NAMES = Object.keys(JOB_ACTIONS).filter((action): action is JobAction => action in JOB_ACTIONS);

test.each(JOB_ACTION_NAMES)("%s, by each job", (action) => {
  const allowed = Object.entries(JOBS)
    .filter(([, [kind, leg]]) => canJob({ kind, leg }, action))
    .map(([name]) => name);
  expect(allowed).toEqual(JOB_ACTIONS[action]);
});
