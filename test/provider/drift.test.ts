/**
 * Drift that a provider reads from a real service. No provider that is built into an engine reads anything anew, so this takes one
 * of AWS in the folder of `HOLDPOINT_TEST_PROVIDERS`, laid out for `-plugin-dir`. The tests of plans read what it gave
 * (`test/runner/plan/engine-drift.test.ts`).
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Holdpoint, startHoldpoint, type TestWorkspace } from "../e2e/holdpoint.ts";
import type { Data } from "../support/api.ts";
import { waitFor } from "../support/eventually.ts";
import { type ParameterService, startParameterService } from "../support/parameter-service.ts";

const mirror = process.env["HOLDPOINT_TEST_PROVIDERS"];
/** The provider alone takes a minute to start on a busy machine, several times a run. */
const LIMIT_MS = 900_000;

if (mirror === undefined) throw new Error("Set HOLDPOINT_TEST_PROVIDERS to a folder with the provider hashicorp/aws.");

describe("with a provider that reads its service", { timeout: LIMIT_MS }, () => {
  let holdpoint: Holdpoint;
  let service: ParameterService;
  let folder: string;
  beforeAll(async () => {
    service = await startParameterService();
    // A provider listens on a socket below the work folder, whose path may have 107 bytes; the engine is another user.
    folder = await mkdtemp("/tmp/hp-");
    await chmod(folder, 0o711);
    holdpoint = await startHoldpoint({
      HOLDPOINT_DATA_DIR: join(folder, "data"),
      HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
    });
  }, LIMIT_MS);
  afterAll(async () => {
    await holdpoint[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const parameter = (name: string, body: string): string =>
    `resource "aws_ssm_parameter" "${name}" {\n  name = "${name}"\n  type = "String"\n${body}\n}\n`;
  const configuration = (): string => `
    terraform {
      required_providers {
        aws = { source = "hashicorp/aws" }
      }
    }
    provider "aws" {
      region                      = "us-east-1"
      access_key                  = "a"
      secret_key                  = "b"
      skip_credentials_validation = true
      skip_metadata_api_check     = true
      skip_requesting_account_id  = true
      endpoints { ssm = "${service.url}" }
    }
    ${parameter("size", 'value = "small"\ndescription = "as applied"')}
    ${parameter("gone", 'insecure_value = "kept"')}
    ${parameter("same", 'insecure_value = "same"')}`;

  async function send(name: string, input: object, fields: string): Promise<Data> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
      ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
    const answer = (await holdpoint.api.ask(query, { input }))[name];
    if (answer.code !== undefined) throw new Error(answer.message);
    return answer;
  }

  const REPORT = `driftStatus drift { resources outputs } driftReport { id result resourceCount outputCount ignoredCount run {
    id outcome kind trigger plan { drift { edges { node { address action relevant before after sensitivePaths } } } } }
    resources { edges { node { address change plannedAction paths } } } }`;
  async function read({ id }: TestWorkspace): Promise<Data> {
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { ${REPORT} } }`;
    return (await holdpoint.api.ask(query, { id })).workspace;
  }

  /** Checks a workspace now; gives what it shows afterwards. */
  async function check(workspace: TestWorkspace, scheduleId: string): Promise<Data> {
    const before = (await read(workspace))["driftReport"]?.id ?? null;
    await send("runScheduleNow", { scheduleId }, "changeset { id }");
    return waitFor(
      async () => {
        const now = await read(workspace);
        if ((now["driftReport"]?.id ?? null) === before) throw new Error("There is no new report.");
        return now;
      },
      { timeout: LIMIT_MS, interval: 200 },
    );
  }

  it("shows what something else changed and deleted, by a plan and by a refresh, until it is taken over", async () => {
    const workspace = await holdpoint.workspace("parameters", { "main.tf": configuration() });
    await workspace.setVariable({ key: "TF_CLI_ARGS_init", value: `-plugin-dir=${mirror}`, category: "ENVIRONMENT" });
    await workspace.update({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
    expect(await workspace.runToEnd()).toMatchObject({ outcome: "APPLIED" });
    const { organization } = await holdpoint.api.ask('{ organization(slug: "default") { id } }');
    const times = { name: "drift", cron: "0 3 * * *", organizationId: organization.id, workspaceId: workspace.id };
    const { schedule } = await send("createSchedule", { ...times, action: "DETECT_DRIFT" }, "schedule { id }");

    // The provider reads empty tags where the state has none: nothing has changed.
    await workspace.update({ drift: { mode: "REFRESH_ONLY" } });
    expect(await check(workspace, schedule.id)).toMatchObject({
      driftStatus: "NONE",
      driftReport: { result: "CLEAN" },
    });

    const size = service.parameters.get("size");
    if (size === undefined) throw new Error("The run has made no parameter.");
    service.parameters.set("size", { ...size, Value: "canary-of-something-else", Description: "edited", Version: 2 });
    service.parameters.delete("gone");
    const found = [
      { address: "aws_ssm_parameter.gone", change: "DELETE", plannedAction: null, paths: [] },
      {
        address: "aws_ssm_parameter.size",
        change: "UPDATE",
        plannedAction: null,
        paths: ["description", "value", "version"],
      },
    ];
    const refreshed = await check(workspace, schedule.id);
    expect(refreshed).toMatchObject({
      driftStatus: "DRIFTED",
      drift: { resources: 2, outputs: 0 },
      driftReport: {
        result: "DRIFTED",
        resourceCount: 2,
        ignoredCount: 0,
        resources: { edges: found.map((node) => ({ node })) },
      },
    });

    await workspace.update({ drift: { mode: "PLAN", ignore: [{ addressGlob: "*.gone", attribute: "*" }] } });
    const planned = await check(workspace, schedule.id);
    expect(planned["driftReport"]).toMatchObject({
      resourceCount: 1,
      ignoredCount: 1,
      run: { kind: "PLAN", trigger: "DRIFT", outcome: "PLANNED" },
      resources: { edges: [{ node: { ...found[1], plannedAction: "UPDATE" } }] },
    });
    const drift = planned["driftReport"].run.plan.drift.edges.map(({ node }: Data) => node);
    expect(drift).toMatchObject([
      { address: "aws_ssm_parameter.gone", action: "DELETE", after: null },
      {
        address: "aws_ssm_parameter.size",
        action: "UPDATE",
        before: { description: "as applied", value: null, version: 1 },
        after: { description: "edited", value: null, version: 2 },
        sensitivePaths: expect.arrayContaining(["value"]),
      },
    ]);
    expect(JSON.stringify(planned)).not.toContain("canary");

    // It is taken into the state; a plan of the configuration lists what is still to be changed in it.
    expect(await workspace.runToEnd({ refreshOnly: true })).toMatchObject({ outcome: "APPLIED" });
    await workspace.update({ drift: { mode: "REFRESH_ONLY", ignore: [] } });
    const nothing = { driftStatus: "NONE", drift: null, driftReport: { result: "CLEAN", resources: { edges: [] } } };
    expect(await check(workspace, schedule.id)).toMatchObject(nothing);
    expect(service.parameters.get("size")).toMatchObject({ Description: "edited", Version: 2 });
    expect(service.parameters.has("gone")).toBe(false);
    await workspace.update({ drift: { mode: "PLAN", ignore: [] } });
    const [gone, changed] = (await check(workspace, schedule.id))["driftReport"].resources.edges;
    expect(gone.node).toMatchObject({ address: "aws_ssm_parameter.gone", plannedAction: "CREATE" });
    expect(changed.node).toMatchObject({
      address: "aws_ssm_parameter.size",
      plannedAction: "UPDATE",
      paths: expect.arrayContaining(["description"]),
    });
  });
});
