import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Figures } from "../../domain/figures/read-figures.ts";
import { PUBLIC_CODES } from "../../graphql/kit/errors.ts";
import { RUNTIME_HEALTHS } from "../../model/health/runtime-health.ts";
import type { ProbeFailure } from "../../model/probe/probe-sample.ts";
import { isTerminal, RUN_STATUSES, STATUS_TRAITS, type RunStatus } from "../../model/lifecycle/run-status.ts";
import type { HookOutcome } from "../repository/hook-route.ts";
import type { AttemptResult } from "../../model/webhook/webhook.ts";
import type { HttpObserver } from "./observe-request.ts";

/** Counts what this server does, and prints it with figures about the whole installation. */
export interface Metrics {
  readonly observer: HttpObserver;
  /** Counts transactions, and how long runs were in the statuses that they left. */
  readonly transactions: {
    committed(facts: readonly { status: RunStatus; waitedMs: number }[], published: number): void;
    rolledBack(): void;
  };
  /** Counts a batch of lines that a runner delivered. */
  logBatch(lines: number): void;
  /** Counts an attempt to send a message to a webhook. */
  webhookAttempt(result: AttemptResult): void;
  /** Counts probes of the health of workspaces that this server sent. */
  readonly probes: {
    /** `failure`: `null` if the answer was good. */
    ended(failure: ProbeFailure | null): void;
    started(lateMs: number): void;
  };
  /** Counts a delivery of a git host. */
  hint(outcome: HookOutcome): void;
  /** Counts rows that were removed by retention. */
  removed(kind: string, count: number): void;
  /** Gives the text for a scraper. `figures` null: the database did not answer in time. */
  page(figures: Figures | null): Promise<MetricsPage>;
}

export interface MetricsPage {
  contentType: string;
  text: string;
}

/** Seconds, up to a week: people decide at gates. */
const WAIT_BUCKETS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400, 604_800];
const REQUEST_BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];
const PROBE_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const CODES: ReadonlySet<string> = new Set([...PUBLIC_CODES, "INTERNAL"]);

/** Each server has a registry of its own, so that two in one process do not count together. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const setFigures = createFigures(registry);
  return {
    observer: {
      request({ transport, method, route, status, durationMs }) {
        counters.requests.inc({ transport, method, route, status: status === 0 ? "none" : String(status) });
        // The duration of a stream does not measure the speed of this server.
        if (transport === "http") counters.durations.observe({ route }, durationMs / 1000);
      },
      open: (kind, change) => counters.open.inc({ kind }, change),
      error: (code) => counters.errors.inc({ code: CODES.has(code) ? code : "OTHER" }),
    },
    transactions: {
      committed(facts, published) {
        counters.transactions.inc({ outcome: "committed" });
        counters.events.inc(published);
        for (const { status, waitedMs } of facts) {
          if (isWaiting(status)) counters.waits.observe({ status }, Math.max(0, waitedMs) / 1000);
        }
      },
      rolledBack: () => counters.transactions.inc({ outcome: "rolled_back" }),
    },
    logBatch(lines) {
      counters.logBatches.inc();
      counters.logLines.inc(lines);
    },
    removed: (kind, count) => counters.removed.inc({ kind: kind.toLowerCase() }, count),
    webhookAttempt: (result) => counters.webhookAttempts.inc({ result: result.toLowerCase() }),
    probes: {
      ended: (failure) => counters.probes.inc({ result: failure === null ? "good" : failure.toLowerCase() }),
      started: (lateMs) => counters.probeDelays.observe(Math.max(0, lateMs) / 1000),
    },
    hint: (outcome) => counters.hints.inc({ result: outcome.toLowerCase() }),
    async page(figures) {
      setFigures(figures);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Whether a run in this status waits for a person, its turn, or a runner. */
function isWaiting(status: RunStatus): boolean {
  const { queued, gate, claimable } = STATUS_TRAITS[status];
  return queued || claimable || gate !== null;
}

