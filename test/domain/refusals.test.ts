import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { type Command, openScene, type Place, type Scene } from "./scene.ts";

let scene: Scene;
let reader: Api & { actorId: string };
let writer: Api & { actorId: string };
beforeAll(async () => {
  scene = await openScene();
  reader = await scene.login("READER");
  writer = await scene.login("WRITER");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const NOBODY = "run_00000000000000000000000000";
const TOO_LONG = "x".repeat(10_001);

interface Case {
  command: Command;
  input: object;
  /** Where it is accepted, and where not. */
  place: Place;
  elsewhere: Place;
  /** Whether it names a plan. */
  planned: boolean;
}

const CASES: Case[] = [
  {
    command: "approveRun",
    input: { gate: "PLAN", planVersion: 1 },
    place: "AWAITING_PLAN_APPROVAL",
    elsewhere: "AWAITING_APPLY_APPROVAL",
    planned: true,
  },
  {
    command: "approveRun",
    input: { gate: "APPLY", planVersion: 1 },
    place: "AWAITING_APPLY_APPROVAL",
    elsewhere: "AWAITING_PLAN_APPROVAL",
    planned: true,
  },
  {
    command: "rejectRun",
    input: { planVersion: 1 },
    place: "AWAITING_PLAN_APPROVAL",
    elsewhere: "AWAITING_APPLY_APPROVAL",
    planned: true,
  },
  {
    command: "discardRun",
    input: { planVersion: 1 },
    place: "AWAITING_APPLY_APPROVAL",
    elsewhere: "PLANNING",
    planned: true,
  },
  {
    command: "replanRun",
    input: { planVersion: 1 },
    place: "AWAITING_PLAN_APPROVAL",
    elsewhere: "CONFIRMED",
    planned: true,
  },
  { command: "cancelRun", input: {}, place: "READY", elsewhere: "FINISHED", planned: false },
];

/** The newest refusal about a subject, as it was recorded. */
async function recorded(subjectId: string): Promise<unknown> {
  const [row] = await scene.rows(
    "select actor_id, command, code from rejected_command where subject_id = $1 order by id desc limit 1",
    subjectId,
  );
  return row;
}

async function expectRefused(
  by: Api & { actorId: string },
  { command }: Case,
  input: { runId: string } & object,
  code: string,
): Promise<void> {
  const before = await scene.run(input.runId);
  const answer = await scene.send(command, input, by);
  expect(answer.code).toBe(code);
  expect(answer.message).not.toBe("");
  const after = await scene.run(input.runId);
  expect(after).toEqual(before);
  if (code === "RUN_STATE_CONFLICT" || code === "STALE_PLAN") {
    if (code === "STALE_PLAN") {
      expect(answer).toMatchObject({ seen: "planVersion" in input ? input.planVersion : 1, current: { version: 1 } });
    }
    // The answer shows the run as the caller may act on it.
    const { actions: _, ...shown } = answer.run;
    expect(after).toMatchObject(shown);
  }
  expect(await recorded(input.runId)).toEqual({ actor_id: by.actorId, command, code });
}

describe.each(walk(CASES, 3))("$command $input.gate", (which) => {
  const { command, place, elsewhere, planned } = which;
  const input = (runId: string, more: object = {}) => ({ runId, ...which.input, ...more });

  it("names what is wrong in order: the run, the role, the input, the status, the plan, the state", async () => {
    const wrong = { comment: TOO_LONG, ...(planned && { planVersion: 7 }) };
    const admin = { ...scene.api, actorId: "usr_00000000000000000000000000" };
    const approver = await scene.login("APPROVER");
    const by = command === "cancelRun" ? writer : approver;
    // Everything is wrong, the run included, whoever asks; then one after the other is put right.
    for (const api of [reader, admin]) {
      expect((await scene.send(command, input(NOBODY, wrong), api)).code).toBe("NOT_FOUND");
      expect(await recorded(NOBODY)).toEqual({ actor_id: api.actorId, command, code: "NOT_FOUND" });
    }
    const away = await scene.reach(elsewhere);
    await expectRefused(reader, which, input(away.runId, wrong), "FORBIDDEN");
    await expectRefused(by, which, input(away.runId, wrong), "INVALID_INPUT");
    await expectRefused(by, which, input(away.runId, planned ? { planVersion: 7 } : {}), "RUN_STATE_CONFLICT");
    if (!planned) return;
    const { runId, workspaceId } = await scene.reach(place);
    await expectRefused(by, which, input(runId, { planVersion: 7 }), "STALE_PLAN");
    await expectRefused(by, which, input(runId, { planVersion: 0 }), "STALE_PLAN");
    if (command !== "approveRun") return;
    // The state moves under the plan. The version is judged first.
    await scene.rows("update workspace set state_serial = 5 where id = $1", workspaceId);
    expect((await scene.run(runId, "plan")).plan.isCurrent).toBe(false);
    await expectRefused(by, which, input(runId, { planVersion: 2 }), "STALE_PLAN");
    await expectRefused(by, which, input(runId), "STALE_PLAN");
    expect((await scene.send(command, input(runId), by)).message).toContain("serial 0 to 5");
    // What is stale can still be planned anew, and discarded.
    expect((await scene.send("replanRun", { runId, planVersion: 1 })).run.status).toBe("REPLAN_REQUESTED");
  });

  it("is accepted where nothing is wrong, and then not recorded as refused", async () => {
    const { runId } = await scene.reach(place);
    const answer = await scene.send(command, input(runId, { comment: "x".repeat(10_000) }));
    expect(answer.__typename).toMatch(/Success$/);
    expect(await recorded(runId)).toBeUndefined();
  });

  it.each(
    walk(
      ["", "run_", "ws_00000000000000000000000000", "run_0000000000000000000000000u", "😀", "x".repeat(5000), "a\0b"],
      3,
    ),
  )("does not find %j", async (runId) => {
    expect((await scene.send(command, input(runId))).code).toBe("NOT_FOUND");
  });

  it("refuses a comment that cannot be kept, naming the field", async () => {
    const { runId } = await scene.reach(place);
    for (const comment of ["a\0b", TOO_LONG]) {
      const answer = await scene.send(command, input(runId, { comment }));
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["comment"] }] });
    }
    if (planned) {
      const answer = await scene.send(command, input(runId, { comment: "a\0b", planVersion: -1 }));
      expect(answer.issues.map(({ path }: { path: string[] }) => path)).toEqual([["comment"], ["planVersion"]]);
    }
  });
});

