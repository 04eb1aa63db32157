/**
 * What runs and workspaces must look like after each command: the pure machine decides, and what follows from its word
 * (leases, holds, locks, admission) is kept here as lifecycle says, without a database.
 */
import { dispatchClass, obstacleKindsOf } from "../../src/model/admission/eligibility.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { DEFAULT_RUN_LIMITS } from "../../src/model/approval/run-rules.ts";
import type { Gate } from "../../src/model/approval/approval.ts";
import { WITHDRAW } from "../../src/model/run/gates-ahead.ts";
import { FIRST_LEG, type RunKind, type RunLeg, type RunOutcome } from "../../src/model/lifecycle/run-kind.ts";
import {
  type AcceptedTransition,
  decide,
  type Decision,
  type MachinePlan,
  type RunCommand,
} from "../../src/model/lifecycle/run-machine.ts";
import { isTerminal, type RunStatus, STATUS_TRAITS } from "../../src/model/lifecycle/run-status.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";

export interface ModelJob {
  id: string;
  run: ModelRun;
  leg: RunLeg;
  expiresAtMs: number;
  messageCount: number;
  stateSerial: number;
  live: boolean;
  /** Serials of states that came too late and are kept beside the line. */
  recovered: number[];
}

export interface ModelRun {
  id: string;
  number: number;
  workspace: ModelWorkspace;
  kind: RunKind;
  status: RunStatus;
  leg: RunLeg;
  outcome: RunOutcome | null;
  attempt: number;
  plan: MachinePlan | null;
  stopRequestedAtMs: number | null;
  /** Gates at which the one approver has an approval of the newest plan. */
  approved: Gate[];
  holds: boolean;
  job: ModelJob | null;
  /** What was made of it last, live or not. */
  newestJob: ModelJob | null;
  /** Its runner could change something: it was APPLYING or PERFORMING. */
  begun: boolean;
}

export type ModelSettings = Pick<Workspace, "planApproval" | "autoApply" | "lockScope" | "interruptApply">;

export interface ModelWorkspace extends ModelSettings {
  id: string;
  paused: boolean;
  lock: { reason: "MANUAL" | "APPLY_INTERRUPTED"; expiresAtMs: number | null } | null;
  serial: number;
  /** The job that has the engine's lock, or had it when its apply was lost. */
  stateLock: ModelJob | null;
  runs: ModelRun[];
}

export interface Model {
  nowMs: number;
  limit: number;
  workspaces: ModelWorkspace[];
}

export const runsOf = (model: Model): ModelRun[] => model.workspaces.flatMap(({ runs }) => runs);
export const liveJobs = (model: Model): ModelJob[] => runsOf(model).flatMap(({ job }) => job ?? []);

/** The machine's word about a command, now. */
export function ask(model: Model, run: ModelRun, command: RunCommand): Decision {
  const { workspace } = run;
  return decide(
    {
      kind: run.kind,
      status: run.status,
      leg: run.leg,
      attempt: run.attempt,
      plan: run.plan,
      stopRequestedAtMs: run.stopRequestedAtMs,
      workspace: {
        planApproval: workspace.planApproval,
        autoApply: workspace.autoApply,
        interruptApply: workspace.interruptApply,
        skipApplying: false,
        locked: workspace.paused || unexpiredLock(model, workspace) !== null,
        frozen: false,
        stateSerial: workspace.serial,
      },
      rules: { plan: false, apply: false },
      planApproved: false,
      policies: { prePlan: false, plan: false, preApply: false },
      warnings: 0,
      probes: false,
      limits: { attempts: DEFAULT_RUN_LIMITS.attemptsPerLeg, forceAfterMs: DEFAULT_RUN_LIMITS.forceStopAfterMs },
    },
    command,
  );
}

/** A run of the next number, which is let in where nothing is in its way. */
export function addRun(model: Model, workspace: ModelWorkspace, id: string, kind: RunKind): void {
  workspace.runs.push({
    id,
    number: workspace.runs.length + 1,
    workspace,
    kind,
    status: "QUEUED",
    leg: FIRST_LEG[kind],
    outcome: null,
    attempt: 0,
    plan: null,
    stopRequestedAtMs: null,
    approved: [],
    holds: false,
    job: null,
    newestJob: null,
    begun: false,
  });
  settle(model, workspace);
}

/** Takes the machine's word, and lets in what can go on. */
export function take(model: Model, run: ModelRun, accepted: AcceptedTransition, set: Partial<ModelRun> = {}): void {
  place(run, accepted, set);
  settle(model, run.workspace);
}

function place(run: ModelRun, { change }: AcceptedTransition, set: Partial<ModelRun> = {}): void {
  if (change !== null) {
    if (change.leg !== run.leg) run.attempt = 0;
    run.holds = holdsAfter(run, change.status);
    Object.assign(run, change);
    run.begun ||= run.status === "APPLYING" || run.status === "PERFORMING";
  }
  Object.assign(run, set);
}

function holdsAfter(run: ModelRun, to: RunStatus): boolean {
  if (isTerminal(to) || run.kind === "PLAN") return false;
  if (STATUS_TRAITS[to].gate && run.workspace.lockScope === "EXECUTION") return false;
  return run.holds || run.status === "QUEUED" || to === "PREPARING";
}

/** What a withdrawal comes to: of an own approval, at the last gate that has one. */
export function withdraw(model: Model, run: ModelRun, gate: Gate): Decision {
  const decision = ask(model, run, { type: WITHDRAW[gate], quorumReached: false });
  const last = run.approved.includes("APPLY") ? "APPLY" : "PLAN";
  const reason = "It has no such approval.";
  // A run at its apply gate loses overrides of the plan alone, and no plan is overridden here.
  const isBeyond = gate === "PLAN" && run.status === "AWAITING_APPLY_APPROVAL";
  if (decision.accepted && (isBeyond || !(run.approved.includes(gate) && gate === last))) {
    return { accepted: false, code: "RUN_STATE_CONFLICT", reason };
  }
  return decision;
}

