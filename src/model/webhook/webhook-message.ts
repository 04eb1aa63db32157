/**
 * Builds the messages of webhooks. They contain only what every reader of the run may see: no URL, no value of a
 * variable.
 */
import type { Actor } from "../people/actor.ts";
import type { Gate } from "../approval/approval.ts";
import type { HealthChange } from "../health/runtime-health.ts";
import type { Plan } from "../plan/plan.ts";
import type { PolicyException } from "../policy/policy-exception.ts";
import type { PolicySet } from "../policy/policy-set.ts";
import type { Run } from "../run/run.ts";
import type { Repository } from "../repository/repository.ts";
import type { DeliveryEvent } from "./webhook.ts";
import type { Drift, DriftChange } from "../workspace/drift.ts";
import type { Expiry } from "../workspace/expiry.ts";
import type { Organization, Workspace, WorkspaceLock } from "../workspace/workspace.ts";

/** Free text is cut to this length, so that a message stays far below 20 kB. */
const TEXT_LENGTH = 500;

/** Failed resources in a message. */
const FAILED_RESOURCES = 10;

/** Returns the text of a message. `timestamp`: when the event happened, not when the message is sent. */
export function writeMessage(type: DeliveryEvent, timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

/** Cuts free text. */
export function short(text: string | null): string | null {
  if (text === null || text.length <= TEXT_LENGTH) return text;
  return `${text.slice(0, TEXT_LENGTH - 1).toWellFormed()}…`;
}

/** The organization and workspace of an event. */
export interface MessageContext {
  organization: Pick<Organization, "id" | "slug" | "name">;
  workspace: Pick<Workspace, "id" | "name">;
}

/** Builds the data of an organization. */
export function organizationData({ id, slug, name }: MessageContext["organization"]) {
  return { id, slug, name };
}

/** Builds the data of the place of an event. */
export function placeData({ organization, workspace }: MessageContext) {
  return { organization: organizationData(organization), workspace: { id: workspace.id, name: workspace.name } };
}

/** Builds the data of an actor; `null` if it is not known. */
export function actorData(actor: Actor | null) {
  return actor === null ? null : { id: actor.id, kind: actor.kind, name: actor.name };
}

/** Builds the data of a run. */
export function runData(run: Run, createdBy: Actor | null) {
  const { id, number, kind, status, leg, outcome, trigger, createdAt, finishedAt } = run;
  const data = { id, number, kind, status, leg, outcome, trigger, message: short(run.message), createdAt, finishedAt };
  return { ...data, createdBy: actorData(createdBy) };
}

function planData(plan: Plan | null) {
  if (plan === null) return null;
  const { version, digest, complete, additions, changes, destructions, replacements, imports, moves, forgets } = plan;
  return { version, digest, complete, additions, changes, destructions, replacements, imports, moves, forgets };
}

export function gateData(
  context: MessageContext,
  about: { run: Run; createdBy: Actor | null; gate: Gate; stage: string | null; plan: Plan | null },
): object {
  const { run, createdBy, gate, stage, plan } = about;
  const details = { gate, stage, planVersion: run.planVersion, plan: planData(plan) };
  return { ...placeData(context), run: runData(run, createdBy), ...details };
}

export function endData(context: MessageContext, { run, createdBy }: { run: Run; createdBy: Actor | null }): object {
  const { failure } = run;
  return {
    ...placeData(context),
    run: runData(run, createdBy),
    reason: short(run.reason),
    failure:
      failure === null
        ? null
        : {
            code: failure.code,
            reason: failure.reason,
            cause: failure.cause,
            stage: failure.stage,
            category: failure.category,
            retryable: failure.retryable,
            summary: short(failure.summary),
            stateUncertain: failure.stateUncertain,
            resources: failure.resources.slice(0, FAILED_RESOURCES).map(({ address, reason }) => {
              return { address: short(address), reason };
            }),
          },
  };
}

/** Builds the data of a repository whose hooks do not arrive. */
export function hookMissingData(
  organization: MessageContext["organization"],
  { repository, hostName, message }: { repository: Pick<Repository, "id" | "name">; hostName: string; message: string },
): object {
  return {
    organization: organizationData(organization),
    repository: { id: repository.id, name: repository.name, host: hostName },
    message,
  };
}

/** Builds the data of an exception from a policy that ends soon. Its workspaces may be hidden from readers: only ids. */
export function exceptionData(
  organization: MessageContext["organization"],
  {
    set,
    exception,
    requestedBy,
  }: { set: Pick<PolicySet, "id" | "name">; exception: PolicyException; requestedBy: Actor | null },
): object {
  const { id, policy, rule, addressGlob, workspaceIds, reason, ticket, expiresAt } = exception;
  return {
    organization: organizationData(organization),
    policySet: { id: set.id, name: set.name },
    exception: { id, policy, rule, addressGlob, workspaceIds, reason: short(reason), ticket, expiresAt },
    requestedBy: actorData(requestedBy),
  };
}

/** Builds the data of a change of the health of a workspace. */
export function healthData(
  context: MessageContext,
  { from, to, reason, since }: HealthChange & { since: string | null },
): object {
  return { ...placeData(context), health: { from, to, reason: short(reason), since } };
}

/** Builds the data of a lock event. `lock`: the lock that was set or removed; `null` if it is no longer known. */
export function lockData(
  context: MessageContext,
  { lock, actor }: { lock: WorkspaceLock | null; actor: Actor | null },
): object {
  return {
    ...placeData(context),
    actor: actorData(actor),
    lock:
      lock === null
        ? null
        : {
            reason: lock.reason,
            note: short(lock.note),
            since: lock.since,
            expiresAt: lock.expiresAt,
            runId: lock.runId,
          },
  };
}

/** Builds the data of drift. It has counts and no values; the run shows them to its readers. */
export function driftData(context: MessageContext, drift: Drift, change: DriftChange): object {
  const { foundAt, runId, resources, outputs } = drift;
  return { ...placeData(context), change, drift: { foundAt, runId, resources, outputs } };
}

/** Builds the data of an event about the expiry of a workspace. */
export function expiryData(context: MessageContext, { expiresAt, tries }: Expiry): object {
  return { ...placeData(context), expiresAt, tries };
}
