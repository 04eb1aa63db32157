/** Holdpoint, its peers and the handlers by hand, asked for the same rows in interleaved rounds. */
import { startLoadGenerator } from "../measure/load.ts";
import { inRounds } from "../measure/rounds.ts";
import { figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Figure, Plot, Table } from "../part.ts";
import { formatNumber } from "../report/format.ts";
import { mustBeSame } from "./answers.ts";
import { type Contestant, type ContestantName, CONTESTANTS, LIMIT, startContestant } from "./contestants.ts";
import { bodiesOf, measureQuery, type QuerySample, sampleAnswers } from "./measure.ts";
import type { OperationName } from "./operations.ts";

const SEED = 1;
const WARM_UP_MS = { full: 3000, quick: 400 };
const ROUND_MS = { full: 2500, quick: 500 };
const ROUNDS = { full: 7, quick: 3 };

const TITLES: Readonly<Record<OperationName, string>> = {
  workspace: "A page: one workspace with its 20 newest runs, three phases each (11 KB)",
  run: "One run with its phases",
  newest: "The newest 20 of all runs, with their phases",
  deep: "20 runs after nine tenths of all runs",
  list: "A list: the newest 20 of all runs, each with the names of its workspace and its creator",
};

/** The samples of one operation, by contestant. */
export type Samples = ReadonlyMap<string, readonly QuerySample[]>;

/**
 * Measures the operations, one after the other. All contestants must give equal answers. `contestantsOf` limits an
 * operation to some of them; by default all are asked.
 */
export async function compareServers(
  context: BenchContext,
  operations: readonly OperationName[],
  contestantsOf: (operation: OperationName) => readonly ContestantName[] = () => CONTESTANTS,
): Promise<Map<OperationName, Samples>> {
  await using stack = new AsyncDisposableStack();
  const load = stack.use(startLoadGenerator());
  const contestants: Contestant[] = [];
  for (const name of CONTESTANTS) contestants.push(stack.use(disposable(await startContestant(name, context))));
  const measured = new Map<OperationName, Samples>();
  for (const operation of operations) {
    await compareAnswers(contestants, operation);
    context.print(TITLES[operation]);
    const names = contestantsOf(operation);
    const chosen = contestants.filter(({ name }) => names.includes(name));
    measured.set(operation, await measure(chosen, operation, context, load));
  }
  return measured;
}

function disposable(contestant: Contestant): Contestant & AsyncDisposable {
  return { ...contestant, [Symbol.asyncDispose]: () => contestant.server[Symbol.asyncDispose]() };
}

async function compareAnswers(contestants: readonly Contestant[], operation: OperationName): Promise<void> {
  const limit = contestants.find(({ name }) => name === LIMIT);
  if (limit === undefined) return;
  const expected = await sampleAnswers(limit, operation);
  for (const contestant of contestants) {
    const answers = await sampleAnswers(contestant, operation);
    for (const [index, answer] of answers.entries()) {
      mustBeSame(`${contestant.name} (${operation})`, answer, expected[index] ?? "null");
    }
  }
}

async function measure(
  contestants: readonly Contestant[],
  operation: OperationName,
  { quick, database, signal }: BenchContext,
  load: ReturnType<typeof startLoadGenerator>,
): Promise<Samples> {
  const length = quick ? "quick" : "full";
  const subjects = contestants.map((contestant) => {
    const bodies = bodiesOf(contestant, operation);
    return {
      name: contestant.name,
      measure: (ms = ROUND_MS[length]) => measureQuery(contestant, { load, database, bodies, ms }),
    };
  });
  for (const { measure: warmUp } of subjects) await warmUp(WARM_UP_MS[length]);
  return inRounds(
    subjects.map(({ name, measure: once }) => ({ name, measure: () => once() })),
    { rounds: ROUNDS[length], seed: SEED, signal },
  );
}

/** One value of each round of a contestant. */
function values(samples: Samples, name: ContestantName, pick: (sample: QuerySample) => number): number[] {
  return (samples.get(name) ?? []).map(pick);
}

/** Requests per second of a contestant, round by round. */
export function rates(samples: Samples, name: ContestantName): number[] {
  return values(samples, name, rate);
}

const rate = ({ perSecond }: QuerySample): number => perSecond;

/** Microseconds of CPU a request, of the server and of Postgres. */
const cpu = ({ serverUs, postgresUs }: QuerySample): number => serverUs + postgresUs;

/** The table of one operation. */
export function toTable(operation: OperationName, samples: Samples): Table {
  const row = (name: ContestantName): (string | Figure)[] => {
    const column = (pick: (sample: QuerySample) => number, unit: string): Figure =>
      figure(values(samples, name, pick), unit);
    return [
      name,
      column(rate, ""),
      ratio(values(samples, name, rate), values(samples, LIMIT, rate)),
      column(({ serverUs }) => serverUs, "µs"),
      column(({ postgresUs }) => postgresUs, "µs"),
      ratio(values(samples, LIMIT, cpu), values(samples, name, cpu)),
      `${formatNumber(column(({ p50 }) => p50, "").median)} ms`,
      `${formatNumber(column(({ p99 }) => p99, "").median)} ms`,
    ];
  };
  return {
    title: TITLES[operation],
    columns: [
      "server",
      "requests/s",
      "of the limit",
      "server's CPU",
      "Postgres' CPU",
      "by CPU, of the limit",
      "p50",
      "p99",
    ],
    rows: CONTESTANTS.filter((name) => samples.has(name)).map(row),
  };
}

/** The plot of one operation; `file` is its name. */
export function toPlot(file: string, [operation, samples]: readonly [OperationName, Samples]): Plot {
  return {
    file,
    title: TITLES[operation],
    unit: "requests a second, 50 connections",
    bars: CONTESTANTS.map((label) => ({
      label,
      figure: figure(values(samples, label, rate), ""),
      ours: label === "Holdpoint",
    })),
  };
}

/** Requests per second of Holdpoint against another contestant, round by round. */
export function against(samples: Samples | undefined, name: ContestantName): Figure {
  return samples === undefined
    ? figure([], "")
    : ratio(values(samples, "Holdpoint", rate), values(samples, name, rate));
}
