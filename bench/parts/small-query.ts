/** Pages, lists and single runs on a database as most installations have it: some thousand runs, all in memory. */
import type { BenchContext, Part, PartResult } from "../part.ts";
import { against, compareServers, toPlot, toTable } from "../query/compare.ts";
import { LIMIT } from "../query/contestants.ts";
import type { OperationName } from "../query/operations.ts";

const MEASURED = ["workspace", "list", "run"] as const satisfies readonly OperationName[];

const TARGETS: Readonly<Record<(typeof MEASURED)[number], string>> = {
  workspace: "page query on a small database in memory, requests per second against the limit",
  list: "list of runs with the names of workspace and creator, on a small database, against the limit",
  run: "`run(id)` with phases on a small database, requests per second against the limit",
};

export const smallQuery: Part = {
  name: "small-query",
  title: "Queries on a small database",
  size: "small",
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const measured = await compareServers(context, MEASURED);
  return {
    tables: [...measured].map(([operation, samples]) => toTable(operation, samples)),
    plots: [...measured].filter(([operation]) => operation === "list").map((one) => toPlot("small-query-list", one)),
    targets: MEASURED.map((operation) => ({
      what: TARGETS[operation],
      bound: { atLeast: 0.85 },
      ratio: against(measured.get(operation), LIMIT),
    })),
    notes: [
      "10,000 runs in 100 workspaces of one organization. Postgres has all of it in memory, so the CPU of the server decides. As above, Holdpoint is one process, whose JavaScript uses one core.",
    ],
  };
}
