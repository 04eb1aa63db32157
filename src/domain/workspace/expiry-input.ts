/** Checks and sets when a workspace expires. */
import { expiryDueAt, newExpiry } from "../../model/workspace/expiry.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { setExpiry } from "../../persistence/workspace/expiry-store.ts";
import type { Demand } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

/** Absent: unchanged. `null`: it does not expire. */
export type ExpiryInput = string | null | undefined;

export function checkExpiry(check: InputCheck, expiresAt: ExpiryInput, at: Date): void {
  if (typeof expiresAt !== "string") return;
  const ms = Date.parse(expiresAt);
  const isAhead = ms > at.getTime() && ms <= at.getTime() + LIMITS.expiryMostMs;
  check.require(isAhead, "expiresAt", "must be in the future, and within ten years.");
}

/** The permission to let a workspace expire, which destroys what it manages. */
export function expiryDemands(expiresAt: ExpiryInput): Demand[] {
  return typeof expiresAt === "string" ? [{ permission: "RUN_DESTROY", words: "letting workspaces expire" }] : [];
}

/** Whether a change makes a workspace expire that did not, or makes it expire earlier. */
export function expiresEarlier({ expiresAt: before }: Pick<Workspace, "expiresAt">, expiresAt: ExpiryInput): boolean {
  if (typeof expiresAt !== "string") return false;
  return before === null || Date.parse(expiresAt) < Date.parse(before);
}

/** Begins the expiry again, with its reminders and its tries. */
export async function changeExpiry(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  workspaceId: string,
  { expiresAt, actorId }: { expiresAt: string | null; actorId: string },
): Promise<void> {
  if (expiresAt === null) return setExpiry(tx, workspaceId, null, { dueAt: null, problem: null });
  const expiry = newExpiry(expiresAt, actorId, deps.clock());
  await setExpiry(tx, workspaceId, expiry, { dueAt: expiryDueAt(expiry), problem: null });
}
