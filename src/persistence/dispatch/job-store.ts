import { type Selectable, sql } from "kysely";
import type { Hook } from "../../model/workspace/hook.ts";
import { RUN_KINDS, RUN_LEGS, type RunKind, type RunLeg } from "../../model/lifecycle/run-kind.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { offerSlots } from "./dispatch-store.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

/** One leg of one run under a lease. The lease is over when `endedAt` is set; its id is the fencing token. */
export interface JobRow {
  id: string;
  claimId: string;
  runId: string;
  organizationId: string;
  workspaceId: string;
  leg: RunLeg;
  attempt: number;
  runnerId: string;
  claimedAt: string;
  expiresAt: string;
  endedAt: string | null;
  /** The newest message that was taken, and its digest: a repeated one is recognised. */
  messageSequence: number;
  messageDigest: string | null;
  /** The archive that was put and that no plan points to yet. */
  archiveBlobId: string | null;
  /** How long the lease lasts after each sign of life. */
  leaseMs: number;
}

function toJob(row: Selectable<Tables["job"]>): JobRow {
  return {
    id: row.id,
    claimId: row.claim_id,
    runId: row.run_id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    leg: word(RUN_LEGS, row.leg),
    attempt: row.attempt,
    runnerId: row.runner_id,
    claimedAt: row.claimed_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    messageSequence: row.message_sequence,
    messageDigest: row.message_digest,
    archiveBlobId: row.archive_blob_id,
    leaseMs: row.lease_ms,
  };
}

export async function insertJob(tx: Transaction, job: NewJob): Promise<void> {
  await insertion(tx, job);
}

type NewJob = Omit<JobRow, "endedAt" | "messageSequence" | "messageDigest" | "archiveBlobId">;

const insertion = prepared((db, slot: Slot<NewJob>) =>
  db.insertInto("job").values({
    id: slot("id"),
    claim_id: slot("claimId"),
    run_id: slot("runId"),
    organization_id: slot("organizationId"),
    workspace_id: slot("workspaceId"),
    leg: slot("leg"),
    attempt: slot("attempt"),
    runner_id: slot("runnerId"),
    claimed_at: slot("claimedAt"),
    expires_at: slot("expiresAt"),
    lease_ms: slot("leaseMs"),
  }),
);

export async function findJob(reader: Reader, id: string): Promise<JobRow | null> {
  const row = await reader.sql.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

/** Finds the job of a token, with the kind of its run. */
export async function findJobOfToken(
  reader: Reader,
  id: string,
): Promise<(Pick<JobRow, "id" | "runId" | "leg"> & { kind: RunKind }) | null> {
  const row = await reader.sql
    .selectFrom("job")
    .innerJoin("run", "run.id", "job.run_id")
    .select(["job.id", "job.run_id", "job.leg", "run.kind"])
    .where("job.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { id: row.id, runId: row.run_id, leg: word(RUN_LEGS, row.leg), kind: word(RUN_KINDS, row.kind) };
}

/** The inputs of a job beside the run itself, frozen when the run was created, and the position of its log. */
export interface JobInput {
  variablesSealed: Buffer;
  hooks: Hook[];
  /** SHA-256 (hex) of the archive of its source; null: it needs none. */
  sourceDigest: string | null;
  /** The folder of the source in which the engine runs. */
  workFolder: string;
  lastLine: number;
  logBytes: number;
  /** Whether its workspace was granted something, so that the run may act on the API. */
  hasGrants: boolean;
}

const jobInput = prepared((db, slot: Slot<{ runId: string }>) =>
  db
    .selectFrom("run")
    .leftJoin("blob", "blob.id", "run.source_blob_id")
    .leftJoin("log_head", "log_head.run_id", "run.id")
    .select(["variables_sealed", "hooks", "work_folder", "digest", "last_line", "bytes"])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("access_grant")
            .whereRef("access_grant.principal_id", "=", "run.workspace_id")
            .where("access_grant.revoked_at", "is", null),
        )
        .as("has_grants"),
    )
    .where("run.id", "=", slot("runId")),
);

/** In one statement: every claim asks for it. */
export async function getJobInput(reader: Reader, runId: string): Promise<JobInput> {
  const [row] = await jobInput(reader, { runId });
  if (row === undefined) throw new Error(`There is no run ${runId}.`);
  const { variables_sealed: variablesSealed, hooks, digest: sourceDigest, work_folder: workFolder } = row;
  const { last_line: lastLine, bytes: logBytes, has_grants: hasGrants } = row;
  return {
    variablesSealed,
    hooks,
    sourceDigest,
    workFolder,
    lastLine: lastLine ?? 0,
    logBytes: logBytes ?? 0,
    hasGrants: hasGrants === true,
  };
}

