/** Decides in which workspaces a due time has runs. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import type { MemberOrder } from "../changeset/open-changeset.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, can, scopeOf } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { ACTION_TRAITS, type Schedule, spreadOf } from "../../model/schedule/schedule.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listBusyWorkspaces } from "../../persistence/schedule/firing-store.ts";
import { selectLabelledWorkspaces } from "../../persistence/workspace/label-store.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { membersWithAppliedSource } from "./applied-source.ts";

/** The members of the changeset of a due time, and what kept others out; `null` if nothing did. */
export interface FiringPlan {
  members: MemberOrder[];
  problem: string | null;
}

const none = (problem: string): FiringPlan => ({ members: [], problem });

/** Plans the runs of a due time under the rights of a caller. */
export async function planFiring(
  reader: Reader,
  schedule: Schedule,
  caller: ActorCaller,
  dueAt: string,
): Promise<FiringPlan> {
  const found = await candidatesOf(reader, schedule, caller);
  if (typeof found === "string") return none(found);
  const busy = new Set(await listBusyWorkspaces(reader, schedule.id));
  const free = found.filter((id) => !busy.has(id));
  const cause = { type: "SCHEDULE", scheduleId: schedule.id, dueAt } as const;
  const members = free.map((workspaceId): MemberOrder => {
    const delayMs = spreadOf(workspaceId, schedule.spreadMinutes);
    const scheduledAt = delayMs === 0 ? null : instantAfter(dueAt, delayMs);
    return { workspaceId, cause, scheduledAt };
  });
  const left = found.length - free.length;
  const busyWords = left === 0 ? null : `${counted(left)} still busy with the run of an earlier due time.`;
  if (!ACTION_TRAITS[schedule.action].fromApplied) return { members, problem: busyWords };
  const applied = await membersWithAppliedSource(reader, members, schedule.action);
  return { members: applied.members, problem: [busyWords ?? [], ...applied.problems].flat().join(" ") || null };
}

function counted(count: number): string {
  return count === 1 ? "1 workspace is" : `${count} workspaces are`;
}

/** Returns the ids of the workspaces of a schedule in which the caller may do its action, or why there are none. */
async function candidatesOf(
  reader: Reader,
  { workspaceId, label, organizationId, action }: Schedule,
  caller: ActorCaller,
): Promise<string[] | string> {
  const { permission } = ACTION_TRAITS[action];
  if (workspaceId !== null) {
    const workspace = await findWorkspace(reader, workspaceId);
    if (workspace === null) return "The workspace was deleted.";
    if (can(caller, permission, workspacePlace(workspace))) return [workspaceId];
    return `The owner of the schedule, ${caller.actor.name}, has no longer the permission ${permission} here.`;
  }
  const most = LIMITS.workspacesSelected;
  const scope = scopeOf(caller, permission);
  const ids = await selectLabelledWorkspaces(reader, scope, organizationId, [label ?? ""], most + 1);
  if (ids.length > most) return `The label matches more than ${most} workspaces: use a narrower one.`;
  if (ids.length > 0) return ids;
  return `No workspace has the label and gives the owner of the schedule, ${caller.actor.name}, the permission ${permission}.`;
}
