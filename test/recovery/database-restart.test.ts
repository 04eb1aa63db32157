/** A Postgres that restarts under load: requests fail clearly, everything else comes back by itself, nothing is lost. */
import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { chmod, open } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Api, type Data, waitForStatus } from "../support/api.ts";
import { Follower } from "../support/follower.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { type OwnPostgres, startOwnPostgres, type StopMode } from "../support/own-postgres.ts";
import * as steps from "../support/run-steps.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";

const CLIENTS = 4;
const FREE = { lock: null, stateLock: null, currentRun: null };

let work: HeldWork;
let postgres: OwnPostgres;
let server: ServerProcess;
beforeAll(async () => {
  work = await startHeldWork();
  postgres = await startOwnPostgres();
  server = await startServerProcess({ env: { DATABASE_URL: postgres.url, HOLDPOINT_SOURCE_ROOTS: work.root } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

/** An apply that writes what the test tells it, line by line, until it is told to end. */
async function spokenApply(name: string) {
  const pipe = join(work.root, `${name}.pipe`);
  execFileSync("mkfifo", [pipe]);
  await chmod(pipe, 0o666);
  const handle = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const path = await work.source(
    name,
    `resource "terraform_data" "first" { input = "made" }
     resource "terraform_data" "second" {
       depends_on = [terraform_data.first]
       provisioner "local-exec" {
         command = "echo wait''ing; while read line; do [ $line = end ] && break; echo said $line; done < ${pipe}"
       }
     }`,
  );
  const said: string[] = [];
  return {
    path,
    said,
    async say(word: string, times: number) {
      const words = Array.from({ length: times }, (_, index) => `${word}-${index}`);
      said.push(...words);
      await handle.write(`${words.join("\n")}\n`);
    },
    async end() {
      await handle.write("end\n");
      await handle.close();
    },
  };
}

/** The words that the engine has shown. It cuts a line of a command in two where the rest of it takes 100 ms to come. */
function wordsIn(texts: readonly string[]): string[] {
  const shown = texts.flatMap((text) => /\(local-exec\): (.*)/.exec(text)?.[1] ?? []).join("");
  return [...shown.matchAll(/said ?([a-z-]+\d+)/g)].flatMap(([, word]) => word ?? []);
}

const LOAD = `query ($id: ID!) { run(id: $id) { status events(last: 5) { edges { node { version } } }
  log(last: 5) { edges { node { text } } } } runs(first: 5) { edges { node { id } } } }`;

/** Clients that ask again and again, one request each at a time. */
function startLoad(api: Api, run: string) {
  const counts = { served: 0, failed: 0 };
  const wrong: unknown[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  async function ask(): Promise<void> {
    while (!over && wrong.length === 0) {
      const answer = await api.send(LOAD, { id: run }).catch((error: unknown) => ({ lost: String(error) }));
      if ("lost" in answer || !isClear(answer.status, answer)) wrong.push(answer);
      else if (answer.errors === undefined) counts.served += 1;
      else counts.failed += 1;
      for (const wake of waiting) wake();
      waiting.clear();
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, ask));
  return {
    wrong,
    /** Fulfilled when so many more requests were answered in this way. */
    async until(kind: keyof typeof counts, more: number): Promise<void> {
      const goal = counts[kind] + more;
      while (counts[kind] < goal && wrong.length === 0) await new Promise<void>((resolve) => waiting.add(resolve));
      expect(wrong).toEqual([]);
    },
    async stop(): Promise<void> {
      over = true;
      await clients;
    },
  };
}

/** Either the data, or a masked error with the id that the log has. */
function isClear(status: number, { data, errors }: Data): boolean {
  if (errors === undefined) return status === 200 && data.run !== null;
  return errors.every(
    ({ message, extensions }: Data) =>
      message === "Unexpected error." && extensions.code === "INTERNAL" && /^[\w-]{36}$/.test(extensions.errorId),
  );
}

/** Reads to the end, with a new connection whenever one could not be made or broke; gives how each of them ended. */
async function followToEnd(follower: Follower): Promise<string[]> {
  for (const endings: string[] = []; ; ) {
    endings.push(await follower.connect(server.api));
    if (endings.at(-1) === "completed") return endings;
  }
}

async function readiness(): Promise<number> {
  return (await fetch(`${server.url}/readyz`)).status;
}

describe("a Postgres that is stopped and started again", () => {
  it.each<StopMode>(["immediate", "fast"])("%s", async (mode) => {
    const { api } = server;
    const apply = await spokenApply(`${mode}-apply`);
    const plan = await work.heldPlan(`${mode}-plan`);
    const applyWorkspace = await steps.createWorkspace(api, `${mode}-apply`, apply.path);
    const planWorkspace = await steps.createWorkspace(api, `${mode}-plan`, plan.path);
    const applying = await steps.createRun(api, applyWorkspace);
    const planning = await steps.createRun(api, planWorkspace);
    const [events, log, planEvents] = [
      new Follower("runEvents", applying),
      new Follower("runLog", applying),
      new Follower("runEvents", planning),
    ];
    const streams = Promise.all([events.connect(api), log.connect(api), planEvents.connect(api)]);
    await steps.approveBoth(api, applying);
    await log.until(({ lines }) => lines?.some(({ text }: Data) => text.includes("waiting")));
    await plan.reached;
    const load = startLoad(api, applying);
    await apply.say("before", 200);
    await load.until("served", CLIENTS);

    const stopped = postgres.stop(mode);
    await apply.say("while-it-stops", 200);
    await stopped;
    await load.until("failed", 10 * CLIENTS);
    expect(await readiness()).toBe(503);
    await apply.say("away", 200);
    plan.release();
    // Whoever comes now is not turned away for ever.
    const late = new Follower("runLog", applying);
    expect(await late.connect(api)).toBe("dropped");
    const lateStream = followToEnd(late);
    const patient = createClient({
      url: `${api.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${api.token}` },
      retryAttempts: 100,
    });
    const asked = patient.iterate<Data>({ query: "{ viewer { role } }" }).next();
    const { errors } = await api.send("mutation ($id: ID!) { createRun(input: { workspaceId: $id }) { __typename } }", {
      id: applyWorkspace,
    });
    expect(errors).toMatchObject([{ message: "Unexpected error.", extensions: { code: "INTERNAL" } }]);

    await postgres.start();
    await load.until("served", 10 * CLIENTS);
    expect(await readiness()).toBe(200);
    expect((await asked).value.data).toEqual({ viewer: { role: "ADMIN" } });
    await patient.dispose();
    await apply.say("after", 200);
    await apply.end();
    expect(await waitForStatus(api, applying, "FINISHED")).toMatchObject({ outcome: "APPLIED", failure: null });
    await waitForStatus(api, planning, "AWAITING_PLAN_APPROVAL");
    await steps.approveBoth(api, planning);
    expect(await waitForStatus(api, planning, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
    await load.stop();
    expect(load.wrong).toEqual([]);

    // None of the streams broke, and each was sent exactly the table.
    expect(await streams).toEqual(["completed", "completed", "completed"]);
    expect((await lateStream).at(-1)).toBe("completed");
    const record = await steps.readRun(api, applying);
    const planned = await steps.readRun(api, planning);
    for (const [stream, { version, versions }] of [[events, record] as const, [planEvents, planned] as const]) {
      expect(versions).toEqual(steps.countTo(version));
      expect(stream.versions).toEqual(versions.filter((known) => known > stream.items[0].run.version));
      expect(stream.errors).toEqual([]);
    }
    expect(record.lines.map(({ number }) => number)).toEqual(steps.countTo(record.lines.length));
    for (const stream of [log, late]) {
      expect(stream.lineTexts).toEqual(record.lines.map(({ text }) => text));
      expect(stream.lineNumbers).toEqual(record.lines.map(({ number }) => number));
    }
    expect(wordsIn(record.lines.map(({ text }) => text))).toEqual(apply.said);
    // No runner was lost over it.
    for (const { statuses, phases } of [record, planned]) {
      expect(statuses.filter((to) => to === "APPLYING")).toHaveLength(1);
      expect(phases.map(({ status }) => status)).not.toContain("LOST");
    }
    for (const workspace of [applyWorkspace, planWorkspace]) {
      expect(await steps.holdsOf(api, workspace)).toEqual(FREE);
    }
    expect(await postgres.query("select 1 from pg_stat_activity where state like 'idle in transaction%'")).toEqual([]);
    expect(server.child.exitCode).toBe(null);
    expect(server.output()).not.toContain("ended unexpectedly");
  });
});
