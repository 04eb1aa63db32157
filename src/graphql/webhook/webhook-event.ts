import type { WebhookEvent } from "../../model/webhook/webhook.ts";
import { builder } from "../kit/builder.ts";

/** The types of messages by their names in GraphQL, which have no dots. */
const EVENTS = {
  RUN_GATE_WAITING: [
    "run.gate.waiting",
    "`run.gate.waiting`: a run waits for a person at a gate, or at its next stage.",
  ],
  RUN_GATE_ESCALATED: ["run.gate.escalated", "`run.gate.escalated`: a run has waited at a gate for too long."],
  RUN_ENDED: ["run.ended", "`run.ended`: a run has ended, with any status."],
  RUN_POLICY_DENIED: [
    "run.policy.denied",
    "`run.policy.denied`: policies or external checks rejected a run. The message has what they found.",
  ],
  RUN_VERIFICATION_FAILED: [
    "run.verification.failed",
    "`run.verification.failed`: the result of an apply did not pass its verification, or nothing is known about it.",
  ],
  RUN_ROLLBACK_PROPOSED: [
    "run.rollback.proposed",
    "`run.rollback.proposed`: a run to go back was created, because the result of another one did not pass.",
  ],
  POLICY_ERRORED: ["policy.errored", "`policy.errored`: a policy or an external check could not judge a run."],
  HOOK_MISSING: [
    "repository.hook.missing",
    "`repository.hook.missing`: changes of a repository are found by polling, because its hooks do not arrive. Sent to webhooks of the whole organization.",
  ],
  POLICY_EXCEPTION_EXPIRING: [
    "policy.exception.expiring",
    "`policy.exception.expiring`: an exception from a policy ends within seven days. Sent once, to webhooks of the whole organization.",
  ],
  WORKSPACE_LOCKED: ["workspace.locked", "`workspace.locked`: a workspace was locked, or its lock was changed."],
  WORKSPACE_UNLOCKED: ["workspace.unlocked", "`workspace.unlocked`: a workspace was unlocked."],
  WORKSPACE_HEALTH_CHANGED: [
    "workspace.health.changed",
    "`workspace.health.changed`: the runtime health of a workspace has been another for a minute.",
  ],
  WORKSPACE_EXPIRING: ["workspace.expiring", "`workspace.expiring`: a workspace expires within a day, or an hour."],
  WORKSPACE_EXPIRY_FAILED: [
    "workspace.expiry.failed",
    "`workspace.expiry.failed`: the resources of an expired workspace could not be destroyed.",
  ],
  CHANGESET_APPLIED: [
    "changeset.applied",
    "`changeset.applied`: all of a changeset that had changes is applied, outside of isolated projects. Sent once, to webhooks of the whole organization.",
  ],
  DRIFT_FOUND: ["drift.found", "`drift.found`: a check found drift, or another one than before."],
} as const satisfies Record<string, readonly [WebhookEvent, string]>;

type EventName = keyof typeof EVENTS;

function valueOf(name: EventName): { value: WebhookEvent; description: string } {
  const [value, description] = EVENTS[name];
  return { value, description };
}

export const WebhookEventEnum = builder.enumType("WebhookEvent", {
  description: "An event that a webhook can subscribe to. The `type` of a message is the name with dots.",
  values: {
    RUN_GATE_WAITING: valueOf("RUN_GATE_WAITING"),
    RUN_GATE_ESCALATED: valueOf("RUN_GATE_ESCALATED"),
    RUN_ENDED: valueOf("RUN_ENDED"),
    RUN_POLICY_DENIED: valueOf("RUN_POLICY_DENIED"),
    RUN_VERIFICATION_FAILED: valueOf("RUN_VERIFICATION_FAILED"),
    RUN_ROLLBACK_PROPOSED: valueOf("RUN_ROLLBACK_PROPOSED"),
    POLICY_ERRORED: valueOf("POLICY_ERRORED"),
    HOOK_MISSING: valueOf("HOOK_MISSING"),
    POLICY_EXCEPTION_EXPIRING: valueOf("POLICY_EXCEPTION_EXPIRING"),
    WORKSPACE_LOCKED: valueOf("WORKSPACE_LOCKED"),
    WORKSPACE_UNLOCKED: valueOf("WORKSPACE_UNLOCKED"),
    WORKSPACE_HEALTH_CHANGED: valueOf("WORKSPACE_HEALTH_CHANGED"),
    WORKSPACE_EXPIRING: valueOf("WORKSPACE_EXPIRING"),
    WORKSPACE_EXPIRY_FAILED: valueOf("WORKSPACE_EXPIRY_FAILED"),
    CHANGESET_APPLIED: valueOf("CHANGESET_APPLIED"),
    DRIFT_FOUND: valueOf("DRIFT_FOUND"),
  } satisfies Record<EventName, object>,
});
