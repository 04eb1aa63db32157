import { createHash } from "node:crypto";
import type { Plan } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";

/** The SHA-256 (hexadecimal) that an approval is bound to: that of the saved plan, or of the command of a TASK. */
export function approvalDigest({ command }: Pick<Run, "command">, plan: Pick<Plan, "digest"> | null): string {
  if (command !== null) return createHash("sha256").update(command).digest("hex");
  return plan?.digest ?? "";
}
