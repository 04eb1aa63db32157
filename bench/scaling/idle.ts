/** What a server costs that has nothing to do, a runner that waits for work, and a heartbeat of one that has some. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimAnswer, type FakeJob } from "../../test/support/fake-runner.ts";
import { createRun, createWorkspace } from "../../test/support/run-steps.ts";
import { type Cost, costOf, RUNNER_TOKEN, type Server, short, table, type World } from "./world.ts";

const SECONDS = 30;
const RUNNERS = 200;
const WAIT_MS = 25_000;
const HEARTBEATS = 200;

export async function idle(world: World): Promise<string> {
  await using place = await world.database("idle");
  await using server = await world.server(place);
  await sleep(3000);
  const alone = await costOf(world, [server], () => sleep(SECONDS * 1000));
  const end = new AbortController();
  const asking = Array.from({ length: RUNNERS }, (_, number) => askForEver(server, number, end.signal));
  await sleep(3000);
  const asked = await costOf(world, [server], () => sleep(SECONDS * 1000));
  const connections = await place.number(
    "select count(*) from pg_stat_activity where datname = 'idle' and pid <> pg_backend_pid()",
  );
  end.abort();
  await Promise.all(asking);
  const beat = await heartbeats(world, server);
  const perMinute = (value: number): string => short((value * 60) / SECONDS);
  const ofOne = (with_: number, without: number): string => short((((with_ - without) / RUNNERS) * 60) / SECONDS);
  const measured = table(
    ["a minute of", "statements", "server ms", "Postgres ms"],
    [
      ["a server, idle", perMinute(alone.statements), perMinute(alone.server * 1000), perMinute(alone.postgres * 1000)],
      [
        `a runner that waits (${RUNNERS} of them)`,
        ofOne(asked.statements, alone.statements),
        ofOne(asked.server * 1000, alone.server * 1000),
        ofOne(asked.postgres * 1000, alone.postgres * 1000),
      ],
      ["a job that is at work (6 heartbeats)", ...[beat.statements, beat.server * 1000, beat.postgres * 1000].map(six)],
    ],
  );
  return `${measured}\n\nConnections of the server to Postgres with ${RUNNERS} runners waiting: ${connections}.`;
}

const six = (value: number): string => short((value / HEARTBEATS) * 6);

/** Of one job, one after the other. */
async function heartbeats(world: World, server: Server): Promise<Cost> {
  const source = join(world.folder, "idle");
  await mkdir(source);
  await writeFile(join(source, "main.tf"), "");
  const { api, url } = server.process;
  await createRun(api, await createWorkspace(api, "busy", source));
  let job: FakeJob | null = null;
  while (job === null) job = await claim(url, RUNNER_TOKEN);
  for (let beat = 0; beat < HEARTBEATS; beat += 1) await job.heartbeat();
  const busy = job;
  return costOf(world, [server], async () => {
    for (let beat = 0; beat < HEARTBEATS; beat += 1) await busy.heartbeat();
  });
}

/** As a runner with a free slot does: one request after the other, each held open while there is nothing to do. */
async function askForEver(server: Server, number: number, signal: AbortSignal): Promise<void> {
  await sleep((number * 2000) / RUNNERS);
  while (!signal.aborted) {
    const answer = claimAnswer(server.process.url, RUNNER_TOKEN, randomUUID(), WAIT_MS, `runner-${number}`);
    const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([answer.then(() => undefined).catch(() => undefined), gone]);
  }
}
