import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findEngine } from "../../src/runner/find-engine.ts";
import { inRounds, type Subject } from "../measure/rounds.ts";
import { figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Part, PartResult } from "../part.ts";
import { startProductOn } from "../product/server.ts";
import { runBareEngine } from "../whole-run/bare-engine.ts";
import { createScript } from "../whole-run/script.ts";

const RESOURCES = 20;
const SEED = 5;
const HOLDPOINT = "Holdpoint";
const BARE = "the engine alone";

interface Sample {
  /** Milliseconds up to the plan, and to the end. */
  readonly planned: number;
  readonly finished: number;
  /** Of all processes but the database; NaN where the engine is alone: Node does not tell the time of its children. */
  readonly cpuMs: number;
}

/** What stands between a user and the engine: a whole run against the engine alone. */
export const wholeRun: Part = {
  name: "whole-run",
  title: `A whole run of ${RESOURCES} resources`,
  async run(context) {
    await using stack = new AsyncDisposableStack();
    const source = join(await realpath(context.folder), "source");
    await mkdir(source);
    await writeFile(join(source, "main.tf"), configuration());
    // oxlint-disable-next-line node/no-process-env -- the engine is found by it
    const engine = await findEngine(undefined, { PATH: process.env["PATH"] ?? "" });
    if (engine === null) throw new Error("There is neither terraform nor tofu on PATH.");
    const subjects: Subject<Sample>[] = [
      { name: HOLDPOINT, measure: await openProduct(stack, context, source) },
      {
        name: BARE,
        async measure() {
          const [init = 0, plan = 0, apply = 0] = await runBareEngine(engine.path, source, context.folder);
          return { planned: init + plan, finished: init + plan + apply, cpuMs: Number.NaN };
        },
      },
    ];
    const rounds = context.quick ? 4 : 20;
    // A runner and a server that have just been started are not what a user has all day.
    for (let round = 0; round < rounds / 2; round += 1) for (const { measure } of subjects) await measure();
    const samples = await inRounds(subjects, { rounds, seed: SEED, signal: context.signal });
    return report(samples, `${engine.name} ${engine.version}`);
  },
};

function configuration(): string {
  const resource = (_: unknown, number: number): string =>
    `resource "terraform_data" "r${number}" {\n  input = ${number}\n}\n`;
  return Array.from({ length: RESOURCES }, resource).join("\n");
}

async function openProduct(
  stack: AsyncDisposableStack,
  { database, folder }: BenchContext,
  source: string,
): Promise<() => Promise<Sample>> {
  const { url } = await database.create("empty");
  const { masterKey, token } = database;
  const env = { HOLDPOINT_RUNNER_SLOTS: "1", HOLDPOINT_SOURCE_ROOTS: source };
  const server = stack.use(await startProductOn({ url, masterKey, adminToken: token }, folder, env));
  const script = createScript(server.url, token);
  let count = 0;
  return async () => {
    const workspaceId = await script.createWorkspace(`whole-run-${(count += 1)}`, source);
    const before = server.cpuSeconds();
    const { planned, finished } = await script.run(workspaceId);
    return { planned, finished, cpuMs: (server.cpuSeconds() - before) * 1000 };
  };
}

function report(samples: ReadonlyMap<string, readonly Sample[]>, engine: string): PartResult {
  const of = (name: string, key: keyof Sample): number[] => (samples.get(name) ?? []).map((sample) => sample[key]);
  return {
    tables: [
      {
        title: `${RESOURCES} resources with ${engine}: created, planned, approved twice, applied`,
        columns: ["", "up to the plan", "up to the end", "CPU of server, runner and engines"],
        rows: [
          [
            HOLDPOINT,
            figure(of(HOLDPOINT, "planned"), "ms"),
            figure(of(HOLDPOINT, "finished"), "ms"),
            figure(of(HOLDPOINT, "cpuMs"), "ms"),
          ],
          [BARE, figure(of(BARE, "planned"), "ms"), figure(of(BARE, "finished"), "ms"), ""],
        ],
      },
    ],
    plots: [
      {
        file: "whole-run",
        title: `A whole run of ${RESOURCES} resources`,
        unit: "ms",
        bars: [HOLDPOINT, BARE].map((label) => {
          return { label, figure: figure(of(label, "finished"), "ms"), ours: label === HOLDPOINT };
        }),
      },
    ],
    targets: [
      {
        what: "a whole run against the engine's init, plan and apply",
        bound: { atMost: 1.3 },
        ratio: ratio(of(HOLDPOINT, "finished"), of(BARE, "finished")),
      },
    ],
    notes: [NOTE],
  };
}

