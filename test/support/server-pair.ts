/** Two servers as processes on one database. */
import { expect } from "vitest";
import { MASTER_KEY } from "../e2e/holdpoint.ts";
import { type Data, waitForStatus } from "./api.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { Follower } from "./follower.ts";
import type { HeldWork } from "./held-work.ts";
import * as steps from "./run-steps.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface ServerPair extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly first: ServerProcess;
  readonly second: ServerProcess;
  /** One more server on the same database. */
  start(slots: number, dataDir?: string): Promise<ServerProcess>;
}

/** The first one has a runner, the second one has none. */
export async function startPair(work: HeldWork, more: Record<string, string> = {}): Promise<ServerPair> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  let started = 0;
  const start = (slots: number, dataDir?: string): Promise<ServerProcess> => {
    const env = {
      DATABASE_URL: database.url,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
      HOLDPOINT_SOURCE_ROOTS: work.root,
      HOLDPOINT_RUNNER_SLOTS: `${slots}`,
      HOLDPOINT_RUNNER_NAME: `server-${(started += 1)}`,
      ...more,
    };
    return startServerProcess({ env, ...(dataDir !== undefined && { dataDir }) });
  };
  const [first, second] = await Promise.all([start(2), start(0)]);
  for (const server of [first, second]) stack.use(server);
  const owned = stack.move();
  return { database, first, second, start, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What a client knows of a run by asking, the plan and the log included. */
export async function facts({ api }: ServerProcess, run: string, workspace: string): Promise<Data> {
  return api.ask(
    `query ($run: ID!, $workspace: ID!) {
      run(id: $run) { status outcome version plan { digest text } log(first: 5000) { edges { node { number text } } }
        phases { kind attempt status } }
      workspace(by: { id: $workspace }) { stateLock { id } currentRun { id } outputs { name value } } }`,
    { run, workspace },
  );
}

/** One run over both servers: each shows the events and the log of work that the other did. */
export async function expectSharedRun(work: HeldWork, env: Record<string, string> = {}): Promise<void> {
  await using pair = await startPair(work, env);
  const { first, second } = pair;
  const { path, release } = await work.heldApply("both");
  // Made by one, followed at the other, and the reverse.
  const workspace = await steps.createWorkspace(second.api, "both", path);
  const run = await steps.createRun(second.api, workspace);
  const followers = [first, second].map((server) => {
    const [events, log] = [new Follower("runEvents", run), new Follower("runLog", run)];
    return { events, log, ends: Promise.all([events.connect(server.api), log.connect(server.api)]) };
  });
  await waitForStatus(second.api, run, "AWAITING_PLAN_APPROVAL");
  await steps.approve(first.api, run, "PLAN");
  await steps.approve(second.api, run, "APPLY");
  for (const { log } of followers) {
    await log.until(({ lines }) => lines?.some(({ text }: Data) => text.includes("waiting")));
  }
  await release();
  for (const { ends } of followers) expect(await ends).toEqual(["completed", "completed"]);
  const record = await steps.readRun(second.api, run);
  expect(record.statuses.at(-1)).toBe("FINISHED");
  for (const { events, log } of followers) {
    expect(events.versions).toEqual(record.versions.filter((version) => version > events.items[0].run.version));
    expect(log.lineTexts).toEqual(record.lines.map(({ text }) => text));
  }
  const [one, other] = await Promise.all([first, second].map((server) => facts(server, run, workspace)));
  expect(one).toEqual(other);
  expect(one.run.plan.text).toContain("terraform_data.first");
  // The first goes, and its runner with it: what it planned and stored is served on.
  expect(await first.stop()).toBe(0);
  expect(await facts(second, run, workspace)).toEqual(one);
}
