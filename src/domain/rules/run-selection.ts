import type { BlockerKind } from "../../model/admission/blocker-kind.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listFreezeWindowsOfApproved } from "../../persistence/run/freeze-window-store.ts";
import type { RunSelection } from "../../persistence/run/run-list-store.ts";
import type { RunFilter } from "../kit/run-filter.ts";
import { isOpen } from "./freeze.ts";

/** Kinds that do not depend on freeze windows. The others depend on which approved runs may proceed. */
const WITHOUT_WINDOWS: readonly BlockerKind[] = [
  "WORKSPACE_PAUSED",
  "WORKSPACE_LOCKED",
  "UPSTREAM_RUN",
  "SOAKING",
  "CHECK_PENDING",
];

/** Returns the selection of a filter at an instant. The database cannot evaluate freeze windows, so the open ones are given. */
export async function selectionAt(
  reader: Reader,
  { blockerKinds, ...filter }: RunFilter,
  now: Date,
): Promise<RunSelection> {
  const at = now.toISOString();
  const selection = filter.requiredActions === undefined ? filter : { ...filter, at };
  if (blockerKinds === undefined) return selection;
  const before = (ms: number): string => new Date(now.getTime() - ms).toISOString();
  const blockedBy = {
    kinds: blockerKinds,
    at,
    openWindows: await openWindows(reader, { ...filter, blockerKinds }, now),
    runnersSince: before(LIMITS.runnerOfflineMs),
    overdueSince: before(LIMITS.schedulerMs),
  };
  return { ...selection, blockedBy };
}

async function openWindows(
  reader: Reader,
  { blockerKinds = [], organizationId, workspaceId }: RunFilter,
  now: Date,
): Promise<string[]> {
  if (blockerKinds.every((kind) => WITHOUT_WINDOWS.includes(kind))) return [];
  const most = LIMITS.freezeWindowsRead;
  const places = { organizationId: organizationId ?? null, workspaceId: workspaceId ?? null };
  const windows = await listFreezeWindowsOfApproved(reader, places, most + 1);
  if (windows.length > most) {
    const words = `depends on more than ${most} different freeze windows of approved runs: give \`organizationId\` or \`workspaceId\` as well.`;
    throw invalidField("filter.blockerKinds", words);
  }
  return windows.filter((window) => isOpen(window, now)).map((window) => JSON.stringify(window));
}
