/** Subscriptions: how fast events reach many clients, what an idle one costs, how soon a commit is with a client. */
import { figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Figure, Part, PartResult, Plot, Table, Target } from "../part.ts";
import { type Delivery, type FanOutResult, type Idle, measureFanOut, SERVER_NAMES } from "../streams/fan-out.ts";
import { BARE, measureLatency, PRODUCT } from "../streams/latency.ts";

const LIMIT = "plain ws";
const OURS = "Holdpoint";
const PLANS = {
  full: { clients: 10_000, rounds: 5, roundMs: 3000, latency: { rounds: 7, samples: 60 } },
  quick: { clients: 1000, rounds: 3, roundMs: 600, latency: { rounds: 3, samples: 20 } },
};
const LAYOUTS = [
  { name: "one-run", title: "all of one run", perRun: Number.POSITIVE_INFINITY, atLeast: 0.8 },
  { name: "ten-a-run", title: "ten a run", perRun: 10, atLeast: 0.6 },
] as const;
type Layout = (typeof LAYOUTS)[number];
/** With fewer clients the memory of the process is mostly what V8 takes once, which is no figure of a client. */
const ENOUGH_FOR_MEMORY = 4000;

interface Measured {
  readonly layout: Layout;
  readonly clients: number;
  readonly result: FanOutResult;
}

export const streams: Part = { name: "streams", title: "Streams", run };

async function run(context: BenchContext): Promise<PartResult> {
  const { clients, rounds, roundMs, latency } = PLANS[context.quick ? "quick" : "full"];
  const measured: Measured[] = [];
  for (const layout of LAYOUTS) {
    context.print(`${clients} clients, ${layout.title}`);
    const perRun = Math.min(layout.perRun, clients);
    measured.push({ layout, clients, result: await measureFanOut(context, { clients, perRun, rounds, roundMs }) });
  }
  context.print("from commit to receipt");
  const receipt = await measureLatency(context, latency);
  const late = ratio(receipt.get(PRODUCT) ?? [], receipt.get(BARE) ?? []);
  return {
    tables: [...measured.map(toTable), idleTable(measured), receiptTable(receipt, late)],
    plots: measured.map(toPlot),
    targets: [
      ...measured.map(toTarget),
      ...(clients < ENOUGH_FOR_MEMORY ? [] : [memoryTarget(measured)]),
      { what: "commit of an event to receipt against NOTIFY and ws", bound: { atMost: 3 }, ratio: late },
    ],
    notes: NOTES,
  };
}

function values(result: FanOutResult, name: string, pick: (delivery: Delivery) => number): number[] {
  return (result.deliveries.get(name) ?? []).map(pick);
}

const rate = ({ messagesPerSecond }: Delivery): number => messagesPerSecond;
const cpu = ({ cpuUsPerMessage }: Delivery): number => cpuUsPerMessage;

function rateRatio(result: FanOutResult, name: string): Figure {
  return ratio(values(result, name, rate), values(result, LIMIT, rate));
}

function toTable({ layout, clients, result }: Measured): Table {
  return {
    title: `Batches of ten log lines (1.6 KB) to ${clients.toLocaleString("en-US")} clients, ${layout.title}`,
    columns: ["server", "messages/s", "against plain ws", "CPU a message", "CPU of plain ws against it"],
    rows: SERVER_NAMES.map((name) => [
      name,
      figure(values(result, name, rate), ""),
      rateRatio(result, name),
      figure(values(result, name, cpu), "µs"),
      ratio(values(result, LIMIT, cpu), values(result, name, cpu)),
    ]),
  };
}

function idleOf(name: (typeof SERVER_NAMES)[number], measured: readonly Measured[], kind: keyof Idle): Figure {
  return figure(
    measured.map(({ result }) => result.idle.get(name)?.[kind] ?? Number.NaN),
    "KiB",
  );
}

function memoryTarget(measured: readonly Measured[]): Target {
  const what = "memory of an idle subscription of one run, in KiB";
  return { what, bound: { atMost: 10 }, ratio: idleOf(OURS, measured.slice(0, 1), "ofAll") };
}

const IDLE_COLUMNS = { ofAll: "of all", furtherProcess: "each further", furtherHeap: "heap of each further" } as const;

function idleTable(measured: readonly Measured[]): Table {
  const isEnough = measured.every(({ clients }) => clients >= ENOUGH_FOR_MEMORY);
  const kinds = isEnough ? (["ofAll", "furtherProcess", "furtherHeap"] as const) : (["furtherHeap"] as const);
  return {
    title: "An idle subscription: of the memory that all need together, and what each further one needs",
    columns: [
      "server",
      ...measured.flatMap(({ layout }) => kinds.map((kind) => `${layout.title}: ${IDLE_COLUMNS[kind]}`)),
    ],
    rows: SERVER_NAMES.map((name) => [
      name,
      ...measured.flatMap((one) => kinds.map((kind) => idleOf(name, [one], kind))),
    ]),
  };
}

function receiptTable(receipt: ReadonlyMap<string, readonly number[]>, late: Figure): Table {
  const median = (name: string): Figure => figure(receipt.get(name) ?? [], "ms");
  return {
    title: "From the commit of an event to its receipt, while nothing else happens; medians of rounds",
    columns: ["path", "time", "against the bare one"],
    rows: [
      [`${BARE}, bare`, median(BARE), "1"],
      [PRODUCT, median(PRODUCT), late],
    ],
  };
}

function toPlot({ layout, clients, result }: Measured): Plot {
  return {
    file: `streams-${layout.name}`,
    title: `Messages to ${clients.toLocaleString("en-US")} clients, ${layout.title}`,
    unit: "messages/s",
    bars: SERVER_NAMES.map((name) => ({
      label: name,
      figure: figure(values(result, name, rate), ""),
      ours: name === OURS,
    })),
  };
}

function toTarget({ layout, result }: Measured): Target {
  const what = `fan-out to clients ${layout.title}, messages per second against plain ws`;
  return { what, bound: { atLeast: layout.atLeast }, ratio: rateRatio(result, OURS) };
}

const NOTES = [
  "All servers run at once, each in a process of its own with clients of its own, and are measured in turns. An event is published when all but one of those before it have come to every client. CPU is that of the server. Holdpoint reads from the database who asks and whether they may; the peers do not authenticate.",
  'Memory of an idle subscription, after 500 earlier clients have come and left: "of all" is the growth of the process divided by the number of clients, and what the target is about; "each further" is what the second half of the clients adds.',
  "From commit to receipt: a comment on a run by its command. The clock starts when its transaction is committed, and stops when the client has the event, which was read from Postgres meanwhile. The bare path sends a NOTIFY whose listener writes its payload to a WebSocket.",
];
