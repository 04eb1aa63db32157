/** The runner protocol's server side: HTTP in, one use case each, JSON out. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Jobs } from "../domain/job/jobs.ts";
import { JobError } from "../domain/job/job-error.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { canJob, type JobCaller } from "../model/people/permission.ts";
import { parseJson, readBody } from "./body.ts";
import { type BodyReservation, createBodyBudget } from "./body-budget.ts";
import { answer, type Exchange, fail, notFound, stream, unauthenticated } from "./exchange.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { isJobRoute, type JobRouteName, ROUTE_ACTIONS } from "./job-routes.ts";
import { readSentLines } from "./log-body.ts";
import { createDocumentCheck } from "./check-document-aside.ts";
import { parseClaim, parseLockInfo, parseMasks, parseMessage, parseProgress, parseTruncated } from "./parse.ts";
import { parseStateAside } from "./parse-state.ts";
import type {
  ClaimAnswer,
  LogAnswer,
  LogConflict,
  MessageAnswer,
  ProtocolError,
  RecoveredAnswer,
  SelfAnswer,
} from "./wire.ts";

import { CHECK_REQUEST_ROUTES, type CheckRequestDeps } from "./check-request-routes.ts";
import { SAMPLING_ROUTES, type SamplingDeps } from "./sampling-routes.ts";
import { TARGET_ROUTES, type TargetDeps } from "./target-routes.ts";
import { createClaimQueue, type EnterClaimQueue } from "./claim-queue.ts";

/** All versions of the protocol; the one that is spoken here is INGESTION_PATH. */
export const RUNNER_PATH = "/runner/";
const INGESTION_PATH = `${RUNNER_PATH}v1/`;

/** The paths of the protocol, with `:id` for that of a job. */
export const RUNNER_PATHS: readonly string[] = [
  `${INGESTION_PATH}claim`,
  `${INGESTION_PATH}self`,
  ...[...CHECK_REQUEST_ROUTES.keys(), ...SAMPLING_ROUTES.keys(), ...TARGET_ROUTES.keys()].map(
    (path) => `${INGESTION_PATH}${path}`,
  ),
  ...new Set(Object.keys(ROUTE_ACTIONS).map((name) => `${INGESTION_PATH}jobs/:id/${name.split(" ")[1] ?? ""}`)),
];

export interface IngestionDeps extends CheckRequestDeps, SamplingDeps, TargetDeps {
  jobs: Jobs;
  clock: () => Date;
  /** Receives the job of the request that is being served, for the log. */
  note?: (facts: { jobId: string; runId?: string }) => void;
  /** Receives requests without a valid credential. */
  onUnauthenticated?: (request: IncomingMessage) => void;
  /** Something unexpected; gives the id that the answer names. */
  reportError: (error: unknown) => string;
}

/** With what all requests share. */
interface Served extends IngestionDeps {
  enterClaimQueue: EnterClaimQueue;
}

type JobRoute = (exchange: Exchange, caller: JobCaller) => Promise<void>;
type JobRoutes = Record<JobRouteName, JobRoute>;

/** Answers requests below RUNNER_PATH. */
export function createIngestion(deps: IngestionDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const routes = jobRoutes(deps);
  const enterClaimQueue = createClaimQueue(deps);
  const budget = createBodyBudget(LIMITS.bodiesBytes);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Until the body is no longer used: its sender may have disconnected long before.
    using reservation = budget.open();
    const exchange = toExchange(request, response, reservation);
    try {
      await handle({ ...deps, enterClaimQueue }, routes, exchange);
    } catch (error) {
      fail(exchange, error, deps.reportError);
    }
  };
  return (request, response) => void serve(request, response);
}

function toExchange(request: IncomingMessage, response: ServerResponse, reservation: BodyReservation): Exchange {
  return {
    request,
    response,
    url: new URL(request.url ?? "/", "http://runner"),
    asked: "",
    quiet: false,
    body: (maxBytes) => readBody(request, maxBytes, { take: (bytes) => reservation.take(bytes) }),
  };
}

