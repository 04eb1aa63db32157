/** What real plans say, and what applying them leaves. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { changesOf, counts, data, type Holdpoint, provisioner, PATIENCE_MS } from "../holdpoint.ts";
import { sharedHoldpoint } from "../shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

/** Values that are only known to some of the expectations are left to them. */
const change = (plan: Data, address: string): Data =>
  plan.resourceChanges.edges.map(({ node }: Data) => node).find((node: Data) => node.address === address);

describe.concurrent("changes", { timeout: PATIENCE_MS }, () => {
  it("creates, has nothing to do the second time, moves, and changes outputs alone", async () => {
    const outputs = `output "name" { value = terraform_data.a.output }
      output "list" { value = [1, 12345678901234567890, null, { deep = true }] }
      output "nul" { value = "a\\u0000b" }
      output "secret" {
        value     = "not-for-everybody"
        sensitive = true
      }`;
    const workspace = await holdpoint.workspace("create", {
      "main.tf":
        data("a", `input = "hello"\n${provisioner("echo made it")}`) + data("b", 'input = "nul \\u0000"') + outputs,
    });
    expect((await workspace.read()).deploymentStatus).toBe("PENDING");

    const planned = await workspace.plan();
    expect(planned).toMatchObject({ number: 1, kind: "DEPLOY", leg: "PLAN", requiredAction: "REVIEW_PLAN" });
    expect(planned.plans).toHaveLength(1);
    const [plan] = planned.plans;
    expect(plan).toMatchObject({
      ...counts({ additions: 2 }),
      version: 1,
      isCurrent: true,
      hasChanges: true,
      complete: true,
      targets: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(changesOf(plan)).toEqual([
      ["terraform_data.a", "CREATE"],
      ["terraform_data.b", "CREATE"],
    ]);
    expect(change(plan, "terraform_data.a")).toMatchObject({
      before: null,
      after: { input: "hello", id: null, output: null },
      unknownPaths: expect.arrayContaining(["id", "output"]),
    });
    expect(change(plan, "terraform_data.b").after.input).toBe("nul \ufffd");
    expect(plan?.outputChanges).toEqual([
      { name: "list", action: "CREATE", sensitive: false },
      { name: "name", action: "CREATE", sensitive: false },
      { name: "nul", action: "CREATE", sensitive: false },
      { name: "secret", action: "CREATE", sensitive: true },
    ]);
    expect(plan?.text).toContain("# terraform_data.a will be created");
    expect(plan?.text).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
    expect(await workspace.read()).toMatchObject({
      deploymentStatus: "PENDING",
      stateLock: null,
      currentRun: { id: planned.id },
      outputs: [],
    });

    const finished = await workspace.finish(planned.id);
    expect(finished).toMatchObject({ status: "FINISHED", outcome: "APPLIED", leg: "APPLY", failure: null });
    // A runner that does its work asks for nothing that it does not get.
    const query =
      "query ($id: ID!) { run(id: $id) { refusedRequests { totalCount edges { node { request message } } } } }";
    expect((await holdpoint.api.ask(query, { id: planned.id })).run.refusedRequests).toEqual({
      totalCount: 0,
      edges: [],
    });
    expect(finished.appliedAt).not.toBeNull();
    expect(finished.phases).toEqual([
      { kind: "PREPARE", attempt: 1, status: "PASSED" },
      { kind: "INIT", attempt: 1, status: "PASSED" },
      { kind: "PLAN", attempt: 1, status: "PASSED" },
      { kind: "PLAN_APPROVAL", attempt: 1, status: "PASSED" },
      { kind: "APPLY_APPROVAL", attempt: 1, status: "PASSED" },
      { kind: "PREPARE", attempt: 2, status: "PASSED" },
      { kind: "APPLY", attempt: 1, status: "PASSED" },
    ]);
    expect(await workspace.read()).toEqual({
      deploymentStatus: "RUNNING",
      lock: null,
      stateLock: null,
      currentRun: null,
      outputs: [
        { name: "list", value: [1, "12345678901234567890", null, { deep: true }], sensitive: false },
        { name: "name", value: "hello", sensitive: false },
        { name: "nul", value: "a\ufffdb", sensitive: false },
        { name: "secret", value: null, sensitive: true },
      ],
    });

    const log = await workspace.log(planned.id);
    expect(log.map(({ number }) => number)).toEqual(log.map((_, index) => index + 1));
    expect([...new Set(log.map(({ phase, attempt }) => `${phase} ${attempt}`))]).toEqual([
      "PREPARE 1",
      "INIT 1",
      "PLAN 1",
      "PREPARE 2",
      "APPLY 1",
    ]);
    const texts = log.map(({ text }) => text);
    expect(texts).toContain("terraform_data.a: Plan to create");
    expect(texts).toContain("terraform_data.a (local-exec): made it");
    expect(texts).toContain("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.");
    expect(texts.filter((text) => text.includes('{"@') || text.includes("not-for-everybody"))).toEqual([]);

    const second = await workspace.runToEnd();
    expect(second).toMatchObject({
      number: 2,
      status: "FINISHED",
      outcome: "NO_CHANGES",
      approvals: [],
      appliedAt: null,
    });
    expect(second.plans[0]).toMatchObject({ ...counts(), hasChanges: false, isCurrent: true, outputChanges: [] });
    expect(second.phases.map(({ kind }: Data) => kind)).toEqual(["PREPARE", "INIT", "PLAN"]);
    expect((await workspace.read()).deploymentStatus).toBe("RUNNING");

    // A move that changes nothing else is a change of the state, and asks for approval.
    await workspace.write({
      "main.tf": `${data("moved", `input = "hello"\n${provisioner("echo made it")}`)}${data("b", 'input = "nul \\u0000"')}
        moved {
          from = terraform_data.a
          to   = terraform_data.moved
        }
        ${outputs.replace("terraform_data.a", "terraform_data.moved")}`,
    });
    const moving = await workspace.plan();
    expect(moving.plans[0]).toMatchObject({ ...counts({ moves: 1 }), hasChanges: true, outputChanges: [] });
    expect(moving.plans[0]?.resourceChanges.edges).toMatchObject([
      { node: { address: "terraform_data.moved", action: "NO_OP", previousAddress: "terraform_data.a" } },
    ]);
    expect((await workspace.finish(moving.id)).outcome).toBe("APPLIED");

    await workspace.write({
      "main.tf": data("moved", `input = "hello"`) + data("b", 'input = "nul \\u0000"') + `output "other" { value = 1 }`,
    });
    const outputsOnly = await workspace.plan();
    expect(outputsOnly.plans[0]).toMatchObject({ ...counts(), hasChanges: true });
    expect(outputsOnly.plans[0]?.resourceChanges.edges).toEqual([]);
    expect(outputsOnly.plans[0]?.outputChanges.map(({ name, action }) => [name, action])).toEqual([
      ["list", "DELETE"],
      ["name", "DELETE"],
      ["nul", "DELETE"],
      ["other", "CREATE"],
      ["secret", "DELETE"],
    ]);
    await workspace.finish(outputsOnly.id);
    expect((await workspace.read()).outputs).toEqual([{ name: "other", value: 1, sensitive: false }]);
  });
});