export async function findJobByClaim(reader: Reader, claimId: string): Promise<JobRow | null> {
  const row = await reader.sql.selectFrom("job").selectAll().where("claim_id", "=", claimId).executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

/** Finds the job of a claim after waiting for a concurrent request with the same claim. */
export async function findJobByLockedClaim(tx: Transaction, claimId: string): Promise<JobRow | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${claimId}, 0))`.execute(tx.sql);
  return findJobByClaim(tx, claimId);
}

/** Finds the job of a run that was claimed last, live or ended. Clocks of servers may differ. */
export async function findNewestJob(reader: Reader, runId: string): Promise<JobRow | null> {
  const row = await reader.sql
    .selectFrom("job")
    .selectAll()
    .where("run_id", "=", runId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

export async function findLiveJob(reader: Reader, runId: string): Promise<JobRow | null> {
  const row = await reader.sql
    .selectFrom("job")
    .selectAll()
    .where("run_id", "=", runId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

/** Takes the row of a live job for the length of the transaction; null where the job is over. */
export async function lockLiveJob(tx: Transaction, id: string): Promise<JobRow | null> {
  const row = await tx.sql
    .selectFrom("job")
    .selectAll()
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

/** Keeps a live job from ending for the length of the transaction; null where it is over. */
export async function holdLiveJob(tx: Transaction, id: string): Promise<JobRow | null> {
  const row = await tx.sql
    .selectFrom("job")
    .selectAll()
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .forShare()
    .executeTakeFirst();
  return row === undefined ? null : toJob(row);
}

export async function setJobArchive(tx: Transaction, id: string, archiveBlobId: string): Promise<void> {
  await tx.sql.updateTable("job").set({ archive_blob_id: archiveBlobId }).where("id", "=", id).execute();
}

/** Renews the lease of a job from `at`. Returns whether the job is still live. */
export async function renewLease(reader: Reader, id: string, at: string): Promise<boolean> {
  const result = await reader.sql
    .updateTable("job")
    .set({ expires_at: sql<string>`${at}::timestamptz + lease_ms * interval '1 millisecond'` })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The largest value of the column. */
const LAST_SEQUENCE = 2 ** 31 - 1;

const nextMessage = prepared((db, slot: Slot<{ id: string; former: number; sequence: number; digest: string }>) =>
  db
    .updateTable("job")
    .set({ message_sequence: slot("sequence"), message_digest: slot("digest") })
    .where("id", "=", slot("id"))
    .where("ended_at", "is", null)
    .where("message_sequence", "=", slot("former"))
    .returningAll(),
);

/**
 * Records the next message of a live job and locks its row. Returns the job as it was before. `null` if the job is over,
 * or another message is the next one.
 */
export async function recordMessage(
  tx: Transaction,
  id: string,
  message: { sequence: number; digest: string },
): Promise<JobRow | null> {
  if (message.sequence > LAST_SEQUENCE) return null;
  const former = message.sequence - 1;
  const [row] = await nextMessage(tx, { id, former, ...message });
  return row === undefined ? null : { ...toJob(row), messageSequence: former };
}

const ending = prepared((db, slot: Slot<{ runId: string; at: string }>) =>
  db
    .updateTable("job")
    .set({ ended_at: slot("at") })
    .where("run_id", "=", slot("runId"))
    .where("ended_at", "is", null)
    .returningAll(),
);

/** Ends the lease of a run's live job: its runner's requests are refused from now on. */
export async function endLiveJob(tx: Transaction, runId: string, at: string): Promise<JobRow | null> {
  const [row] = await ending(tx, { runId, at });
  if (row === undefined) return null;
  offerSlots(tx, row.organization_id);
  return toJob(row);
}

/** Jobs whose lease ran out before `at` and is no longer than that. */
export async function listExpiredJobs(
  reader: Reader,
  at: string,
  leaseMsAtMost = Number.MAX_SAFE_INTEGER,
): Promise<JobRow[]> {
  const rows = await reader.sql
    .selectFrom("job")
    .selectAll()
    .where("ended_at", "is", null)
    .where("expires_at", "<", at)
    .where(sql<boolean>`lease_ms <= ${leaseMsAtMost}::bigint`)
    .orderBy("expires_at")
    .limit(100)
    .execute();
  return rows.map(toJob);
}
