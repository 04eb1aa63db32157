/** Rows of policies and their judgements, by SQL. */

import type { DemandedApprovers } from "../../src/model/policy/policy-source.ts";

/** Sends a statement with its values. */
export type Send = (text: string, ...values: unknown[]) => Promise<unknown>;

const ALL = { labels: [], names: [], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] };
const ANYONE = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: false, holds: "PLAN" };

/** A policy as a rule in CEL has it, but for its expression. */
export interface NewPolicy {
  name: string;
  point?: "RUN_CREATE" | "PLAN" | "PRE_APPLY";
  level?: "ADVISORY" | "SOFT_MANDATORY" | "MANDATORY";
  stopsAutoApply?: boolean;
  /** CEL; absent: a violation in any case. */
  when?: string;
  message?: string;
  /** It demands approvals. */
  approvers?: DemandedApprovers;
}

export interface NewPolicySet {
  /** The last letters of the ids. */
  suffix: string;
  organizationId: string;
  policies?: NewPolicy[];
  selector?: object;
  onError?: "FAIL_CLOSED" | "ASK" | "FAIL_OPEN";
  judgesUnchanged?: boolean;
  needsWholePlan?: boolean;
}

/** Puts a policy set without versions and returns its id. */
export async function putPolicySet(send: Send, set: NewPolicySet): Promise<string> {
  const id = `pset_${set.suffix.padStart(26, "0")}`;
  await send(
    `insert into policy_set (id, organization_id, name, language, dialect, selector, on_error, overriders,
        judges_unchanged, needs_whole_plan, created_at)
      values ($1, $2, $3, 'CEL', 'HOLDPOINT', $4, $5, $6, $7, $8, now())`,
    id,
    set.organizationId,
    `set ${set.suffix}`,
    JSON.stringify({ ...ALL, ...set.selector }),
    set.onError ?? "FAIL_CLOSED",
    JSON.stringify(ANYONE),
    set.judgesUnchanged ?? false,
    set.needsWholePlan ?? false,
  );
  return id;
}

/** Puts the next version of a policy set, which becomes its active or shadow one, and returns its id. */
export async function putVersion(
  send: Send,
  setId: string,
  policies: NewPolicy[],
  state: "ACTIVE" | "SHADOW" = "ACTIVE",
  number = 1,
): Promise<string> {
  const id = `pver_${`${state === "ACTIVE" ? "a" : "s"}${number}${setId.slice(-10)}`.padStart(26, "0")}`;
  await send("update policy_set_version set state = 'RETIRED' where set_id = $1 and state = $2", setId, state);
  const all = policies.map((policy) => ({
    point: "PLAN",
    level: "MANDATORY",
    stopsAutoApply: true,
    types: [],
    ...policy,
  }));
  const rest = { types: null, actions: null, remediation: null, approvers: null, each: "PLAN", when: "true" };
  const rules = all.map((policy) => ({ message: `${policy.name} objects.`, ...rest, ...policy }));
  await send(
    `insert into policy_set_version (id, set_id, number, state, digest, source, policies, created_by, created_at)
      values ($1, $2, $3, $4, $1, $5, $6, 'usr_00000000000000000000000000', now())`,
    id,
    setId,
    number,
    state,
    JSON.stringify({ language: "CEL", rules }),
    JSON.stringify(
      all.map(({ name, point, level, stopsAutoApply, types }) => ({ name, point, level, stopsAutoApply, types })),
    ),
  );
  return id;
}

/** Puts an enabled policy set with an active version and returns the ids. */
export async function putPolicies(send: Send, set: NewPolicySet): Promise<{ setId: string; versionId: string }> {
  const setId = await putPolicySet(send, set);
  return { setId, versionId: await putVersion(send, setId, set.policies ?? [{ name: "p" }]) };
}

/** Puts a finished judgement of a run with one violation and returns the ids. */
export async function putJudgement(
  send: Send,
  { suffix, runId, versionId }: { suffix: string; runId: string; versionId: string },
): Promise<{ evaluationId: string; resultId: string }> {
  const [evaluationId, resultId] = [`peval_${suffix.padStart(26, "0")}`, `pres_${suffix.padStart(26, "0")}`];
  await send(
    `insert into policy_evaluation (id, run_id, point, plan_version, version_id, shadow, status, created_at, finished_at)
      values ($1, $2, 'PLAN', 1, $3, false, 'FAILED', now(), now())`,
    evaluationId,
    runId,
    versionId,
  );
  await send(
    `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
        addresses, trace, fingerprint)
      values ($1, $2, 0, 'p', 'p', 'ADVISORY', true, 'FAILED', 'It is public.', '{a.b}',
        '[{"expression": "a", "value": "true"}]', '\\x00')`,
    resultId,
    evaluationId,
  );
  return { evaluationId, resultId };
}
