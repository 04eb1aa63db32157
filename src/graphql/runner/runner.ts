import { loaderOf } from "../kit/loader.ts";
import type { Runner, RunnerJob } from "../../model/runner/runner.ts";
import type { RunnerState } from "../../model/runner/runner-state.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { EngineRef } from "../plan/plan.ts";
import {
  OrganizationRef,
  RunnerPoolRef,
  RunnerRef,
  RunRef,
  runLoader,
  runnerPoolLoader,
  runnerLoader,
} from "../kit/refs.ts";
import { RunLegEnum } from "../run/run-enums.ts";

const jobsOfRunnerLoader = loaderOf((domain, caller, ids) => domain.jobsOfRunners(caller, ids));

const RunnerStateEnum = describedEnum<RunnerState>("RunnerState", "The state of a runner.", {
  IDLE: "The runner asks for work and has none.",
  BUSY: "The runner has jobs. It asks for more if it has free slots.",
  DRAINING: "The runner takes no new work: it is shutting down, or an admin drained it.",
  OFFLINE: "The runner sent nothing for a minute or since its last lease expired, or it was revoked.",
});

const RunnerJobRef = builder.objectRef<RunnerJob>("RunnerJob").implement({
  extensions: requiredPermissions("RUNNER_READ"),
  description: "A leg of a run that a runner works on.",
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run.",
      resolve: async ({ runId }, _args, { loaders }) => present(await loaders.load(runLoader, runId), `Run ${runId}`),
    }),
    leg: t.expose("leg", { type: RunLegEnum, description: "The leg." }),
    since: t.expose("since", { type: "DateTime", description: "When the runner claimed it." }),
    leaseEndsAt: t.expose("leaseEndsAt", {
      type: "DateTime",
      description: "When the lease expires, unless a heartbeat renews it.",
    }),
  }),
});

addNode("runner", "Runner", runnerLoader);
RunnerRef.implement({
  extensions: requiredPermissions("RUNNER_READ"),
  description: "A process that executes runs. Processes with one name within one pool are one runner.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name under which the runner asks for work." }),
    pool: t.field({
      type: RunnerPoolRef,
      nullable: true,
      description:
        "The pool whose token the runner has. `null` if all organizations share the runner, or its pool was deleted.",
      resolve: ({ poolId }, _args, { loaders }) => (poolId === null ? null : loaders.load(runnerPoolLoader, poolId)),
    }),
    version: t.exposeString("version", { description: "The version of the runner." }),
    engine: t.field({
      type: EngineRef,
      nullable: true,
      description: "The engine of the runner. `null` if it has none.",
      resolve: ({ engine }) => engine,
    }),
    labels: t.exposeStringList("labels", { description: "The labels that workspaces may require." }),
    slots: t.exposeInt("slots", { description: "The number of jobs that the runner takes at the same time." }),
    state: t.expose("state", { type: RunnerStateEnum, description: "The state of the runner." }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", description: "When the runner last sent a request." }),
    drainRequestedAt: t.expose("drainRequestedAt", {
      type: "DateTime",
      nullable: true,
      description: "When an admin drained the runner. `null` if it is not drained.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the runner was revoked. `null` if it is not revoked.",
    }),
    jobs: t.field({
      type: [RunnerJobRef],
      extensions: requiredPermissions("RUN_READ"),
      description:
        "The jobs that the runner has now, oldest first. Those of runs that the caller may not read are left out.",
      resolve: async ({ id }, _args, { loaders }) => {
        const jobs = await loaders.load(jobsOfRunnerLoader, id);
        const runs = await Promise.all(jobs.map(({ runId }) => loaders.load(runLoader, runId)));
        return jobs.filter((_job, index) => runs[index] !== null);
      },
    }),
  }),
});

const EdgeRef = edgeRef<Runner>("Runner", "runner");
const RunnerConnectionRef = connectionRef<Runner>("Runner", "A page of runners, oldest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RunnerRef, description: "The runner.", resolve: (edge) => edge.node }),
);
builder.objectField(RunnerConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The runners.", resolve: (connection) => connection.edges }),
);

async function readRunners(
  { caller, domain }: GraphqlContext,
  whose: { poolId: string } | { organizationId: string },
  args: PageArguments,
): Promise<Connection<Runner>> {
  const name = `runners of ${"poolId" in whose ? whose.poolId : whose.organizationId}`;
  const page = await domain.listRunners(caller, whose, toPageRequest(args, { name, position: namePosition }));
  return toConnection(name, page, (runner) => runner.id);
}

builder.objectField(OrganizationRef, "runners", (t) =>
  t.field({
    type: RunnerConnectionRef,
    extensions: requiredPermissions("RUNNER_READ"),
    description: "The runners of its pools and the shared runners, including those that are gone.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRunners(context, { organizationId: id }, args),
  }),
);

builder.objectField(RunnerPoolRef, "runners", (t) =>
  t.field({
    type: RunnerConnectionRef,
    description: "The runners of the pool, including those that are gone.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRunners(context, { poolId: id }, args),
  }),
);
