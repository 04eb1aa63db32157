/** Pages and single runs over HTTP: Holdpoint, its peers, and code written by hand for these operations alone. */
import { figure, ratio } from "../measure/statistics.ts";
import type { BenchContext, Part, PartResult, Target } from "../part.ts";
import { against, compareServers, rates, type Samples, toPlot, toTable } from "../query/compare.ts";
import { type ContestantName, CONTESTANTS, LIMIT, PEERS } from "../query/contestants.ts";
import type { OperationName } from "../query/operations.ts";

const MEASURED = ["workspace", "run", "newest", "deep"] as const satisfies readonly OperationName[];
/** The contestants whose depth is measured if there is little time. */
const FEW: readonly ContestantName[] = ["Holdpoint", LIMIT];
const DEPTH: readonly OperationName[] = ["newest", "deep"];

export const query: Part = { name: "query", title: "Queries", run };

async function run(context: BenchContext): Promise<PartResult> {
  const contestantsOf = (operation: OperationName): readonly ContestantName[] =>
    context.quick && DEPTH.includes(operation) ? FEW : CONTESTANTS;
  const measured = await compareServers(context, MEASURED, contestantsOf);
  const plotted = [...measured].filter(([operation]) => operation === "workspace" || operation === "run");
  return {
    tables: [...measured].map(([operation, samples]) => toTable(operation, samples)),
    plots: plotted.map((one) => toPlot(`query-${one[0]}`, one)),
    targets: toTargets(measured),
    notes: NOTES,
  };
}

function toTargets(measured: ReadonlyMap<OperationName, Samples>): Target[] {
  const page = measured.get("workspace");
  const best = PEERS.toSorted((a, b) => against(page, a).median - against(page, b).median)[0] ?? LIMIT;
  const newest = measured.get("newest");
  const deep = measured.get("deep");
  const depth =
    newest === undefined || deep === undefined
      ? figure([], "")
      : ratio(rates(newest, "Holdpoint"), rates(deep, "Holdpoint"));
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
  '"By hand, JSON in SQL" is the practical limit: node:http, one named statement, text from Postgres to the socket. "By hand, with the token" is the same behind a statement that looks up the token, and is here for information. "By hand, rows" makes the JSON in Node from three named statements. mercurius and Apollo Server (on Fastify) have hand-written resolvers with named statements and batched phases; PostGraphile 5 has its Amber preset.',
];
