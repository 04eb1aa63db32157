import type { Variable } from "../../model/workspace/workspace.ts";
import type { Cipher } from "../installation/cipher.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";

/** The value of a sensitive variable that was replaced or deleted. */
export type FormerSecret = Pick<Variable, "value" | "hcl">;

function owner(workspaceId: string): string {
  return `workspace/${workspaceId}/former-secret`;
}

/** Keeps a value; of each workspace the newest `keep` ones. */
export async function insertFormerSecret(
  tx: Transaction,
  cipher: Cipher,
  workspaceId: string,
  { value, hcl }: FormerSecret,
  keep: number,
): Promise<void> {
  const sealed = cipher.seal(Buffer.from(value), owner(workspaceId));
  await tx.sql.insertInto("former_secret").values({ workspace_id: workspaceId, value_sealed: sealed, hcl }).execute();
  await tx.sql
    .deleteFrom("former_secret")
    .where("workspace_id", "=", workspaceId)
    .where("id", "<=", (eb) =>
      eb
        .selectFrom("former_secret")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .offset(keep)
        .limit(1),
    )
    .execute();
}

const secretsOf = prepared((db, slot: Slot<{ workspaceId: string }>) =>
  db
    .selectFrom("former_secret")
    .select(["value_sealed", "hcl"])
    .where("workspace_id", "=", slot("workspaceId"))
    .orderBy("id", "desc"),
);

/** Lists the former secrets of a workspace, newest first, in clear. */
export async function listFormerSecrets(reader: Reader, cipher: Cipher, workspaceId: string): Promise<FormerSecret[]> {
  const rows = await secretsOf(reader, { workspaceId });
  return rows.map((row) => ({ value: cipher.open(row.value_sealed, owner(workspaceId)).toString(), hcl: row.hcl }));
}
