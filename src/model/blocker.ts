import type { RunKind } from "./run-kind.ts";
import { type RunStatus, STATUS_FACTS } from "./run-status.ts";
import type { WorkspaceLockReason } from "./workspace.ts";

export const BLOCKER_KINDS = [
  "WORKSPACE_BUSY",
  "WORKSPACE_LOCKED",
  "WORKSPACE_PAUSED",
  "ORGANIZATION_LIMIT",
  "UPSTREAM_RUN",
  "NO_RUNNER",
  "FREEZE_WINDOW",
  "SCHEDULED_AT",
] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];

/** Why a run waits. */
export interface Blocker {
  kind: BlockerKind;
  message: string;
  runId: string | null;
  since: string;
  /** Place in the queue, from 1; null where there is no queue. */
  position: number | null;
}

/** Everything around a waiting run that can be in its way. */
export interface BlockerFacts {
  run: { kind: RunKind; status: RunStatus; statusAt: string };
  workspace: {
    paused: boolean;
    lock: { reason: WorkspaceLockReason; since: string } | null;
    /** The run that holds the workspace, if it is another one. */
    holder: { id: string; number: number; since: string } | null;
    /** The oldest earlier run that still waits. */
    ahead: { id: string; number: number; since: string } | null;
    /** Place of this run among those that are QUEUED, from 1. */
    position: number;
  };
  organization: { busy: number; limit: number };
  /** When a runner was last heard from, and whether that is recent enough. */
  runners: { present: boolean; lastSeenAt: string | null };
}

/** The blockers of a run; empty unless it waits to be admitted or claimed. */
export function blockersOf(facts: BlockerFacts): Blocker[] {
  const { run, workspace } = facts;
  if (run.status === "QUEUED") return queuedBlockers(facts);
  if (!STATUS_FACTS[run.status].claimable) return [];
  const blockers: Blocker[] = [];
  const add = (kind: BlockerKind, since: string, message: string): void => {
    blockers.push({ kind, message, runId: null, since, position: null });
  };
  if (workspace.paused) add("WORKSPACE_PAUSED", run.statusAt, "The workspace is paused.");
  if (run.status === "CONFIRMED" && workspace.lock !== null) {
    add("WORKSPACE_LOCKED", workspace.lock.since, lockMessage(workspace.lock.reason));
  }
  const { busy, limit } = facts.organization;
  if (busy >= limit) {
    add("ORGANIZATION_LIMIT", run.statusAt, `${busy} of ${limit} runs of the organization occupy a runner.`);
  }
  if (!facts.runners.present) {
    add("NO_RUNNER", facts.runners.lastSeenAt ?? run.statusAt, "No runner asks for work.");
  }
  return blockers;
}

function queuedBlockers({ run, workspace }: BlockerFacts): Blocker[] {
  const blockers: Blocker[] = [];
  const inTheWay = run.kind === "PLAN" ? null : (workspace.holder ?? workspace.ahead);
  if (inTheWay !== null) {
    blockers.push({
      kind: "WORKSPACE_BUSY",
      message:
        workspace.holder === null ? `Run ${inTheWay.number} comes first.` : `Run ${inTheWay.number} has the workspace.`,
      runId: inTheWay.id,
      since: inTheWay.since > run.statusAt ? inTheWay.since : run.statusAt,
      position: workspace.position,
    });
  }
  if (workspace.lock !== null) {
    blockers.push({
      kind: "WORKSPACE_LOCKED",
      message: lockMessage(workspace.lock.reason),
      runId: null,
      since: workspace.lock.since,
      position: null,
    });
  }
  if (workspace.paused) {
    blockers.push({
      kind: "WORKSPACE_PAUSED",
      message: "The workspace is paused.",
      runId: null,
      since: run.statusAt,
      position: null,
    });
  }
  return blockers;
}

function lockMessage(reason: WorkspaceLockReason): string {
  return reason === "MANUAL"
    ? "The workspace was locked by a person."
    : "An apply was interrupted; somebody must check what it did, then unlock the workspace.";
}
