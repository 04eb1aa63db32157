/** The runs that a workspace starts in those that depend on it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { expireWorkspaces } from "../../../src/domain/schedule/expire-workspaces.ts";
import type { Data } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";
import { chainSteps, outputsOf, runIn, runsOf } from "./chain.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const { work, setDependencies, workspaces, read, deploy, apply, applyRun } = chainSteps(() => scene);

const taking = (upstreamId: string, output: string, trigger = "OUTPUTS_CHANGED") => [
  { upstreamId, trigger, outputs: [{ output, key: output }] },
];

/** Ids of the changesets that dependencies made with a workspace, oldest first. */
async function changesetsWith(workspaceId: string): Promise<string[]> {
  const rows = await scene.rows(
    `select c.id from changeset c join changeset_member m on m.changeset_id = c.id
      where m.workspace_id = $1 and c.source = 'DEPENDENCY' order by c.id`,
    workspaceId,
  );
  return rows.map((row) => row["id"]);
}

/** Three workspaces in a row, each with what it takes applied. */
async function settledChain(): Promise<[string, string, string]> {
  const [a = "", b = "", c = ""] = await workspaces(3);
  await setDependencies(b, taking(a, "net"));
  await setDependencies(c, taking(b, "app"));
  await deploy(a, 1, outputsOf({ net: "1" }));
  await deploy(b, 1, outputsOf({ app: "1" }));
  await deploy(c);
  await work();
  return [a, b, c];
}

