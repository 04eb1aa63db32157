/** A push that goes through three stages, with real git and terraform: prod gets what stage had, whatever the branch has. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createLooks, type Looks } from "../../../src/domain/repository/looks.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { startRunner } from "../../../src/runner/runner.ts";
import type { Runner } from "../../../src/runner/runner-options.ts";
import type { Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import { TestRepository } from "../../support/git.ts";
import { sendPromotion, work } from "../../support/promotion-steps.ts";
import { createHost, createRepository, decideAll } from "../../support/repository-steps.ts";
import { runnerOptions } from "../../support/runner-harness.ts";
import { openScene, type Scene } from "../scene.ts";

const PATIENCE = { timeout: 120_000, interval: 100 };

let scene: Scene;
let looks: Looks;
let runner: Runner;
let workDir: string;
beforeAll(async () => {
  scene = await openScene();
  looks = createLooks(scene.server.deps);
  workDir = await mkdtemp(join(tmpdir(), "holdpoint-promotion-"));
  runner = startRunner(await runnerOptions(scene.server, workDir));
});
afterAll(async () => {
  runner.interrupt();
  await runner.done;
  await looks[Symbol.asyncDispose]();
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
  await rm(workDir, { recursive: true, force: true });
});

/** Looks at the repository now, and does what follows. */
async function settle(): Promise<void> {
  scene.server.advance(66_000);
  await looks.begin((error: unknown) => {
    throw error;
  });
  await looks.idle();
  await decideAll(scene.server.deps);
  await work(scene.server);
}

const VERSION = (version: string) => `module "app" {
  source = "../modules/app"
}
output "version" { value = "\${module.app.version} ${version}" }
`;
const APP = (version: string) => `resource "terraform_data" "app" { input = "${version}" }
output "version" { value = terraform_data.app.output }
`;

/** The commit and the output that a workspace has. */
async function stateOf(workspaceId: string): Promise<Data> {
  const { outputs } = await scene.workspace(workspaceId);
  const [run] = await scene.rows(
    "select revision, outcome from run where workspace_id = $1 order by id desc limit 1",
    workspaceId,
  );
  return { version: outputs.find(({ name }: Data) => name === "version")?.value, ...run };
}

async function changesetIn(workspaceId: string): Promise<string | null> {
  const [row] = await scene.rows(
    `select c.id from changeset c join changeset_member m on m.changeset_id = c.id
      where m.workspace_id = $1 and c.passed_at is not null order by c.id desc limit 1`,
    workspaceId,
  );
  return row?.["id"] ?? null;
}

it("brings one commit from dev to prod, while the branch moves and is pushed by force", async () => {
  const repository = new TestRepository(join(scene.server.sourceRoot, "stages"));
  repository.commit({ "app/main.tf": VERSION("0"), "modules/app/main.tf": APP("0") });
  const host = await createHost(scene.api, { kind: "GIT", url: `file://${scene.server.sourceRoot}` });
  const { id: repositoryId } = await createRepository(scene.api, host.gitHost.id, "stages");
  const source = { git: { repositoryId, path: "app" } };
  const free = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
  const dev = await scene.createWorkspace({ source, ...free, labels: ["env:dev"], trigger: { branch: "main" } });
  const stage = await scene.createWorkspace({ source, ...free, labels: ["env:stage"], trigger: { branch: null } });
  const prod = await scene.createWorkspace({ source, labels: ["env:prod"], trigger: { branch: null } });
  const stages = ["dev", "stage", "prod"].map((name) => ({ name, label: `env:${name}`, automatic: name === "stage" }));
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, name: "app", stages };
  const { pipeline } = await sendPromotion(scene.api, "createPromotionPipeline", input, "pipeline { id }");
  await settle();
  const commit = repository.commit({ "app/main.tf": VERSION("1"), "modules/app/main.tf": APP("1") });
  await settle();
  await waitUntil(async () => (await changesetIn(dev)) !== null, PATIENCE);
  // The branch moves on, and what was deployed is gone from it.
  repository.git("reset", "--quiet", "--hard", "HEAD~1");
  repository.commit({ "app/main.tf": VERSION("2"), "modules/app/main.tf": APP("2") });
  await waitUntil(async () => {
    await work(scene.server);
    return (await changesetIn(stage)) !== null;
  }, PATIENCE);
  const wanted = { version: "1 1", revision: commit, outcome: "APPLIED" };
  expect(await stateOf(dev)).toEqual(wanted);
  expect(await stateOf(stage)).toEqual(wanted);
  const promoted = { changesetId: await changesetIn(stage), pipelineId: pipeline.id, stage: "prod" };
  const answer = await sendPromotion(scene.api, "promoteChangeset", promoted, "created");
  expect(answer).toMatchObject({ created: true });
  await work(scene.server);
  const [{ id: runId }] = await scene.rows("select id from run where workspace_id = $1", prod);
  // Prod asks its own gates.
  await waitUntil(async () => (await scene.run(runId, "status")).status === "AWAITING_PLAN_APPROVAL", PATIENCE);
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await waitUntil(async () => (await changesetIn(prod)) !== null, PATIENCE);
  expect(await stateOf(prod)).toEqual(wanted);
}, 300_000);
