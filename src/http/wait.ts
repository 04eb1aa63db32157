/** `GET /runs/<id>/wait`: a long poll for scripts that have no WebSocket. It looks at the run, so nothing is lost between two. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Queries } from "../domain/queries/query-types.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import { requiredAction, type Run } from "../model/run/run.ts";
import { isTerminal, STATUS_TRAITS } from "../model/lifecycle/run-status.ts";
import { type InputIssue, invalidInput, notFound, UserError } from "../model/kit/user-error.ts";
import { bearerSecret } from "./bearer.ts";
import { answerPreflight } from "./cors.ts";
import { answerJson } from "./json-answer.ts";
import { type WatchToken, watchAnswer } from "./token-end.ts";

/** Wakes when something may have happened to a run. */
export interface RunWatch extends Disposable {
  reset(): void;
  changed(timeoutMs: number): Promise<void>;
}

/** Where waiting requests look. */
export interface RunWaits {
  queries: Pick<Queries, "runs" | "blockers">;
  watch: (runId: string) => RunWatch;
}

export interface WaitDeps extends RunWaits {
  authenticate: (secret: string) => Promise<TokenCaller | null>;
  /** As whoever serves the request authenticates it: notes who it is, and says in the answer how. */
  identify: (request: IncomingMessage, response: ServerResponse) => Promise<TokenCaller | null>;
  watchToken?: WatchToken;
  /** Aborted when the server shuts down: whoever waits is answered at once. */
  closing: AbortSignal;
  /** Who waits now. */
  places: WaitPlaces;
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
}

/** How many requests wait, in all and by token. */
export type WaitPlaces = Map<string, number>;

const UNTILS = ["gate", "end"] as const;

/** What is waited for. */
interface Ask {
  runId: string;
  until: (typeof UNTILS)[number];
  /** A run that is still at this version has not moved since it was looked at. */
  after: number;
  seconds: number;
}

const PATH = /^\/runs\/([^/]+)\/wait$/;
const METHODS = "GET, OPTIONS";
const PARAMETERS: readonly string[] = ["until", "seconds", "after"];
const RETRY_AFTER_S = 5;
const STATUS_OF: Partial<Record<UserError["code"], number>> = { INVALID_INPUT: 400, NOT_FOUND: 404, FORBIDDEN: 403 };

/** Whether a path is answered here. */
export function isWaitPath(path: string): boolean {
  return PATH.test(path);
}

/** Answers with JSON: 200 where it is reached, 202 where the time is over before; an error has `code` and `message`. */
export async function answerWait(deps: WaitDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "OPTIONS") return answerPreflight(response, METHODS);
  const caller = await deps.identify(request, response);
  if (caller === null) return unauthenticated(response);
  if (request.method !== "GET") {
    response.setHeader("allow", METHODS);
    return refuse(response, 405, "METHOD_NOT_ALLOWED", "Only GET is answered here.");
  }
  try {
    await wait(deps, caller, request, response);
  } catch (error) {
    if (response.destroyed) return;
    const status = error instanceof UserError ? STATUS_OF[error.code] : undefined;
    if (!(error instanceof UserError) || status === undefined) {
      return refuse(response, 500, "INTERNAL", `Something went wrong (${deps.reportError(error)}).`);
    }
    const { code, message, details } = error;
    answerJson(response, status, { code, message, ...(details.issues && { issues: details.issues }) });
  }
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  answerJson(response, status, { code, message });
}

function unauthenticated(response: ServerResponse): void {
  response.setHeader("www-authenticate", "Bearer");
  refuse(response, 401, "UNAUTHENTICATED", "A valid bearer token is needed.");
}

async function wait(
  deps: WaitDeps,
  caller: TokenCaller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "", "http://server");
  const runId = PATH.exec(url.pathname)?.[1] ?? "";
  const now = await read(deps, caller, runId);
  const ask = parse(runId, url.searchParams);
  if (isReached(now, ask) || ask.seconds === 0 || deps.closing.aborted) return tell(deps, caller, ask, now, response);
  const leave = enter(deps.places, caller.tokenId);
  if (leave === null) {
    response.setHeader("retry-after", RETRY_AFTER_S);
    return refuse(response, 503, "TOO_MANY_WAITERS", "Too many requests wait already; ask again a little later.");
  }
  try {
    const ended = { token: false };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    if (response.destroyed) return;
    const secret = bearerSecret(request.headers.authorization);
    watchAnswer(deps, response, { caller, secret }, () => {
      ended.token = true;
      gone.abort();
    });
    const run = await follow(deps, caller, ask, AbortSignal.any([gone.signal, deps.closing]));
    if (ended.token) return unauthenticated(response);
    if (!gone.signal.aborted) await tell(deps, caller, ask, run, response);
  } finally {
    leave();
  }
}

