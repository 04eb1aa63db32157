import { LIMITS } from "../../model/kit/limits.ts";
import { SCANNER_VERSION } from "../../model/source/file-scan.ts";
import { deleteBlobScans, findBlobScans, upsertBlobScans } from "../../persistence/inputs/blob-scan-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { ScanCache } from "../kit/git-fetcher.ts";

/** Keys in one statement. */
const KEYS_AT_ONCE = 5000;

/** Keeps the scans of a repository in the database. The content of an oid never changes, so nothing is invalidated. */
export function openScanCache({ database, clock }: Pick<Deps, "database" | "clock">, mirror: string): ScanCache {
  const place = { mirror, scanner: SCANNER_VERSION };
  return {
    async find(keys) {
      const parts = inParts([...keys]).map((part) => findBlobScans(database, place, part));
      return new Map((await Promise.all(parts)).flatMap((found) => [...found]));
    },
    async keep(scans) {
      const at = clock().toISOString();
      // In order, so that concurrent writers of the same rows cannot wait for each other.
      const rows = [...scans].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (const part of inParts(rows)) {
        await database.transaction((tx) => upsertBlobScans(tx, { ...place, at }, new Map(part)));
      }
    },
  };
}

/** Removes old scans; returns their number. Files that are still in use are scanned again. */
export function sweepScans({ database, clock }: Pick<Deps, "database" | "clock">): Promise<number> {
  const before = new Date(clock().getTime() - LIMITS.scansKeptMs).toISOString();
  return database.transaction((tx) => deleteBlobScans(tx, before));
}

function inParts<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / KEYS_AT_ONCE);
  return Array.from({ length: count }, (_, part) => items.slice(part * KEYS_AT_ONCE, (part + 1) * KEYS_AT_ONCE));
}
