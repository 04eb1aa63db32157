/** Every request of the runner protocol, by every kind of job, while it lives and afterwards; and every other door. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { type JobRouteName, ROUTE_ACTIONS } from "../../src/ingestion/job-routes.ts";
import { writeLogText } from "../../src/model/log/log-text.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import type { ProtocolAnswer } from "../support/fake-runner.ts";
import { packDocument } from "../support/plan-documents.ts";
import { walk } from "../support/walk.ts";

const JOBS = ["DEPLOY", "REPLAN", "PLAN", "APPLY", "DESTROY", "TASK", "UNLOCK"] as const;
type JobName = (typeof JOBS)[number];

const LOCK = { ID: "x", Operation: "", Info: "", Who: "", Version: "", Created: "", Path: "" };
const AT = "2026-11-20T16:07:25.447Z";
const PROGRESS = { sequence: 1, total: 1, done: 0, failed: 0, current: [], currentCount: 0 };

/** What is sent, and whose job may send it. */
const ROUTES: Record<JobRouteName, [body: unknown, jobs: readonly JobName[]]> = {
  "POST heartbeat": [{ waitMs: 0 }, JOBS],
  "POST log": [Buffer.from(writeLogText([{ at: AT, text: "x" }])), JOBS],
  "POST masks": [{ values: ["a secret"] }, JOBS],
  "POST messages": [{ sequence: 99, type: "prepared" }, JOBS],
  "POST progress": [PROGRESS, JOBS],
  "GET source": [undefined, ["DEPLOY", "REPLAN", "PLAN", "TASK"]],
  "GET archive": [undefined, ["APPLY", "DESTROY"]],
  "PUT archive": [Buffer.from("archive"), ["DEPLOY", "REPLAN", "PLAN"]],
  "PUT document": [packDocument(), ["DEPLOY", "REPLAN", "PLAN"]],
  "GET state": [undefined, ["DEPLOY", "REPLAN", "PLAN", "APPLY", "DESTROY", "TASK"]],
  // MALFORMED where the task is none that brings a state back.
  "GET rollback-state": [undefined, ["TASK"]],
  "POST state": [{ serial: 1, lineage: "l" }, ["APPLY", "DESTROY", "TASK"]],
  "POST state/lock": [LOCK, ["DEPLOY", "REPLAN", "APPLY", "DESTROY", "TASK"]],
  "POST state/unlock": [LOCK, ["DEPLOY", "REPLAN", "APPLY", "DESTROY", "TASK"]],
};
const NAMES = Object.keys(ROUTES) as JobRouteName[];

let scene: Scene;
let spots: Record<JobName, Spot>;
beforeAll(async () => {
  scene = await openScene();
  spots = {
    DEPLOY: await scene.reach("PLANNING"),
    REPLAN: await scene.reach("PLANNING/REPLAN"),
    PLAN: await scene.reach("PLANNING", "PLAN"),
    APPLY: await scene.reach("APPLYING"),
    DESTROY: await scene.reach("APPLYING", "DESTROY"),
    TASK: await task(),
    UNLOCK: await unlock(),
  };
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function task(): Promise<Spot> {
  const workspaceId = await scene.createWorkspace({ tasksAllowed: true });
  const runId = await scene.createRun(workspaceId, { kind: "TASK", command: "true" });
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 0 });
  return performing({ workspaceId, runId, job: await scene.claim(runId) });
}

async function unlock(): Promise<Spot> {
  const workspaceId = await scene.createWorkspace();
  const runId = await scene.createRun(workspaceId, { kind: "UNLOCK" });
  return performing({ workspaceId, runId, job: await scene.claim(runId) });
}

async function performing(spot: Spot): Promise<Spot> {
  await spot.job.message({ type: "prepared" });
  await spot.job.message({ type: "initialized" });
  return spot;
}

function send({ job }: Spot, route: JobRouteName, body: unknown, token?: string): Promise<ProtocolAnswer> {
  const [method = "", name = ""] = route.split(" ");
  const path = name === "log" ? "log?phase=PREPARE&firstLine=1" : name;
  // A source is no JSON: its status is all that matters here.
  return job.request(method, path, body, token).catch(() => ({ status: 200, body: null }));
}

const rowsOf = async () => [
  await scene.rows("select * from run order by id"),
  await scene.rows("select * from job order by id"),
  await scene.rows("select * from log_head order by run_id"),
  await scene.rows("select * from state_version"),
  await scene.rows("select * from state_lock"),
  await scene.rows("select id, digest from blob order by id"),
];

