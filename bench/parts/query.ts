/** Pages and single runs over HTTP: Holdpoint, its peers, and what somebody would write by hand for just this. */
import { startLoadGenerator } from "../measure/load.ts";
import { inRounds } from "../measure/rounds.ts";
import { figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Figure, Part, PartResult, Plot, Table, Target } from "../part.ts";
import { mustBeSame } from "../query/answers.ts";
import {
  type Contestant,
  type ContestantName,
  CONTESTANTS,
  LIMIT,
  PEERS,
  startContestant,
} from "../query/contestants.ts";
import { bodiesOf, measureQuery, type QuerySample, sampleAnswers } from "../query/measure.ts";
import { formatNumber } from "../report/format.ts";
import { OPERATIONS, type OperationName } from "../query/operations.ts";

const SEED = 1;
const WARM_UP_MS = { full: 3000, quick: 400 };
const ROUND_MS = { full: 2500, quick: 500 };
const ROUNDS = { full: 7, quick: 3 };

const TITLES: Readonly<Record<OperationName, string>> = {
  workspace: "A page: one workspace with its 20 newest runs, three phases each (11 KB)",
  run: "One run with its phases",
  newest: "The newest 20 of all runs, with their phases",
  deep: "20 runs after nine tenths of all runs",
};

/** With whom depth is measured when there is little time. */
const FEW: readonly ContestantName[] = ["Holdpoint", LIMIT];
const DEPTH: readonly OperationName[] = ["newest", "deep"];

type Samples = ReadonlyMap<string, readonly QuerySample[]>;

export const query: Part = { name: "query", title: "Queries", run };

async function run(context: BenchContext): Promise<PartResult> {
  await using stack = new AsyncDisposableStack();
  const load = stack.use(startLoadGenerator());
  const contestants: Contestant[] = [];
  for (const name of CONTESTANTS) contestants.push(stack.use(disposable(await startContestant(name, context))));
  const measured = new Map<OperationName, Samples>();
  for (const operation of OPERATIONS) {
    await compareAnswers(contestants, operation);
    context.say(TITLES[operation]);
    const isShort = context.quick && DEPTH.includes(operation);
    const asked = contestants.filter(({ name }) => !isShort || FEW.includes(name));
    measured.set(operation, await measure(asked, operation, context, load));
  }
  return toResult(measured);
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

function toResult(measured: ReadonlyMap<OperationName, Samples>): PartResult {
  return {
    tables: [...measured].map(([operation, samples]) => toTable(operation, samples)),
    plots: [...measured].filter(([operation]) => operation === "workspace" || operation === "run").map(toPlot),
    targets: toTargets(measured),
    notes: NOTES,
  };
}

function values(samples: Samples, name: ContestantName, pick: (sample: QuerySample) => number): number[] {
  return (samples.get(name) ?? []).map(pick);
}

const rate = ({ perSecond }: QuerySample): number => perSecond;

/** Microseconds of everybody's CPU a request. */
const cpu = ({ serverUs, postgresUs }: QuerySample): number => serverUs + postgresUs;

function toTable(operation: OperationName, samples: Samples): Table {
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

function toPlot([operation, samples]: readonly [OperationName, Samples]): Plot {
  return {
    file: `query-${operation}`,
    title: TITLES[operation],
    unit: "requests a second, 50 connections",
    bars: CONTESTANTS.map((label) => ({
      label,
      figure: figure(values(samples, label, rate), ""),
      ours: label === "Holdpoint",
    })),
  };
}

function against(samples: Samples | undefined, name: ContestantName): Figure {
  return samples === undefined
    ? figure([], "")
    : ratio(values(samples, "Holdpoint", rate), values(samples, name, rate));
}

function toTargets(measured: ReadonlyMap<OperationName, Samples>): Target[] {
  const page = measured.get("workspace");
  const best = PEERS.toSorted((a, b) => against(page, a).median - against(page, b).median)[0] ?? LIMIT;
  const newest = measured.get("newest");
  const deep = measured.get("deep");
  const depth =
    newest === undefined || deep === undefined
      ? figure([], "")
      : ratio(values(newest, "Holdpoint", rate), values(deep, "Holdpoint", rate));
  return [
    {
      what: "page query, requests per second against the hand-written limit",
      bound: { atLeast: 0.9 },
      ratio: against(page, LIMIT),
    },
    {
      what: `page query, requests per second against the best peer (${best})`,
      bound: { atLeast: 1.3 },
      ratio: against(page, best),
    },
    {
      what: "`run(id)` with phases, requests per second against the limit",
      bound: { atLeast: 0.6 },
      ratio: against(measured.get("run"), LIMIT),
    },
    { what: "cost of a page nine tenths down all runs against the first", bound: { atMost: 1.2 }, ratio: depth },
  ];
}

const NOTES = [
  "Fifty connections send one request after the other, with different rows each time. All servers are single processes with 20 connections to the same Postgres, on the machine of the load. The answers of all are compared before anything is measured. Holdpoint authenticates, checks rights, limits and masks; the peers read the same tables and do none of that.",
  '"By hand, JSON in SQL" is the practical limit: node:http, one named statement, text from Postgres to the socket. "By hand, rows" makes the JSON in Node from three named statements. mercurius and Apollo Server (on Fastify) have hand-written resolvers with named statements and batched phases; PostGraphile 5 has its Amber preset.',
];
