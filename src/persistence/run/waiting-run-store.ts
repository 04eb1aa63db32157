import type { RunCause } from "../../model/run/run-cause.ts";
import type { Transaction } from "../database/database.ts";

/** Notes that a run waits for no run upstream any more, whose row must be locked. `cause`: `null` to keep the one it has. */
export async function setReleased(
  tx: Transaction,
  runId: string,
  { at, cause }: { at: string; cause: RunCause | null },
): Promise<void> {
  await tx.sql
    .updateTable("run")
    .set({
      awaits_upstream: false,
      released_at: at,
      ...(cause !== null && { cause: JSON.stringify(cause) }),
    })
    .where("id", "=", runId)
    .execute();
}
