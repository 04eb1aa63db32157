/** Steps of tests about promotion: a repository with a workspace in each stage of a pipeline. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { changesetRound } from "../../src/domain/changeset/changeset-round.ts";
import { openChangeset } from "../../src/domain/changeset/open-changeset.ts";
import { promotionRound } from "../../src/domain/promotion/promotion-round.ts";
import { DEFAULT_ORGANIZATION_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Scene } from "../domain/scene.ts";
import type { Api, Data } from "./api.ts";
import { TestRepository } from "./git.ts";
import { waitersIn } from "./overlapping.ts";

const never = new AbortController().signal;

/** Commands that refuse a wrong input. */
const HAS_INPUT = /^(?:create|update|promote)/;

/** Sends a command, and returns the member of its union. */
export async function sendPromotion(api: Api, name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const issues = HAS_INPUT.test(name) ? "... on InvalidInputError { issues { path message } }" : "";
  const query = `mutation ($input: ${type}Input!) { done: ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} } ... on UserError { code message } ... on ForbiddenError { permission scopeId }
    ${issues} } }`;
  return (await api.ask(query, { input })).done;
}

export interface StageSettings {
  automatic?: boolean;
  soakMinutes?: number;
}

export interface Staged {
  repository: TestRepository;
  /** The first commit. */
  commit: string;
  url: string;
  pipelineId: string;
  /** The label and the workspace of each stage, by its name. */
  labels: Record<string, string>;
  workspaces: Record<string, string>;
}

/** Makes a repository, a workspace in each stage, and the pipeline. */
export async function staged(
  scene: Pick<Scene, "server" | "api" | "createWorkspace">,
  stages: Record<string, StageSettings> = { dev: {}, stage: {}, prod: {} },
  organizationId: string = DEFAULT_ORGANIZATION_ID,
): Promise<Staged> {
  const name = `p-${randomUUID()}`;
  const repository = new TestRepository(join(scene.server.sourceRoot, name));
  const commit = repository.commit({ "main.tf": "# one\n" });
  const url = `file://${repository.folder}`;
  const labels: Record<string, string> = {};
  const workspaces: Record<string, string> = {};
  for (const stage of Object.keys(stages)) {
    const label = `env:${stage}-${name.slice(2, 10)}`;
    labels[stage] = label;
    workspaces[stage] = await scene.createWorkspace({ labels: [label], source: { git: { url, branch: "main" } } });
  }
  const input = {
    organizationId,
    name,
    stages: Object.entries(stages).map(([stage, settings]) => ({ name: stage, label: labels[stage], ...settings })),
  };
  const { pipeline, ...refusal } = await sendPromotion(
    scene.api,
    "createPromotionPipeline",
    input,
    "pipeline { id stages { name label automatic soakMinutes } owner { id } }",
  );
  if (pipeline === undefined) throw new Error(JSON.stringify(refusal));
  return { repository, commit, url, pipelineId: pipeline.id, labels, workspaces };
}

/** Does what the workers of changesets do, until nothing is left. */
export async function work({ deps }: Scene["server"]): Promise<void> {
  await promotionRound(deps, never);
  await changesetRound(deps, never);
}

/** Opens a changeset as a decision about a push does, and creates its runs. */
export async function push(scene: Scene, workspaceIds: readonly string[], commit: string): Promise<string> {
  const { deps } = scene.server;
  const cause = { type: "PUSH", refChangeId: "refc_none", ref: "refs/heads/main", commit } as const;
  const { id } = await deps.database.transaction((tx) =>
    openChangeset(tx, deps, {
      organizationId: DEFAULT_ORGANIZATION_ID,
      source: "PUSH",
      trigger: "PUSH",
      kind: "DEPLOY",
      title: "Raise the limits",
      commit,
      members: workspaceIds.map((workspaceId) => ({ workspaceId, cause })),
      createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
    }),
  );
  await changesetRound(deps, never);
  return id;
}

/** Lets a person deploy workspaces. */
export async function deploy(scene: Pick<Scene, "api" | "server">, input: object): Promise<string> {
  const given = { organizationId: DEFAULT_ORGANIZATION_ID, title: "Raise the limits", ...input };
  const { changeset, ...refusal } = await sendPromotion(scene.api, "createChangeset", given, "changeset { id }");
  if (changeset === undefined) throw new Error(JSON.stringify(refusal));
  await changesetRound(scene.server.deps, never);
  return changeset.id;
}

/** Begins works that need the row of a pipeline, and lets them go at once when all of them wait for it. */
export async function atOnce<Result>(
  { server }: Pick<Scene, "server">,
  pipelineId: string,
  works: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const { database } = server.deps;
  const { ended } = await database.transaction(async (tx) => {
    await tx.sql.selectFrom("promotion_pipeline").select("id").where("id", "=", pipelineId).forUpdate().execute();
    // One that ends early, as by an error, must not keep the lock from the others.
    let isOver = false;
    const all = Promise.all(works.map((begin) => begin().finally(() => (isOver = true))));
    all.catch(() => undefined);
    while (!isOver && (await waitersIn(database)) < works.length) await setImmediate();
    return { ended: all };
  });
  return ended;
}

/** Ends all runs of a changeset without changes, so that it is applied. */
export async function finish(scene: Pick<Scene, "rows" | "claim">, changesetId: string): Promise<void> {
  const rows = await scene.rows(
    "select m.run_id from changeset_member m where m.changeset_id = $1 and m.run_id is not null",
    changesetId,
  );
  for (const row of rows) await (await scene.claim(row["run_id"])).plan({ hasChanges: false });
}
