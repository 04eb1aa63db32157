/** The requests of runners that the server refused. */
import { loaderOf } from "../kit/loader.ts";
import type { RefusedRequest } from "../../model/runner/refused-request.ts";
import type { RunSummary } from "../../model/run/run.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { inEpoch } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { RunnerRef, RunRef, runnerLoader } from "../kit/refs.ts";
import { sealedNumbers } from "../kit/sealed-number.ts";

const refusedCountLoader = loaderOf((domain, caller, ids) => domain.countRefusedRequests(caller, ids));

const RefusedRequestRef = builder.objectRef<RefusedRequest>("RefusedRequest").implement({
  description: "A refused request with the token of one of the run's jobs. It changed nothing.",
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime", description: "When the request was received." }),
    runner: t.field({
      type: RunnerRef,
      nullable: true,
      description: "The runner that had the job.",
      resolve: ({ runnerId }, _args, { loaders }) => loaders.load(runnerLoader, runnerId),
    }),
    jobId: t.exposeString("jobId", {
      description: "The job whose token the request had. Each attempt of a leg is a job.",
    }),
    request: t.exposeString("request", {
      description: "The kind of the request, such as `POST state` or `message applied`. Its content is not kept.",
    }),
    code: t.exposeString("code", {
      description: "The code of the refusal in the runner protocol. `JOB_OVER` means that the runner came too late.",
    }),
    message: t.exposeString("message", { description: "The message of the refusal." }),
  }),
});

const EdgeRef = edgeRef<RefusedRequest>("RefusedRequest", "refused request");
const ConnectionRef = connectionRef<RefusedRequest, { runId: string }>(
  "RefusedRequest",
  "A page of the refused requests of a run, oldest first. The first hundred of each job are kept.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: RefusedRequestRef, description: "The request.", resolve: (edge) => edge.node }),
);
builder.objectFields(ConnectionRef, (t) => ({
  edges: t.field({ type: [EdgeRef], description: "The requests.", resolve: ({ edges }) => edges }),
  totalCount: t.int({
    description: "The number of refused requests, including those that are not kept.",
    resolve: ({ runId }, _args, { loaders }) => loaders.load(refusedCountLoader, runId),
  }),
}));

async function readRefused(
  context: GraphqlContext,
  { id: runId }: RunSummary,
  args: PageArguments,
): Promise<Connection<RefusedRequest> & { runId: string }> {
  const { caller, domain } = context;
  const name = inEpoch(context, `refused requests of ${runId}`);
  // The numbers count the refused requests of the whole installation.
  const positions = sealedNumbers(context.cursorKeyOf, name);
  const request = toPageRequest(args, { name, position: positions.read });
  const page = await domain.listRefusedRequests(caller, runId, request);
  return { ...toConnection(name, page, ({ id }) => positions.seal(id)), runId };
}

builder.objectField(RunRef, "refusedRequests", (t) =>
  t.field({
    type: ConnectionRef,
    description: "The refused requests of the runners of this run, oldest first: late or invalid ones.",
    args: pageArgs(),
    resolve: (run, args, context) => readRefused(context, run, args),
  }),
);
