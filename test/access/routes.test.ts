/**
 * Each route for each caller: the statuses that the oracle names, nothing about hidden objects in any body, and one answer
 * after one list of statements for what is hidden and what does not exist. The server says which routes there are.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Permission } from "../../src/model/people/permission-set.ts";
import { routes } from "../support/route-table.ts";
import { createPrincipals, createRefused, has, type Principal } from "./principals.ts";
import { ROUTES, type RouteLine, type RouteSubject } from "./route-oracle.ts";
import { absentOf, openWalkScene, type WalkScene, withoutIds } from "./walk-scene.ts";
import { createWorld, readPlaces, type World } from "./world.ts";

/** With each of the methods, or `any`. */
const keys = [...new Set(routes.flatMap(({ path, methods }) => (methods ?? ["any"]).map((one) => `${one} ${path}`)))];
/** Pages of the sign-in and of programs: their answers depend on cookies and on secrets of their own. */
const OF_SIGN_IN = /^\S+ \/(?:auth|\.well-known)\//;
const RUNNERS = /^any \/runner\//;

let walk: WalkScene;
let world: World;
let principals: Principal[];
let refused: Record<string, string>;
let subjects: RouteSubject[];
beforeAll(async () => {
  walk = await openWalkScene();
  world = await createWorld(walk);
  principals = await createPrincipals(walk, world, []);
  refused = await createRefused(walk);
  world = { ...world, ...(await readPlaces(walk)) };
  const runs = await walk.scene.rows("select id, workspace_id from run order by number");
  const plans = await walk.scene.rows(
    "select p.id, r.workspace_id from plan_document d join plan p on p.id = d.plan_id join run r on r.id = p.run_id",
  );
  subjects = world.workspaces.map(({ id, name, slug, stateIds }) => ({
    workspaceId: id,
    name,
    slug,
    stateId: stateIds[0] ?? "",
    planId: plans.find((plan) => plan["workspace_id"] === id)?.["id"] ?? "",
    runId: runs.find((run) => run["workspace_id"] === id)?.["id"] ?? "",
  }));
}, 300_000);
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

interface Answer {
  status: number;
  body: string;
}

async function ask(token: string, key: string, line: RouteLine, subject: RouteSubject): Promise<Answer> {
  const [method = ""] = key.split(" ");
  const credential = line.auth === "Basic" ? Buffer.from(`x:${token}`).toString("base64") : token;
  const authorization = token === "" ? undefined : `${line.auth ?? "Bearer"} ${credential}`;
  const headers = {
    accept: "application/json",
    ...(authorization !== undefined && { authorization }),
    ...(method !== "GET" && method !== "HEAD" && { "content-type": "application/json" }),
  };
  const body = line.body === undefined ? {} : { body: JSON.stringify(line.body) };
  const answer = await fetch(`${walk.scene.server.url}${line.path(subject)}`, { method, headers, ...body });
  return { status: answer.status, body: `${answer.headers.get("content-type")} ${await answer.text()}` };
}

const INSTALLATION_PLACE = { organizationId: null, projectId: null, workspaceId: null, isIsolated: false };

function isSomewhere(principal: Principal, permission: Permission): boolean {
  return [INSTALLATION_PLACE, ...world.places.values()].some((place) => has(principal, permission, place));
}

/** The statuses that the oracle allows. */
function statusesOf(principal: Principal, line: RouteLine, subject: RouteSubject): readonly number[] {
  const place = world.places.get(subject.workspaceId) ?? INSTALLATION_PLACE;
  if (line.sight !== null && !has(principal, line.sight, place)) {
    return line.isCommand === true && !isSomewhere(principal, line.sight) ? [403] : [404];
  }
  if (line.needs === null) return line.ok;
  const at = line.sight === null ? INSTALLATION_PLACE : place;
  const isAllowed = line.isAnywhere === true ? isSomewhere(principal, line.needs) : has(principal, line.needs, at);
  return isAllowed ? line.ok : [403];
}

const lines = Object.entries(ROUTES).flatMap(([key, line]) => (typeof line === "string" ? [] : [[key, line] as const]));

describe("the table of routes", () => {
  it("has a line in the oracle for each method of each route", () => {
    const asked = keys.filter((key) => !OF_SIGN_IN.test(key) && !RUNNERS.test(key));
    expect(Object.keys(ROUTES).toSorted()).toEqual(asked.toSorted());
  });
});

