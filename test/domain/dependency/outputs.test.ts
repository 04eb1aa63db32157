/** Outputs of workspaces as variables of others. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { Data } from "../../support/api.ts";
import { addMachine } from "../../support/machine.ts";
import { openScene, report, type Scene } from "../scene.ts";
import { chainSteps, outputsOf } from "./chain.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const { setDependencies, workspaces, deploy, applyRun } = chainSteps(() => scene);

const SECRET = "correct-horse-battery";
const RUN = `query ($id: ID!) { run(id: $id) { status variables { key value sensitive category hcl }
  failure { code summary message upstreams { id } }
  upstreamInputs { output key category assumed run { id } stateVersion { id serial } } } }`;
const readRun = async (id: string, api = scene.api): Promise<Data> => (await api.ask(RUN, { id })).run;

/** Two workspaces, of which the second takes outputs of the first. */
async function pair(outputs: readonly object[]): Promise<[string, string]> {
  const [upstreamId = "", downstreamId = ""] = await workspaces(2);
  const answer = await setDependencies(downstreamId, [{ upstreamId, outputs }]);
  expect(answer.code).toBeUndefined();
  return [upstreamId, downstreamId];
}

describe("the outputs of a workspace upstream", () => {
  it("are variables of the runs downstream, and sensitive ones stay so", async () => {
    const [upstreamId, downstreamId] = await pair([
      { output: "vpc_id", key: "vpc" },
      { output: "subnets", key: "subnets" },
      { output: "password", key: "DB_PASSWORD", category: "ENVIRONMENT" },
      { output: "ports", key: "PORTS", category: "ENVIRONMENT" },
    ]);
    const values = { vpc_id: "vpc-1", subnets: ["a", "b${c}"], password: SECRET, ports: [80, 443] };
    const applied = await deploy(upstreamId, 1, outputsOf(values, ["password"]));
    const runId = await scene.createRun(downstreamId);
    const { job } = await scene.claim(runId);
    expect(job.variables).toEqual([
      { key: "subnets", category: "ENGINE", value: '["a", "b$${c}"]', sensitive: false, hcl: true },
      { key: "vpc", category: "ENGINE", value: "vpc-1", sensitive: false, hcl: false },
      { key: "DB_PASSWORD", category: "ENVIRONMENT", value: SECRET, sensitive: true, hcl: false },
      { key: "PORTS", category: "ENVIRONMENT", value: "[80,443]", sensitive: false, hcl: true },
    ]);
    expect(job.secrets).toContain(SECRET);
    const run = await readRun(runId);
    expect(run.variables.find(({ key }: Data) => key === "DB_PASSWORD")).toMatchObject({
      value: null,
      sensitive: true,
    });
    const from = { assumed: false, run: { id: applied }, stateVersion: { serial: 1 } };
    expect(run.upstreamInputs).toMatchObject([
      { ...from, output: "subnets", key: "subnets", category: "ENGINE" },
      { ...from, output: "vpc_id", key: "vpc", category: "ENGINE" },
      { ...from, output: "password", key: "DB_PASSWORD", category: "ENVIRONMENT" },
      { ...from, output: "ports", key: "PORTS", category: "ENVIRONMENT" },
    ]);
    expect(JSON.stringify(run)).not.toContain(SECRET);
    // Whatever is stored of it is sealed, or a keyed hash.
    const stored = await scene.rows(
      `select v.outputs::text, v.secret_outputs_sealed, u.value_hash, r.variables_sealed from state_version v
        join run_upstream u on u.state_version_id = v.id join run r on r.id = u.run_id where u.run_id = $1`,
      runId,
    );
    expect(stored).not.toEqual([]);
    for (const value of stored.flatMap((row) => Object.values(row))) {
      expect(Buffer.from(value as string).includes(SECRET)).toBe(false);
    }
  });

  it("are those of the time at which the run is admitted", async () => {
    const [upstreamId, downstreamId] = await pair([{ output: "vpc_id", key: "vpc" }]);
    await deploy(upstreamId, 1, outputsOf({ vpc_id: "old" }));
    const first = await scene.createRun(downstreamId);
    const second = await scene.createRun(downstreamId);
    expect((await readRun(second)).upstreamInputs).toEqual([]);
    await deploy(upstreamId, 2, outputsOf({ vpc_id: "new" }));
    const { job } = await scene.claim(first);
    expect(job.variables).toMatchObject([{ key: "vpc", value: "old" }]);
    await scene.send("cancelRun", { runId: first, force: true });
    await scene.rows("update run set cancel_requested_at = '2000-01-01' where id = $1", first);
    await scene.send("cancelRun", { runId: first, force: true });
    expect((await scene.claim(second)).job.variables).toMatchObject([{ key: "vpc", value: "new" }]);
  });

  it("come from what was applied, not from an apply that goes on or failed", async () => {
    const [upstreamId, downstreamId] = await pair([{ output: "vpc_id", key: "vpc" }]);
    await deploy(upstreamId, 1, outputsOf({ vpc_id: "applied" }));
    const runId = await scene.createRun(upstreamId);
    await (await scene.claim(runId)).plan();
    await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    const applying = await scene.claim(runId);
    await applying.message({ type: "prepared" });
    await applying.lockState("lock");
    const half = { version: 4, serial: 2, lineage: "lineage", outputs: outputsOf({ vpc_id: "half" }) };
    await applying.writeState("lock", half);
    const during = await scene.createRun(downstreamId, { kind: "PLAN" });
    expect((await scene.claim(during)).job.variables).toMatchObject([{ value: "applied" }]);
    await applying.unlockState("lock");
    await applying.message({ type: "failed", failure: report("APPLY_FAILED") });
    const after = await scene.createRun(downstreamId, { kind: "PLAN" });
    expect((await scene.claim(after)).job.variables).toMatchObject([{ value: "applied" }]);
    expect((await readRun(after)).upstreamInputs).toMatchObject([{ assumed: true, stateVersion: { serial: 1 } }]);
  });

  it("fail the run if one is missing, and the text does not name a workspace that may be hidden", async () => {
    const [upstreamId, downstreamId] = await pair([
      { output: "vpc_id", key: "vpc" },
      { output: "zone", key: "zone" },
    ]);
    const before = await readRun(await scene.createRun(downstreamId));
    expect(before).toMatchObject({ status: "FAILED", failure: { code: "DEPENDENCY_OUTPUT_MISSING" } });
    expect(before.failure.summary).toBe("The output vpc_id of a workspace upstream is missing, and 1 more.");
    expect(before.failure.message).toBe(
      "The output vpc_id, which is the variable vpc, is missing.\nThe output zone, which is the variable zone, is missing.\n" +
        "Apply the workspace upstream with this output, or change the dependency. Then run again.",
    );
    await deploy(upstreamId, 1, outputsOf({ vpc_id: "vpc-1" }));
    const runId = await scene.createRun(downstreamId);
    const { failure } = await readRun(runId);
    expect(failure).toMatchObject({ code: "DEPENDENCY_OUTPUT_MISSING", upstreams: [{ id: upstreamId }] });
    expect(failure.summary).toBe("The output zone of a workspace upstream is missing.");
    const { name } = await scene.workspace(upstreamId);
    expect(`${failure.summary} ${failure.message}`).not.toContain(name);
    const reader = await addMachine(scene.server.url, scene.api, ["READER", downstreamId]);
    expect((await readRun(runId, reader)).failure).toMatchObject({ code: failure.code, upstreams: [] });
  });

  it("are not shown to a reader who does not see the workspace upstream", async () => {
    const [upstreamId, downstreamId] = await pair([{ output: "vpc_id", key: "vpc" }]);
    await deploy(upstreamId, 1, outputsOf({ vpc_id: "vpc-1" }));
    const runId = await scene.createRun(downstreamId);
    expect((await readRun(runId)).upstreamInputs).toHaveLength(1);
    const reader = await addMachine(scene.server.url, scene.api, ["READER", downstreamId]);
    expect((await readRun(runId, reader)).upstreamInputs).toEqual([]);
  });

  it("are masked in later runs too, after the value upstream was replaced", async () => {
    const [upstreamId, downstreamId] = await pair([{ output: "password", key: "password" }]);
    await deploy(upstreamId, 1, outputsOf({ password: SECRET }, ["password"]));
    const first = await scene.createRun(downstreamId);
    await applyRun(first);
    await deploy(upstreamId, 2, outputsOf({ password: "another-one-altogether" }, ["password"]));
    const { job } = await scene.claim(await scene.createRun(downstreamId));
    expect(job.secrets).toEqual(expect.arrayContaining([SECRET, "another-one-altogether"]));
  });

  it("are those of the last apply for a destroy, once the workspace upstream is gone", async () => {
    const [upstreamId, downstreamId] = await pair([{ output: "vpc_id", key: "vpc" }]);
    await deploy(upstreamId, 1, outputsOf({ vpc_id: "vpc-1" }));
    await deploy(downstreamId);
    await deploy(upstreamId, 2, outputsOf({}));
    const runId = await scene.createRun(downstreamId, { kind: "DESTROY" });
    expect((await scene.claim(runId)).job.variables).toMatchObject([{ key: "vpc", value: "vpc-1" }]);
    expect((await readRun(runId)).upstreamInputs).toMatchObject([{ assumed: true, stateVersion: { serial: 1 } }]);
  });
});

