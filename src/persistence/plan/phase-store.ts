import type { Phase, PhaseKind } from "../../model/run/phase.ts";
import type { Reader } from "../database/database.ts";
import { inKeptWorkspace } from "../database/deleted.ts";
import { PLACE_OF_RUN, placedInOrder } from "../database/place.ts";
import type { Placed } from "../../model/people/place.ts";
import { grouped } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import { PHASE_COLUMNS, toPhase } from "./phase-row.ts";

/** The newest attempt of a phase; 0 where it has not begun. */
export async function newestAttempt(reader: Reader, runId: string, kind: PhaseKind): Promise<number> {
  const row = await reader.sql
    .selectFrom("phase")
    .select((eb) => eb.fn.max("attempt").as("attempt"))
    .where("run_id", "=", runId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row?.attempt ?? 0;
}

export async function findPhases(reader: Reader, ids: readonly string[]): Promise<(Placed<Phase> | null)[]> {
  const rows = await reader.sql
    .selectFrom("phase")
    .innerJoin("run", "run.id", "phase.run_id")
    .selectAll("phase")
    .select(PLACE_OF_RUN)
    .where("phase.id", "in", ids)
    .where(inKeptWorkspace("run.workspace_id"))
    .execute();
  return placedInOrder(ids, rows, toPhase);
}

const phasesOfRuns = prepared((db, slot: Slot<{ runIds: readonly string[] }>) =>
  db
    .selectFrom("phase")
    .select(PHASE_COLUMNS)
    .where("run_id", "=", isAnyOf(slot("runIds")))
    .orderBy("id"),
);

/** In the order in which they began. */
export async function listPhases(reader: Reader, runIds: readonly string[]): Promise<Phase[][]> {
  const rows = await phasesOfRuns(reader, { runIds });
  return grouped(runIds, rows.map(toPhase), (phase) => phase.runId);
}
