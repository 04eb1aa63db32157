import type { Reader } from "./database.ts";

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
