/** Scans of files of configuration, by the oids of the files. */
import type { FileScan } from "../../model/source/file-scan.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Finds scans that this version of the scanner made, by oid. */
export async function findBlobScans(
  reader: Reader,
  { mirror, scanner }: { mirror: string; scanner: number },
  oids: readonly string[],
): Promise<ReadonlyMap<string, FileScan>> {
  const rows = await reader.sql
    .selectFrom("blob_modules")
    .select(["oid", "scan"])
    .where("mirror", "=", mirror)
    .where("scanner", "=", scanner)
    .where("oid", "in", oids)
    .execute();
  return new Map(rows.map(({ oid, scan }) => [oid, scan]));
}

/** Keeps scans, in place of those of another version. */
export async function upsertBlobScans(
  tx: Transaction,
  { mirror, scanner, at }: { mirror: string; scanner: number; at: string },
  scans: ReadonlyMap<string, FileScan>,
): Promise<void> {
  const rows = [...scans].map(([oid, scan]) => ({ mirror, oid, scanner, scan: JSON.stringify(scan), scanned_at: at }));
  await tx.sql
    .insertInto("blob_modules")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["mirror", "oid"]).doUpdateSet((eb) => ({
        scanner: eb.ref("excluded.scanner"),
        scan: eb.ref("excluded.scan"),
        scanned_at: eb.ref("excluded.scanned_at"),
      })),
    )
    .execute();
}

/** Deletes scans of before an instant. Files that are still there are scanned again. */
export async function deleteBlobScans(tx: Transaction, before: string): Promise<number> {
  const result = await tx.sql.deleteFrom("blob_modules").where("scanned_at", "<", before).executeTakeFirst();
  return Number(result.numDeletedRows);
}
