/** Checks for drift with a real engine: something else changes what a resource reads. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { waitUntil } from "../../support/eventually.ts";
import { data, type Holdpoint, PATIENCE_MS, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

async function send(name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  const answer = (await holdpoint.api.ask(query, { input }))[name];
  if (answer.code !== undefined) throw new Error(answer.message);
  return answer;
}

/** Runs a schedule now, and waits for the end of its run. */
async function check(scheduleId: string): Promise<Data> {
  const { changeset } = await send("runScheduleNow", { scheduleId }, "changeset { id }");
  const query = `query ($id: ID!) { changeset(id: $id) { runs { edges { node { id kind trigger outcome isTerminal } } } } }`;
  let run: Data;
  await waitUntil(async () => {
    const { changeset: read } = await holdpoint.api.ask(query, { id: changeset.id });
    // One without drift is in no list any more.
    if (run !== undefined && read.runs.edges.length === 0) return true;
    run = read.runs.edges[0]?.node ?? run;
    return run?.isTerminal === true;
  }, PATIENCE_MS);
  return (await holdpoint.api.ask("query ($id: ID!) { run(id: $id) { id kind trigger outcome } }", { id: run.id })).run;
}

async function driftOf(workspace: TestWorkspace): Promise<Data> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { organization { id }
    driftStatus driftReport { result resources { edges { node { address change plannedAction paths } } } }
    drift { resources outputs run { id } } runs { edges { node { id } } } } }`;
  return (await holdpoint.api.ask(query, { id: workspace.id })).workspace;
}

describe.concurrent("drift", { timeout: PATIENCE_MS }, () => {
  it("is found where the world has changed, and not where only the configuration has", async () => {
    // The engine is another user, who may not enter the folders of this one.
    const folder = await mkdtemp("/tmp/holdpoint-real-");
    await chmod(folder, 0o755);
    const real = join(folder, "real.txt");
    await writeFile(real, "as applied");
    const reads = (name: string) => data(name, `input = file("${real}")`);
    const workspace = await holdpoint.workspace("drift-check", { "main.tf": reads("a") });
    await workspace.deploy();
    const { organization } = await driftOf(workspace);
    const times = { name: "drift", cron: "0 3 * * *", organizationId: organization.id, workspaceId: workspace.id };
    const { schedule } = await send("createSchedule", { ...times, action: "DETECT_DRIFT" }, "schedule { id }");

    // What is written but not applied is no drift.
    await workspace.write({ "main.tf": `${reads("a")}${data("b")}` });
    expect(await check(schedule.id)).toMatchObject({ kind: "PLAN", trigger: "DRIFT", outcome: "NO_CHANGES" });
    const before = await driftOf(workspace);
    expect(before.drift).toBeNull();
    expect(before.runs.edges).toHaveLength(1);

    await writeFile(real, "changed behind its back");
    const found = await check(schedule.id);
    expect(found).toMatchObject({ outcome: "PLANNED" });
    const drifted = await driftOf(workspace);
    expect(drifted.drift).toEqual({ resources: 1, outputs: 0, run: { id: found.id } });
    expect(drifted.driftStatus).toBe("DRIFTED");
    expect(drifted.driftReport).toMatchObject({
      result: "DRIFTED",
      resources: {
        edges: [{ node: { address: "terraform_data.a", change: null, plannedAction: "UPDATE", paths: ["input"] } }],
      },
    });

    await writeFile(real, "as applied");
    expect(await check(schedule.id)).toMatchObject({ outcome: "NO_CHANGES" });
    expect((await driftOf(workspace)).drift).toBeNull();
    await rm(folder, { recursive: true });
  });

  it("is over once a run with refreshOnly has taken it into the state", async () => {
    const folder = await mkdtemp("/tmp/holdpoint-real-");
    await chmod(folder, 0o755);
    const real = join(folder, "real.txt");
    await writeFile(real, "as applied");
    const configuration = `${data("a")}output "read" { value = file("${real}") }`;
    const workspace = await holdpoint.workspace("drift-taken-over", { "main.tf": configuration });
    await workspace.update({ drift: { mode: "REFRESH_ONLY" } });
    await workspace.deploy();
    const { organization } = await driftOf(workspace);
    const times = { name: "drift", cron: "0 3 * * *", organizationId: organization.id, workspaceId: workspace.id };
    const { schedule } = await send("createSchedule", { ...times, action: "DETECT_DRIFT" }, "schedule { id }");
    await writeFile(real, "changed behind its back");
    await check(schedule.id);
    expect(await driftOf(workspace)).toMatchObject({ driftStatus: "DRIFTED", drift: { resources: 0, outputs: 1 } });

    expect(await workspace.deploy({ refreshOnly: true })).toMatchObject({ outcome: "APPLIED" });
    expect((await workspace.read()).outputs).toMatchObject([{ name: "read", value: "changed behind its back" }]);
    expect(await check(schedule.id)).toMatchObject({ outcome: "NO_CHANGES" });
    expect(await driftOf(workspace)).toMatchObject({
      driftStatus: "NONE",
      drift: null,
      driftReport: { result: "CLEAN", resources: { edges: [] } },
    });
    await rm(folder, { recursive: true });
  });
});
