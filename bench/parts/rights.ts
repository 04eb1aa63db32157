/** A caller with many grants beside the administrator, on one server: rights must cost a request nothing that shows. */
import { createHash } from "node:crypto";
import { startLoadGenerator } from "../measure/load.ts";
import { inRounds } from "../measure/rounds.ts";
import { figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Figure, Part, PartResult, Table, Target } from "../part.ts";
import { mustBeSame } from "../query/answers.ts";
import { type Contestant, startContestant } from "../query/contestants.ts";
import { bodiesOf, measureQuery, type QuerySample, sampleAnswers } from "../query/measure.ts";
import type { OperationName } from "../query/operations.ts";
import { GRANTS, insertGrantedCaller } from "../rights/granted-caller.ts";
import { type Delivery, measureFanOut, PRODUCT } from "../streams/fan-out.ts";

const ADMINISTRATOR = "administrator";
const GRANTED = `${GRANTS} grants`;
const SECRET = `hpt_${createHash("sha256").update("caller of the benchmark").digest("base64url")}`;

const MEASURED = ["run", "workspace"] as const satisfies readonly OperationName[];
const TITLES = { run: "One run with its phases", workspace: "A page: one workspace with its 20 newest runs" };
const WHAT = { run: "`run(id)`", workspace: "page query", fanOut: "fan-out to clients all of one run" };

/** A few percent are looked for: rounds are many and short, and each has both callers. */
const PLANS = {
  full: { rounds: 41, roundMs: 700, warmUpMs: 3000, clients: 2000 },
  quick: { rounds: 25, roundMs: 300, warmUpMs: 1500, clients: 500 },
};

export const rights: Part = { name: "rights", title: "Rights", size: "small", run };

async function run(context: BenchContext): Promise<PartResult> {
  const { connection, url } = await context.database.create("big");
  await insertGrantedCaller(connection, SECRET);
  const own = { ...context, database: { ...context.database, connection, url } };
  const queries = await measureQueries(own);
  context.print("fan-out");
  const deliveries = await measureDeliveries(own);
  return {
    tables: [...[...queries].map(([operation, samples]) => toTable(operation, samples)), toDeliveryTable(deliveries)],
    plots: [],
    targets: [
      ...[...queries].map(([operation, samples]) => toTarget(WHAT[operation], against(samples, perSecond))),
      toTarget(
        WHAT.fanOut,
        against(deliveries, ({ messagesPerSecond }) => messagesPerSecond),
      ),
    ],
    notes: [
      `One server of the small database and two callers in turns: the token of the administrator, and one of a user with ${GRANTS} grants on projects and workspaces. Both see all runs, and their answers are compared.`,
    ],
  };
}

type Samples<Sample> = ReadonlyMap<string, readonly Sample[]>;
type Measured = ReadonlyMap<(typeof MEASURED)[number], Samples<QuerySample>>;

async function measureQueries(context: BenchContext): Promise<Measured> {
  const { rounds, roundMs, warmUpMs } = PLANS[context.quick ? "quick" : "full"];
  const administrator = await startContestant("Holdpoint", context);
  await using _server = administrator.server;
  using load = startLoadGenerator();
  const granted = { ...administrator, headers: { authorization: `Bearer ${SECRET}` } };
  const callers: readonly (readonly [string, Contestant])[] = [
    [ADMINISTRATOR, administrator],
    [GRANTED, granted],
  ];
  const measured = new Map<(typeof MEASURED)[number], Samples<QuerySample>>();
  for (const operation of MEASURED) {
    context.print(TITLES[operation]);
    const expected = await sampleAnswers(administrator, operation);
    for (const [index, answer] of (await sampleAnswers(granted, operation)).entries()) {
      mustBeSame(`${GRANTED} (${operation})`, answer, expected[index] ?? "null");
    }
    const bodies = bodiesOf(administrator, operation);
    const measure = (contestant: Contestant, ms: number): Promise<QuerySample> =>
      measureQuery(contestant, { load, database: context.database, bodies, ms });
    for (const [, contestant] of callers) await measure(contestant, warmUpMs);
    const subjects = callers.map(([name, contestant]) => ({ name, measure: () => measure(contestant, roundMs) }));
    measured.set(operation, await inRounds(subjects, { rounds, seed: 1, signal: context.signal }));
  }
  return measured;
}

async function measureDeliveries(context: BenchContext): Promise<Samples<Delivery>> {
  const { rounds, roundMs, clients } = PLANS[context.quick ? "quick" : "full"];
  const servers = [
    { ...PRODUCT, name: ADMINISTRATOR },
    { ...PRODUCT, name: GRANTED, token: SECRET },
  ];
  const { deliveries } = await measureFanOut(context, { clients, perRun: clients, rounds, roundMs }, servers);
  return deliveries;
}

const perSecond = (sample: QuerySample): number => sample.perSecond;
const cpu = ({ serverUs, postgresUs }: QuerySample): number => serverUs + postgresUs;

/** The figure of the caller with grants against that of the administrator, round by round. */
function against<Sample>(samples: Samples<Sample>, pick: (sample: Sample) => number): Figure {
  return ratio((samples.get(GRANTED) ?? []).map(pick), (samples.get(ADMINISTRATOR) ?? []).map(pick));
}

function toTarget(what: string, measured: Figure): Target {
  const title = `${what} with ${GRANTS} grants against the administrator, by rate`;
  return { what: title, bound: { atLeast: 0.97 }, ratio: measured };
}

type Row = readonly (string | Figure)[];

function toTable(operation: (typeof MEASURED)[number], samples: Samples<QuerySample>): Table {
  return {
    title: TITLES[operation],
    columns: [
      "caller",
      "requests/s",
      "of the administrator",
      "server's CPU",
      "Postgres' CPU",
      "CPU of both, of the administrator",
    ],
    rows: toRows(samples, (column) => [
      column(perSecond, ""),
      column(perSecond, null),
      column(({ serverUs }) => serverUs, "µs"),
      column(({ postgresUs }) => postgresUs, "µs"),
      column(cpu, null),
    ]),
  };
}

function toDeliveryTable(samples: Samples<Delivery>): Table {
  return {
    title: "Batches of ten log lines to clients all of one run",
    columns: ["caller", "messages/s", "of the administrator", "CPU a message", "of the administrator"],
    rows: toRows(samples, (column) => [
      column(messagesPerSecond, ""),
      column(messagesPerSecond, null),
      column(cpuUsPerMessage, "µs"),
      column(cpuUsPerMessage, null),
    ]),
  };
}

const messagesPerSecond = (delivery: Delivery): number => delivery.messagesPerSecond;
const cpuUsPerMessage = (delivery: Delivery): number => delivery.cpuUsPerMessage;

/** Makes a row of each caller; a column without a unit is the ratio to the administrator. */
function toRows<Sample>(
  samples: Samples<Sample>,
  columns: (column: (pick: (sample: Sample) => number, unit: string | null) => string | Figure) => Row,
): Row[] {
  return [ADMINISTRATOR, GRANTED].map((name) => [
    name,
    ...columns((pick, unit) => {
      if (unit !== null) return figure((samples.get(name) ?? []).map(pick), unit);
      return name === ADMINISTRATOR ? "1" : against(samples, pick);
    }),
  ]);
}
