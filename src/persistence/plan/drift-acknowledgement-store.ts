import type { DriftAcknowledgement } from "../../model/workspace/drift.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Stores an acknowledgement; it replaces that of the same drift of the workspace. */
export async function putAcknowledgement(tx: Transaction, given: DriftAcknowledgement): Promise<void> {
  const { until, note, actorId: actor_id, at } = given;
  await tx.sql
    .insertInto("drift_acknowledgement")
    .values({ workspace_id: given.workspaceId, fingerprint: given.fingerprint, until, note, actor_id, at })
    .onConflict((on) => on.columns(["workspace_id", "fingerprint"]).doUpdateSet({ until, note, actor_id, at }))
    .execute();
}

/** Finds the acknowledgement of each drift that is in force; `null` where there is none. */
export async function findAcknowledgements(
  reader: Reader,
  drifts: readonly { workspaceId: string; fingerprint: string }[],
  at: string,
): Promise<(DriftAcknowledgement | null)[]> {
  if (drifts.length === 0) return [];
  const rows = await reader.sql
    .selectFrom("drift_acknowledgement")
    .selectAll()
    .where((eb) =>
      eb.or(
        drifts.map(({ workspaceId, fingerprint }) =>
          eb.and([eb("workspace_id", "=", workspaceId), eb("fingerprint", "=", fingerprint)]),
        ),
      ),
    )
    .where("until", ">", at)
    .execute();
  const found = new Map(
    rows.map(({ workspace_id: workspaceId, actor_id: actorId, ...row }) => [
      `${workspaceId} ${row.fingerprint}`,
      { workspaceId, actorId, ...row },
    ]),
  );
  return drifts.map(({ workspaceId, fingerprint }) => found.get(`${workspaceId} ${fingerprint}`) ?? null);
}
