/** Runs as callers of the API, by the jobs that work on them. */
import { sql } from "kysely";
import { RUN_KINDS, RUN_LEGS, type RunKind, type RunLeg } from "../../model/lifecycle/run-kind.ts";
import type { AccessVersion } from "../../model/people/access-version.ts";
import type { Actor } from "../../model/people/actor.ts";
import { ACCESS_VERSION } from "./access-store.ts";
import { toActor } from "./actor-store.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";

/** A run at work whose workspace has been granted something, with the version of rights of that moment. */
export interface WorkingRun {
  jobId: string;
  runId: string;
  workspaceId: string;
  kind: RunKind;
  leg: RunLeg;
  actor: Actor;
  accessVersion: AccessVersion;
}

const workingRuns = prepared((db, slot: Slot<{ jobIds: readonly string[]; at: string }>) =>
  db
    .selectFrom("job")
    .innerJoin("run", "run.id", "job.run_id")
    .innerJoin("actor", "actor.workspace_id", "job.workspace_id")
    .select([
      "job.id as job_id",
      "job.run_id",
      "job.workspace_id",
      "job.leg",
      "run.kind as run_kind",
      "actor.id",
      "actor.kind",
      "actor.name",
      ...ACCESS_VERSION,
    ])
    .where("job.id", "=", isAnyOf(slot("jobIds")))
    .where("job.ended_at", "is", null)
    .where("job.expires_at", ">", slot("at"))
    .where("actor.disabled_at", "is", null),
);

/** The run of each of these jobs; `null` if its lease is over, or its workspace was never granted anything. */
export async function findWorkingRuns(
  reader: Reader,
  jobIds: readonly string[],
  at: string,
): Promise<(WorkingRun | null)[]> {
  const rows = await workingRuns(reader, { jobIds, at });
  const runs = rows.map((row) => ({
    jobId: row.job_id,
    runId: row.run_id,
    workspaceId: row.workspace_id,
    kind: word(RUN_KINDS, row.run_kind),
    leg: word(RUN_LEGS, row.leg),
    actor: toActor(row),
    accessVersion: { version: row.access_version, moves: row.access_moves },
  }));
  return inOrder(jobIds, runs, ({ jobId }) => jobId);
}

/** Adds the actor of what the runs of a workspace do, unless there is one. */
export async function insertActorOfRuns(
  tx: Transaction,
  actor: { id: string; name: string; organizationId: string; workspaceId: string; createdAt: string },
): Promise<void> {
  await tx.sql
    .insertInto("actor")
    .values({
      id: actor.id,
      kind: "MACHINE",
      name: actor.name,
      organization_id: actor.organizationId,
      workspace_id: actor.workspaceId,
      created_at: actor.createdAt,
    })
    .onConflict((conflict) => conflict.column("workspace_id").doNothing())
    .execute();
}

/** The workspace for whose runs each actor acts; `null` for all others. */
export async function findWorkspacesOfActors(reader: Reader, actorIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await reader.sql
    .selectFrom("actor")
    .select(["id", sql<string>`workspace_id`.as("workspace_id")])
    .where("id", "in", actorIds)
    .where("workspace_id", "is not", null)
    .execute();
  return inOrder(actorIds, rows, ({ id }) => id).map((row) => row?.workspace_id ?? null);
}