describe("a workspace that was applied", () => {
  it("starts those whose outputs have changed, wave by wave, and skips those of which none has", async () => {
    const [a, b, c] = await settledChain();
    expect(await changesetsWith(b)).toEqual([]);
    const runId = await deploy(a, 2, outputsOf({ net: "2" }));
    await work();
    const [id = "", ...others] = await changesetsWith(b);
    expect(others).toEqual([]);
    const first = await read(id);
    expect(first).toMatchObject({ source: "DEPENDENCY", counts: { workspaces: 2 } });
    expect(runIn(first, b)).toMatchObject({
      status: "READY",
      trigger: "DEPENDENCY",
      cause: { changedOutputs: ["net"], upstream: { id: runId } },
    });
    expect(runIn(first, c)).toMatchObject({ status: "QUEUED", blockers: [{ kind: "UPSTREAM_RUN" }] });
    const { job } = await apply(id, b, 2, outputsOf({ app: "1" }));
    expect(job.variables).toMatchObject([{ key: "net", value: "2" }]);
    await work();
    const skipped = runIn(await read(id), c);
    expect(skipped).toMatchObject({ status: "SKIPPED" });
    expect(skipped?.["reason"]).toBe("Nothing that it takes from workspaces upstream has changed: the output app.");
    expect(await changesetsWith(c)).toEqual([id]);
  });

  it("names the run whose outputs changed for one behind another", async () => {
    const [a, b, c] = await settledChain();
    await deploy(a, 2, outputsOf({ net: "2" }));
    await work();
    const [id = ""] = await changesetsWith(b);
    await apply(id, b, 2, outputsOf({ app: "2" }));
    await work();
    const now = await read(id);
    expect(runIn(now, c)).toMatchObject({
      status: "READY",
      cause: { changedOutputs: ["app"], upstream: { id: runIn(now, b)?.id } },
    });
  });

  it("starts nothing where no output has another value", async () => {
    const [a, b] = await settledChain();
    await deploy(a, 2, outputsOf({ net: "1", more: "x" }));
    await work();
    expect(await changesetsWith(b)).toEqual([]);
  });

  it("starts runs once, though two servers look and one dies", async () => {
    const [a, b] = await settledChain();
    await using second = await scene.server.second();
    await deploy(a, 2, outputsOf({ net: "2" }));
    const dying = {
      ...scene.server.deps,
      reportError: () => undefined,
      database: {
        ...scene.server.deps.database,
        transaction: ((todo, rights) =>
          scene.server.deps.database.transaction(async (tx) => {
            await todo(tx);
            throw new Error("The server died.");
          }, rights)) as typeof scene.server.deps.database.transaction,
      },
    };
    await work(dying);
    expect(await changesetsWith(b)).toEqual([]);
    await Promise.all([work(), work(second.deps)]);
    await work();
    expect(await changesetsWith(b)).toHaveLength(1);
    const [id = ""] = await changesetsWith(b);
    expect(runsOf(await read(id))).toHaveLength(2);
  });

  it("leaves it to a run that is queued, which gets the outputs when it is admitted", async () => {
    const [a, b] = await settledChain();
    const holding = await scene.createRun(b);
    const queued = await scene.createRun(b);
    await deploy(a, 2, outputsOf({ net: "2" }));
    await work();
    expect(await changesetsWith(b)).toEqual([]);
    await (await scene.claim(holding)).plan({ hasChanges: false });
    expect((await scene.claim(queued)).job.variables).toMatchObject([{ value: "2" }]);
  });

  it("follows the trigger of the dependency", async () => {
    const [a = "", always = "", never = ""] = await workspaces(3);
    await setDependencies(always, [{ upstreamId: a, trigger: "ALWAYS" }]);
    await setDependencies(never, taking(a, "net", "NEVER"));
    await deploy(a, 1, outputsOf({ net: "1" }));
    await work();
    const [id = ""] = await changesetsWith(always);
    expect(runIn(await read(id), always)).toMatchObject({ status: "READY", cause: { changedOutputs: [] } });
    expect(await changesetsWith(never)).toEqual([]);
  });

  it("does not deploy a workspace anew that was destroyed", async () => {
    const [a, b] = await settledChain();
    const runId = await scene.createRun(b, { kind: "DESTROY" });
    await applyRun(runId, 2);
    expect((await scene.run(runId, "outcome")).outcome).toBe("DESTROYED");
    await deploy(a, 2, outputsOf({ net: "2" }));
    await work();
    expect(await changesetsWith(b)).toEqual([]);
  });

  it("does not skip one whose own source has changed", async () => {
    const [a, b, c] = await settledChain();
    const path = await scene.server.makeSource("changed", { "main.tf": 'resource "terraform_data" "b" {}' });
    const update = `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename } }`;
    await scene.api.ask(update, { input: { workspaceId: c, source: { directory: { path } } } });
    await deploy(a, 2, outputsOf({ net: "2" }));
    await work();
    const [id = ""] = await changesetsWith(b);
    await apply(id, b, 2, outputsOf({ app: "1" }));
    await work();
    expect(runIn(await read(id), c)?.status).toBe("READY");
  });

  it("counts those who requested its run as those who requested the others", async () => {
    const [a, b] = await settledChain();
    const runId = await deploy(a, 2, outputsOf({ net: "2" }));
    await work();
    const [id = ""] = await changesetsWith(b);
    const [upstream] = await scene.rows("select created_by from run where id = $1", runId);
    const [run] = await scene.rows("select requested_by from run where id = $1", runIn(await read(id), b)?.id);
    expect(run?.["requested_by"]).toEqual([upstream?.["created_by"]]);
  });

  it("starts those that are no members of its own changeset", async () => {
    const [a, b] = await settledChain();
    const [row] = await scene.rows("select organization_id from workspace where id = $1", a);
    const input = { organizationId: row?.["organization_id"], title: "One", workspaceIds: [a] };
    const create = `mutation ($input: CreateChangesetInput!) { done: createChangeset(input: $input) {
      ... on CreateChangesetSuccess { changeset { id } } } }`;
    const { changeset } = (await scene.api.ask(create, { input })).done;
    await work();
    await apply(changeset.id, a, 2, outputsOf({ net: "2" }));
    await work();
    expect(await changesetsWith(b)).toHaveLength(1);
  });
});

describe("an expired workspace", () => {
  it("is neither destroyed nor deleted while others depend on it", async () => {
    const [a = "", b = ""] = await workspaces(2);
    await setDependencies(b, [a]);
    const expiry = { expiresAt: "2020-01-01T00:00:00.000Z", setById: "", reminded: 2, tries: 0, triedAt: null };
    await scene.rows(
      "update workspace set expires_at = $2, expiry = $3, expiry_due_at = $2 where id = $1",
      a,
      expiry.expiresAt,
      JSON.stringify(expiry),
    );
    await expireWorkspaces(scene.server.deps);
    const problem = async (): Promise<Data> => {
      const query = "query ($id: ID!) { workspace(by: { id: $id }) { expiryProblem } }";
      return (await scene.api.ask(query, { id: a })).workspace;
    };
    expect((await problem()).expiryProblem).toContain("a workspace depends on it");
    await setDependencies(b, []);
    await scene.rows("update workspace set expiry_due_at = $2 where id = $1", a, expiry.expiresAt);
    await expireWorkspaces(scene.server.deps);
    expect(await problem()).toBeNull();
  });
});
