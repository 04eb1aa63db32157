/** Runs beside and behind each other. The engine waits where the test holds it. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { waitForStatus } from "../../support/api.ts";
import { type LoopbackGate, startLoopbackGate } from "../../support/loopback-gate.ts";
import { approve, command, tryCommand } from "../../support/run-steps.ts";
import { data, type Holdpoint, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const FREE = { lock: null, stateLock: null, currentRun: null };

describe("the queue", { timeout: PATIENCE_MS }, () => {
  let gate: LoopbackGate;
  beforeEach(async () => {
    gate = await startLoopbackGate();
  });
  afterEach(() => gate[Symbol.asyncDispose]());

  it("runs two workspaces at the same time; more wait for a runner, and can be cancelled there", async () => {
    const { api } = holdpoint;
    const files = (name: string) => ({ "main.tf": gate.block(name) + data("a") });
    const [left, right, third] = await Promise.all([
      holdpoint.workspace("left", files("left")),
      holdpoint.workspace("right", files("right")),
      holdpoint.workspace("third", files("third")),
    ]);
    const runs = await Promise.all([left.createRun(), right.createRun()]);
    await Promise.all([gate.arrived("left"), gate.arrived("right")]);
    for (const id of runs) expect(await left.run(id)).toMatchObject({ status: "PLANNING", blockers: [] });

    const waiting = await third.createRun();
    expect(await third.run(waiting)).toMatchObject({ status: "READY", requiredAction: "WAIT" });
    expect(await third.read()).toMatchObject({ currentRun: { id: waiting } });
    expect(await command(api, "cancelRun", { runId: waiting })).toMatchObject({ status: "CANCELED" });
    expect(await third.read()).toMatchObject({ ...FREE, deploymentStatus: "PENDING" });

    for (const name of ["left", "right"]) gate.open(name);
    await Promise.all(runs.map((id) => waitForStatus(api, id, "AWAITING_PLAN_APPROVAL")));
    await Promise.all([left.finish(runs[0] ?? ""), right.finish(runs[1] ?? "")]);
  });

  it("lets a second run of a workspace wait for the first, and never stops an apply", async () => {
    const { api } = holdpoint;
    // Read only when its resource exists: in the apply.
    const held = gate.block("apply", "depends_on = [terraform_data.a]");
    const workspace = await holdpoint.workspace("queue", { "main.tf": data("a") + held });
    const first = (await workspace.plan()).id;
    const second = await workspace.createRun();
    const third = await workspace.createRun();
    expect(await workspace.run(second)).toMatchObject({
      status: "QUEUED",
      blockers: [{ kind: "WORKSPACE_BUSY", run: { id: first }, position: 1 }],
    });
    expect((await workspace.run(third)).blockers).toMatchObject([{ kind: "WORKSPACE_BUSY", position: 2 }]);
    expect(await command(api, "cancelRun", { runId: third, comment: "one is enough" })).toMatchObject({
      status: "CANCELED",
      reason: "one is enough",
    });

    await approve(api, first, "PLAN");
    await approve(api, first, "APPLY");
    await gate.arrived("apply");
    expect(await tryCommand(api, "cancelRun", { runId: first })).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      run: { status: "APPLYING", cancelRequested: null },
    });
    expect(await workspace.read()).toMatchObject({ stateLock: { id: expect.any(String) }, currentRun: { id: first } });
    gate.open("apply");
    await waitForStatus(api, first, "FINISHED");
    // The source is as it was when the run was created, but its plan sees what the first one did.
    const ended = await waitForStatus(api, second, "FINISHED", "AWAITING_PLAN_APPROVAL");
    expect(ended).toMatchObject({ status: "FINISHED", outcome: "NO_CHANGES" });
    expect(await workspace.run(second)).toMatchObject({ blockers: [] });
    expect(await workspace.read()).toMatchObject({ ...FREE, deploymentStatus: "RUNNING" });
  });

  it("gives the first run again for the same idempotency key", async () => {
    const workspace = await holdpoint.workspace("idempotent", { "main.tf": data("a") });
    const input = { idempotencyKey: "deploy-4711", message: "the same" };
    const answers = await Promise.all([workspace.tryToCreateRun(input), workspace.tryToCreateRun(input)]);
    const [one, other] = answers.map((answer) => (answer.__typename === "CreateRunSuccess" ? answer : null));
    expect(answers.filter((answer) => "created" in answer && answer.created)).toHaveLength(1);
    expect(other?.run.id).toBe(one?.run.id);
    expect(await workspace.tryToCreateRun({ ...input, message: "another" })).toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
      run: { id: one?.run.id },
    });
    expect(await workspace.tryToCreateRun({ message: "no key" })).toMatchObject({ created: true, run: { number: 2 } });
  });
});
