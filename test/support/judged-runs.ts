/** Runs that policies judge: a scene with policy sets, plans with documents, and the judgements of one server. */
import { createJudgements } from "../../src/domain/judgement/judgements.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import type { RunKind } from "../../src/model/lifecycle/run-kind.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import type { Scene, Spot } from "../domain/scene.ts";
import type { Api, Data } from "./api.ts";
import { type FakeJob, fakePlan, type ProtocolAnswer } from "./fake-runner.ts";
import { type NewPolicy, type NewPolicySet, putPolicySet, putVersion, type Send } from "./judgement-rows.ts";
import { packDocument } from "./plan-documents.ts";

let count = 0;

/** Puts a set for one workspace with an active version, unless its policies are `null`. */
export async function attach(
  scene: Scene,
  workspaceId: string,
  policies: NewPolicy[] | null,
  set: Partial<NewPolicySet> = {},
): Promise<{ setId: string; versionId: string }> {
  const send: Send = (text, ...values) => scene.rows(text, ...values);
  const selector = { workspaceIds: [workspaceId], ...set.selector };
  const suffix = `${workspaceId.slice(-6)}${++count}`;
  const setId = await putPolicySet(send, { organizationId: DEFAULT_ORGANIZATION_ID, ...set, suffix, selector });
  return { setId, versionId: policies === null ? "" : await putVersion(send, setId, policies) };
}

/** Activates the next version of a set, or makes it its shadow. */
export function activate(
  scene: Scene,
  setId: string,
  policies: NewPolicy[],
  number = 2,
  state: "ACTIVE" | "SHADOW" = "ACTIVE",
): Promise<string> {
  return putVersion((text, ...values) => scene.rows(text, ...values), setId, policies, state, number);
}

/** Reports a plan with its document. */
export async function planWithDocument(job: FakeJob, content: Partial<PlanContent> = {}): Promise<ProtocolAnswer> {
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  await job.request("PUT", "archive", Buffer.from("archive"));
  const sent = await job.request("PUT", "document", packDocument());
  if (sent.status >= 300) throw new Error(JSON.stringify(sent.body));
  return job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial, ...content }) });
}

/** Brings a new run of a workspace to the end of its plan. */
export async function planned(
  scene: Scene,
  workspaceId: string,
  kind: RunKind = "DEPLOY",
  content: Partial<PlanContent> = {},
): Promise<Spot> {
  const runId = await scene.createRun(workspaceId, { kind });
  const job = await scene.claim(runId);
  const answer = await planWithDocument(job, content);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return { workspaceId, runId, job };
}

/** Judges until nothing waits for a judgement any more. */
export async function judgeAll({ server }: { server: { deps: Deps } }): Promise<void> {
  await using judgements = createJudgements(server.deps);
  for (;;) {
    const freed = judgements.freed();
    if ((await judgements.begin()) === 0) break;
    await freed;
  }
  await judgements.idle();
  await judgements.conclude();
}

export async function statusOf(scene: Scene, runId: string): Promise<string> {
  return String((await scene.run(runId, "status"))["status"]);
}

/** The evaluations of a run, with what they found. */
export async function evaluationsOf(scene: Scene, runId: string): Promise<Data[]> {
  return scene.rows(
    `select e.point, e.shadow, e.status, e.attempt, e.passed, e.error, coalesce(json_agg(json_build_object('policy', r.policy,
        'level', r.level, 'status', r.status) order by r.position) filter (where r.id is not null), '[]') as results
      from policy_evaluation e left join policy_result r on r.evaluation_id = e.id where e.run_id = $1 group by e.id order by e.id`,
    runId,
  );
}

/** Overrides every failure about the newest plan of a run that waits for it. */
export async function overrideAll(scene: Scene, runId: string, by: Api = scene.api): Promise<Data> {
  const results = await scene.rows(
    `select r.id, run.plan_version from policy_result r join policy_evaluation e on e.id = r.evaluation_id
      join run on run.id = e.run_id and run.plan_version = e.plan_version
      where run.id = $1 and not e.shadow and r.level = 'SOFT_MANDATORY' and r.approvers is null`,
    runId,
  );
  const input = {
    runId,
    planVersion: results[0]?.["plan_version"] ?? 0,
    resultIds: results.map((row) => row["id"]),
    comment: "Known, and small.",
  };
  const document = `mutation ($input: OverridePoliciesInput!) { overridePolicies(input: $input) { __typename
    ... on OverridePoliciesSuccess { run { status } } ... on UserError { message } } }`;
  return (await by.ask(document, { input })).overridePolicies;
}
