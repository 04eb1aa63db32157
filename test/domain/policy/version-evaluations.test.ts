/** What a version found over all runs, by which a shadow is judged. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { Api, Data } from "../../support/api.ts";
import { addMachine } from "../../support/machine.ts";
import { createPolicySet, insertDraft, sendPolicy, setVersionState } from "../../support/policy-steps.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

/** An evaluation that has ended, with a result if it found something. */
async function evaluated(versionId: string, workspaceId: string, status: string): Promise<string> {
  const { newId } = scene.server.deps;
  const id = newId("policyEvaluation");
  const runId = await scene.createRun(workspaceId, { kind: "PLAN" });
  await scene.rows(
    `insert into policy_evaluation (id, run_id, point, plan_version, version_id, shadow, status, created_at, finished_at)
      values ($1, $2, 'PLAN', 1, $3, true, $4, now(), now())`,
    id,
    runId,
    versionId,
    status,
  );
  if (status !== "PASSED") {
    await scene.rows(
      `insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
        addresses, fingerprint) values ($1, $2, 1, 'p', 'p', 'MANDATORY', true, 'FAILED', 'is public', '{a.b}', '\\x00')`,
      newId("policyResult"),
      id,
    );
  }
  return id;
}

async function shown(api: Api, id: string, statuses: string[] | null = null): Promise<Data> {
  const query = `query ($id: ID!, $statuses: [PolicyEvaluationStatus!]) { node(id: $id) { ... on PolicySetVersion {
    evaluationCounts { total passed warned failed errored }
    evaluations(first: 10, statuses: $statuses) { edges { node { id shadow status version { id number }
      results(first: 5) { edges { node { policy message addresses } } } } } } } } }`;
  return (await api.ask(query, { id, statuses })).node;
}

it("a shadow shows what it would have held up, to those who may read the runs", async () => {
  const { id: policySetId } = (await createPolicySet(scene.api)).policySet;
  const versionId = await insertDraft(scene, policySetId);
  await setVersionState(scene.api, versionId, "SHADOW");
  const [open, hidden] = [await scene.createWorkspace(), await scene.createWorkspace()];
  const found: string[] = [];
  for (const status of ["PASSED", "WARNED", "FAILED", "ERRORED"]) found.push(await evaluated(versionId, open, status));
  const secret = await evaluated(versionId, hidden, "FAILED");
  // Of another version.
  await evaluated(await insertDraft(scene, policySetId), open, "FAILED");

  const all = await shown(scene.api, versionId);
  expect(all.evaluationCounts).toEqual({ total: 5, passed: 1, warned: 1, failed: 2, errored: 1 });
  expect(all.evaluations.edges.map(({ node }: Data) => node.id)).toEqual([secret, ...found.toReversed()]);
  const failed = await shown(scene.api, versionId, ["FAILED"]);
  expect(failed.evaluations.edges.map(({ node }: Data) => node)).toEqual(
    [secret, found[2]].map((id) => ({
      id,
      shadow: true,
      status: "FAILED",
      version: { id: versionId, number: 1 },
      results: { edges: [{ node: { policy: "p", message: "is public", addresses: ["a.b"] } }] },
    })),
  );

  const name = `p-${randomUUID()}`;
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, name, isolated: true };
  const { project } = await sendPolicy(scene.api, "createProject", input, "project { id }");
  await scene.rows("update run set project_id = $1 where workspace_id = $2", project.id, hidden);
  const reader = await addMachine(scene.server.url, scene.api, ["READER", DEFAULT_ORGANIZATION_ID]);
  const seen = await shown(reader, versionId);
  expect(seen.evaluationCounts).toEqual({ total: 4, passed: 1, warned: 1, failed: 1, errored: 1 });
  expect(seen.evaluations.edges.map(({ node }: Data) => node.id)).toEqual(found.toReversed());
  const draft = await shown(scene.api, await insertDraft(scene, policySetId));
  expect(draft).toEqual({
    evaluationCounts: { total: 0, passed: 0, warned: 0, failed: 0, errored: 0 },
    evaluations: { edges: [] },
  });
});