async function handle(deps: Served, routes: JobRoutes, exchange: Exchange): Promise<void> {
  const { request, url } = exchange;
  if (!url.pathname.startsWith(INGESTION_PATH)) {
    const message = `This server speaks version 1 of the runner protocol, below ${INGESTION_PATH}: use the runner of its release.`;
    return answer(exchange, 404, { code: "NOT_FOUND", message } satisfies ProtocolError);
  }
  const path = url.pathname.slice(INGESTION_PATH.length);
  const secret = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (path === "claim" && request.method === "POST") return claim(deps, exchange, secret);
  if (path === "self" && request.method === "GET") return self(deps, exchange, secret);
  const workRoute = CHECK_REQUEST_ROUTES.get(path) ?? SAMPLING_ROUTES.get(path) ?? TARGET_ROUTES.get(path);
  if (workRoute !== undefined && request.method === "POST") {
    const caller = await deps.jobs.authenticateRunner(secret);
    return caller === null ? stranger(deps, exchange) : workRoute(deps, exchange, caller);
  }
  const [, jobId, action = ""] = /^jobs\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const route = `${request.method ?? ""} ${action}`;
  if (jobId === undefined || !isJobRoute(route)) return notFound(exchange);
  const caller = await deps.jobs.authenticateJob(secret);
  if (caller === null) return stranger(deps, exchange);
  deps.note?.({ jobId: caller.jobId, runId: caller.runId });
  exchange.asked = route;
  try {
    if (caller.jobId !== jobId) throw new JobError("FORBIDDEN", "The token is another job's.");
    authorize(caller, route);
    await routes[route](exchange, caller);
  } catch (error) {
    if (error instanceof JobError) await noteRefusal(deps, exchange, caller, error);
    throw error;
  }
}

/** Refuses what the job may not do at all, before anything of the body is read. */
function authorize(caller: JobCaller, route: JobRouteName): void {
  if (canJob(caller, ROUTE_ACTIONS[route])) return;
  throw new JobError("FORBIDDEN", `A job on the leg ${caller.leg} of a run of kind ${caller.kind} may not do this.`);
}

async function noteRefusal(
  { jobs }: IngestionDeps,
  { asked, quiet }: Exchange,
  caller: JobCaller,
  { code, message }: Pick<JobError, "code" | "message">,
): Promise<void> {
  // That there is no room is not the runner's fault.
  if (quiet || code === "BUSY") return;
  await jobs.recordRefusal(caller, { request: asked, code, message });
}

function stranger({ onUnauthenticated }: IngestionDeps, exchange: Exchange): void {
  onUnauthenticated?.(exchange.request);
  unauthenticated(exchange);
}

async function self(deps: IngestionDeps, exchange: Exchange, secret: string): Promise<void> {
  const { jobs } = deps;
  const caller = await jobs.authenticateRunner(secret);
  if (caller === null) return stranger(deps, exchange);
  answer(exchange, 200, (await jobs.describeRunner(caller)) satisfies SelfAnswer);
}

/** Long poll: looks, waits until it is called, looks again until the time is over. */
async function claim(deps: Served, exchange: Exchange, secret: string): Promise<void> {
  const { jobs, enterClaimQueue, clock, draining } = deps;
  const caller = await jobs.authenticateRunner(secret);
  if (caller === null) return stranger(deps, exchange);
  const request = parseClaim(parseJson(await exchange.body(LIMITS.requestBytes)));
  const gone = new AbortController();
  exchange.response.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, draining]);
  const until = clock().getTime() + request.waitMs;
  using queued = enterClaimQueue(signal);
  while (!signal.aborted) {
    queued.claims();
    const found = await jobs.claim(caller, request);
    if ("directive" in found) return answer(exchange, 200, { job: null, ...found } satisfies ClaimAnswer);
    if ("job" in found) return answer(exchange, 200, found satisfies ClaimAnswer);
    if (!(await queued.woken(found.idle, until - clock().getTime()))) break;
  }
  return answer(exchange, 204, null);
}

