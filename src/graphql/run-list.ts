import type { RunFilter } from "../domain/domain.ts";
import type { Run } from "../model/run.ts";
import type { RunStatus } from "../model/run-status.ts";
import { builder } from "./builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "./connection/connection.ts";
import { namePosition } from "./connection/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "./connection/page.ts";
import type { GraphqlContext } from "./context.ts";
import { inputError } from "./errors.ts";
import { RunRef } from "./refs.ts";
import { RunStatusEnum } from "./run-enums.ts";

/** Where `totalCount` stops counting. */
const COUNT_AT_MOST = 10_000;

type RunConnection = Connection<Run> & { totalCount: () => Promise<number> };

const EdgeRef = edgeRef<Run>("Run", "run");
export const RunConnectionRef = connectionRef<Run, { totalCount: () => Promise<number> }>(
  "Run",
  "A page of runs, newest first. `totalCount` stops counting at 10000.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RunRef, description: "The run.", resolve: (edge) => edge.node }),
);
builder.objectFields(RunConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The runs.", resolve: (connection) => connection.edges }),
  totalCount: t.int({
    description: "How many runs the whole list has; counted only where it is asked for, and up to 10000.",
    resolve: (connection) => connection.totalCount(),
  }),
}));

const RunFilterRef = builder.inputType("RunFilter", {
  description:
    "Given fields are joined by AND; an absent or null field does not filter; an empty list matches nothing.",
  fields: (t) => ({
    workspaceId: t.id({ description: "Only runs of this workspace. Refused as InvalidInput inside Workspace.runs." }),
    statuses: t.field({ type: [RunStatusEnum], description: "Only runs with one of these statuses." }),
  }),
});

/** The arguments of a list of runs. */
export function runListArgs() {
  return {
    ...pageArgs(),
    ...builder.args((t) => ({ filter: t.field({ type: RunFilterRef, description: "Only runs that match this." }) })),
  };
}

type RunListArguments = PageArguments & {
  filter?: { workspaceId?: string | null | undefined; statuses?: RunStatus[] | null | undefined } | null | undefined;
};

function toFilter(workspaceId: string | null, { filter }: RunListArguments): RunFilter {
  const named = filter?.workspaceId ?? null;
  if (workspaceId !== null && named !== null) {
    throw inputError([{ path: ["filter", "workspaceId"], message: "These are the runs of one workspace already." }]);
  }
  const only = workspaceId ?? named;
  const statuses = filter?.statuses ?? null;
  return { ...(only === null ? {} : { workspaceId: only }), ...(statuses === null ? {} : { statuses }) };
}

/** A page of runs: of one workspace, or of all that the caller may read. */
export async function readRuns(
  { caller, domain }: GraphqlContext,
  workspaceId: string | null,
  args: RunListArguments,
): Promise<RunConnection> {
  const name = workspaceId === null ? "runs" : `runs of ${workspaceId}`;
  const request = toPageRequest(args, { name, position: namePosition });
  const filter = toFilter(workspaceId, args);
  const connection = toConnection(name, await domain.listRuns(caller, filter, request), (run) => run.id);
  return { ...connection, totalCount: () => domain.countRuns(caller, filter, COUNT_AT_MOST) };
}

builder.queryField("runs", (t) =>
  t.field({
    type: RunConnectionRef,
    description: "Runs over all workspaces that the caller may read, newest first.",
    args: runListArgs(),
    resolve: (_root, args, context) => readRuns(context, null, args),
  }),
);
