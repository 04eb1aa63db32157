/** Actions of a run: what each role reads beforehand is what the commands answer to it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Place, type Scene } from "../domain/scene.ts";
import type { Data } from "../support/api.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** What each action sends. */
const SENDS = {
  APPROVE_PLAN: ["approveRun", { gate: "PLAN", planVersion: 1 }],
  APPROVE_APPLY: ["approveRun", { gate: "APPLY", planVersion: 1 }],
  REJECT: ["rejectRun", { planVersion: 1 }],
  DISCARD: ["discardRun", { planVersion: 1 }],
  REPLAN: ["replanRun", { planVersion: 1 }],
  CANCEL: ["cancelRun", {}],
} as const;
const PLAIN = ["APPROVE_PLAN", "APPROVE_APPLY", "REJECT", "DISCARD", "REPLAN", "CANCEL"] as const;

describe("what a run says can be done is what the commands then answer", () => {
  const seldom: Place[] = ["QUEUED", "PLANNING", "CONFIRMED", "APPLYING", "FINISHED"];
  const gates: Place[] = ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"];

  it.each([...gates, ...seldom])("%s", async (place) => {
    const first = await scene.reach(place);
    for (const role of ["READER", "WRITER", "APPROVER", "ADMIN"]) {
      const by = await scene.login(role);
      let { runId } = first;
      for (const action of PLAIN) {
        const { run } = await by.ask(`query ($id: ID!) { run(id: $id) { actions { action allowed code reason } } }`, {
          id: runId,
        });
        const said = run.actions.find((each: Data) => each.action === action);
        const [command, input] = SENDS[action];
        const answer = await scene.send(command, { runId, ...input }, by);
        expect({ role, action, code: answer.code ?? null }).toEqual({ role, action, code: said.code });
        expect(said.allowed).toBe(said.code === null);
        expect(said.reason === null).toBe(said.allowed);
        if (said.allowed && action !== PLAIN.at(-1)) runId = (await scene.reach(place)).runId;
        else if (said.allowed && role !== "ADMIN") first.runId = (await scene.reach(place)).runId;
      }
      if (runId !== first.runId) first.runId = (await scene.reach(place)).runId;
    }
  });

  it("a stop is asked for by writers, forced by admins once it is old", async () => {
    const { runId } = await scene.reach("PLANNING");
    const of = async (role: string) => {
      const by = await scene.login(role);
      const { run } = await by.ask(`query ($id: ID!) { run(id: $id) { actions { action allowed code } } }`, {
        id: runId,
      });
      return Object.fromEntries(run.actions.map((each: Data) => [each.action, each.code]));
    };
    expect(await of("READER")).toMatchObject({ STOP: "FORBIDDEN", CANCEL: "FORBIDDEN", FORCE_STOP: "FORBIDDEN" });
    expect(await of("WRITER")).toMatchObject({ STOP: null, FORCE_STOP: "FORBIDDEN", RETRY: "RUN_STATE_CONFLICT" });
    expect(await of("ADMIN")).toMatchObject({ STOP: null, FORCE_STOP: "RUN_STATE_CONFLICT" });
    await scene.send("cancelRun", { runId });
    expect(await of("ADMIN")).toMatchObject({ FORCE_STOP: "RUN_STATE_CONFLICT" });
    scene.server.advance(60_000);
    expect(await of("ADMIN")).toMatchObject({ FORCE_STOP: null });
    expect(await of("APPROVER")).toMatchObject({ FORCE_STOP: "FORBIDDEN" });
  });
});
