import { blobDigest } from "../../persistence/blob-store.ts";
import { getRunInput } from "../../persistence/run-store.ts";
import type { Deps } from "../deps.ts";

/** The archive that the runner gets, by its SHA-256 (hex): the revision of the run may be a commit. null: it needs none. */
export async function findSource(
  { database }: Pick<Deps, "database">,
  runId: string,
): Promise<{ digest: string } | null> {
  const { sourceBlobId } = await getRunInput(database, runId);
  const digest = sourceBlobId === null ? null : await blobDigest(database, sourceBlobId);
  return digest === null ? null : { digest };
}
