/** The record of who read a state, with the secrets in it. */
import { STATE_WAYS, type StateReading } from "../../model/state/state-version.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { grouped } from "../database/group.ts";

/** The column with the id of a state: that of a version, or of a recovered state. */
type Subject = "state_version_id" | "recovered_state_id";

/** Records a reading of one or more versions. */
export function noteStateReading(reader: Reader, versionIds: readonly string[], reading: StateReading): Promise<void> {
  return note(reader, "state_version_id", versionIds, reading);
}

/** Records a reading of a recovered state. */
export function noteRecoveredStateReading(reader: Reader, id: string, reading: StateReading): Promise<void> {
  return note(reader, "recovered_state_id", [id], reading);
}

/** The newest `limit` readings of each version, newest first. */
export function listStateReadings(
  reader: Reader,
  versionIds: readonly string[],
  limit: number,
): Promise<StateReading[][]> {
  return list(reader, "state_version_id", versionIds, limit);
}

/** The newest `limit` readings of each recovered state, newest first. */
export function listRecoveredStateReadings(
  reader: Reader,
  ids: readonly string[],
  limit: number,
): Promise<StateReading[][]> {
  return list(reader, "recovered_state_id", ids, limit);
}

async function note(
  reader: Reader,
  subject: Subject,
  ids: readonly string[],
  { actorId, credentialId, way, at }: StateReading,
): Promise<void> {
  await reader.sql
    .insertInto("state_reading")
    .values(ids.map((id) => ({ [subject]: id, actor_id: actorId, credential_id: credentialId, way, at })))
    .execute();
}

async function list(
  reader: Reader,
  subject: Subject,
  ids: readonly string[],
  limit: number,
): Promise<StateReading[][]> {
  const ranked = reader.sql
    .selectFrom("state_reading")
    .select([`${subject} as subject_id`, "actor_id", "credential_id", "way", "at", "id"])
    .select((eb) =>
      eb.fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy(subject).orderBy("id", "desc"))
        .as("rank"),
    )
    .where(subject, "in", ids);
  const rows = await reader.sql
    .selectFrom(ranked.as("ranked"))
    .select(["subject_id", "actor_id", "credential_id", "way", "at"])
    .where("rank", "<=", limit)
    .orderBy("id", "desc")
    .execute();
  return grouped(ids, rows, (row) => row.subject_id ?? "").map((found) =>
    found.map((row) => ({
      actorId: row.actor_id,
      credentialId: row.credential_id,
      way: word(STATE_WAYS, row.way),
      at: row.at,
    })),
  );
}
