import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, createApi, type Data } from "../support/api.ts";
import { openScene, report, type Scene } from "./scene.ts";

let scene: Scene;
let organizationId: string;
/** The older run at a gate, and one that was created after it. */
let [oldest, newer]: string[] = [];

const ACTIVITY = `query ($slug: String!) { organization(slug: $slug) { activity {
  counts { status outcome count } oldestAtGate { id status } busyPlaces places queueLength nextPlaceAt } } }`;
const activityOf = async (api: Api): Promise<Data> => (await api.ask(ACTIVITY, { slug: "busy" })).organization.activity;
const byStatus = ({ counts }: Data): Record<string, number> =>
  Object.fromEntries(counts.map(({ status, count }: Data) => [status, count]));

const BUSY = { organization: "busy" };

beforeAll(async () => {
  // The clock stands: only the test lets a job take time.
  scene = await openScene(1000, { standing: true });
  organizationId = await scene.quick("createOrganization", { slug: "busy", name: "Busy", concurrencyLimit: 3 });
  oldest = (await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", BUSY)).runId;
  scene.server.advance(60_000);
  newer = (await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", BUSY)).runId;
  await scene.reach("CANCELED", "DEPLOY", BUSY);
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

test("live runs are counted without ended ones, and places are taken by jobs alone", async () => {
  expect(await activityOf(scene.api)).toEqual({
    counts: [
      { status: "AWAITING_PLAN_APPROVAL", outcome: null, count: 1 },
      { status: "AWAITING_APPLY_APPROVAL", outcome: null, count: 1 },
    ],
    oldestAtGate: { id: oldest, status: "AWAITING_APPLY_APPROVAL" },
    busyPlaces: 0,
    places: 3,
    queueLength: 0,
    nextPlaceAt: null,
  });
  await scene.quick("discardRun", { runId: oldest });
  expect((await activityOf(scene.api)).oldestAtGate.id).toBe(newer);
});

test("runs beyond the places are the queue, and a place is free when the first job has taken the median", async () => {
  // With the two jobs at gates these are the five that an estimate needs: three of ten minutes are the median.
  for (let count = 0; count < 3; count++) {
    const { job } = await scene.reach("PLANNING", "DEPLOY", BUSY);
    scene.server.advance(600_000);
    await job.message({ type: "failed", failure: report("PLAN_FAILED") });
  }
  for (let count = 0; count < 3; count++) {
    await scene.reach("PLANNING", "DEPLOY", BUSY);
    scene.server.advance(1000);
  }
  const { workspaceId } = await scene.reach("READY", "DEPLOY", BUSY);
  // This one waits for the run before it in its workspace, and for no place.
  await scene.createRun(workspaceId);
  const full = await activityOf(scene.api);
  expect(full).toMatchObject({ busyPlaces: 3, places: 3, queueLength: 1 });
  expect(byStatus(full)).toEqual({ QUEUED: 1, READY: 1, PLANNING: 3, AWAITING_PLAN_APPROVAL: 1 });
  const [{ now }] = await scene.rows("select max(claimed_at) as now from job");
  expect(Date.parse(full.nextPlaceAt) - Date.parse(now)).toBe(600_000 - 2000);

  await scene.quick("updateOrganization", { organizationId, concurrencyLimit: 2 });
  const lowered = await activityOf(scene.api);
  expect(lowered).toMatchObject({ busyPlaces: 3, places: 2, queueLength: 1 });
  // Two jobs must end before a place is free.
  expect(Date.parse(lowered.nextPlaceAt) - Date.parse(full.nextPlaceAt)).toBe(1000);
});

test("runs are those that the caller may read, and figures take FIGURES_READ on the organization", async () => {
  const runId = await scene.createRun(await scene.createWorkspace(BUSY));
  const workspaceId = (await scene.run(runId, "workspace")).workspace.id;
  const { viewer } = await scene.api.ask("{ viewer { actor { id } } }");
  const made = await scene.send("createToken", { name: "one", ownerId: viewer.actor.id, scopeIds: [workspaceId] });
  const seen = await activityOf(createApi(scene.server.url, made.secret));
  expect(seen).toMatchObject({ oldestAtGate: null, busyPlaces: null, places: 2, queueLength: null, nextPlaceAt: null });
  expect(byStatus(seen)).toEqual({ [(await scene.run(runId, "status")).status]: 1 });
});
