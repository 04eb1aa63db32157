/** Applies that end badly, and configurations that cannot be planned. */
import { beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../../support/api.ts";
import { unlock } from "../../support/run-steps.ts";
import { changesOf, counts, data, type Holdpoint, provisioner, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

/** Goes through one after the other, whatever the engine would rather do at once. */
const chain = (command: string): string =>
  data("first") +
  data("second", `depends_on = [terraform_data.first]\n${provisioner(command)}`) +
  data("third", "depends_on = [terraform_data.second]");

describe.concurrent("failures", { timeout: PATIENCE_MS }, () => {
  it("says what a failed apply did, and plans the rest alone when the source is repaired", async () => {
    const workspace = await holdpoint.workspace("partial", {
      "main.tf": chain("echo the disk is full; exit 7"),
    });
    const planned = await workspace.plan();
    const failed = await workspace.finish(planned.id, 1, "FAILED");
    expect(failed).toMatchObject({ leg: "APPLY", outcome: null, isTerminal: true, requiredAction: "FIX_AND_RERUN" });
    expect(failed.failure).toMatchObject({
      code: "APPLY_PARTIAL",
      stage: "APPLY",
      category: "INFRASTRUCTURE_FAILURE",
      summary: "terraform_data.second: local-exec provisioner error",
      appliedAddresses: ["terraform_data.first"],
      stateUncertain: false,
      retryable: false,
    });
    expect(failed.failure?.message).toMatch(/on main\.tf line \d+, in resource "terraform_data" "second"/);
    expect(failed.failure?.message).toContain("exit status 7. Output: the disk is full");
    expect(failed.failure?.evidence).toContain("terraform_data.second (local-exec): the disk is full");
    expect(failed.failure?.evidence.length).toBeLessThanOrEqual(6);
    expect(failed.phases.at(-1)).toEqual({ kind: "APPLY", attempt: 1, status: "FAILED" });
    expect(await workspace.read()).toMatchObject({
      deploymentStatus: "FAILED",
      lock: null,
      stateLock: null,
      currentRun: null,
    });

    await workspace.write({ "main.tf": chain("echo there is room again") });
    const rest = await workspace.plan();
    expect(rest.revision).not.toBe(planned.revision);
    // The one whose provisioner failed exists, but is tainted: it is made anew.
    expect(changesOf(rest.plans[0])).toEqual([
      ["terraform_data.second", "REPLACE"],
      ["terraform_data.third", "CREATE"],
    ]);
    expect(rest.plans[0]).toMatchObject(counts({ additions: 1, replacements: 1 }));
    expect((await workspace.finish(rest.id)).outcome).toBe("APPLIED");
    expect((await workspace.read()).deploymentStatus).toBe("RUNNING");
    expect((await workspace.runToEnd()).outcome).toBe("NO_CHANGES");
  });

  it("says so when an apply did nothing, and when a destroy failed", async () => {
    const workspace = await holdpoint.workspace("nothing", { "main.tf": data("only", provisioner("exit 1")) });
    const failed = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(failed.failure).toMatchObject({ code: "APPLY_FAILED", appliedAddresses: [] });

    const onDestroy = 'provisioner "local-exec" {\n when = destroy\n command = "exit 1"\n}';
    await workspace.write({ "main.tf": data("only", onDestroy) });
    await workspace.deploy();
    const kept = await workspace.finish((await workspace.plan({ kind: "DESTROY" })).id, 1, "FAILED");
    expect(kept).toMatchObject({ leg: "DESTROY", failure: { code: "DESTROY_FAILED", stage: "APPLY" } });
    expect(await workspace.read()).toMatchObject({ deploymentStatus: "FAILED", lock: null, stateLock: null });
  });

  it("locks the workspace when the engine was killed in an apply, until somebody says what it did", async () => {
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("killed", { "main.tf": chain("kill -9 $PPID") });
    const failed = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(failed.failure).toMatchObject({ stateUncertain: true, appliedAddresses: ["terraform_data.first"] });
    expect(await workspace.read()).toMatchObject({
      lock: { reason: "APPLY_INTERRUPTED" },
      stateLock: { id: expect.any(String) },
      currentRun: null,
      deploymentStatus: "FAILED",
    });

    await workspace.write({ "main.tf": chain("echo fine") });
    const waiting = await workspace.createRun();
    expect(await workspace.run(waiting)).toMatchObject({
      status: "QUEUED",
      requiredAction: "RELEASE_LOCK",
      blockers: [{ kind: "WORKSPACE_LOCKED" }],
    });
    expect(await unlock(api, workspace.id, false)).toMatchObject({
      code: "WORKSPACE_LOCKED",
      lock: { reason: "APPLY_INTERRUPTED" },
    });
    expect(await unlock(api, workspace.id, true)).toMatchObject({ workspace: { lock: null, stateLock: null } });
    await waitForStatus(api, waiting, "AWAITING_PLAN_APPROVAL");
    expect((await workspace.finish(waiting)).outcome).toBe("APPLIED");
  });

  it("ends an apply that takes too long, whose engine saves its state", async () => {
    const workspace = await holdpoint.workspace("endless", { "main.tf": chain("while :; do sleep 1; done") });
    // A server that has just begun waits for a lease before it ends anything.
    const limit = `mutation ($id: ID!) { updateWorkspace(input: { workspaceId: $id,
      limits: { applySeconds: 15, leaseSeconds: 15 } }) { __typename } }`;
    const { updateWorkspace } = await holdpoint.api.ask(limit, { id: workspace.id });
    expect(updateWorkspace).toEqual({ __typename: "UpdateWorkspaceSuccess" });
    const ended = await workspace.finish((await workspace.plan()).id, 1, "TIMED_OUT");
    const failure = { code: "RUN_TIMED_OUT", stage: "APPLY", appliedAddresses: ["terraform_data.first"] };
    expect(ended).toMatchObject({ leg: "APPLY", failure: { ...failure, stateUncertain: false } });
    expect(await workspace.read()).toMatchObject({ lock: null, stateLock: null, currentRun: null });
    await workspace.write({ "main.tf": chain("echo done") });
    const rest = await workspace.plan();
    expect(changesOf(rest.plans[0])).toContainEqual(["terraform_data.second", "REPLACE"]);
  });

  it("names file and line of what cannot be parsed, evaluated or found", async () => {
    const workspace = await holdpoint.workspace("broken", {
      "main.tf": data("fine"),
      "broken.tf": 'resource "terraform_data" "a" {\n  input = \n}\n',
    });
    const unparsed = await workspace.runToEnd({}, "FAILED");
    expect(unparsed.failure).toMatchObject({ code: "INIT_FAILED", stage: "INIT", category: "CONFIGURATION_FAILURE" });
    expect(unparsed.failure?.message).toContain("broken.tf line 2");
    expect(unparsed.plans).toEqual([]);
    expect(unparsed.phases.at(-1)).toEqual({ kind: "INIT", attempt: 1, status: "FAILED" });

    await workspace.write({ "main.tf": 'resource "terraform_data" "a" {\n\n  input = file("nowhere.txt")\n}\n' });
    const unplanned = await workspace.runToEnd({}, "FAILED");
    expect(unplanned.failure).toMatchObject({ code: "PLAN_FAILED", stage: "PLAN", category: "CONFIGURATION_FAILURE" });
    expect(unplanned.failure?.message).toContain("on main.tf line 3");
    expect(unplanned.failure?.evidence.length).toBeGreaterThan(0);
    expect(await workspace.read()).toMatchObject({ deploymentStatus: "FAILED", stateLock: null, currentRun: null });
  });

  it("ends a run whose provider cannot be fetched in bounded time", async () => {
    const workspace = await holdpoint.workspace("provider", {
      "main.tf": 'terraform {\n required_providers {\n x = { source = "example.invalid/x/y" }\n }\n}\n',
    });
    const id = await workspace.createRun();
    const { failure } = await waitForStatus(holdpoint.api, id, "FAILED");
    expect(failure).toMatchObject({
      code: "INFRASTRUCTURE_NETWORK_FAILURE",
      reason: "REGISTRY_UNREACHABLE",
      stage: "SETUP",
      retryable: true,
    });
    expect(failure?.message).toContain("example.invalid/x/y");
  });
});
