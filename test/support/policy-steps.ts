/** Steps of tests about policy sets. */
import { randomUUID } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { CelRule } from "../../src/model/policy/policy-source.ts";
import { insertPolicyFixture } from "../../src/persistence/policy/policy-fixture-store.ts";
import { insertPolicyVersion } from "../../src/persistence/policy/policy-version-store.ts";
import type { Scene } from "../domain/scene.ts";
import type { Api, Data } from "./api.ts";
import { fakePlan } from "./fake-runner.ts";
import { packDocument } from "./plan-documents.ts";
import { policyVersion } from "./policy-rows.ts";

export const POLICY_SET = `policySet { id name description language dialect onError judgesUnchanged needsWholePlan enabled
  selector { labels names kinds workspaceIds excludedWorkspaceIds }
  overriders { approvers { id } teamIds teams { id } minimum excludeRequester holds }
  organization { id } activeVersion { id number } shadowVersion { id number } } warnings`;

const VERSION = "version { id number state digest activatedAt activatedBy { id } policySet { id } }";

/** Commands that refuse a wrong input. */
const HAS_INPUT = /^(?:create|update|set|push|simulate)/;
/** Commands that refuse a wrong version. */
const HAS_PROBLEMS = /^(?:(?:set|push)PolicySetVersion|simulate)/;

/** Sends a command, and returns the member of its union. */
export async function sendPolicy(api: Api, name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const issues = HAS_INPUT.test(name) ? "... on InvalidInputError { issues { path message } }" : "";
  const problems = HAS_PROBLEMS.test(name) ? "... on PolicyInvalidError { problems { file line column message } }" : "";
  const query = `mutation ($input: ${type}Input!) { done: ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} } ... on UserError { code message } ... on ForbiddenError { permission scopeId }
    ${issues} ${problems} } }`;
  return (await api.ask(query, { input })).done;
}

export function createPolicySet(api: Api, input: object = {}): Promise<Data> {
  const given = { organizationId: DEFAULT_ORGANIZATION_ID, name: `set-${randomUUID()}`, language: "CEL", selector: {} };
  return sendPolicy(api, "createPolicySet", { ...given, ...input }, POLICY_SET);
}

export function setVersionState(api: Api, versionId: string, state: string): Promise<Data> {
  return sendPolicy(api, "setPolicySetVersionState", { versionId, state }, VERSION);
}

export function pushVersion(api: Api, input: object): Promise<Data> {
  return sendPolicy(api, "pushPolicySetVersion", input, VERSION);
}

/** Asks for a trial. Throws for input that is refused. */
export async function tryPolicy(api: Api, input: object): Promise<Data> {
  const query = `query ($input: TryPolicyInput!) { tryPolicy(input: $input) {
    problems { file line column message } errors { policy kind message } passed dropped cpuMs
    findings { policy rule level message addresses demandsApprovals trace { expression value } } } }`;
  return (await api.ask(query, { input })).tryPolicy;
}

/** A rule that denies a public bucket. */
export const bucketRule = {
  name: "no-public-bucket",
  level: "MANDATORY",
  types: ["aws_s3_bucket"],
  when: 'resource.after.acl == "public-read"',
  message: "The bucket is public.",
};

/** Inserts a draft as a push does that passed its checks; gives its id. */
export async function insertDraft(
  { server }: Pick<Scene, "server">,
  setId: string,
  rules?: readonly CelRule[],
  more: Partial<Parameters<typeof insertPolicyVersion>[1]> = {},
): Promise<string> {
  const { deps } = server;
  const id = deps.newId("policySetVersion");
  const version = policyVersion(
    { id, setId, createdById: ADMIN_ACTOR_ID, createdAt: deps.clock().toISOString() },
    rules,
  );
  await deps.database.transaction((tx) => insertPolicyVersion(tx, { ...version, ...more }));
  return id;
}

/** Inserts a fixture of a set, with the newest plan there is. */
export async function insertFixture(
  { server, rows }: Pick<Scene, "server" | "rows">,
  setId: string,
  document = '{"plan":{}}',
): Promise<string | null> {
  const { deps } = server;
  const [plan] = await rows("select id from plan order by id desc limit 1");
  if (plan === undefined) return null;
  const at = deps.clock().toISOString();
  const [id, blobId] = [deps.newId("policyFixture"), deps.newId("blob")];
  const blob = {
    id: blobId,
    kind: "DOCUMENT",
    workspaceId: null,
    body: zstdCompressSync(document),
    createdAt: at,
  } as const;
  await deps.blobs.bring(blob, (put) =>
    deps.database.transaction(async (tx) => {
      await deps.blobs.insert(tx, put);
      const made = { name: id, planId: plan["id"], blobId, context: {}, createdById: ADMIN_ACTOR_ID, createdAt: at };
      await insertPolicyFixture(tx, { id, setId, ...made });
    }),
  );
  return id;
}

/** A plan with one bucket, as `show -json` prints it. */
export function bucketPlan(acl: string, address = "aws_s3_bucket.logs"): object {
  const change = { actions: ["create"], before: null, after: { acl }, after_unknown: {} };
  const resource = { address, mode: "managed", type: "aws_s3_bucket", name: address.split(".").at(-1), change };
  return { format_version: "1.2", resource_changes: [resource] };
}

/** Plans a run of kind PLAN whose runner sends a document, if there is one; gives the run and its plan. */
export async function planWith(
  scene: Pick<Scene, "createRun" | "claim" | "rows">,
  workspaceId: string,
  plan: object | null,
): Promise<{ runId: string; planId: string }> {
  const runId = await scene.createRun(workspaceId, { kind: "PLAN" });
  const job = await scene.claim(runId);
  for (const type of ["prepared", "initialized"] as const) await job.message({ type });
  await job.request("PUT", "archive", Buffer.from("archive"));
  if (plan !== null) await job.request("PUT", "document", packDocument({ plan, custom: {} }));
  const planned = await job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial }) });
  if (planned.status >= 300) throw new Error(JSON.stringify(planned.body));
  const [row] = await scene.rows("select id from plan where run_id = $1", runId);
  return { runId, planId: String(row?.["id"]) };
}

const SIMULATION = `simulation { id state total done newlyDenied newlyPassing errors unknown createdBy { id } finishedAt
  policySet { id } version { id } }`;

export function simulate(api: Api, input: object): Promise<Data> {
  return sendPolicy(api, "simulatePolicySet", { filter: {}, ...input }, SIMULATION);
}

export function stopSimulation(api: Api, simulationId: string): Promise<Data> {
  return sendPolicy(api, "stopPolicySimulation", { simulationId }, SIMULATION);
}

/** Reads a simulation with its plans. */
export async function simulationOf(api: Api, id: string): Promise<Data> {
  const query = `query ($id: ID!) { node(id: $id) { ... on PolicySimulation {
    state total done newlyDenied newlyPassing errors unknown finishedAt
    results(first: 100) { edges { node { run { id } planVersion before after outcome error
      findings { policy rule level message addresses demandsApprovals } } } } } } }`;
  return (await api.ask(query, { id })).node;
}