/** The lease of a run begins. */
export function startJob(model: Model, run: ModelRun, id: string): ModelJob {
  const job: ModelJob = {
    id,
    run,
    leg: run.leg,
    expiresAtMs: model.nowMs + DEFAULT_RUN_LIMITS.leaseMs,
    messageCount: 0,
    stateSerial: run.workspace.serial,
    live: true,
    recovered: [],
  };
  run.job = job;
  run.newestJob = job;
  return job;
}

/** The lease of a run is over; where nobody knows what its apply did, the workspace is locked. */
export function endJob({ job, workspace }: ModelRun, uncertain: boolean): void {
  if (job === null) return;
  job.live = false;
  job.run.job = null;
  if (uncertain) workspace.lock = { reason: "APPLY_INTERRUPTED", expiresAtMs: null };
  else if (workspace.stateLock === job) workspace.stateLock = null;
}

/**
 * What comes of a new state after the lease: it is kept where nobody else can ever tell what the run made. The line of
 * versions stays as it is. Gives whether it is kept.
 */
export function recoverState(job: ModelJob, serial: number): boolean {
  const { run, recovered } = job;
  if (run.newestJob !== job || !isTerminal(run.status) || !run.begun) return false;
  if (recovered.includes(serial)) return true;
  if (recovered.length >= LIMITS.recoveredPerJob) return false;
  recovered.push(serial);
  return true;
}

/** Leases that have run out, then locks: what the workers' rounds must do after a jump of the clock. */
export function passTime(model: Model): void {
  const lost = liveJobs(model).filter(({ expiresAtMs }) => expiresAtMs < model.nowMs);
  for (const { run } of lost.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs)) {
    const decision = ask(model, run, { type: "leaseLost", handedBack: false });
    if (!decision.accepted) throw new Error(decision.reason);
    endJob(run, run.status === "APPLYING" || run.status === "PERFORMING");
    take(model, run, decision);
  }
  for (const workspace of model.workspaces) {
    if (workspace.lock === null || unexpiredLock(model, workspace) !== null) continue;
    workspace.lock = null;
    settle(model, workspace);
  }
}

/** A new version of the state ends what waits at a gate on an older one. */
export function moveState(model: Model, workspace: ModelWorkspace): void {
  workspace.serial++;
  for (const run of workspace.runs) {
    if (!STATUS_TRAITS[run.status].gate || (run.plan?.stateSerial ?? workspace.serial) >= workspace.serial) continue;
    const decision = ask(model, run, { type: "discard", planVersion: null });
    if (decision.accepted) take(model, run, decision);
  }
}

function unexpiredLock(model: Model, { lock }: ModelWorkspace): ModelWorkspace["lock"] {
  return lock !== null && lock.expiresAtMs !== null && lock.expiresAtMs <= model.nowMs ? null : lock;
}

function mayGo(model: Model, run: ModelRun): boolean {
  const { workspace } = run;
  const obstacles = obstacleKindsOf(
    { kind: run.kind, status: run.status, scheduledAt: null, applyAt: null },
    {
      at: new Date(model.nowMs).toISOString(),
      paused: workspace.paused,
      lock: unexpiredLock(model, workspace)?.reason ?? null,
      frozenUntil: null,
    },
  );
  return obstacles.length === 0;
}

const isSpeculative = ({ kind }: ModelRun): boolean => kind === "PLAN";
const isClaimable = ({ status }: ModelRun): boolean => STATUS_TRAITS[status].claimable;

/** Lets in every speculative run, and the first of the others where nobody has the workspace or wants it back. */
export function settle(model: Model, workspace: ModelWorkspace): void {
  const admit = (run: ModelRun): void => {
    const decision = ask(model, run, { type: "admit" });
    if (!decision.accepted) throw new Error(decision.reason);
    place(run, decision);
  };
  const queued = (): ModelRun[] => workspace.runs.filter((run) => run.status === "QUEUED" && mayGo(model, run));
  for (const run of queued().filter(isSpeculative)) admit(run);
  for (;;) {
    const next = queued().find((run) => !isSpeculative(run));
    const taken = workspace.runs.some(
      (run) => run.holds || (!isSpeculative(run) && isClaimable(run) && mayGo(model, run)),
    );
    if (next === undefined || taken) return;
    admit(next);
  }
}

/** The runs that must be in the dispatch table, each with its class: one a workspace, and one speculative. */
export function dispatched(model: Model): { run: ModelRun; class: number }[] {
  return model.workspaces.flatMap((workspace) => {
    const waiting = workspace.runs.filter((run) => isClaimable(run) && mayGo(model, run));
    const holder = workspace.runs.find(({ holds }) => holds);
    const first = waiting.find((run) => !isSpeculative(run) && (holder === undefined || holder === run));
    return [first, waiting.find(isSpeculative)].flatMap((run) =>
      run === undefined ? [] : [{ run, class: dispatchClass({ ...run, trigger: "MANUAL" }) }],
    );
  });
}

/** Runs that wait for something else than the next runner that asks. */
export function waiting(model: Model): ModelRun[] {
  const rows = new Set(dispatched(model).map(({ run }) => run));
  const isNext = (run: ModelRun): boolean =>
    rows.has(run) || (isSpeculative(run) && isClaimable(run) && mayGo(model, run));
  return runsOf(model).filter((run) => run.status === "QUEUED" || (isClaimable(run) && !isNext(run)));
}
