/** All actions of a plan, and what applying them leaves. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { changesOf, counts, data, type Holdpoint, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

/** Values that are only known to some of the expectations are left to them. */
const change = (plan: Data, address: string): Data =>
  plan.resourceChanges.edges.map(({ node }: Data) => node).find((node: Data) => node.address === address);

describe.concurrent("changes", { timeout: PATIENCE_MS }, () => {
  it("updates, replaces in both orders, deletes, imports and forgets; then destroys, and deploys again", async () => {
    const first = "lifecycle { create_before_destroy = true }";
    const before =
      data("updated", "input = 1") +
      data("deleted") +
      data("replaced", "triggers_replace = 1") +
      data("first", `triggers_replace = 1\n${first}`) +
      data("forgotten");
    const workspace = await holdpoint.workspace("change", { "main.tf": before });
    await workspace.deploy();

    await workspace.write({
      "main.tf": `${data("updated", "input = 2")}${data("replaced", "triggers_replace = 2")}
        ${data("first", `triggers_replace = 2\n${first}`)}
        import {
          to = terraform_data.imported
          id = "already-there"
        }
        ${data("imported")}
        removed {
          from = terraform_data.forgotten
          lifecycle { destroy = false }
        }`,
    });
    const run = await workspace.plan();
    const [plan] = run.plans;
    expect(plan).toMatchObject(counts({ changes: 1, destructions: 1, replacements: 2, imports: 1, forgets: 1 }));
    expect(changesOf(plan).slice(0, 3)).toEqual([
      ["terraform_data.deleted", "DELETE"],
      ["terraform_data.first", "REPLACE"],
      ["terraform_data.replaced", "REPLACE"],
    ]);
    expect(Object.fromEntries(changesOf(plan).slice(3))).toEqual({
      "terraform_data.forgotten": "FORGET",
      "terraform_data.imported": "NO_OP",
      "terraform_data.updated": "UPDATE",
    });
    expect(change(plan, "terraform_data.first").createBeforeDestroy).toBe(true);
    expect(change(plan, "terraform_data.replaced").createBeforeDestroy).toBe(false);
    expect(change(plan, "terraform_data.deleted").createBeforeDestroy).toBeNull();
    expect(change(plan, "terraform_data.imported").imported).toBe(true);
    expect(change(plan, "terraform_data.updated")).toMatchObject({ before: { input: 1 }, after: { input: 2 } });
    const filtered = await workspace.api.ask(
      `query ($id: ID!) { run(id: $id) { plan { resourceChanges(actions: [REPLACE]) { edges { node { name } } } } } }`,
      { id: run.id },
    );
    expect(filtered.run.plan.resourceChanges.edges.map(({ node }: Data) => node.name)).toEqual(["first", "replaced"]);
    expect((await workspace.finish(run.id)).outcome).toBe("APPLIED");

    const destroying = await workspace.plan({ kind: "DESTROY" });
    expect(destroying.plans[0]).toMatchObject(counts({ destructions: 4 }));
    expect(destroying.warnings.join()).toContain("4");
    const destroyed = await workspace.finish(destroying.id);
    expect(destroyed).toMatchObject({ outcome: "DESTROYED", leg: "DESTROY" });
    expect(destroyed.phases.at(-1)).toEqual({ kind: "DESTROY", attempt: 1, status: "PASSED" });
    expect(await workspace.read()).toMatchObject({ deploymentStatus: "DESTROYED", stateLock: null, outputs: [] });

    const again = await workspace.plan();
    expect(again.plans[0]).toMatchObject(counts({ additions: 3, imports: 1 }));
    await workspace.finish(again.id);
    expect((await workspace.read()).deploymentStatus).toBe("RUNNING");
  });
});