function createCounters(registry: Registry) {
  const registers = [registry];
  const open = new Gauge({
    name: "holdpoint_streams_open",
    help: "Open server-sent event streams, subscriptions of WebSockets, and WebSockets.",
    labelNames: ["kind"],
    registers,
  });
  for (const kind of ["sse", "subscription", "websocket"]) open.set({ kind }, 0);
  const errors = new Counter({
    name: "holdpoint_graphql_errors_total",
    help: "Top-level errors that were sent, by code.",
    labelNames: ["code"],
    registers,
  });
  for (const code of CODES) errors.inc({ code }, 0);
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  return {
    open,
    errors,
    requests: new Counter({
      name: "holdpoint_requests_total",
      help: "Finished HTTP requests, and finished operations of WebSockets.",
      labelNames: ["transport", "method", "route", "status"],
      registers,
    }),
    durations: new Histogram({
      name: "holdpoint_http_request_seconds",
      help: "Time from a request to the end of its answer; long polls and streams are held open on purpose.",
      labelNames: ["route"],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    waits: new Histogram({
      name: "holdpoint_run_wait_seconds",
      help: "How long runs were in a status in which they wait, seen when they left it.",
      labelNames: ["status"],
      buckets: WAIT_BUCKETS,
      registers,
    }),
    transactions: new Counter({
      name: "holdpoint_transactions_total",
      help: "Transactions that were committed or rolled back; one that is tried again counts each time.",
      labelNames: ["outcome"],
      registers,
    }),
    webhookAttempts: new Counter({
      name: "holdpoint_webhook_attempts_total",
      help: "Messages that were sent to webhooks, by what came of it; each attempt counts.",
      labelNames: ["result"],
      registers,
    }),
    probes: new Counter({
      name: "holdpoint_health_probes_total",
      help: "Probes of the health of workspaces that this server sent, by what they found.",
      labelNames: ["result"],
      registers,
    }),
    probeDelays: new Histogram({
      name: "holdpoint_health_probe_delay_seconds",
      help: "By how much probes of the health of workspaces began after the instant at which they were due.",
      buckets: PROBE_BUCKETS,
      registers,
    }),
    hints: new Counter({
      name: "holdpoint_hints_total",
      help: "Deliveries of git hosts, and of senders that claim to be one, by what came of them.",
      labelNames: ["result"],
      registers,
    }),
    removed: new Counter({
      name: "holdpoint_retention_removed_total",
      help: "Batches of log lines, events and archives that were removed because they are no longer kept.",
      labelNames: ["kind"],
      registers,
    }),
    events: counter("holdpoint_events_total", "Events that were written into the feeds of organizations."),
    logBatches: counter("holdpoint_log_batches_total", "Batches of log lines that runners delivered."),
    logLines: counter("holdpoint_log_lines_total", "Log lines that runners delivered."),
  };
}

/** Creates the gauges about the installation, which are the same on every server of it. */
function createFigures(registry: Registry): (figures: Figures | null) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge("holdpoint_figures_up", "1 when the gauges about the installation are from now, 0 when absent.");
  const runs = gauge("holdpoint_runs", "Runs by status.", ["status"]);
  const oldest = gauge("holdpoint_run_oldest_seconds", "How long a live run has been in its status at most.", [
    "status",
  ]);
  const queue = gauge("holdpoint_queue_length", "Runs that wait for their workspace, or for a runner.", ["waits_for"]);
  const jobs = gauge("holdpoint_jobs_live", "Jobs that a runner holds a lease of.");
  const workspaces = gauge("holdpoint_workspaces", "Workspaces that are not deleted.");
  const health = gauge("holdpoint_workspace_health", "Workspaces whose health is watched, by their health.", [
    "health",
  ]);
  return (figures) => {
    up.set(figures === null ? 0 : 1);
    // Old figures would look like new ones.
    for (const one of [runs, oldest, queue, health]) one.reset();
    for (const one of [jobs, workspaces]) one.remove();
    if (figures === null) return;
    const found = new Map(figures.runs.map((entry) => [entry.status, entry]));
    const waiting = { workspace: 0, runner: 0 };
    for (const status of RUN_STATUSES) {
      const { count = 0, oldestSeconds = 0 } = found.get(status) ?? {};
      runs.set({ status }, count);
      if (!isTerminal(status)) oldest.set({ status }, oldestSeconds);
      if (STATUS_TRAITS[status].queued) waiting.workspace += count;
      if (STATUS_TRAITS[status].claimable) waiting.runner += count;
    }
    queue.set({ waits_for: "workspace" }, waiting.workspace);
    queue.set({ waits_for: "runner" }, waiting.runner);
    jobs.set(figures.liveJobs);
    workspaces.set(figures.workspaces);
    const healths = new Map(figures.health.map((entry) => [entry.health, entry.count]));
    for (const one of RUNTIME_HEALTHS) health.set({ health: one }, healths.get(one) ?? 0);
  };
}
