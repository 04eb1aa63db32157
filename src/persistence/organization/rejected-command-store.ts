import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

export interface RejectedCommand {
  at: string;
  actorId: string;
  command: string;
  subjectId: string | null;
  code: string;
  message: string;
}

/** Keeps what somebody was refused; outside the transaction that was rolled back. */
export async function recordRejectedCommand(reader: Reader, rejected: RejectedCommand): Promise<void> {
  await reader.sql
    .insertInto("rejected_command")
    .values({
      at: rejected.at,
      actor_id: rejected.actorId,
      command: rejected.command,
      subject_id: rejected.subjectId,
      code: rejected.code,
      message: rejected.message,
    })
    .execute();
}

/** When each of these runs first had a command refused for its status, since it has that status; null: never. */
export async function findFirstRefusals(
  reader: Reader,
  command: string,
  runIds: readonly string[],
): Promise<(string | null)[]> {
  const rows = await reader.sql
    .selectFrom("rejected_command")
    .innerJoin("run", "run.id", "rejected_command.subject_id")
    .select((eb) => ["run.id", eb.fn.min("rejected_command.at").as("at")])
    .where("run.id", "in", runIds)
    .where("rejected_command.command", "=", command)
    .where("rejected_command.code", "=", "RUN_STATE_CONFLICT")
    .whereRef("rejected_command.at", ">=", "run.status_at")
    .groupBy("run.id")
    .execute();
  return inOrder(runIds, rows, (row) => row.id).map((row) => row?.at ?? null);
}

/** Removes what was refused about these runs before an instant. */
export async function removeRejectedCommands(tx: Transaction, runIds: string[], before: string): Promise<void> {
  await tx.sql.deleteFrom("rejected_command").where("subject_id", "in", runIds).where("at", "<", before).execute();
}
