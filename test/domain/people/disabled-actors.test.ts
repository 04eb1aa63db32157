/** What an actor began before it was disabled: its runs go on, and its approvals count. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../../support/api.ts";
import { openScene, type Scene } from "../scene.ts";

type Person = Awaited<ReturnType<Scene["login"]>>;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

async function disable(person: Person): Promise<void> {
  const disabled = "mutation ($id: ID!) { disableUser(input: { userId: $id }) { __typename } }";
  const { disableUser } = await scene.api.ask(disabled, { id: person.actorId });
  expect(disableUser.__typename).toBe("DisableUserSuccess");
  expect((await person.send("{ viewer { actor { id } } }")).status).toBe(401);
}

async function approve(runId: string, gate: "PLAN" | "APPLY", by: Api = scene.api): Promise<void> {
  const answer = await scene.send("approveRun", { runId, gate, planVersion: 1 }, by);
  expect(answer.code, answer.message).toBeUndefined();
}

describe("an actor that was disabled", () => {
  it("has runs that go on: they are planned, approved by others and applied, and admit the next", async () => {
    const writer = await scene.login("WRITER");
    const workspaceId = await scene.createWorkspace();
    const [first, second] = [
      (await scene.send("createRun", { workspaceId }, writer)).run.id,
      (await scene.send("createRun", { workspaceId }, writer)).run.id,
    ];
    await disable(writer);
    await (await scene.claim(first)).plan();
    for (const gate of ["PLAN", "APPLY"] as const) await approve(first, gate);
    await (await scene.claim(first)).apply(1);
    expect(await scene.run(first, "outcome", "createdBy")).toMatchObject({
      outcome: "APPLIED",
      createdBy: { id: writer.actorId },
    });
    expect(await scene.run(second, "status")).toMatchObject({ status: "READY" });
    // Others end what is not wanted any more.
    await scene.quick("cancelRun", { runId: second });
    expect(await scene.run(second, "status")).toMatchObject({ status: "CANCELED" });
  });

  it("has approvals that count, as those of members who left their team do", async () => {
    const [ann, ben] = [await scene.person("APPROVER"), await scene.person("APPROVER")];
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", {
      approvalRules: [{ name: "two", gate: "PLAN", minimum: 2 }],
    });
    await approve(runId, "PLAN", ann);
    await disable(ann);
    expect((await scene.run(runId, "approvals")).approvals).toMatchObject([
      { counts: true, actor: { id: ann.actorId } },
    ]);
    await approve(runId, "PLAN", ben);
    expect((await scene.run(runId, "status")).status).toBe("AWAITING_APPLY_APPROVAL");
  });
});
