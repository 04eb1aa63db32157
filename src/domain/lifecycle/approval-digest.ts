import { createHash } from "node:crypto";
import type { Plan } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";

/** What a decision is bound to: the plan as the engine wrote it, or the command of a TASK; SHA-256 in hexadecimal. */
export function approvalDigest({ command }: Pick<Run, "command">, plan: Pick<Plan, "digest"> | null): string {
  if (command !== null) return createHash("sha256").update(command).digest("hex");
  return plan?.digest ?? "";
}
