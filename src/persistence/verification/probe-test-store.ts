/** Tests of probes that runners send: offered by a server, taken by one attempt of a runner, and answered once. */
import { sql } from "kysely";
import type { ReportedSamples, SampleRequest } from "../../model/verification/sampling.ts";
import type { Reader, Statement, Transaction } from "../database/database.ts";
import type { Cipher } from "../installation/cipher.ts";
import type { SamplingRunner } from "./sampling-store.ts";

export interface ProbeTestOffer {
  id: string;
  workspaceId: string;
  offeredAt: string;
  endsAt: string;
}

const ownerOf = (id: string): string => `probe-test/${id}`;

/** Offers a test to the runners of a workspace, and removes tests whose servers have died. */
export async function insertProbeTest(
  tx: Transaction,
  cipher: Cipher,
  { id, workspaceId, offeredAt, endsAt }: ProbeTestOffer,
  requests: readonly SampleRequest[],
): Promise<void> {
  await tx.sql.deleteFrom("probe_test").where("ends_at", "<=", offeredAt).execute();
  const sealed = cipher.seal(Buffer.from(JSON.stringify(requests)), ownerOf(id));
  await tx.sql
    .insertInto("probe_test")
    .values({ id, workspace_id: workspaceId, requests_sealed: sealed, offered_at: offeredAt, ends_at: endsAt })
    .execute();
  tx.announce("verification-samples");
}

/** Gives the oldest test that a runner may send to its attempt `leaseId`; `null` if there is none. */
export async function takeProbeTest(
  statement: Statement,
  cipher: Cipher,
  { pool, labels }: SamplingRunner,
  { leaseId, at }: { leaseId: string; at: string },
): Promise<{ id: string; requests: SampleRequest[] } | null> {
  const { rows } = await sql<{ id: string; requests_sealed: Buffer }>`
    update probe_test set lease_id = ${leaseId}
    where id = (
      select t.id from probe_test t join workspace w on w.id = t.workspace_id
      where t.samples is null and t.ends_at > ${at} and (t.lease_id is null or t.lease_id = ${leaseId})
        and runner_takes(${pool?.id ?? null}, ${pool?.organizationId ?? null}, ${pool?.reserved ?? null},
          ${labels}::text[], w.organization_id, w.runner_pool_id, w.runner_labels)
      order by t.offered_at, t.id limit 1 for no key update of t skip locked
    )
    returning id, requests_sealed`.execute(statement.sql);
  const [row] = rows;
  if (row === undefined) return null;
  const requests: SampleRequest[] = JSON.parse(cipher.open(row.requests_sealed, ownerOf(row.id)).toString());
  return { id: row.id, requests };
}

/** Notes what a runner found. Returns false if the test was answered, has ended, or never was. */
export async function answerProbeTest(
  statement: Statement,
  id: string,
  samples: readonly ReportedSamples[],
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await statement.sql
    .updateTable("probe_test")
    .set({ samples: JSON.stringify(samples) })
    .where("id", "=", id)
    .where("lease_id", "is not", null)
    .where("samples", "is", null)
    .where("ends_at", ">", at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Finds what a runner found; `null` if none has reported yet. */
export async function findProbeTestAnswer(reader: Reader, id: string): Promise<readonly ReportedSamples[] | null> {
  const row = await reader.sql.selectFrom("probe_test").select("samples").where("id", "=", id).executeTakeFirst();
  return row?.samples ?? null;
}

export async function deleteProbeTest(statement: Statement, id: string): Promise<void> {
  await statement.sql.deleteFrom("probe_test").where("id", "=", id).execute();
}
