/** Targets that an engine finds, and those that it passes over in silence. */
import { beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../../support/api.ts";
import { command, tryCommand } from "../../support/run-steps.ts";
import { changesOf, data, type Holdpoint, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const FILES = {
  "main.tf": `
    ${data("base", "input = 1")}
    ${data("each", "for_each = { x = 1, y = 2 }\ninput = terraform_data.base.output")}
    ${data("none", "count = 0")}
    module "many" {
      source   = "./inner"
      for_each = toset(["k"])
    }
    data "terraform_remote_state" "read" {
      backend = "local"
      config  = { path = "\${path.module}/other.json" }
    }`,
  "inner/main.tf": data("in"),
  "other.json": JSON.stringify({ version: 4, serial: 1, lineage: "other", outputs: {}, resources: [] }),
};
const MISSING = [
  "terraform_data.nope",
  'terraform_data.each["z"]',
  "terraform_data.none",
  "data.terraform_remote_state.nope",
  "module.nope",
  'module.many["l"]',
  // An engine wants the key.
  "module.many.terraform_data.in",
];
const BASE = ["terraform_data.base", "CREATE"];

describe.concurrent("a target that matches nothing", { timeout: PATIENCE_MS }, () => {
  it("is refused by a replan, and the run waits as before; what matches is planned", async () => {
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("targets", FILES);
    const { id: runId } = await workspace.plan();
    await command(api, "approveRun", { runId, gate: "PLAN", planVersion: 1 });
    const before = await workspace.run(runId);
    expect(before.status).toBe("AWAITING_APPLY_APPROVAL");
    for (const target of MISSING) {
      const targets = ["terraform_data.base", target];
      expect(await tryCommand(api, "replanRun", { runId, planVersion: 1, targets })).toMatchObject({
        code: "INVALID_INPUT",
        issues: [{ path: ["targets", "1"], message: expect.stringContaining(target) }],
      });
    }
    expect(await workspace.run(runId)).toEqual(before);

    const targets = ['terraform_data.each["y"]', "module.many", "data.terraform_remote_state.read"];
    await command(api, "replanRun", { runId, planVersion: 1, targets });
    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
    expect(changesOf((await workspace.run(runId)).plans[1])).toEqual([
      BASE,
      ['terraform_data.each["y"]', "CREATE"],
      ['module.many["k"].terraform_data.in', "CREATE"],
    ]);
  });

  it("fails a new run by its name, and one that only matches a data source does not", async () => {
    const workspace = await holdpoint.workspace("new-targets", FILES);
    const targets = ["terraform_data.base", ...MISSING];
    const { failure } = await workspace.runToEnd({ targets }, "FAILED");
    expect(failure).toMatchObject({
      code: "TARGET_NOT_FOUND",
      stage: "PLAN",
      summary: `Nothing matches the targets ${MISSING.join(", ")}.`,
      retryable: false,
    });
    const read = await workspace.runToEnd({ targets: ["data.terraform_remote_state.read"] });
    expect(read.outcome).toBe("NO_CHANGES");
    const destroy = await workspace.runToEnd({ kind: "DESTROY", targets: ["terraform_data.base"] }, "FAILED");
    expect(destroy.failure?.summary).toBe("Nothing matches the target terraform_data.base.");
  });

  it("brings a replan back to its gate where only the engine can tell", async () => {
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("few-targets", FILES);
    const { id: runId } = await workspace.plan({ targets: ["terraform_data.base"] });
    await command(api, "replanRun", { runId, planVersion: 1, targets: ['terraform_data.each["z"]'] });
    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
    const kept = await workspace.run(runId);
    expect(kept).toMatchObject({
      targets: ["terraform_data.base"],
      plan: { version: 1, isCurrent: true },
      failure: null,
    });
    await command(api, "replanRun", { runId, planVersion: 1, targets: ['terraform_data.each["x"]'] });
    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
    const { plans } = await workspace.run(runId);
    expect(plans.map(({ version }) => version)).toEqual([1, 2]);
    expect(changesOf(plans[1])).toEqual([BASE, ['terraform_data.each["x"]', "CREATE"]]);
    expect((await workspace.finish(runId, 2)).outcome).toBe("APPLIED");
  });
});