it("the order holds for workspaces and tokens too", async () => {
  const nowhere = "ws_00000000000000000000000000";
  const spot = await scene.reach("READY");
  const workspaceId = spot.workspaceId;
  const missing = async (command: Command, input: object) => (await scene.send(command, input, reader)).code;
  expect(await missing("createRun", { workspaceId: nowhere, kind: "TASK" })).toBe("NOT_FOUND");
  expect(await missing("createRun", { workspaceId, kind: "TASK" })).toBe("FORBIDDEN");
  expect(await missing("setVariable", { workspaceId: nowhere, key: "1", value: "" })).toBe("NOT_FOUND");
  expect(await missing("setVariable", { workspaceId, key: "1", value: "" })).toBe("FORBIDDEN");
  expect(await missing("unlockWorkspace", { workspaceId: nowhere, note: TOO_LONG })).toBe("NOT_FOUND");
  expect(await missing("unlockWorkspace", { workspaceId, note: TOO_LONG })).toBe("FORBIDDEN");
  const source = { directory: { path: "/" } };
  expect(await missing("createWorkspace", { organization: "other", name: "-", source })).toBe("NOT_FOUND");
  expect(await missing("createWorkspace", { name: "-", source })).toBe("FORBIDDEN");
  expect(await missing("createToken", { name: "", role: "ADMIN" })).toBe("FORBIDDEN");
  expect(await missing("revokeToken", { tokenId: "tok_00000000000000000000000001" })).toBe("FORBIDDEN");
  const rows = await scene.rows(
    "select command, code, subject_id from rejected_command where actor_id = $1 order by id desc limit 4",
    reader.actorId,
  );
  expect(rows).toEqual([
    { command: "revokeToken", code: "FORBIDDEN", subject_id: "tok_00000000000000000000000001" },
    { command: "createToken", code: "FORBIDDEN", subject_id: "" },
    { command: "createWorkspace", code: "FORBIDDEN", subject_id: "-" },
    { command: "createWorkspace", code: "NOT_FOUND", subject_id: "-" },
  ]);
});
