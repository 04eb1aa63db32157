/** A queue of a peer in a process that obeys messages: `node claim-queue.ts <graphile-worker|pg-boss> <url>`. */
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { Client } from "pg";
import { PgBoss } from "pg-boss";
import type { FromPeer, ToPeer } from "../claims/messages.ts";

const RUNNERS = 8;
const NAME = "run";

interface Queue {
  seed(count: number): Promise<void>;
  /** Claims, finishes and enqueues with eight runners until `stopped`; `done` counts. */
  work(done: () => void, stopped: Promise<void>): Promise<void>;
}

async function graphileWorker(url: string): Promise<Queue> {
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  return {
    async seed(count) {
      await query(
        url,
        `insert into graphile_worker._private_tasks (identifier) values ('${NAME}') on conflict do nothing`,
      );
      await query(
        url,
        `insert into graphile_worker._private_jobs (task_id, payload)
         select t.id, '{}' from graphile_worker._private_tasks t, generate_series(1, ${count}) where identifier = '${NAME}'`,
      );
      await query(url, "vacuum analyze graphile_worker._private_jobs");
    },
    async work(done, stopped) {
      const runner = await run({
        connectionString: url,
        logger,
        concurrency: RUNNERS,
        maxPoolSize: RUNNERS + 2,
        noHandleSignals: true,
        taskList: {
          async [NAME](_payload, { addJob }) {
            await addJob(NAME, {});
            done();
          },
        },
      });
      await stopped;
      await runner.stop();
    },
  };
}

async function pgBoss(url: string): Promise<Queue> {
  const boss = new PgBoss({ connectionString: url, max: RUNNERS + 2, supervise: false, schedule: false });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue(NAME);
  return {
    async seed(count) {
      await query(url, `insert into pgboss.job (name, data) select '${NAME}', '{}' from generate_series(1, ${count})`);
      await query(url, "vacuum analyze");
    },
    async work(done, stopped) {
      let working = true;
      void stopped.then(() => {
        working = false;
      });
      const runner = async (): Promise<void> => {
        while (working) {
          const jobs = await boss.fetch(NAME);
          if (jobs.length === 0) continue;
          await boss.complete(
            NAME,
            jobs.map(({ id }) => id),
          );
          await boss.send(NAME, {});
          done();
        }
      };
      await Promise.all(Array.from({ length: RUNNERS }, runner));
    },
  };
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function measure(queue: Queue, ms: number): Promise<FromPeer> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let count = 0;
  const working = queue.work(() => {
    count += 1;
  }, stopped);
  // What a start costs is not asked here.
  while (count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const before = count;
  const cpu = process.cpuUsage();
  const started = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const found = { count: count - before, seconds: (performance.now() - started) / 1000 };
  const used = process.cpuUsage(cpu);
  stop();
  await working;
  return { ...found, nodeMs: (used.user + used.system) / 1000 };
}

const [, , name = "", url = ""] = process.argv;
const queue = name === "pg-boss" ? await pgBoss(url) : await graphileWorker(url);
process.on("message", (message: ToPeer) => {
  const answer = message.type === "seed" ? queue.seed(message.count).then(() => null) : measure(queue, message.ms);
  answer.then(
    (found) => process.send?.(found ?? {}),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
process.send?.({});