describe("a route", () => {
  it("answers each caller as the oracle says, and shows nothing of hidden workspaces", async () => {
    const failures: string[] = [];
    for (const principal of principals) {
      const hidden = world.workspaces.filter(
        ({ id }) => !has(principal, "WORKSPACE_READ", world.places.get(id) ?? INSTALLATION_PLACE),
      );
      for (const [key, line] of lines) {
        for (const subject of subjects) {
          const { status, body } = await ask(principal.api.token, key, line, subject);
          const wanted = statusesOf(principal, line, subject);
          const title = `${principal.name}: ${key} of ${subject.workspaceId}`;
          if (!wanted.includes(status)) failures.push(`${title}: ${status} ${body} instead of ${wanted.join()}`);
          // What the caller sent may come back.
          const told = hidden.find(
            ({ id, name }) => id !== subject.workspaceId && (body.includes(id) || body.includes(name)),
          );
          if (told !== undefined) failures.push(`${title} shows ${told.name}: ${body}`);
        }
      }
    }
    expect(failures).toEqual([]);
  }, 300_000);

  it("answers about something hidden like about what does not exist, after the same statements", async () => {
    const failures: string[] = [];
    let asked = 0;
    for (const principal of principals) {
      // After others have changed rights.
      await principal.api.send("{ viewer { role } }");
      for (const [key, line] of lines) {
        for (const subject of subjects) {
          const place = world.places.get(subject.workspaceId) ?? INSTALLATION_PLACE;
          if (line.sight === null || has(principal, line.sight, place)) continue;
          const absent = {
            workspaceId: absentOf(subject.workspaceId),
            stateId: absentOf(subject.stateId),
            runId: absentOf(subject.runId),
            planId: absentOf(subject.planId),
            slug: subject.slug,
            name: "absent",
          };
          const observe = async (of: RouteSubject) => {
            let answer: Answer | undefined;
            const trace = await walk.traceOf(async () => {
              answer = await ask(principal.api.token, key, line, of);
            });
            const text = withoutIds(JSON.stringify(answer)).replaceAll(of.name, "NAME").replaceAll(of.slug, "SLUG");
            return JSON.stringify([text, trace.toSorted()]);
          };
          const one = await observe(subject);
          // Of an organization that exists, and of one that does not.
          for (const slug of [subject.slug, "absent-organization"]) {
            asked += 1;
            const two = await observe({ ...absent, slug });
            if (one !== two) failures.push(`${principal.name}: ${key}: ${one} is not ${two}`);
          }
        }
      }
    }
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(500);
  }, 300_000);

  it("refuses credentials that have ended, and those that never were, alike", async () => {
    const [subject] = subjects;
    if (subject === undefined) throw new Error("There is no workspace.");
    for (const [name, token] of Object.entries(refused)) {
      for (const [key, line] of lines) {
        const { status, body } = await ask(token, key, line, subject);
        expect(status, `${name}: ${key} ${body}`).toBe(401);
        const first = await ask("hpt_nobody", key, line, subject);
        expect(body, `${name}: ${key}`).toBe(first.body);
      }
    }
  }, 60_000);

  it("that needs no credential answers all callers alike", async () => {
    const paths = Object.entries(ROUTES).flatMap(([key, line]) => (line === "OPEN" ? [key.split(" ")] : []));
    for (const [method = "", path = ""] of paths) {
      const send = async (token: string) => {
        const url = `${walk.scene.server.url}${path.replaceAll(/:\w+/g, "x")}`;
        const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
        const answer = await fetch(url, { method, headers, redirect: "manual" });
        return [answer.status, await answer.text()];
      };
      const wanted = await send("");
      for (const { api, name } of principals) {
        // An address may send few deliveries a minute that prove nothing.
        if (/^\/(hooks|check-results)\//.test(path)) walk.scene.server.advance(60_000);
        expect(await send(api.token), `${name}: ${method} ${path}`).toEqual(wanted);
      }
    }
  }, 60_000);

  it("of runners is closed to all of them", async () => {
    for (const { api, name } of principals) {
      for (const path of ["/runner/v1/claim", `/runner/v1/jobs/${absentOf("job_")}`]) {
        const answer = await fetch(`${walk.scene.server.url}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
          body: "{}",
        });
        await answer.text();
        expect([401, 404, 405], `${name}: ${path} ${answer.status}`).toContain(answer.status);
      }
    }
  }, 60_000);
});
