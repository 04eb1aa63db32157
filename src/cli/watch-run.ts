import type { Client } from "../client/client.ts";
import { type Gate, RunAtGateDocument, type RunStatus, type RunSummaryFragment } from "../client/generated/graphql.ts";
import { DemoError } from "./demo-error.ts";
import { decide } from "./gate-decision.ts";
import { approvalRefusal, type AskAtGate, type RunAtGate } from "./gate-prompt.ts";
import type { LiveView } from "./live-view.ts";
import { showPlan } from "./run-report.ts";
import { createLogFollower, followEvents, type LogFollower, type RunEventItem } from "./run-stream.ts";

/** How watching ended: with the run, by a person who leaves it at its gate, or by the caller's signal. */
export type WatchEnd = "ended" | "left" | "interrupted";

export interface WatchOptions {
  readonly client: Client;
  readonly view: LiveView;
  readonly runId: string;
  /** Undefined: approve without asking. */
  readonly ask: AskAtGate | undefined;
  readonly signal: AbortSignal;
}

const logWaitMs = 2_000;

/** Shows a run live from its current status to its end, and asks at its gates. */
export async function watchRun(options: WatchOptions): Promise<WatchEnd> {
  const { client, view, runId, signal } = options;
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const log = createLogFollower(client, runId, (line) => view.log(line.phase, line.text));
  const gates = createGates(options, log, until);
  let shown: { status: RunStatus; detail: string } | undefined;

  function onEvent(item: RunEventItem): void {
    if (item.__typename === "ApprovalRecorded") {
      const { decision, gate } = item.approval;
      view.print(`${item.actor.name}: ${decision.toLowerCase()} at the ${gate.toLowerCase()} gate`, "quiet");
    }
    // The run of an event may be newer than the event: its status has an event of its own, which comes later.
    const hasStatus = item.__typename === "RunStatusChanged" || item.__typename === "RunSnapshot";
    if (!hasStatus && item.run.status !== shown?.status) return;
    const { status, detail } = statusOf(item);
    if (status !== shown?.status || detail !== shown.detail) view.status(status, detail);
    shown = { status, detail };
    gates.onStatus(status, item.run);
  }

  const streams = Promise.all([followEvents(client, runId, onEvent, until), log.follow(until)]);
  try {
    // `left` settles only when a person leaves or a gate fails. The first to settle ends the others.
    const end = await Promise.race([streams.then(() => "ended" as const), gates.left.then(() => "left" as const)]);
    return end === "ended" && signal.aborted ? "interrupted" : end;
  } finally {
    stop.abort();
    await Promise.allSettled([streams, gates.settled()]);
    view.rest();
  }
}

/** Reads the status of an item. `run` may be newer than the event, so the status of the event precedes. */
function statusOf(item: RunEventItem): { status: RunStatus; detail: string } {
  const waitsFor = item.run.blockers.map((blocker) => blocker.message).join("; ");
  if (item.__typename !== "RunStatusChanged") return { status: item.run.status, detail: waitsFor };
  return { status: item.to, detail: item.reason ?? (item.to === item.run.status ? waitsFor : "") };
}

interface Gates {
  /** Opens the question of a gate that the run has reached, and withdraws it when the run has left. */
  onStatus(status: RunStatus, run: RunSummaryFragment): void;
  /** Resolves when a person leaves the run at its gate; rejects when a question cannot be settled. */
  readonly left: Promise<void>;
  /** Waits until no question is open on the terminal. */
  settled(): Promise<void>;
}

function createGates(options: WatchOptions, log: LogFollower, until: AbortSignal): Gates {
  const left = Promise.withResolvers<void>();
  let open: { status: RunStatus; controller: AbortController } | undefined;
  let last = Promise.resolve();
  let shownVersion = 0;

  async function settle(gate: Gate, status: RunStatus, withdrawn: AbortSignal): Promise<void> {
    while (!withdrawn.aborted) {
      const { run } = await options.client.request(RunAtGateDocument, { id: options.runId });
      if (!run || run.status !== status) return;
      if (!run.plan) throw new DemoError("The run waits at a gate and has no plan.");
      await log.caughtUp(logWaitMs);
      showPlan(options.view, run, run.plan, run.plan.version !== shownVersion);
      shownVersion = run.plan.version;
      const answer = await answerOf(options, { gate, run, signal: withdrawn });
      if (withdrawn.aborted) return;
      if (answer === "leave") return left.resolve();
      const target = { runId: options.runId, gate, planVersion: run.plan.version };
      const result = await decide(options.client, answer, target);
      if (result.taken) return;
      options.view.print(`${result.message} The run is ${result.status} now.`, "caution");
      if (result.status !== status) return;
      if (!options.ask) throw new DemoError("The server refused the approval and the run is still at its gate.");
    }
  }

  return {
    left: left.promise,
    settled: () => last,
    onStatus(status, run) {
      if (open && open.status !== status) {
        open.controller.abort();
        open = undefined;
      }
      const gate = gateOf(status);
      if (!gate || open || run.status !== status) return;
      const controller = new AbortController();
      open = { status, controller };
      const withdrawn = AbortSignal.any([until, controller.signal]);
      last = last.then(() => settle(gate, status, withdrawn)).catch((error: unknown) => left.reject(error));
    },
  };
}

function gateOf(status: RunStatus): Gate | undefined {
  if (status === "AWAITING_PLAN_APPROVAL") return "PLAN";
  return status === "AWAITING_APPLY_APPROVAL" ? "APPLY" : undefined;
}

interface Question {
  readonly gate: Gate;
  readonly run: RunAtGate;
  readonly signal: AbortSignal;
}

async function answerOf({ ask, view }: WatchOptions, question: Question) {
  const refusal = approvalRefusal(question.gate, question.run);
  if (!ask) {
    if (refusal) throw new DemoError(`The ${question.gate.toLowerCase()} cannot be approved: ${refusal}`);
    view.print(`--yes: approved at the ${question.gate.toLowerCase()} gate`, "quiet");
    return "approve";
  }
  if (refusal) view.print(`You may not approve here: ${refusal}`, "caution");
  view.hold();
  try {
    return await ask(question);
  } finally {
    view.release();
  }
}
