/** Policy sets with what they found about plans, as rows: for tests of what people do about it. */
import { createHash } from "node:crypto";
import { lockForChange } from "../../src/domain/lifecycle/locked-run.ts";
import { storePolicyStages } from "../../src/domain/lifecycle/store-policy-stages.ts";
import { SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { PolicyException } from "../../src/model/policy/policy-exception.ts";
import type { EnforcementLevel, PolicySet } from "../../src/model/policy/policy-set.ts";
import type { DemandedApprovers } from "../../src/model/policy/policy-source.ts";
import { insertPolicyException } from "../../src/persistence/policy/policy-exception-store.ts";
import { insertPolicySet } from "../../src/persistence/policy/policy-set-store.ts";
import { insertPolicyVersion, setPolicyVersionState } from "../../src/persistence/policy/policy-version-store.ts";
import type { Scene } from "../domain/scene.ts";
import { celRule, policySet, policyVersion } from "./policy-rows.ts";

export interface AddedSet {
  setId: string;
  versionId: string;
  name: string;
}

/** A set with an active version that selects no workspace: nothing is judged by it but what a test says. */
export async function addPolicySet(
  { server: { deps }, ...scene }: Scene,
  more: Partial<PolicySet> = {},
): Promise<AddedSet> {
  const [setId, versionId] = [deps.newId("policySet"), deps.newId("policySetVersion")];
  const [{ id: organizationId }] = await scene.rows("select id from organization where slug = 'default'");
  const createdAt = deps.clock().toISOString();
  const selector = { labels: [], names: ["none at all"], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] };
  const set = policySet({ id: setId, organizationId, createdAt, selector, ...more });
  await deps.database.transaction(async (tx) => {
    await insertPolicySet(tx, set);
    const version = policyVersion({ id: versionId, setId, createdById: SYSTEM_ACTOR_ID, createdAt }, [
      celRule({ name: "tags" }),
      celRule({ name: "buckets" }),
    ]);
    await insertPolicyVersion(tx, version);
    await setPolicyVersionState(tx, version, { state: "ACTIVE", at: createdAt, byId: SYSTEM_ACTOR_ID });
  });
  return { setId, versionId, name: set.name };
}

export interface FoundResult {
  policy?: string;
  level?: EnforcementLevel;
  status?: "FAILED" | "ERROR";
  message?: string;
  addresses?: string[];
  approvers?: DemandedApprovers;
}

/**
 * Stores what a version found about the newest plan of a run that waits at its plan gate, and the stages that follow from it.
 * Returns the ids of the results.
 */
export async function judge(
  { server: { deps }, ...scene }: Scene,
  runId: string,
  { setId, versionId, name }: AddedSet,
  results: readonly FoundResult[],
): Promise<string[]> {
  const [run] = await scene.rows("select plan_version from run where id = $1", runId);
  const evaluationId = deps.newId("policyEvaluation");
  await scene.rows(
    `insert into policy_evaluation (id, run_id, point, plan_version, version_id, shadow, status, created_at, finished_at)
     values ($1, $2, 'PLAN', $3, $4, false, 'FAILED', now(), now())`,
    evaluationId,
    runId,
    run?.["plan_version"],
    versionId,
  );
  const found = results.map((result) => {
    const full = {
      policy: "tags",
      level: "SOFT_MANDATORY" as const,
      status: "FAILED",
      message: "It is wrong.",
      ...result,
    };
    return { addresses: ["aws_instance.a"], approvers: null, ...full, id: deps.newId("policyResult") };
  });
  for (const [position, result] of found.entries()) {
    const { id, policy, level, status, message, addresses, approvers } = result;
    const fingerprint = createHash("sha256")
      .update(JSON.stringify([versionId, policy, addresses, message]))
      .digest();
    await scene.rows(
      `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
         addresses, approvers, fingerprint) values ($1, $2, $3, $4, $4, $5, true, $6, $7, $8, $9::jsonb, $10)`,
      id,
      evaluationId,
      position,
      policy,
      level,
      status,
      message,
      addresses,
      approvers === null ? null : JSON.stringify(approvers),
      fingerprint,
    );
  }
  await deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId);
    if (locked === null) throw new Error(`There is no run ${runId}.`);
    const asks = found.filter(({ level, approvers }) => level === "SOFT_MANDATORY" || approvers !== null);
    const stages = asks.map(({ policy, message, approvers }) => {
      return { ownerId: setId, owner: name, policy, rule: policy, message, approvers };
    });
    const { set } = await storePolicyStages(tx, locked, stages);
    if (set.stageCount === undefined) return;
    await tx.sql.updateTable("run").set({ stage_count: set.stageCount }).where("id", "=", runId).execute();
  });
  return found.map(({ id }) => id);
}

/** An exception that a person requested whom no test knows, as a row. */
export async function addException(
  { server: { deps }, ...scene }: Scene,
  setId: string,
  workspaceIds: readonly string[],
  more: Partial<PolicyException> = {},
): Promise<string> {
  const id = deps.newId("policyException");
  const [{ organization_id: organizationId }] = await scene.rows(
    "select organization_id from policy_set where id = $1",
    setId,
  );
  const exception: PolicyException = {
    id,
    organizationId,
    setId,
    policy: "tags",
    rule: "*",
    addressGlob: "*",
    workspaceIds,
    reason: "It moves in May.",
    ticket: null,
    state: "REQUESTED",
    requestedById: SYSTEM_ACTOR_ID,
    requesterCountsAs: SYSTEM_ACTOR_ID,
    requestedAt: deps.clock().toISOString(),
    expiresAt: new Date(deps.clock().getTime() + 30 * 24 * 60 * 60 * 1000).toISOString(),
    decided: null,
    revoked: null,
    ...more,
  };
  await deps.database.transaction((tx) => insertPolicyException(tx, exception));
  return id;
}
