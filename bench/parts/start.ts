import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { preparePostgresBinaries } from "../../src/persistence/embedded/binaries.ts";
import { inRounds, type Subject } from "../measure/rounds.ts";
import { figure, ratio } from "../measure/statistics.ts";
import type { Part, PartResult } from "../part.ts";
import { startProduct } from "../product/server.ts";

const SEED = 6;
const HOLDPOINT = "Holdpoint, up to /readyz";
const BARE = "pg_ctl start -w";

interface Sample {
  readonly ms: number;
  /** CPU time of the server with its Postgres and its runner; NaN for the bare one. */
  readonly cpuMs: number;
}

/** A start on a data folder that is there, against that of its Postgres alone. */
export const start: Part = {
  name: "start",
  title: "A later start",
  async run({ folder, quick, signal }) {
    // Postgres' own user passes through it.
    await chmod(folder, 0o711);
    const dataDir = join(folder, "data");
    const first = performance.now();
    await (await startProduct({ dataDir }))[Symbol.asyncDispose]();
    const firstMs = performance.now() - first;
    const subjects: Subject<Sample>[] = [
      { name: HOLDPOINT, measure: () => startHoldpoint(dataDir) },
      { name: BARE, measure: await barePostgres(dataDir, folder) },
    ];
    for (const { measure } of subjects) await measure();
    const samples = await inRounds(subjects, { rounds: quick ? 3 : 15, seed: SEED, signal });
    return report(samples, firstMs);
  },
};

async function startHoldpoint(dataDir: string): Promise<Sample> {
  const started = performance.now();
  await using server = await startProduct({ dataDir });
  const { status } = await fetch(`${server.url}/readyz`);
  if (status !== 200) throw new Error(`/readyz answers ${status}.`);
  return { ms: performance.now() - started, cpuMs: server.cpuSeconds() * 1000 };
}

/** Starts the server's own cluster, which is stopped meanwhile, as the user that owns it. */
async function barePostgres(dataDir: string, folder: string): Promise<() => Promise<Sample>> {
  const { postgres } = await preparePostgresBinaries(dataDir, undefined);
  const program = join(dirname(postgres), "pg_ctl");
  const cluster = join(dataDir, "postgres");
  const { uid, gid } = await stat(cluster);
  const socket = join(folder, "socket");
  await mkdir(socket);
  await chmod(socket, 0o777);
  const options = `-c listen_addresses='' -c unix_socket_directories='${socket}' -c shared_buffers=128MB`;
  const run = async (...args: string[]): Promise<void> => {
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    const child = spawn(program, [...args, "-w", "-D", cluster], {
      cwd: "/",
      stdio: "ignore",
      env: { LC_ALL: "C" },
      ...user,
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`pg_ctl ${args[0]} ended with ${String(code)}.`);
  };
  return async () => {
    const started = performance.now();
    await run("start", "-l", join(socket, "log"), "-o", options);
    const ms = performance.now() - started;
    await run("stop", "-m", "fast");
    return { ms, cpuMs: Number.NaN };
  };
}

function report(samples: ReadonlyMap<string, readonly Sample[]>, firstMs: number): PartResult {
  const of = (name: string, key: keyof Sample): number[] => (samples.get(name) ?? []).map((sample) => sample[key]);
  const figures = [HOLDPOINT, BARE].map((label) => ({ label, figure: figure(of(label, "ms"), "ms") }));
  return {
    tables: [
      {
        title: "A start with the embedded Postgres on a data folder that is there",
        columns: ["", "time", "CPU, with Postgres and the embedded runner so far"],
        rows: figures.map(({ label, figure: time }) => [
          label,
          time,
          label === HOLDPOINT ? figure(of(label, "cpuMs"), "ms") : "",
        ]),
      },
    ],
    plots: [],
    targets: [
      {
        what: "later start to ready against a bare Postgres start",
        bound: { atMost: 6 },
        ratio: ratio(of(HOLDPOINT, "ms"), of(BARE, "ms")),
      },
    ],
    notes: [note(firstMs)],
  };
}

function note(firstMs: number): string {
  return (
    `The first start, which makes the database, took ${Math.round(firstMs)} ms with its stop. ` +
    "Most of a later start is Node loading modules from a cache of compiled ones; Postgres and the engine start beside that. Modules that a start does not need are loaded when they are used."
  );
}
