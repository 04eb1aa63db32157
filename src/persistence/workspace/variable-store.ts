import type { Selectable } from "kysely";
import { VARIABLE_CATEGORIES, type Variable } from "../../model/workspace/workspace.ts";
import type { Cipher } from "../installation/cipher.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";

function owner(workspaceId: string, category: string, key: string): string {
  return `workspace/${workspaceId}/variable/${category}/${key}`;
}

function toVariable(cipher: Cipher, row: Selectable<Tables["variable"]>): Variable {
  return {
    key: row.key,
    category: word(VARIABLE_CATEGORIES, row.category),
    value: cipher.open(row.value_sealed, owner(row.workspace_id, row.category, row.key)).toString(),
    sensitive: row.sensitive,
    hcl: row.hcl,
  };
}

/** The variable of that name, its value in clear. */
export async function findVariable(
  reader: Reader,
  cipher: Cipher,
  workspaceId: string,
  { category, key }: Pick<Variable, "category" | "key">,
): Promise<Variable | null> {
  const row = await reader.sql
    .selectFrom("variable")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("category", "=", category)
    .where("key", "=", key)
    .executeTakeFirst();
  return row === undefined ? null : toVariable(cipher, row);
}

/** Sets a variable; the value is sealed whether it is sensitive or not. */
export async function putVariable(
  tx: Transaction,
  cipher: Cipher,
  workspaceId: string,
  variable: Variable,
): Promise<void> {
  const sealed = cipher.seal(Buffer.from(variable.value), owner(workspaceId, variable.category, variable.key));
  const { sensitive, hcl, category, key } = variable;
  await tx.sql
    .insertInto("variable")
    .values({ workspace_id: workspaceId, category, key, value_sealed: sealed, sensitive, hcl })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "category", "key"]).doUpdateSet({ value_sealed: sealed, sensitive, hcl }),
    )
    .execute();
}

/** Whether there was one. */
export async function deleteVariableRow(
  tx: Transaction,
  workspaceId: string,
  { category, key }: Pick<Variable, "category" | "key">,
): Promise<boolean> {
  const result = await tx.sql
    .deleteFrom("variable")
    .where("workspace_id", "=", workspaceId)
    .where("category", "=", category)
    .where("key", "=", key)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

const variablesOf = prepared((db, slot: Slot<{ workspaceIds: readonly string[] }>) =>
  db
    .selectFrom("variable")
    .selectAll()
    .where("workspace_id", "=", isAnyOf(slot("workspaceIds")))
    .orderBy("category")
    .orderBy("key"),
);

/** Lists the variables of each workspace by category and key, with values in clear. */
export async function listVariables(
  reader: Reader,
  cipher: Cipher,
  workspaceIds: readonly string[],
): Promise<Variable[][]> {
  const rows = await variablesOf(reader, { workspaceIds });
  return grouped(workspaceIds, rows, (row) => row.workspace_id).map((group) =>
    group.map((row) => toVariable(cipher, row)),
  );
}

/** The names of the sensitive variables of each workspace. */
export async function listSensitiveNames(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<Pick<Variable, "category" | "key">[][]> {
  const rows = await reader.sql
    .selectFrom("variable")
    .select(["workspace_id", "category", "key"])
    .where("workspace_id", "in", workspaceIds)
    .where("sensitive", "=", true)
    .execute();
  return grouped(workspaceIds, rows, (row) => row.workspace_id).map((group) =>
    group.map(({ category, key }) => ({ category: word(VARIABLE_CATEGORIES, category), key })),
  );
}

/** The names of the variables of a workspace. */
export async function listVariableNames(
  reader: Reader,
  workspaceId: string,
): Promise<Pick<Variable, "category" | "key">[]> {
  const rows = await reader.sql
    .selectFrom("variable")
    .select(["category", "key"])
    .where("workspace_id", "=", workspaceId)
    .execute();
  return rows.map(({ category, key }) => ({ category: word(VARIABLE_CATEGORIES, category), key }));
}

export async function countVariables(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("variable")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return row.count;
}
