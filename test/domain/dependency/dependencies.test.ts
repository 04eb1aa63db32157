/** Dependencies between workspaces, and the order that they give to the runs of a changeset. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { Data } from "../../support/api.ts";
import { addMachine } from "../../support/machine.ts";
import { openScene, type Scene } from "../scene.ts";
import { chainSteps, runIn, runsOf } from "./chain.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const { work, setDependencies, workspaces, chain, open, read, apply } = chainSteps(() => scene);

describe("setWorkspaceDependencies", () => {
  it("replaces what a workspace depends on, and shows both sides", async () => {
    const [a = "", b = "", c = ""] = await workspaces(3);
    await setDependencies(c, [a]);
    const { workspace } = await setDependencies(c, [b]);
    expect(workspace.dependencies).toEqual([
      { upstream: { id: b }, downstream: { id: c }, trigger: "OUTPUTS_CHANGED", outputs: [] },
    ]);
    expect(workspace.dependents).toEqual([]);
    const other = await setDependencies(b, [a]);
    expect(other.workspace.dependents).toEqual([{ downstream: { id: c } }]);
    expect((await setDependencies(c, [])).workspace.dependencies).toEqual([]);
  });

  it("refuses a cycle, and names the way", async () => {
    const [a = "", b = "", c = ""] = await chain(3);
    const answer = await setDependencies(a, [c]);
    expect(answer).toMatchObject({ code: "DEPENDENCY_CYCLE", cycle: [{ id: a }, { id: c }, { id: b }, { id: a }] });
    expect((await setDependencies(b, [a])).workspace.dependencies).toHaveLength(1);
    expect(await scene.rows("select 1 from workspace_dependency where downstream_id = $1", a)).toEqual([]);
  });

  it("refuses a cycle that two make at once", async () => {
    await using second = await scene.server.second();
    for (let round = 0; round < 5; round++) {
      const [a = "", b = ""] = await workspaces(2);
      const { domain } = scene.server;
      const caller = await callerOf(scene);
      const results = await Promise.allSettled([
        domain.setWorkspaceDependencies(caller, { workspaceId: a, dependencies: [orderAfter(b)] }),
        second.domain.setWorkspaceDependencies(caller, { workspaceId: b, dependencies: [orderAfter(a)] }),
      ]);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });

  it("takes other workspaces of the organization that the caller sees", async () => {
    const [a = "", b = ""] = await workspaces(2);
    const wrong = { issues: [{ path: ["dependencies", "0", "upstreamId"] }] };
    expect(await setDependencies(a, [a])).toMatchObject(wrong);
    expect(await setDependencies(a, ["ws_0000000000000000000000zzzz"])).toMatchObject(wrong);
    expect(await setDependencies(a, ["nothing"])).toMatchObject(wrong);
    const writer = await addMachine(scene.server.url, scene.api, ["ADMIN", a]);
    expect(await setDependencies(a, [b], writer)).toMatchObject(wrong);
    expect(await setDependencies(a, [b, b])).toMatchObject({ issues: [{ path: ["dependencies"] }] });
    const many = Array.from({ length: LIMITS.dependenciesPerWorkspace + 1 }, (_, i) => `ws_${i}`);
    expect(await setDependencies(a, many)).toMatchObject({ issues: [{ path: ["dependencies"] }] });
    await setDependencies(a, [b]);
    const shown = await writer.ask(
      "query ($id: ID!) { workspace(by: { id: $id }) { dependencies { upstream { id } } } }",
      {
        id: a,
      },
    );
    expect(shown.workspace.dependencies).toEqual([]);
    // What it does not see, it does not change.
    await setDependencies(a, [], writer);
    expect(await scene.rows("select 1 from workspace_dependency where downstream_id = $1", a)).toHaveLength(1);
  });

  it("keeps a workspace that others depend on", async () => {
    const [a = "", b = ""] = await chain(2);
    expect(await scene.send("deleteWorkspace", { workspaceId: a })).toMatchObject({ code: "INVALID_INPUT" });
    await setDependencies(b, []);
    expect(await scene.send("deleteWorkspace", { workspaceId: a })).toMatchObject({ deletedId: a });
  });
});

const orderAfter = (upstreamId: string) => ({ upstreamId, trigger: "OUTPUTS_CHANGED", outputs: [] }) as const;

async function callerOf({ server, api }: Scene) {
  const caller = await server.domain.authenticate(api.token, () => "127.0.0.1");
  if (caller === null) throw new Error("The token of the administrator is in force.");
  return caller;
}

describe("the runs of a changeset", () => {
  it("come in the order of a chain of five, each when the one before it was applied", async () => {
    const ids = await chain(5);
    const id = await open(ids.toReversed());
    for (const [index, workspaceId] of ids.entries()) {
      await work();
      const now = await read(id);
      const waiting = ids.slice(index + 1).map((one) => runIn(now, one));
      expect(runIn(now, workspaceId)?.status).toBe("READY");
      expect(waiting.map((run) => run?.["status"])).toEqual(waiting.map(() => "QUEUED"));
      const upstream = runIn(now, workspaceId)?.id;
      if (waiting[0] !== undefined) {
        expect(waiting[0]["blockers"]).toMatchObject([{ kind: "UPSTREAM_RUN", run: { id: upstream } }]);
      }
      expect(now.waves.map(({ total }: Data) => total)).toEqual([1, 1, 1, 1, 1]);
      await apply(id, workspaceId);
    }
    await work();
    expect(await read(id)).toMatchObject({ state: "APPLIED", counts: { applied: 5 } });
  });

  it("come in reverse for a destroy", async () => {
    const [a = "", b = ""] = await chain(2);
    const id = await open([a, b], { kind: "DESTROY" });
    await work();
    const now = await read(id);
    expect([runIn(now, b)?.status, runIn(now, a)?.status]).toEqual(["READY", "QUEUED"]);
  });

  it("all begin at once where they only plan", async () => {
    const ids = await chain(3);
    const id = await open(ids, { kind: "PLAN" });
    await work();
    expect(runsOf(await read(id)).map(({ status }) => status)).toEqual(["READY", "READY", "READY"]);
  });

  it("include dependents where that is asked for", async () => {
    const [a = ""] = await chain(3);
    expect((await read(await open([a]))).counts.workspaces).toBe(1);
    expect((await read(await open([a], { withDependents: true }))).counts.workspaces).toBe(3);
  });

  it("go on behind a run without changes", async () => {
    const [a = "", b = ""] = await chain(2);
    const id = await open([a, b]);
    await work();
    await (await scene.claim(runIn(await read(id), a)?.id)).plan({ hasChanges: false });
    await work();
    expect(runIn(await read(id), b)?.status).toBe("READY");
  });

  it("fail behind one that was not applied, in its branch alone, and continue with its retry", async () => {
    const [root = "", left = "", right = "", leaf = ""] = await workspaces(4);
    await setDependencies(left, [root]);
    await setDependencies(right, [root]);
    await setDependencies(leaf, [left]);
    const id = await open([root, left, right, leaf]);
    await work();
    await apply(id, root);
    await work();
    const runId: string = runIn(await read(id), left)?.id;
    await (await scene.claim(runId)).plan();
    await scene.send("discardRun", { runId });
    await work();
    const failed = runIn(await read(id), leaf);
    expect(failed).toMatchObject({
      status: "FAILED",
      failure: { code: "DEPENDENCY_FAILED", upstreams: [{ id: left }] },
    });
    const { name } = await scene.workspace(left);
    expect(JSON.stringify(failed)).not.toContain(name);
    await apply(id, right);
    expect(await read(id)).toMatchObject({ state: "PARTLY_APPLIED" });
    await scene.send("retryRun", { runId });
    await work();
    await apply(id, left);
    await work();
    await apply(id, leaf);
    expect(await read(id)).toMatchObject({ state: "APPLIED", counts: { applied: 4, failed: 0 } });
  });

  it("follow one that failed all the same where the dependency never starts runs", async () => {
    const [a = "", b = ""] = await chain(2, { trigger: "NEVER" });
    const id = await open([a, b]);
    await work();
    expect(runIn(await read(id), b)?.status).toBe("QUEUED");
    await scene.send("cancelRun", { runId: runIn(await read(id), a)?.id });
    await work();
    expect(runIn(await read(id), b)?.status).toBe("READY");
  });

  it("are all cancelled where the changeset is discarded", async () => {
    const ids = await chain(2);
    const id = await open(ids);
    await work();
    await scene.rows("update changeset set discarded_at = now(), due = true where id = $1", id);
    await scene.send("cancelRun", { runId: runIn(await read(id), ids[0] ?? "")?.id });
    await work();
    expect(runsOf(await read(id)).map(({ status }) => status)).toEqual(["CANCELED", "CANCELED"]);
  });

  it("do not block a run of a person in a workspace that waits", async () => {
    const [a = "", b = ""] = await chain(2);
    const id = await open([a, b]);
    await work();
    const runId = await scene.createRun(b);
    expect((await scene.run(runId, "status")).status).toBe("READY");
    const waiting = runIn(await read(id), b);
    expect(waiting?.["blockers"].map(({ kind }: Data) => kind)).toEqual(["UPSTREAM_RUN", "WORKSPACE_BUSY"]);
  });

  it("come to the same end where a server dies at any step", async () => {
    const [root = "", middle = "", leaf = ""] = await chain(3);
    for (let step = 1; step <= 4; step++) {
      const id = await open([root, middle, leaf]);
      for (const workspaceId of [root, middle]) {
        await work(dyingAt(step));
        await work();
        if (workspaceId === middle) {
          const runId: string = runIn(await read(id), middle)?.id;
          await scene.send("cancelRun", { runId });
        } else await apply(id, workspaceId, step);
      }
      await work(dyingAt(step));
      await work();
      const end = await read(id);
      expect([leaf, middle, root].map((one) => runIn(end, one)?.status)).toEqual(["FAILED", "CANCELED", "FINISHED"]);
    }
  });
});

/** Dependencies whose transaction of this number is rolled back at its commit. */
function dyingAt(step: number): Deps {
  const { deps } = scene.server;
  let count = 0;
  return {
    ...deps,
    reportError: () => undefined,
    database: {
      ...deps.database,
      transaction: (todo, rights) =>
        deps.database.transaction(async (tx) => {
          const result = await todo(tx);
          count += 1;
          if (count === step) throw new Error("The server died.");
          return result;
        }, rights),
    },
  };
}
