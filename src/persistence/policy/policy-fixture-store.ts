/** Documents of plans that tests of policy versions judge. */
import type { Selectable } from "kysely";
import type { PolicyFixture } from "../../model/policy/policy-fixture.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

/** A fixture with the organization of its set. */
export type PlacedFixture = PolicyFixture & { organizationId: string };

function toFixture(row: Selectable<Tables["policy_fixture"]> & { organization_id: string }): PlacedFixture {
  return {
    id: row.id,
    setId: row.set_id,
    organizationId: row.organization_id,
    name: row.name,
    planId: row.plan_id,
    blobId: row.blob_id,
    context: row.context,
    createdById: row.created_by,
    createdAt: row.created_at,
  };
}

function ofKeptSets(reader: Reader) {
  return reader.sql
    .selectFrom("policy_fixture")
    .innerJoin("policy_set", "policy_set.id", "set_id")
    .selectAll("policy_fixture")
    .select("organization_id")
    .where("deleted_at", "is", null);
}

/** Inserts a fixture. Throws a violation of `policy_fixture_set_id_name_key` for a name that is in use. */
export async function insertPolicyFixture(tx: Transaction, fixture: PolicyFixture): Promise<void> {
  await tx.sql
    .insertInto("policy_fixture")
    .values({
      id: fixture.id,
      set_id: fixture.setId,
      name: fixture.name,
      plan_id: fixture.planId,
      blob_id: fixture.blobId,
      context: JSON.stringify(fixture.context),
      created_by: fixture.createdById,
      created_at: fixture.createdAt,
    })
    .execute();
}

export async function findPolicyFixtures(reader: Reader, ids: readonly string[]): Promise<(PlacedFixture | null)[]> {
  const rows = await ofKeptSets(reader).where("policy_fixture.id", "in", ids).execute();
  return inOrder(ids, rows.map(toFixture), ({ id }) => id);
}

/** Lists the fixtures of each set, oldest first. A set has few of them. */
export async function listPolicyFixtures(reader: Reader, setIds: readonly string[]): Promise<PlacedFixture[][]> {
  const rows = await ofKeptSets(reader).where("set_id", "in", setIds).orderBy("policy_fixture.id").execute();
  return grouped(setIds, rows.map(toFixture), ({ setId }) => setId);
}

/** Deletes a fixture with its document. Versions keep the results of their tests. */
export async function deletePolicyFixture(tx: Transaction, { id, blobId }: PolicyFixture): Promise<void> {
  await tx.sql.deleteFrom("policy_fixture").where("id", "=", id).execute();
  await tx.sql.deleteFrom("blob").where("id", "=", blobId).execute();
}
