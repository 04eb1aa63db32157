import type { BlockerInput } from "./blocker-input.ts";
import type { BlockerKind } from "./blocker-kind.ts";
import { obstaclesOf, type Obstacle, shortageOf, type AdmissionConditions } from "./eligibility.ts";
import { STATUS_TRAITS } from "../lifecycle/run-status.ts";
import { missingSince, runnerMessage, withoutSupply } from "./runner-supply.ts";
import { estimatesOf } from "./start-estimate.ts";
import { lockSentence } from "../workspace/lock-text.ts";

/** A reason why a run waits. */
export interface Blocker {
  kind: BlockerKind;
  message: string;
  /** The run that blocks this one; `null` if the blocker is no run. */
  runId: string | null;
  since: string;
  /** The position in the queue, from 1; `null` if there is no queue. */
  position: number | null;
  /** When the blocker ends without a person; `null` if it does not, or if that is not known. */
  until: string | null;
  /** The estimated start of the run; `null` if it is not known. */
  estimatedStartAt: string | null;
  /** Replace parts for those who may not see the figures of the organization, or its runners; absent if none differs. */
  withoutFigures?: Partial<Pick<Blocker, "message" | "position" | "estimatedStartAt">>;
  withoutRunners?: Pick<Blocker, "message" | "since">;
}

/** The parts of blockers that are about the whole organization, and whether the reader may see them. */
export interface OrganizationSights {
  /** How many runs work and wait, in all workspaces. */
  figures: boolean;
  /** Its runners and their pools. */
  runners: boolean;
}

/** Leaves out of a blocker what its reader may not see. */
export function shownBlocker(
  { withoutFigures, withoutRunners, ...blocker }: Blocker,
  { figures, runners }: OrganizationSights,
): Blocker {
  return { ...blocker, ...(!figures && withoutFigures), ...(!runners && withoutRunners) };
}

type BlockerDetails = Pick<Blocker, "message" | "since"> & Partial<Blocker>;

/** Returns the blockers of a run; empty unless it waits to be admitted or claimed. */
export function blockersOf(input: BlockerInput, conditions: AdmissionConditions): Blocker[] {
  const { run, workspace } = input;
  const { queued, claimable } = STATUS_TRAITS[run.status];
  if (!queued && !claimable) return [];
  const found = obstaclesOf(run, conditions, (workspace.holder ?? workspace.ahead)?.id ?? null);
  const estimates = estimatesOf(input, conditions, found);
  const blockers = found.map((one) => toBlocker(named(one, run), describe(one, input, conditions), estimates));
  if (blockers.length > 0) return blockers;
  if (queued) return [toBlocker(...aboutToBeAdmitted(input), estimates)];
  const lack = describeShortage(input, conditions.at);
  return lack === null ? [] : [toBlocker(...lack, estimates)];
}

/** A promoted run waits for its earliest start because the stage before still soaks. */
function named({ kind, runId }: Obstacle, run: BlockerInput["run"]): { kind: BlockerKind; runId: string | null } {
  const soaks = kind === "SCHEDULED_AT" && STATUS_TRAITS[run.status].queued && run.cause?.type === "PROMOTION";
  return { kind: soaks ? "SOAKING" : kind, runId };
}

function toBlocker(
  { kind, runId }: { kind: BlockerKind; runId: string | null },
  details: BlockerDetails,
  estimates: Partial<Record<BlockerKind, string | null>>,
): Blocker {
  return { kind, runId, position: null, until: null, estimatedStartAt: estimates[kind] ?? null, ...details };
}

/** Describes an obstacle of the workspace or the calendar. */
function describe({ kind }: Obstacle, input: BlockerInput, conditions: AdmissionConditions): BlockerDetails {
  const { run, workspace } = input;
  switch (kind) {
    case "WORKSPACE_BUSY":
      return busy(input);
    case "WORKSPACE_PAUSED":
      return { message: "The workspace is paused. Resume it, or wait.", since: run.statusAt };
    case "WORKSPACE_LOCKED": {
      const remedy =
        conditions.lock === "APPLY_INTERRUPTED"
          ? "Check what it did, then unlock the workspace with force."
          : "Unlock it, or wait.";
      const { lock } = workspace;
      const message = `${lock === null ? "The workspace is locked." : lockSentence(lock)} ${remedy}`;
      return { message, since: lock?.since ?? run.statusAt, until: lock?.expiresAt ?? null };
    }
    case "UPSTREAM_RUN":
      return upstreamOf(input);
    case "SCHEDULED_AT": {
      const { queued } = STATUS_TRAITS[run.status];
      const until = queued ? run.scheduledAt : run.applyAt;
      if (queued && run.cause?.type === "PROMOTION") {
        const message = `The stage before ${run.cause.stage} soaks until ${until ?? ""}. Wait, or cancel the run.`;
        return { message, since: run.statusAt, until };
      }
      const what = queued ? "The run is scheduled for" : "The apply was approved for";
      return { message: `${what} ${until ?? ""}.`, since: run.statusAt, until };
    }
    case "FREEZE_WINDOW": {
      const until = conditions.frozenUntil;
      return {
        message: `A freeze window is open: nothing is applied before ${until ?? ""}.`,
        since: run.statusAt,
        until,
      };
    }
    case "CHECK_PENDING":
      return checkOf(input);
  }
}

