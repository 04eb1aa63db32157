import { PEERS, startPeer } from "../claims/peer.ts";
import { work } from "../claims/product.ts";
import { checkPlans, shares, watchRules } from "../claims/rules.ts";
import { ORGANIZATIONS, seedQueue } from "../claims/seed.ts";
import { inRounds, type Subject } from "../measure/rounds.ts";
import { cpuFigures, figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Figure, Part, PartResult } from "../part.ts";
import { openDeps } from "../product/deps.ts";

const RUNNERS = 8;
const SEED = 3;
const OURS = "Holdpoint";
/** Claims that a round must have for each organization before shares are meaningful. */
const ENOUGH_CLAIMS = 10;
/** Bounds of the mean share. Runs of one organization may follow each other if runners come at the same moment. */
const JUST = { least: 0.5, most: 1.5 };

/** For a cycle. It is a time and no ratio, so that a machine under load, or a slower one, may exceed it. */
const MOST_CPU_MS = 12;

interface Sample {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** Claims from long queues: the cost of a million waiting runs, and of the rules of organizations. */
export const claims: Part = {
  name: "claims",
  title: "Claims",
  async run(context) {
    await using stack = new AsyncDisposableStack();
    const sizes = context.quick ? [1000, 50_000] : [1000, 100_000, 1_000_000];
    const subjects: Subject<Sample>[] = [];
    for (const size of sizes) {
      subjects.push(await ours(stack, context, size));
      for (const peer of PEERS) subjects.push(await theirs(stack, context, peer, size));
      context.print(`queued ${size}`);
    }
    for (const { measure } of subjects) await measure();
    const rounds = context.quick ? 3 : 5;
    return report(sizes, await inRounds(subjects, { rounds, seed: SEED, signal: context.signal }));
  },
};

const nameOf = (who: string, size: number): string => `${who}, ${size.toLocaleString("en")} queued`;

function msOf({ quick }: BenchContext): number {
  return quick ? 700 : 4000;
}

async function ours(stack: AsyncDisposableStack, context: BenchContext, size: number): Promise<Subject<Sample>> {
  const { database } = context;
  const { connection } = await database.create("empty");
  const { deps } = stack.use(openDeps(connection, database.masterKey, RUNNERS + 2));
  await seedQueue(connection, deps.cipher, size);
  // Of a small table Postgres rightly reads all.
  if (size >= 50_000) await checkPlans(connection);
  const claimed = new Map<string, number>();
  return {
    name: nameOf(OURS, size),
    async measure() {
      const rules = await watchRules(connection);
      const cpu = process.cpuUsage();
      const postgres = await database.cpuSeconds();
      const { count, seconds, claims: found } = await work(deps, RUNNERS, { ms: msOf(context) });
      const used = process.cpuUsage(cpu);
      const postgresMs = ((await database.cpuSeconds()) - postgres) * (1000 / count);
      await rules.stop();
      for (const [slug, claims] of found) claimed.set(slug, (claimed.get(slug) ?? 0) + claims);
      checkShares(claimed);
      return { perSecond: count / seconds, nodeMs: (used.user + used.system) / 1000 / count, postgresMs };
    },
  };
}

/** Half of the organizations have no place: the other half shares the runners. */
function checkShares(claimed: ReadonlyMap<string, number>): void {
  const free = ORGANIZATIONS / 2;
  const total = [...claimed.values()].reduce((sum, one) => sum + one, 0);
  if (claimed.size > free) throw new Error(`${claimed.size} organizations had claims, ${free} have places.`);
  const { least, most } = shares(claimed, free);
  if (total >= ENOUGH_CLAIMS * free && (least < JUST.least || most > JUST.most)) {
    throw new Error(`Organizations got ${least.toFixed(2)} to ${most.toFixed(2)} of the mean share.`);
  }
}

async function theirs(
  stack: AsyncDisposableStack,
  context: BenchContext,
  name: (typeof PEERS)[number],
  size: number,
): Promise<Subject<Sample>> {
  const { database, signal } = context;
  const { url } = await database.create("empty");
  const peer = stack.use(await startPeer(name, url, signal));
  await peer.seed(size);
  return {
    name: nameOf(name, size),
    async measure() {
      const postgres = await database.cpuSeconds();
      const { count, seconds, nodeMs } = await peer.run(msOf(context));
      const postgresMs = ((await database.cpuSeconds()) - postgres) * 1000;
      return { perSecond: count / seconds, nodeMs: nodeMs / count, postgresMs: postgresMs / count };
    },
  };
}

function report(sizes: readonly number[], samples: ReadonlyMap<string, readonly Sample[]>): PartResult {
  const rates = (name: string): number[] => (samples.get(name) ?? []).map(({ perSecond }) => perSecond);
  const [small = 0] = sizes;
  const large = sizes.at(-1) ?? small;
  return {
    tables: [
      {
        title: `Cycles (claim, finish, enqueue) of ${RUNNERS} runners`,
        columns: ["who", "cycles per second", "Node per cycle", "Postgres per cycle", "both"],
        rows: [...samples].map(([name, all]) => [
          name,
          figure(rates(name), "/s"),
          ...cpuFigures(all),
          { ...cpuOfBoth(all), unit: "ms" },
        ]),
      },
    ],
    plots: [
      {
        file: "claims",
        title: `Cycles of ${RUNNERS} runners`,
        unit: "/s",
        bars: [...samples.keys()].map((label) => {
          return { label, figure: figure(rates(label), "/s"), ours: label.startsWith(OURS) };
        }),
      },
    ],
    targets: [
      {
        what: `claims per second with ${large.toLocaleString("en")} queued against ${small.toLocaleString("en")}`,
        bound: { atLeast: 0.8 },
        ratio: ratio(rates(nameOf(OURS, large)), rates(nameOf(OURS, small))),
      },
      ...sizes.map((size) => ({
        what: `CPU of Node and Postgres for a cycle with ${size.toLocaleString("en")} queued, ms`,
        bound: { atMost: MOST_CPU_MS },
        ratio: cpuOfBoth(samples.get(nameOf(OURS, size)) ?? []),
      })),
    ],
    notes: NOTES,
  };
}

function cpuOfBoth(samples: readonly Sample[]): Figure {
  return figure(
    samples.map(({ nodeMs, postgresMs }) => nodeMs + postgresMs),
    "",
  );
}

const NOTES = [
  "The runs belong to several organizations, half of which have all their slots taken. A cycle of Holdpoint is that of a run: through the machine with its events, phases, feed and hints, to the next run of the workspace. The peers delete a row and insert one, without such rules. Compare how each changes with a longer queue, not the rates.",
  "While runners claim, a second connection checks every 100 ms that no organization exceeds its limit and no workspace has two runners; after each round the shares of organizations are compared. A violation fails the benchmark, as does a plan of Postgres that reads a whole table for a claim.",
];
