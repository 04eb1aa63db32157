/** Commands in a prepared workspace, and locks that are broken: with a real engine. */
import { rm } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type Data, waitForStatus } from "../../support/api.ts";
import { liveProcesses } from "../../support/live-processes.ts";
import { approve, approveBoth, holdsOf, tryCommand } from "../../support/run-steps.ts";
import { data, type Holdpoint, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";
import { ENDLESS, endlessApply } from "../../e2e/terraform/endless-apply.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

async function perform(workspace: TestWorkspace, text: string, end: "FINISHED" | "FAILED" = "FINISHED") {
  const runId = await workspace.createRun({ kind: "TASK", command: text });
  await waitForStatus(holdpoint.api, runId, "AWAITING_APPLY_APPROVAL");
  await approve(holdpoint.api, runId, "APPLY", 0);
  await waitForStatus(holdpoint.api, runId, end);
  const lines = await workspace.log(runId);
  const log = lines.filter(({ phase }: Data) => phase === "PERFORM").map(({ text: line }: Data) => line);
  return { run: await workspace.run(runId), log };
}

describe.concurrent("a task", () => {
  it("takes a resource out of the state; the next plan makes it again", async () => {
    const workspace = await holdpoint.workspace("tasks", {
      "main.tf": `${data("a")}${data("b")}
        output "shown" { value = "plain" }
        output "secret" {
          value     = "output-canary"
          sensitive = true
        }`,
    });
    await workspace.update({ tasksAllowed: true });
    await workspace.setVariable({ key: "KEY", value: "variable-canary", category: "ENVIRONMENT", sensitive: true });
    await workspace.deploy();
    const removed = await perform(workspace, "terraform state rm terraform_data.a && terraform state list");
    expect(removed.run).toMatchObject({ kind: "TASK", outcome: "PERFORMED", leg: "TASK", failure: null });
    expect(removed.log).toContain("terraform_data.b");
    expect(removed.log).not.toContain("terraform_data.a");
    const shown = await perform(workspace, 'terraform output -raw shown; terraform output -raw secret; echo " $KEY"');
    expect(shown.log.join("\n")).toContain("plain");
    expect(shown.log.join("\n")).not.toContain("canary");
    expect(await workspace.read()).toMatchObject({ lock: null, stateLock: null, currentRun: null });
    const next = await workspace.plan();
    expect(next.plans[0]).toMatchObject({ additions: 1, text: expect.stringContaining("terraform_data.a") });
  });

  it("that fails is a failure, and the workspace is as it was", async () => {
    const workspace = await holdpoint.workspace("failing-task", { "main.tf": data("a") });
    await workspace.update({ tasksAllowed: true });
    const { run } = await perform(workspace, "terraform state rm terraform_data.nothing", "FAILED");
    expect(run.failure).toMatchObject({ code: "TASK_FAILED", stage: "DEPLOY", stateUncertain: false });
    expect(run.failure?.evidence.join("\n")).toMatch(/No state file was found/);
    expect(await workspace.read()).toMatchObject({ lock: null, stateLock: null, currentRun: null });
  });
});

it("an UNLOCK frees a workspace whose runner was killed in an apply", async () => {
  const { api, server } = holdpoint;
  const workspace = await holdpoint.workspace("lost-runner", ENDLESS);
  await workspace.update({ limits: { leaseSeconds: 10 } });
  const lost = await endlessApply(api, workspace);
  expect(await tryCommand(api, "cancelRun", { runId: lost })).toMatchObject({ code: "RUN_STATE_CONFLICT" });
  const runner = liveProcesses(server.dataDir, server.pid).find(({ command: line }) =>
    line.includes("runner/embedded"),
  );
  if (runner === undefined) throw new Error("There is no runner.");
  process.kill(runner.pid, "SIGKILL");
  expect((await waitForStatus(api, lost, "FAILED")).failure).toMatchObject({ code: "RUNNER_LOST" });
  const held = await holdsOf(api, workspace.id);
  expect(held).toMatchObject({
    lock: { reason: "APPLY_INTERRUPTED", run: { id: lost } },
    stateLock: expect.anything(),
  });

  // Its source is gone by now, which is no reason.
  await workspace.write({ "main.tf": data("first") });
  const waiting = await workspace.createRun();
  await rm(workspace.path, { recursive: true });
  const unlock = await workspace.runToEnd({ kind: "UNLOCK" });
  expect(unlock).toMatchObject({ outcome: "UNLOCKED", reason: expect.stringMatching(/^Broken: State lock /) });
  const log = (await workspace.log(unlock.id)).map(({ text }: Data) => text);
  expect(log).toContainEqual(expect.stringMatching(/^State lock \S+: held by \S*@\S+, operation "OperationTypeApply"/));
  expect(log).toContainEqual(expect.stringMatching(/^Workspace lock APPLY_INTERRUPTED: since /));
  await approveBoth(api, waiting);
  expect(await waitForStatus(api, waiting, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
  expect(await holdsOf(api, workspace.id)).toEqual({ lock: null, stateLock: null, currentRun: null });
});
