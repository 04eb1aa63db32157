import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, openScene, type Place, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const ENDED: Place[] = ["FINISHED", "FAILED", "REJECTED", "DISCARDED", "CANCELED", "STOPPED"];

describe("retryRun", () => {
  it.each(walk(ENDED, 2))("makes a new run of one that ended %s", async (place) => {
    const { runId } = await scene.reach(place);
    const before = await scene.run(runId);
    expect(before.actions).toContainEqual({ action: "RETRY", allowed: true, code: null, reason: null });
    const { run } = await scene.send("retryRun", { runId }, scene.api, EVERY_PART);
    expect(run).toMatchObject({
      number: before.number + 1,
      status: "READY",
      trigger: "RETRY",
      kind: "DEPLOY",
      origin: { id: runId },
      revision: before.revision,
      plan: null,
    });
    expect(await scene.run(runId)).toEqual(before);
  });

  it("takes the very source and options of the old run, and the variables of now", async () => {
    const path = await scene.server.makeSource("retried", { "main.tf": "# as it was" });
    const workspaceId = await scene.createWorkspace({ source: { directory: { path } } });
    const options = { kind: "PLAN", targets: ["terraform_data.a"], refreshOnly: true, message: "why" };
    const runId = await scene.createRun(workspaceId, options);
    const old = await scene.claim(runId);
    await old.plan();
    const source = (await old.request("GET", "source")).status;
    expect(source).toBe(410);
    await writeFile(join(path, "main.tf"), "# changed");
    await scene.send("setVariable", { workspaceId, key: "size", value: "2" });
    const { run } = await scene.send(
      "retryRun",
      { runId },
      await scene.login("WRITER", { actor: "MACHINE" }),
      EVERY_PART,
    );
    expect(run).toMatchObject({ ...options, trigger: "RETRY", createdBy: { __typename: "MachineUser" } });
    const job = await scene.claim(run.id);
    expect(job.job).toMatchObject({
      source: old.job.source,
      targets: options.targets,
      refreshOnly: true,
      variables: [{ key: "size", value: "2" }],
    });
  });

  it.each(walk(["QUEUED", "READY", "PLANNING", "AWAITING_PLAN_APPROVAL", "CONFIRMED", "APPLYING"] as const, 2))(
    "refuses one that is %s",
    async (place) => {
      const { runId } = await scene.reach(place);
      const before = await scene.run(runId);
      const retry = before.actions.find(({ action }: Data) => action === "RETRY");
      expect(retry).toMatchObject({ allowed: false, code: "RUN_STATE_CONFLICT" });
      const answer = await scene.send("retryRun", { runId });
      expect(answer).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId, status: before.status } });
      expect(answer.message).toBe(retry.reason);
      expect(await scene.run(runId)).toEqual(before);
    },
  );

  it("is no reader's, and not of what does not exist", async () => {
    const { runId } = await scene.reach("CANCELED");
    expect((await scene.send("retryRun", { runId }, await scene.login("READER"))).code).toBe("FORBIDDEN");
    expect((await scene.send("retryRun", { runId: "run_1" })).code).toBe("NOT_FOUND");
  });
});
