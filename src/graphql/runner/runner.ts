import type { Runner, RunnerJob } from "../../model/runner/runner.ts";
import type { RunnerState } from "../../model/runner/runner-state.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { EngineRef } from "../plan/plan.ts";
import { OrganizationRef, RunnerPoolRef, RunnerRef, RunRef } from "../kit/refs.ts";
import { RunLegEnum } from "../run/run-enums.ts";

const RunnerStateEnum = describedEnum<RunnerState>("RunnerState", "How a runner is.", {
  IDLE: "It asks for work and has none.",
  BUSY: "It is at work; it may ask for more where it has free slots.",
  DRAINING: "It takes no new work: it is shutting down, or an admin asked for it.",
  OFFLINE: "It was not heard from for a minute, or not since its last lease ran out, or it was revoked.",
});

const RunnerJobRef = builder.objectRef<RunnerJob>("RunnerJob").implement({
  extensions: asksFor("runner:read"),
  description: "A stretch of a run that a runner works on.",
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run.",
      resolve: async ({ runId }, _args, { loaders }) => present(await loaders.run.load(runId), `Run ${runId}`),
    }),
    leg: t.expose("leg", { type: RunLegEnum, description: "Which stretch of it." }),
    since: t.expose("since", { type: "DateTime", description: "When the runner got it." }),
    leaseEndsAt: t.expose("leaseEndsAt", {
      type: "DateTime",
      description: "When the work is taken from it, unless it is heard from before.",
    }),
  }),
});

RunnerRef.implement({
  extensions: asksFor("runner:read"),
  description: "A process that executes runs. Processes of one name, within one pool, are one runner.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name under which it asks for work." }),
    pool: t.field({
      type: RunnerPoolRef,
      nullable: true,
      description: "The pool whose token it has; null: all organizations share it, or its pool was deleted.",
      resolve: ({ poolId }, _args, { loaders }) => (poolId === null ? null : loaders.runnerPool.load(poolId)),
    }),
    version: t.exposeString("version", { description: "Its release." }),
    engine: t.field({
      type: EngineRef,
      nullable: true,
      description: "The engine that it has; null: none.",
      resolve: ({ engine }) => engine,
    }),
    labels: t.exposeStringList("labels", { description: "What workspaces may ask for." }),
    slots: t.exposeInt("slots", { description: "How many jobs it works on at the same time." }),
    state: t.expose("state", { type: RunnerStateEnum, description: "How it is." }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", description: "When it was last heard from." }),
    drainRequestedAt: t.expose("drainRequestedAt", {
      type: "DateTime",
      nullable: true,
      description: "Since when an admin keeps it from new work; null: nobody does.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was revoked; null: it was not, or was let in again.",
    }),
    jobs: t.field({
      type: [RunnerJobRef],
      description: "What it works on now, oldest first.",
      resolve: ({ id }, _args, { loaders }) => loaders.jobsOfRunner.load(id),
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
    extensions: asksFor("runner:read"),
    description: "The runners of its pools, and those that all organizations share; those that are gone included.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRunners(context, { organizationId: id }, args),
  }),
);

builder.objectField(RunnerPoolRef, "runners", (t) =>
  t.field({
    type: RunnerConnectionRef,
    description: "Its runners, those that are gone included.",
    args: pageArgs(),
    resolve: ({ id }, args, context) => readRunners(context, { poolId: id }, args),
  }),
);