describe("setWorkspaceDependencies with outputs", () => {
  const issuesOf = (answer: Data): string[] => answer.issues.map(({ path }: Data) => path.join("."));

  it("names the field of each wrong reference", async () => {
    const [upstreamId = "", other = "", downstreamId = ""] = await workspaces(3);
    const set = async (outputs: readonly object[]) =>
      issuesOf(await setDependencies(downstreamId, [{ upstreamId, outputs }]));
    const first = "dependencies.0.outputs.0";
    expect(await set([{ output: "no name", key: "a" }])).toEqual([`${first}.output`]);
    expect(await set([{ output: "a", key: "1a" }])).toEqual([`${first}.key`]);
    expect(await set([{ output: "a", key: "a-b", category: "ENVIRONMENT" }])).toEqual([`${first}.key`]);
    expect(await set([{ output: "a", key: "TF_WORKSPACE", category: "ENVIRONMENT" }])).toEqual([`${first}.key`]);
    const git = { output: "a", key: "HOLDPOINT_GIT_PASSWORD", category: "ENVIRONMENT" };
    expect(await set([git])).toEqual([`${first}.key`]);
    const same = [
      { output: "a", key: "a" },
      { output: "b", key: "a" },
    ];
    expect(await set(same)).toEqual(["dependencies.0.outputs.1.key"]);
    const twice = [upstreamId, other].map((id) => ({ upstreamId: id, outputs: [{ output: "a", key: "a" }] }));
    expect(issuesOf(await setDependencies(downstreamId, twice))).toEqual(["dependencies.1.outputs.0.key"]);
    const many = Array.from({ length: LIMITS.outputReferencesPerWorkspace + 1 }, (_, i) => ({
      output: "a",
      key: `a${i}`,
    }));
    expect(await set(many)).toEqual(["dependencies"]);
    expect(await scene.rows("select 1 from workspace_dependency where downstream_id = $1", downstreamId)).toEqual([]);
  });

  it("refuses a name that is a variable too, from both sides", async () => {
    const [upstreamId = "", workspaceId = ""] = await workspaces(2);
    const outputs = [{ output: "a", key: "region" }];
    await scene.send("setVariable", { workspaceId, key: "region", value: "eu" });
    expect(issuesOf(await setDependencies(workspaceId, [{ upstreamId, outputs }]))).toEqual([
      "dependencies.0.outputs.0.key",
    ]);
    await scene.send("deleteVariable", { workspaceId, key: "region", category: "ENGINE" });
    expect((await setDependencies(workspaceId, [{ upstreamId, outputs }])).workspace).toBeDefined();
    const refused = await scene.send("setVariable", { workspaceId, key: "region", value: "eu" });
    expect(refused).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["key"] }] });
    const other = { workspaceId, key: "region", value: "eu", category: "ENVIRONMENT" };
    expect(await scene.send("setVariable", other)).toMatchObject({ __typename: "SetVariableSuccess" });
    await setDependencies(workspaceId, []);
    expect(await scene.send("setVariable", { workspaceId, key: "region", value: "eu" })).toMatchObject({
      __typename: "SetVariableSuccess",
    });
  });

  it("takes STATE_READ on the workspace upstream for outputs that are new", async () => {
    const [upstreamId = "", downstreamId = ""] = await workspaces(2);
    const writer = await addMachine(scene.server.url, scene.api, ["ADMIN", downstreamId], ["READER", upstreamId]);
    const taking = (...names: string[]) => [
      { upstreamId, outputs: names.map((output) => ({ output, key: `${output}_in` })) },
    ];
    expect(await setDependencies(downstreamId, taking("a"), writer)).toMatchObject({
      code: "FORBIDDEN",
      permission: "STATE_READ",
    });
    await setDependencies(downstreamId, taking("a"));
    expect((await setDependencies(downstreamId, taking("a"), writer)).workspace.dependencies).toHaveLength(1);
    expect(await setDependencies(downstreamId, taking("a", "b"), writer)).toMatchObject({ code: "FORBIDDEN" });
    expect((await setDependencies(downstreamId, [], writer)).workspace.dependencies).toEqual([]);
  });

  it("keeps what the caller does not see, and refuses the names that it gives", async () => {
    const [hidden = "", seen = "", downstreamId = ""] = await workspaces(3);
    await setDependencies(downstreamId, [{ upstreamId: hidden, outputs: [{ output: "a", key: "a" }] }]);
    const writer = await addMachine(scene.server.url, scene.api, ["ADMIN", downstreamId], ["ADMIN", seen]);
    const clashing = [{ upstreamId: seen, outputs: [{ output: "b", key: "a" }] }];
    const refused = await setDependencies(downstreamId, clashing, writer);
    expect(issuesOf(refused)).toEqual(["dependencies.0.outputs.0.key"]);
    expect(refused.issues[0].message).toBe("must be another one: another dependency gives a.");
    await setDependencies(downstreamId, [seen], writer);
    const kept = await scene.rows(
      "select upstream_id from workspace_dependency where downstream_id = $1",
      downstreamId,
    );
    expect(new Set(kept.map((row) => row["upstream_id"]))).toEqual(new Set([hidden, seen]));
  });
});
