/** Digests of settings, by which a caller changes only what it has read. */
import { createHash } from "node:crypto";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ProbeSettings } from "../../model/probe/probe.ts";
import type { Organization, Workspace } from "../../model/workspace/workspace.ts";
import type { WorkspaceSettings } from "../../persistence/workspace/workspace-store.ts";

/**
 * Returns the SHA-256 of the settings of a workspace, in hexadecimal digits. What its runs find out does not count, and
 * secrets of probes do not either.
 */
export function workspaceSettingsDigest(workspace: Workspace, probes: readonly ProbeSettings[]): string {
  const { name, description, source, paused, planApproval, autoApply, lockScope, interruptApply } = workspace;
  const gates = { name, description, source, paused, planApproval, autoApply, lockScope, interruptApply };
  const { tasksAllowed, runnerPoolId, runnerLabels, labels, hooks, trigger, driftSettings } = workspace;
  const runs = { tasksAllowed, runnerPoolId, runnerLabels, labels, hooks, trigger, driftSettings };
  const { verification, rollback, tests, deployShape, hasStartCommand, rules, expiresAt } = workspace;
  const ends = { verification, rollback, tests, deployShape, hasStartCommand, rules, expiresAt };
  const settings = { ...gates, ...runs, ...ends } satisfies Record<keyof WorkspaceSettings | "expiresAt", unknown>;
  return digestOf({ ...settings, probes });
}

/** Returns the SHA-256 of the settings of an organization, in hexadecimal digits. */
export function organizationSettingsDigest(organization: Organization): string {
  const { name, concurrencyLimit, maxRunsPerPush, retention, rules } = organization;
  return digestOf({ name, concurrencyLimit, maxRunsPerPush, retention, rules });
}

/** Keys are sorted: Postgres has an order of its own, and an input has that of its caller. */
function digestOf(settings: object): string {
  const text = JSON.stringify(settings, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(text).digest("hex");
}

/** The part of an input that names the settings which the caller has read. */
export interface ReadSettings {
  /** Absent or `null`: that is not checked. */
  settingsDigest?: string | null | undefined;
}

/** Throws INVALID_INPUT for `settingsDigest` if the caller has read other settings. */
export function requireRead({ settingsDigest = null }: ReadSettings, current: string): void {
  if (settingsDigest === null || settingsDigest === current) return;
  const message = "is that of earlier settings: they were changed since. Read them again, and send the change again.";
  throw invalidField("settingsDigest", message);
}
