import { cpuFigures, figure, ratio } from "../measure/statistics.ts";
import { inRounds, type Subject } from "../measure/rounds.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import type { BenchContext, Part, PartResult } from "../part.ts";
import { openDeps } from "../product/deps.ts";
import { change, checkFeeds, seedRuns, startReaders, WRITERS } from "../transactions/writers.ts";

/** All writers in one organization, and each in its own. */
const ORGANIZATIONS = [1, WRITERS] as const;
const SEED = 2;

interface Sample {
  readonly perSecond: number;
  /** CPU time of this process, which is the subscriber as well. */
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** The cost of an event for the transaction that writes it, on a slow disk. */
export const transactions: Part = {
  name: "transactions",
  title: "Transactions with events",
  async run(context) {
    await using stack = new AsyncDisposableStack();
    const subjects: Subject<Sample>[] = [];
    for (const organizations of ORGANIZATIONS) subjects.push(...(await open(stack, context, organizations)));
    for (const { measure } of subjects) await measure();
    const rounds = context.quick ? 3 : 7;
    return report(await inRounds(subjects, { rounds, seed: SEED, signal: context.signal }));
  },
};

type Kind = "without events" | "with events" | "with events, which a subscriber reads";
const KINDS: readonly Kind[] = ["without events", "with events", "with events, which a subscriber reads"];

function nameOf(organizations: number, kind: Kind): string {
  return `${organizations === 1 ? "one organization" : `${organizations} organizations`}, ${kind}`;
}

async function open(
  stack: AsyncDisposableStack,
  { database, quick }: BenchContext,
  organizations: number,
): Promise<Subject<Sample>[]> {
  const { connection } = await database.create("empty");
  await seedRuns(connection, organizations);
  // Connections stay open while others are measured: otherwise a sample would include their start.
  const kept = { ...connection, idleTimeoutMillis: 0 };
  const { deps } = stack.use(openDeps(kept, database.masterKey, WRITERS + 4));
  let published = 0;
  return KINDS.map((kind) => ({
    name: nameOf(organizations, kind),
    async measure() {
      const failures: unknown[] = [];
      await using _readers =
        kind === "with events, which a subscriber reads"
          ? await startReaders(deps, connection, organizations, (error) => failures.push(error))
          : null;
      const cpu = process.cpuUsage();
      const postgres = await database.cpuSeconds();
      const started = performance.now();
      const withEvents = kind !== "without events";
      const count = await write(deps, withEvents, started + (quick ? 700 : 2500));
      const seconds = (performance.now() - started) / 1000;
      const used = process.cpuUsage(cpu);
      const postgresMs = ((await database.cpuSeconds()) - postgres) * (1000 / count);
      if (withEvents) published += count;
      await checkFeeds(deps, organizations, published);
      if (failures.length > 0) throw failures[0];
      return { perSecond: count / seconds, nodeMs: (used.user + used.system) / 1000 / count, postgresMs };
    },
  }));
}

/** Gives how many were written. */
async function write(deps: Deps, withEvents: boolean, end: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      let count = 0;
      for (; performance.now() < end; count += 1) await change(deps, writer, withEvents);
      return count;
    }),
  );
  return counts.reduce((sum, one) => sum + one, 0);
}

function report(samples: ReadonlyMap<string, readonly Sample[]>): PartResult {
  const rates = (name: string): number[] => (samples.get(name) ?? []).map(({ perSecond }) => perSecond);
  const ratios = ORGANIZATIONS.map((organizations) => ({
    organizations,
    ratio: ratio(rates(nameOf(organizations, "with events")), rates(nameOf(organizations, "without events"))),
  }));
  return {
    tables: [
      {
        title: `Changes of runs by ${WRITERS} writers, on a disk that takes 2 ms to flush`,
        columns: ["transactions", "per second", "Node per transaction", "Postgres per transaction"],
        rows: [...samples].map(([name, all]) => [name, figure(rates(name), "/s"), ...cpuFigures(all)]),
      },
    ],
    plots: [
      {
        file: "transactions",
        title: `Transactions of ${WRITERS} writers, 2 ms a flush`,
        unit: "/s",
        bars: [...samples.keys()].map((label) => {
          return { label, figure: figure(rates(label), "/s"), ours: !label.endsWith("without events") };
        }),
      },
    ],
    targets: ratios.map(({ organizations, ratio: found }) => ({
      what: `transactions with events against those without, ${organizations === 1 ? "one organization" : `${organizations} organizations`}`,
      bound: { atLeast: 0.8 },
      ratio: found,
    })),
    notes: [NOTE],
  };
}

const NOTE =
  "Each transaction locks a workspace and its run, reads what decisions depend on and changes the priority of the run. With events its statement also writes the event and its entry for the feed, and the hint is sent. Both write the same column. After every round all feeds are read; the part fails if one misses a change or has events of a run out of order.";
