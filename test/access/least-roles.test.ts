/** The first role that each command takes: those below it are refused, those above it are not. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Command, openScene, type Place, type Scene, type Spot } from "../domain/scene.ts";
import type { Api } from "../support/api.ts";

const ROLES = ["READER", "WRITER", "APPROVER", "ADMIN"] as const;

let scene: Scene;
const by = new Map<string, Api>();
beforeAll(async () => {
  scene = await openScene();
  for (const role of ROLES) by.set(role, await scene.login(role));
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** Every mutation with the first role that gets it, and what it needs to be asked about. */
const MUTATIONS: [Command, least: (typeof ROLES)[number], Place | null, object][] = [
  ["createWorkspace", "WRITER", null, {}],
  ["setVariable", "WRITER", "READY", { key: "a", value: "b" }],
  ["unlockWorkspace", "WRITER", "READY", {}],
  ["unlockWorkspace", "ADMIN", "READY", { force: true }],
  ["createRun", "WRITER", "READY", {}],
  ["approveRun", "APPROVER", "AWAITING_PLAN_APPROVAL", { gate: "PLAN", planVersion: 1 }],
  ["approveRun", "APPROVER", "AWAITING_APPLY_APPROVAL", { gate: "APPLY", planVersion: 1 }],
  ["rejectRun", "APPROVER", "AWAITING_PLAN_APPROVAL", { planVersion: 1 }],
  ["discardRun", "WRITER", "AWAITING_PLAN_APPROVAL", { planVersion: 1 }],
  ["cancelRun", "WRITER", "READY", {}],
  ["cancelRun", "ADMIN", "CONFIRMED", { force: true }],
  ["replanRun", "WRITER", "AWAITING_APPLY_APPROVAL", { planVersion: 1 }],
  ["createToken", "ADMIN", null, { role: "READER" }],
  ["revokeToken", "ADMIN", null, {}],
];
let made = 0;

it.each(MUTATIONS)("%s is for %s and above: %s %j", async (command, least, place, more) => {
  const subject = command.endsWith("Workspace") || command === "setVariable" || command === "createRun";
  let spot: Spot | null = null;
  for (const role of ROLES) {
    // Whoever may not changes nothing, so that the next one finds the same run.
    if (place !== null) spot ??= await scene.reach(place);
    const input: Record<string, unknown> = { ...more };
    if (spot !== null) input[subject ? "workspaceId" : "runId"] = subject ? spot.workspaceId : spot.runId;
    if (command === "createWorkspace") Object.assign(input, { source: { directory: { path: "source" } } });
    if (command.startsWith("create") && command !== "createRun") input["name"] = `made${++made}`;
    if (command === "revokeToken") input["tokenId"] = (await scene.login("READER")).tokenId;
    const answer = await scene.send(command, input, by.get(role));
    const allowed = ROLES.indexOf(role) >= ROLES.indexOf(least);
    if (allowed) expect([role, answer.__typename]).toEqual([role, expect.stringMatching(/Success$/)]);
    else expect([role, answer]).toMatchObject([role, { __typename: "ForbiddenError", code: "FORBIDDEN" }]);
    if (allowed) spot = null;
  }
});
