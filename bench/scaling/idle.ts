/** The cost of an idle server, of a runner that waits for work, and of a heartbeat with a job. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimAnswer, type FakeJob } from "../../test/support/fake-runner.ts";
import { createRun, createWorkspace } from "../../test/support/run-steps.ts";
import { type Cost, costOf, type Measured, RUNNER_TOKEN, type Server, short, table, type World } from "./world.ts";

/** `runners`: so many that one of them is more than the noise. */
const FULL = { seconds: 30, runners: 1000 };
const QUICK = { seconds: 5, runners: 100 };
const WAIT_MS = 25_000;
const HEARTBEATS = 200;

export async function idle(world: World): Promise<Measured> {
  const { seconds, runners } = world.quick ? QUICK : FULL;
  await using place = await world.database("idle");
  await using server = await world.server(place);
  await sleep(3000);
  const alone = await costOf(world, [server], () => sleep(seconds * 1000));
  const end = new AbortController();
  const asking = Array.from({ length: runners }, (_, number) => askForEver(server, number / runners, end.signal));
  await sleep(3000);
  const asked = await costOf(world, [server], () => sleep(seconds * 1000));
  const connections = await place.number(
    "select count(*) from pg_stat_activity where datname = 'idle' and pid <> pg_backend_pid()",
  );
  end.abort();
  await Promise.all(asking);
  const beat = await heartbeats(world, server);
  const minute = 60 / seconds;
  const own = costs(alone, minute);
  const waiting = costs(
    {
      statements: asked.statements - alone.statements,
      server: asked.server - alone.server,
      postgres: asked.postgres - alone.postgres,
    },
    minute / runners,
  );
  const job = costs(beat, 6 / HEARTBEATS);
  const row = (name: string, { statements, serverMs, postgresMs }: Costs): string[] => [
    name,
    ...[statements, serverMs, postgresMs].map(short),
  ];
  return {
    "idle.costs": table(
      ["a minute of", "statements", "server ms", "Postgres ms"],
      [
        row("a server, idle", own),
        row(`a runner that waits (${runners} of them)`, waiting),
        row("a job that is at work (6 heartbeats)", job),
      ],
    ),
    "idle.serverMs": own.serverMs,
    "idle.postgresMs": own.postgresMs,
    "waiting.statements": waiting.statements,
    "waiting.serverMs": waiting.serverMs,
    "waiting.postgresMs": waiting.postgresMs,
    "waiting.runners": runners,
    "job.statements": job.statements,
    "job.serverMs": job.serverMs,
    "job.postgresMs": job.postgresMs,
    "idle.connections": connections,
  };
}

/** Costs of a minute. */
interface Costs {
  statements: number;
  serverMs: number;
  postgresMs: number;
}

function costs({ statements, server, postgres }: Omit<Cost, "seconds">, times: number): Costs {
  return { statements: statements * times, serverMs: server * 1000 * times, postgresMs: postgres * 1000 * times };
}

/** Measures heartbeats of one job, one after the other. */
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
async function askForEver(server: Server, share: number, signal: AbortSignal): Promise<void> {
  await sleep(share * 2000);
  while (!signal.aborted) {
    const answer = claimAnswer(server.process.url, RUNNER_TOKEN, randomUUID(), WAIT_MS, `runner-${share}`);
    const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([answer.then(() => undefined).catch(() => undefined), gone]);
  }
}
