import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findEngine } from "../../src/runner/engine/engine-discovery.ts";
import { inRounds, type Subject } from "../measure/rounds.ts";
import { difference, figure } from "../measure/statistics.ts";
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
  /** CPU time of all processes but the database; NaN for the engine alone: Node does not report its children. */
  readonly cpuMs: number;
}

/** A whole run against the engine alone: the cost of Holdpoint between a user and the engine. */
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
        what: "what a whole run takes beyond the engine's init, plan and apply",
        bound: { atMost: 150 },
        ratio: difference(of(HOLDPOINT, "finished"), of(BARE, "finished"), "ms"),
      },
    ],
    notes: [NOTE],
  };
}

const NOTE =
  "The resources (`terraform_data`) do nothing, so the table shows what Holdpoint costs; it is the same for resources that take minutes. Each round is the first run of a new workspace. The engine starts five times instead of three, because an approval needs the plan as JSON and as text.";
