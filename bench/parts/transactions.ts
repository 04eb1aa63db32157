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
  /** Of this process, which is the subscriber as well. */
  readonly nodeMs: number;
  readonly postgresMs: number;
}

/** What an event costs the transaction that writes it, where the disk is slow. */
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
  // Connections stay while others are measured: where they are made anew, a sample measures that as well.
  const kept = { ...connection, idleTimeoutMillis: 0 };
  const { deps } = stack.use(openDeps(kept, database.masterKey, WRITERS + 4));
  let told = 0;
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
      const tells = kind !== "without events";
      const count = await write(deps, tells, started + (quick ? 700 : 2500));
      const seconds = (performance.now() - started) / 1000;
      const used = process.cpuUsage(cpu);
      const postgresMs = ((await database.cpuSeconds()) - postgres) * (1000 / count);
      if (tells) told += count;
      await checkFeeds(deps, organizations, told);
      if (failures.length > 0) throw failures[0];
      return { perSecond: count / seconds, nodeMs: (used.user + used.system) / 1000 / count, postgresMs };
    },
  }));
}

/** Gives how many were written. */
async function write(deps: Deps, tells: boolean, end: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      let count = 0;
      for (; performance.now() < end; count += 1) await change(deps, writer, tells);
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
  "Each transaction locks a workspace and its run, reads what decisions depend on and gives the run another " +
  "priority. With events its statement also writes the event and its entry for the feed, and the hint is sent. Both " +
  "write the same column: while the one without events changed an indexed column and the other did not, the ratio " +
  "was flattered by a tenth. After every round all feeds are read, and the part fails where one misses a change, or " +
  "has those of a run out of order. An entry gets its position when somebody reads: were it taken by the " +
  "transaction from the counter of the organization, that row would be locked while the disk is written to, and all " +
  "writers of an organization would wait for one flush each. What is left is processor time, and with two cores " +
  "that, and not the disk, decides the ratio: two more rows and two more entries of indexes, two foreign keys and " +
  "three checks that are the net below the run machine, and hints. With 16 writers in turns with what was before, a " +
  "transaction with events takes a tenth less of Postgres since writers share no lock on the row of their actor " +
  "(each made a multixact of all of them), events have no index for the key to the event of a status (a trigger " +
  "looks where a status changes), and hints travel as one text (a batch of 33 took 121 us of Node and Postgres, now " +
  "54). To look an actor up without a lock costs as much as the key did, so a trigger does that for all but the system's. " +
  "Of the 0.2 ms of Postgres that events add, the two keys take half: without them the ratio is 0.83 where it was " +
  "0.76, and without the checks and the trigger of events and entries as well 0.84. Of 122 us on a connection that is " +
  "alone, the keys take 50 to 70, the entry for the feed 38 and the event's row the rest. Node's 0.06 to 0.12 ms are " +
  "spread thin, with no function above 7 us; hints take Postgres half a percent of the processors. " +
  "Without gain: keys that are checked at once and not at the commit; one key less (10 to 20 us), because what it costs " +
  "to have something done at the commit stays; one check of the feed's entries instead of two; one payload for all " +
  "hints (54 us, then 40). Not done: triggers that look without a lock in place of both keys (0.97 ms of Node and " +
  "Postgres, with the keys 1.02; a ratio of 0.80 instead of 0.79): a restored backup would no longer be checked for " +
  "what the keys say, and whatever removes events or runs would need triggers of its own. The checks of the feed's entries are " +
  "at most 3 % of what Postgres does for a transaction, and a wrong entry would hold up its " +
  "feed; the five checks of a run cost each change of it some 20 us, with events and without, because Postgres " +
  "reads them anew with every statement. Events, entry and change were three statements and a part of the commit, " +
  "and took a quarter more of it all. Feeds that are read are looked at together: 16, with a look for each of their " +
  "events, took half as much again as one.";