/** Policies and checks judge the run before its plan, or before its apply. */
function checkOf({ run }: BlockerInput): BlockerDetails {
  const {
    names,
    since,
    until,
    point,
    hints = [],
  } = run.awaitedCheck ?? { names: [], since: run.statusAt, until: null };
  const next = point === "PRE_PLAN" ? "plan" : "apply";
  const notes = hints.map(({ name, text }) => ` ${name}: ${text}`).join("");
  const message = `The ${next} waits for the judgement of ${names.join(", ")}. Wait for it.${notes}`;
  return { message, since, until };
}

/** The text does not name the workspace of the other run: it may be hidden from readers of this one. */
function upstreamOf({ run, upstream }: BlockerInput): BlockerDetails {
  const message = "A run that this one depends on has not ended. Wait for it, or cancel this run.";
  return { message, since: run.statusAt, runId: upstream?.id ?? null };
}

function busy({ run, workspace }: BlockerInput): BlockerDetails {
  const { holder, ahead, position } = workspace;
  const other = holder ?? ahead;
  if (other === null) return { message: "The run is about to be admitted.", since: run.statusAt, position };
  return {
    message:
      holder === null
        ? `Run ${other.number} comes first. Wait for it, or cancel it.`
        : `Run ${other.number} holds the workspace. Wait for its end, or cancel it.`,
    since: other.since > run.statusAt ? other.since : run.statusAt,
    position,
  };
}

/**
 * Describes a run without obstacles that the scheduler has not admitted yet: its time has come, or a lock has just
 * ended.
 */
function aboutToBeAdmitted({ run, workspace }: BlockerInput): [{ kind: BlockerKind; runId: null }, BlockerDetails] {
  const message = "Nothing blocks the run any more: it is about to be admitted.";
  const kind = run.scheduledAt === null ? "WORKSPACE_BUSY" : "SCHEDULED_AT";
  const queue = kind === "WORKSPACE_BUSY" ? { position: workspace.position } : { until: run.scheduledAt };
  return [
    { kind, runId: null },
    { message, since: run.statusAt, ...queue },
  ];
}

/** Returns the shortage that blocks a run which its workspace does not block. */
function describeShortage(
  input: BlockerInput,
  at: string,
): [{ kind: BlockerKind; runId: null }, BlockerDetails] | null {
  const { run, workspace, place, organization, runners } = input;
  const noRunner = { kind: "NO_RUNNER", runId: null } as const;
  if (place === null) {
    const message =
      run.kind === "PLAN"
        ? "Another plan of the workspace comes first. Wait for it, or raise the priority of this run."
        : "The run is about to be offered to the runners.";
    return [noRunner, { message, since: run.statusAt, position: workspace.position }];
  }
  const { since, position } = place;
  const lack = shortageOf(place, at, runners.present > 0);
  if (lack === null) return null;
  if (lack === "ORGANIZATION_LIMIT") {
    return [
      { kind: lack, runId: null },
      {
        message: limitMessage(organization),
        since,
        position,
        withoutFigures: { ...WITHOUT_PLACE, message: LIMIT_REACHED },
      },
    ];
  }
  if (lack === "DRIFT_LIMIT") {
    return [
      { kind: lack, runId: null },
      { message: DRIFT_LIMIT_REACHED, since, position, withoutFigures: WITHOUT_PLACE },
    ];
  }
  const details = { message: runnerMessage(runners), since: missingSince(runners) ?? since, position };
  const withoutRunners = { message: runnerMessage(withoutSupply(runners)), since };
  return [noRunner, { ...details, withoutRunners, withoutFigures: WITHOUT_PLACE }];
}

const LIMIT_REACHED = "The organization has reached its limit of concurrent runs. Wait, or raise `concurrencyLimit`.";

const DRIFT_LIMIT_REACHED =
  "The pool runs as many checks for drift as it may at once. Wait, or raise `driftCheckLimit` of the pool.";

/** The position is that among the runs of all workspaces, by which the start is estimated. */
const WITHOUT_PLACE = { position: null, estimatedStartAt: null } as const;

function limitMessage({ busy: working, promised, limit }: BlockerInput["organization"]): string {
  const waiting = promised === 0 ? "" : `, ${promised} of which wait for a runner`;
  return `The organization has ${working + promised} of ${limit} concurrent runs${waiting}. Wait, or raise \`concurrencyLimit\`.`;
}