describe("a job token", () => {
  it("is asked about for every route that there is", () => {
    expect(NAMES.toSorted()).toEqual(Object.keys(ROUTE_ACTIONS).toSorted());
  });

  it.each(walk(NAMES, 4))("%s is for some legs alone, and changes nothing where it is refused", async (route) => {
    const [body, may] = ROUTES[route];
    const refused = JOBS.filter((name) => !may.includes(name));
    const before = await rowsOf();
    for (const name of refused) {
      const answer = await send(spots[name], route, body);
      expect([name, answer.status, answer.body.code]).toEqual([name, 403, "FORBIDDEN"]);
    }
    expect(await rowsOf()).toEqual(before);
    for (const name of may) {
      // Past the door: what is sent may still be out of order, or without a lock.
      const { status } = await send(spots[name], route, body);
      expect([name, [200, 204, 400, 409, 423].includes(status)], `${name}: ${status}`).toEqual([name, true]);
    }
  });

  it.each(walk(NAMES, 4))("%s is for the job alone", async (route) => {
    const [body, [owner = "DEPLOY"]] = ROUTES[route];
    const other = owner === "APPLY" ? "DESTROY" : "APPLY";
    const before = await rowsOf();
    const foreign = await send(spots[owner], route, body, spots[other].job.job.token);
    expect(foreign).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    for (const token of ["", scene.server.runnerToken, scene.api.token, "hpj_x.y"]) {
      expect(await send(spots[owner], route, body, token)).toMatchObject({
        status: 401,
        body: { code: "UNAUTHENTICATED" },
      });
    }
    expect(await rowsOf()).toEqual(before);
  });
});

describe("neither a job's token nor a runner's opens any other door", () => {
  it.each([
    ["POST", "/graphql", JSON.stringify({ query: "{ viewer { role } }" })],
    ["POST", "/sources", "x"],
    ["GET", "/metrics", null],
    ["GET", "/runs/RUN/wait", null],
    ["GET", "/runs/RUN/log", null],
    ["POST", "/workspaces/WS/state", "{}"],
    ["GET", "/state-versions/sv_01m7y4p43ns2fjhfh67kxqcdjj", null],
    ["GET", "/state/default/w1", null],
    ["LOCK", "/state/default/w1", "{}"],
  ])("%s %s", async (method, path, body) => {
    const { runId, workspaceId, job } = spots.APPLY;
    const url = scene.server.url + path.replace("RUN", runId).replace("WS", workspaceId);
    for (const token of [job.job.token, scene.server.runnerToken]) {
      for (const authorization of [`Bearer ${token}`, `Basic ${Buffer.from(`x:${token}`).toString("base64")}`]) {
        const response = await fetch(url, { method, body, headers: { authorization } });
        // What this server does not have is nobody's door.
        const expected = path.endsWith("/metrics") || path.endsWith("/log") ? [401, 404] : [401];
        expect(expected, `${authorization.slice(0, 10)}: ${response.status}`).toContain(response.status);
      }
    }
  });

  it("WebSocket", async () => {
    for (const token of [spots.APPLY.job.job.token, scene.server.runnerToken]) {
      await using events = scene.api
        .as(token)
        .subscribe("subscription ($id: ID!) { runEvents(runId: $id) { __typename } }", {
          id: spots.APPLY.runId,
        });
      await expect(events.next()).rejects.toMatchObject({ code: 4401 });
    }
  });
});

describe("a job that is over", () => {
  beforeAll(async () => {
    scene.server.advance(31_000);
    await loseExpiredLeases(scene.server.deps);
  });

  it.each(walk(NAMES, 14))("%s: nothing is to be had any more, by any of them", async (route) => {
    const [body, may] = ROUTES[route];
    const before = await rowsOf();
    for (const name of JOBS) {
      const answer = await send(spots[name], route, body);
      // What only the last runner of an ended run knows is kept beside everything.
      const kept = route === "POST state" && may.includes(name);
      const expected = kept ? 202 : may.includes(name) ? 410 : 403;
      expect([name, answer.status]).toEqual([name, expected]);
    }
    const after = await rowsOf();
    expect(route === "POST state" ? after.slice(0, -1) : after).toEqual(
      route === "POST state" ? before.slice(0, -1) : before,
    );
  });
});
