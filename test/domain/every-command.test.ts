/** Every command in every status, for each kind, through the API: what is answered, and what becomes of the run. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, type Command, openScene, PLACES, type Place, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  // The clock stands: a run that waits longer than a moment says so, and nothing but a command may change what it says.
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const WAITING: Place[] = ["QUEUED", "READY", "REPLAN_REQUESTED"];
const GATES: Place[] = ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"];
const STOPPABLE: Place[] = [
  "PREPARING",
  "INITIALIZING",
  "PLANNING",
  "PREPARING/REPLAN",
  "INITIALIZING/REPLAN",
  "PLANNING/REPLAN",
];
const APPROVED: Place[] = ["CONFIRMED", "PREPARING/APPLY"];
const ENDED: Place[] = ["FINISHED", "FAILED", "REJECTED", "DISCARDED", "CANCELED", "STOPPED"];

/** The status afterwards; "same": accepted, and the run stays where it is. Where nothing stands the command is refused. */
type Ends = Partial<Record<Place, string>>;
const each = (places: Place[], end: string): Ends => Object.fromEntries(places.map((place) => [place, end]));
const CANCEL: Ends = { ...each(WAITING, "CANCELED"), ...each(GATES, "DISCARDED"), ...each(STOPPABLE, "same") };

interface Case {
  name: string;
  command: Command;
  input: object;
  ends: Ends;
  /** The action that tells beforehand what would be answered. */
  action: string | null;
}

const CASES: Case[] = [
  {
    name: "approveRun PLAN",
    command: "approveRun",
    input: { gate: "PLAN", planVersion: 1 },
    ends: { AWAITING_PLAN_APPROVAL: "AWAITING_APPLY_APPROVAL" },
    action: "APPROVE_PLAN",
  },
  {
    name: "approveRun APPLY",
    command: "approveRun",
    input: { gate: "APPLY", planVersion: 1 },
    ends: { AWAITING_APPLY_APPROVAL: "CONFIRMED" },
    action: "APPROVE_APPLY",
  },
  {
    name: "rejectRun",
    command: "rejectRun",
    input: { planVersion: 1 },
    ends: { AWAITING_PLAN_APPROVAL: "REJECTED" },
    action: "REJECT",
  },
  {
    name: "discardRun",
    command: "discardRun",
    input: {},
    ends: each([...GATES, "CONFIRMED"], "DISCARDED"),
    action: "DISCARD",
  },
  {
    name: "withdrawApproval APPLY",
    command: "withdrawApproval",
    input: { gate: "APPLY" },
    ends: { CONFIRMED: "AWAITING_APPLY_APPROVAL" },
    action: "WITHDRAW_APPROVAL",
  },
  {
    name: "replanRun",
    command: "replanRun",
    input: { planVersion: 1 },
    ends: each(GATES, "REPLAN_REQUESTED"),
    action: "REPLAN",
  },
  { name: "cancelRun", command: "cancelRun", input: {}, ends: CANCEL, action: "CANCEL" },
  {
    name: "cancelRun by force",
    command: "cancelRun",
    input: { force: true },
    ends: { ...CANCEL, ...each(APPROVED, "STOPPED") },
    action: null,
  },
  { name: "retryRun", command: "retryRun", input: {}, ends: each(ENDED, "same"), action: "RETRY" },
];

/** Until its plan is approved, a run of kind DESTROY is as any other. */
const DESTROY_PLACES: Place[] = [...GATES, "REPLAN_REQUESTED", ...APPROVED, "APPLYING", "FINISHED"];
/** A run of kind PLAN knows no gates and applies nothing. */
const PLAN_PLACES = PLACES.filter((place) =>
  [...STOPPABLE.slice(0, 3), "READY", "FAILED", "CANCELED", "STOPPED"].includes(place),
);
/** A run of kind APPLY begins at its gates, with the plan of another run. */
const APPLY_PLACES: Place[] = ["QUEUED", ...GATES, ...APPROVED, "APPLYING", "FINISHED", "REJECTED", "DISCARDED"];
type Kind = "DEPLOY" | "DESTROY" | "PLAN" | "APPLY";
const ALL: [Kind, Place][] = [
  ...PLACES.map((place): [Kind, Place] => ["DEPLOY", place]),
  ...DESTROY_PLACES.map((place): [Kind, Place] => ["DESTROY", place]),
  ...PLAN_PLACES.map((place): [Kind, Place] => ["PLAN", place]),
  ...APPLY_PLACES.map((place): [Kind, Place] => ["APPLY", place]),
];

