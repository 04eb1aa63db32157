/** `GET /runs/<id>/wait`: a long poll for scripts without a WebSocket. It reads the run, so no change is lost between two. */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { Queries } from "../../domain/domain.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, countedCredential } from "../../model/people/permission.ts";
import { requiredAction, type Run } from "../../model/run/run.ts";
import { isTerminal, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { notFound } from "../../model/kit/user-error.ts";
import { answerJson } from "../kit/json-answer.ts";
import { HttpError, unauthenticated } from "../route/failure.ts";
import { MAX_INTEGER, wholeNumber, word } from "../route/query.ts";
import type { HttpExchange } from "../route/route.ts";
import { type TokenEndDeps, watchAnswer } from "../kit/token-end.ts";

/** Wakes when something may have happened to a run. */
export interface RunWatch extends Disposable {
  reset(): void;
  changed(timeoutMs: number): Promise<void>;
}

/** The reads and the watch that waiting requests need. */
export interface RunWaits {
  queries: Pick<Queries, "runs" | "blockers">;
  watch: (runId: string) => RunWatch;
}

export interface WaitDeps extends RunWaits, TokenEndDeps {
  /** Aborts when the server shuts down: requests that wait are answered at once. */
  closing: AbortSignal;
}

/** The number of waiting requests by token. */
type Waiting = Map<string, number>;

export const waitQuery = z.strictObject({
  until: word(["gate", "end"]),
  seconds: wholeNumber(0, LIMITS.runWaitMaxS).default(LIMITS.runWaitDefaultS),
  /** A run that is still at this version has not moved since the client read it. */
  after: wholeNumber(0, MAX_INTEGER).default(0),
});

type WaitQuery = z.output<typeof waitQuery>;

const RETRY_AFTER_S = 5;

/** Answers with JSON: 200 if the run has reached the awaited status, 202 if the time is over before. */
export function createWait(
  deps: WaitDeps,
): (exchange: HttpExchange, caller: ActorCaller, query: () => WaitQuery) => Promise<void> {
  const waiting: Waiting = new Map();
  return async (exchange, caller, query) => {
    const run = await read(deps, caller, exchange.parameter("id"));
    const asked = query();
    if (isReached(run, asked) || asked.seconds === 0 || deps.closing.aborted) {
      return sendRun(deps, caller, asked, run, exchange.response);
    }
    await waitForRun(deps, waiting, { exchange, caller, runId: run.id, asked });
  };
}

interface Waiter {
  exchange: HttpExchange;
  caller: ActorCaller;
  runId: string;
  asked: WaitQuery;
}

async function waitForRun(deps: WaitDeps, waiting: Waiting, waiter: Waiter): Promise<void> {
  const { exchange, caller, asked } = waiter;
  const { request, response } = exchange;
  const leave = enter(waiting, countedCredential(caller));
  if (leave === null) {
    response.setHeader("retry-after", RETRY_AFTER_S);
    throw new HttpError(
      503,
      "TOO_MANY_WAITERS",
      `Too many requests are waiting. Try again in ${RETRY_AFTER_S} seconds.`,
    );
  }
  try {
    const ended = { token: false };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    if (response.destroyed) return;
    const openedBy = { caller, secret: deps.secretOf(request), address: deps.addressOf(request) };
    watchAnswer(deps, response, openedBy, () => {
      ended.token = true;
      gone.abort();
    });
    const run = await follow(deps, waiter, AbortSignal.any([gone.signal, deps.closing]));
    if (ended.token) throw unauthenticated();
    if (!gone.signal.aborted) await sendRun(deps, caller, asked, run, response);
  } finally {
    leave();
  }
}

/** Counts a waiting request, and gives the function that ends the count; null if too many wait. */
function enter(waiting: Waiting, tokenId: string): (() => void) | null {
  const mine = waiting.get(tokenId) ?? 0;
  const all = waiting.values().reduce((sum, count) => sum + count, 0);
  if (all >= LIMITS.runWaits || mine >= LIMITS.runWaitsPerToken) return null;
  waiting.set(tokenId, mine + 1);
  return () => {
    const left = (waiting.get(tokenId) ?? 1) - 1;
    if (left === 0) waiting.delete(tokenId);
    else waiting.set(tokenId, left);
  };
}

/** Reads the run whenever it may have changed, until it is reached, the time is over, or the signal aborts. */
async function follow(deps: WaitDeps, { caller, runId, asked }: Waiter, signal: AbortSignal): Promise<Run> {
  const until = performance.now() + asked.seconds * 1000;
  using watch = deps.watch(runId);
  signal.addEventListener("abort", () => watch[Symbol.dispose](), { once: true });
  for (;;) {
    watch.reset();
    const run = await read(deps, caller, runId);
    const leftMs = until - performance.now();
    if (signal.aborted || isReached(run, asked) || leftMs <= 0) return run;
    await watch.changed(Math.min(leftMs, LIMITS.streamPollMs));
  }
}

async function read({ queries }: WaitDeps, caller: ActorCaller, runId: string): Promise<Run> {
  const [run = null] = await queries.runs(caller, [runId]);
  if (run === null) throw notFound("run");
  return run;
}

/** A run that has ended never changes, so its end counts for any `after`. */
function isReached(run: Run, { until, after }: WaitQuery): boolean {
  if (isTerminal(run.status)) return true;
  return until === "gate" && STATUS_TRAITS[run.status].gate !== null && run.version > after;
}

/** Sends the run, with the action that a person can take. */
async function sendRun(
  { queries, closing }: WaitDeps,
  caller: ActorCaller,
  asked: WaitQuery,
  run: Run,
  response: ServerResponse,
): Promise<void> {
  const { queued, claimable } = STATUS_TRAITS[run.status];
  // A run that waits for a person has no blockers.
  const [blockers = []] = queued || claimable ? await queries.blockers(caller, [run]) : [];
  const locked = blockers.some(({ kind }) => kind === "WORKSPACE_LOCKED");
  const { id, number, kind, status, leg, outcome, version, planVersion, reason, failure } = run;
  const reached = isReached(run, asked);
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