const NOTE =
  "The resources (`terraform_data`) do nothing, so that nothing hides what Holdpoint costs: it is the same for " +
  "resources that take minutes. Each round is the first run of a new workspace, so that nothing could be kept from " +
  "an earlier one. The engine starts five times instead of three: an approval needs the plan's JSON and its text, " +
  "which are made beside each other. It takes for that about what the bare engine takes for three, because its " +
  "collector runs less often (`GOGC=400`, bounded by `GOMEMLIMIT`, where a slot has 4 GiB of memory; measured one " +
  "after the other, on a busy machine: init 33 ms instead of 44, plan 64 and not 89, show 34 and not 48, apply 93 " +
  "and not 102). What is left above the bare engine is Holdpoint's: some 20 requests, each answered with what is " +
  "committed; the source and the folder of a job; the start of processes. For 1.3 all of that would have to take 55 " +
  "ms, with two cores for server, Postgres, runner and engines. Looked at step by step before what follows was " +
  "done, on a machine that was not calm, in ms: the answer to createRun 15, the claim 11, the folder and the source " +
  "26, from one engine to the next 5 each, from the last show to the report 10, the report 13, until the script " +
  "hears of it 7, two approvals 30, the claim of the apply 14, its folder 13, from its end to that of the run 19. " +
  "What need not wait does not: the next engine starts while the server is told of the phase before, also that of " +
  "an apply, and gets no state and no lock, which is what it begins with, before the server has said so; under its " +
  "own lock it reads its state from memory and does not wait for the lock to be released; a held heartbeat looks " +
  "and renews nothing (a dozen commits less a run); the folder that waits for the apply is sealed while the plan is " +
  "reported. CPU time of a run, on a machine that was not calm, before and now: engines 300 and 243 ms, runner and " +
  "server together 333 and 305, Postgres 80 to 95. Since then, in interleaved rounds on machines that were slower " +
  "than that: the plan is started while the init works and waits for its turn, as its two descriptions do during the " +
  "plan, because 22 of the 25 ms of a start come before an engine looks at anything but its settings (alone 490 ms, " +
  "then 432; bare 225); lines of a phase travel beside its report, and jobs that are over within half a second send " +
  "no heartbeat and no progress of their beginning. All together 830 ms and 755 where bare takes 343, 452 and 421 " +
  "where it takes 220: a tenth less. What is left is work for the two cores: in the latter a run takes 590 ms of CPU " +
  "(engines 260, server 115, runner 135, Postgres 75), so that 295 ms would be the end of it with both cores busy all " +
  "the time, which is 1.34; they are so for 70 %, and what is started early slows down what is waited for. The engines " +
  "alone, one after the other with nothing of ours between, take 158 ms with one description where bare takes 163. " +
  "For 1.3 the CPU time of all but them would have to fall by half: it is not reached. Commits are not what it waits " +
  "for: some twenty, of 0.6 ms each, a dozen of them in the way. Of the runner's time a quarter is the start of " +
  "processes (a fork copies its page tables: 3 ms each, eight of them), a tenth looking for what engines left, a " +
  "sixth fetch. Not done: pipes that are made ahead; a small process that starts the " +
  "engines; hints that do not go over the database within one process (2 ms, four times). Without a gain that could " +
  "be seen: what a job needs to know read by several connections at once; descriptions that start only when the " +
  "server knows of the plan's beginning; a smaller young generation of the runner, for cheaper forks.";
