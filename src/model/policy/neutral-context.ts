import { isRecord } from "../kit/is-record.ts";
import type { Json } from "../plan/json.ts";
import type { PolicyContext } from "./evaluator.ts";
import type { PolicyPoint } from "./policy-set.ts";

/** The version of the input of policies. */
export const POLICY_INPUT_VERSION = "1";

/** Objects and lists in place of those of a context: each replaces the keys that it has. */
export type GivenContext = Readonly<{ [key: string]: Json }>;

/** The keys of a context that a test or a trial may give. */
export const CONTEXT_KEYS = ["run", "workspace", "organization", "actor", "approvals", "cost", "previousRun"] as const;

const NEUTRAL = {
  run: {
    id: "run_test",
    number: 1,
    kind: "DEPLOY",
    trigger: "MANUAL",
    cause: null,
    message: null,
    planVersion: 1,
    revision: null,
    commit: null,
    branch: null,
    targets: [],
    replace: [],
    refreshOnly: false,
    command: null,
    metadata: {},
    variables: {},
  },
  workspace: { id: "ws_test", name: "test", description: null, labels: {}, autoApply: "NEVER" },
  organization: { id: "org_test", name: "test" },
  actor: { id: "usr_test", name: "test", kind: "USER", teams: [] },
} satisfies Partial<PolicyContext>;

/** A run that does not exist yet: it replaces what is given. */
const UNSTORED = { id: null, number: null, planVersion: 0 } as const;

/** Builds the context of a document that belongs to no run, with what was given in place of neutral values. */
export function neutralContext(point: PolicyPoint, at: string, given: GivenContext): PolicyContext {
  const created = { createdAt: at };
  return {
    holdpoint: { version: POLICY_INPUT_VERSION, at, point, truncated: [] },
    run: { ...NEUTRAL.run, ...created, ...objectOf(given["run"]), ...(point === "RUN_CREATE" && UNSTORED) },
    workspace: { ...NEUTRAL.workspace, ...created, ...objectOf(given["workspace"]) },
    organization: { ...NEUTRAL.organization, ...objectOf(given["organization"]) },
    actor: { ...NEUTRAL.actor, ...objectOf(given["actor"]) },
    approvals: Array.isArray(given["approvals"]) ? given["approvals"] : [],
    cost: given["cost"] ?? null,
    previousRun: given["previousRun"] ?? null,
  };
}

/** Returns the keys of a context that a test may give. */
export function contextOfInput({ run, workspace, organization, actor, ...others }: PolicyContext): GivenContext {
  const { approvals, cost, previousRun } = others;
  return { run, workspace, organization, actor, approvals, cost, previousRun };
}

function objectOf(value: Json | undefined): { [key: string]: Json } {
  return isRecord(value) ? value : {};
}