/** Takes a place; null where there is none left. */
function enter(places: WaitPlaces, tokenId: string): (() => void) | null {
  const mine = places.get(tokenId) ?? 0;
  const all = places.values().reduce((sum, count) => sum + count, 0);
  if (all >= LIMITS.runWaits || mine >= LIMITS.runWaitsPerToken) return null;
  places.set(tokenId, mine + 1);
  return () => {
    const left = (places.get(tokenId) ?? 1) - 1;
    if (left === 0) places.delete(tokenId);
    else places.set(tokenId, left);
  };
}

/** Looks whenever something may have happened, until it is reached, the time is over, or nobody listens any more. */
async function follow(deps: WaitDeps, caller: TokenCaller, ask: Ask, signal: AbortSignal): Promise<Run> {
  const until = performance.now() + ask.seconds * 1000;
  using watch = deps.watch(ask.runId);
  signal.addEventListener("abort", () => watch[Symbol.dispose](), { once: true });
  for (;;) {
    watch.reset();
    const run = await read(deps, caller, ask.runId);
    const leftMs = until - performance.now();
    if (signal.aborted || isReached(run, ask) || leftMs <= 0) return run;
    await watch.changed(Math.min(leftMs, LIMITS.streamPollMs));
  }
}

async function read({ queries }: WaitDeps, caller: TokenCaller, runId: string): Promise<Run> {
  const [run = null] = await queries.runs(caller, [runId]);
  if (run === null) throw notFound("run");
  return run;
}

/** A run that has ended never changes, so that it counts whatever was seen of it. */
function isReached(run: Run, { until, after }: Ask): boolean {
  if (isTerminal(run.status)) return true;
  return until === "gate" && STATUS_TRAITS[run.status].gate !== null && run.version > after;
}

async function tell(
  { queries, closing }: WaitDeps,
  caller: TokenCaller,
  ask: Ask,
  run: Run,
  response: ServerResponse,
): Promise<void> {
  const { queued, claimable } = STATUS_TRAITS[run.status];
  // Whoever waits for a person is blocked by nothing else.
  const [blockers = []] = queued || claimable ? await queries.blockers(caller, [run]) : [];
  const locked = blockers.some(({ kind }) => kind === "WORKSPACE_LOCKED");
  const { id, number, kind, status, leg, outcome, version, planVersion, reason, failure } = run;
  const reached = isReached(run, ask);
  if (closing.aborted) response.setHeader("connection", "close");
  answerJson(response, reached ? 200 : 202, {
    reached,
    run: {
      id,
      number,
      kind,
      status,
      leg,
      outcome,
      isTerminal: isTerminal(status),
      version,
      planVersion,
      requiredAction: requiredAction(run, locked),
      reason,
      failure: failure === null ? null : { code: failure.code, summary: failure.summary },
    },
  });
}

/** Throws INVALID_INPUT that names every parameter that cannot be used. */
function parse(runId: string, searchParams: URLSearchParams): Ask {
  const issues: InputIssue[] = [];
  const refuseParameter = (name: string, message: string): void => void issues.push({ path: [name], message });
  for (const name of new Set(searchParams.keys())) {
    if (!PARAMETERS.includes(name)) refuseParameter(name, `is not known here; there are ${PARAMETERS.join(", ")}.`);
    else if (searchParams.getAll(name).length > 1) refuseParameter(name, "must be given once.");
  }
  const whole = (name: string, otherwise: number, max: number): number => {
    const text = searchParams.get(name);
    if (text === null) return otherwise;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value <= max)) refuseParameter(name, `must be a whole number from 0 to ${max}.`);
    return value;
  };
  const until = UNTILS.find((word) => word === searchParams.get("until"));
  if (until === undefined) refuseParameter("until", `must be ${UNTILS.join(" or ")}.`);
  const seconds = whole("seconds", LIMITS.runWaitDefaultS, LIMITS.runWaitMaxS);
  const after = whole("after", 0, MAX_VERSION);
  if (issues.length > 0 || until === undefined) throw invalidInput(issues);
  return { runId, until, seconds, after };
}

/** Of an integer in Postgres. */
const MAX_VERSION = 2_147_483_647;