/** Only what was planned by the run itself is planned again. */
function endOf({ command, ends }: Case, kind: Kind, place: Place): string | undefined {
  return command === "replanRun" && kind === "APPLY" ? undefined : ends[place];
}

const statusOf = (place: Place): string => place.split("/")[0] ?? "";

/** Asks for no more than what tells a refusal: most commands are refused in most places. */
async function expectRefused({ runId }: Spot, { command, input, name }: Case, before: Data): Promise<void> {
  const type = command.charAt(0).toUpperCase() + command.slice(1);
  const document = `mutation ($input: ${type}Input!) { ${command}(input: $input) {
    __typename ... on RunStateConflictError { code run { id status version } } } }`;
  const answer = (await scene.api.ask(document, { input: { runId, ...input } }))[command];
  const { status, version } = before;
  const refusal = {
    __typename: "RunStateConflictError",
    code: "RUN_STATE_CONFLICT",
    run: { id: runId, status, version },
  };
  expect([name, answer]).toEqual([name, refusal]);
}

async function expectAccepted(spot: Spot, { command, input, name }: Case, place: Place, end: string): Promise<void> {
  const { runId } = spot;
  const before = await scene.run(runId);
  const { run, code } = await scene.send(command, { runId, ...input }, scene.api, EVERY_PART);
  expect([name, code]).toEqual([name, undefined]);
  const after = await scene.run(runId);
  expect(after.status).toBe(end === "same" ? statusOf(place) : end);
  if (command === "retryRun") {
    expect(run.origin).toEqual({ id: runId });
    expect(after).toEqual(before);
    return;
  }
  expect(run).toMatchObject({ id: runId, status: after.status, version: after.version });
  expect(after.version).toBeGreaterThan(before.version);
  if (end === "same") expect(after.cancelRequested).not.toBeNull();
  expect(after.forced).toBe(end === "STOPPED");
}

it.each(walk(ALL, 8))(
  "a run of kind %s that is %s refuses what has no place there, and takes what has",
  async (kind, place) => {
    const spot = await scene.reach(place, kind);
    const before = await scene.run(spot.runId);
    expect(before).toMatchObject({ kind, status: statusOf(place) });
    for (const each of CASES) {
      const end = endOf(each, kind, place);
      const action = before.actions.find((one: Data) => one.action === each.action);
      if (each.action !== null) expect([each.name, action.allowed]).toEqual([each.name, end !== undefined]);
      if (end === undefined) await expectRefused(spot, each, before);
    }
    // No two changes undo each other: with each of them the version is a higher one.
    expect(await scene.run(spot.runId)).toEqual(before);
    const { workspaceId } = spot;
    const deletion = await scene.send("deleteWorkspace", { workspaceId, force: true });
    if (ENDED.includes(place)) expect(deletion).toMatchObject({ deletedId: workspaceId });
    else {
      expect(deletion).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { isTerminal: false } });
      expect(await scene.run(spot.runId)).toEqual(before);
    }
    // What has only been refused is where it was, and as good as one that has just come there.
    let untouched = ENDED.includes(place) ? null : spot;
    for (const each of CASES) {
      const end = endOf(each, kind, place);
      if (end === undefined) continue;
      await expectAccepted(untouched ?? (await scene.reach(place, kind)), each, place, end);
      untouched = null;
    }
  },
);