function jobRoutes(deps: IngestionDeps): JobRoutes {
  const { jobs } = deps;
  const checkDocument = createDocumentCheck();
  return {
    "POST heartbeat": createHeartbeat(deps),
    "GET source": async (exchange, caller) => stream(exchange, await jobs.readSource(caller)),
    "GET archive": async (exchange, caller) => stream(exchange, await jobs.readArchive(caller)),
    "PUT archive": async (exchange, caller) => {
      await jobs.checkLive(caller);
      await jobs.writeArchive(caller, await exchange.body(LIMITS.archiveBytes));
      answer(exchange, 204, null);
    },
    "PUT document": async (exchange, caller) => {
      await jobs.checkLive(caller);
      const truncated = parseTruncated(exchange.url.searchParams.getAll("truncated"));
      const body = await exchange.body(LIMITS.documentBytes);
      await jobs.writeDocument(caller, { body, truncated, ...(await checkDocument(body)) });
      answer(exchange, 204, null);
    },
    "POST log": async (exchange, caller) => {
      const { request, url } = exchange;
      const body = await exchange.body(LIMITS.logBatchBytes);
      const lines = readSentLines(request.headers["content-type"], url.searchParams, body);
      const { ok, nextLine, atOnce } = await jobs.appendLog(caller, lines);
      if (ok) return answer(exchange, 200, { nextLine, atOnce } satisfies LogAnswer);
      const message = `Line ${nextLine} is next.`;
      // A post that overtook another one is not the runner's fault.
      exchange.quiet = lines.follows && nextLine < lines.firstLine;
      await noteRefusal(deps, exchange, caller, { code: "OUT_OF_ORDER", message });
      return answer(exchange, 409, { code: "OUT_OF_ORDER", message, nextLine } satisfies LogConflict);
    },
    "POST masks": async (exchange, caller) => {
      const { values } = parseMasks(parseJson(await exchange.body(LIMITS.requestBytes)));
      await jobs.declareMasks(caller, values);
      answer(exchange, 204, null);
    },
    "POST messages": async (exchange, caller) => {
      const message = parseMessage(parseJson(await exchange.body(LIMITS.messageBytes)));
      exchange.asked = `message ${message.type}`;
      answer(exchange, 200, (await jobs.report(caller, message)) satisfies MessageAnswer);
    },
    "POST progress": async (exchange, caller) => {
      const report = parseProgress(parseJson(await exchange.body(LIMITS.progressBytes)));
      // The runner does not wait for progress to be stored: the end of the job may overtake it.
      exchange.quiet = true;
      await jobs.noteProgress(caller, report);
      answer(exchange, 204, null);
    },
    "GET rollback-state": async (exchange, caller) => stream(exchange, await jobs.readRollbackState(caller)),
    "GET state": async (exchange, caller) => {
      const state = await jobs.readState(caller);
      return state === null ? answer(exchange, 204, null) : stream(exchange, state);
    },
    "POST state": async (exchange, caller) => {
      const body = await exchange.body(LIMITS.stateBytes);
      const sent = { state: await parseStateAside({ body, byPerson: false }), body };
      const { recovered } = await jobs.writeState(caller, exchange.url.searchParams.get("ID") ?? "", sent);
      answer(exchange, recovered ? 202 : 200, recovered ? ({ recovered } satisfies RecoveredAnswer) : {});
    },
    "POST state/lock": async (exchange, caller) => {
      const info = parseLockInfo(parseJson(await exchange.body(LIMITS.requestBytes)));
      const { holder } = await jobs.lockState(caller, { ...info });
      return answer(exchange, holder === null ? 200 : 423, holder ?? {});
    },
    "POST state/unlock": async (exchange, caller) => {
      const info = parseLockInfo(parseJson(await exchange.body(LIMITS.requestBytes)));
      const { holder } = await jobs.unlockState(caller, info.ID);
      if (holder !== null) {
        await noteRefusal(deps, exchange, caller, { code: "STATE_LOCKED", message: "The lock is another's." });
      }
      return answer(exchange, holder === null ? 200 : 409, holder ?? {});
    },
  };
}
