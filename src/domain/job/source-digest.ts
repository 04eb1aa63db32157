import { blobDigest } from "../../persistence/blob-store.ts";
import { getRunInput } from "../../persistence/run-store.ts";
import type { Deps } from "../deps.ts";

/** SHA-256 (hex) of the archive that the runner gets: the revision of the run may be a commit. "" where it has none. */
export async function sourceDigest({ database }: Pick<Deps, "database">, runId: string): Promise<string> {
  const { sourceBlobId } = await getRunInput(database, runId);
  return (sourceBlobId === null ? null : await blobDigest(database, sourceBlobId)) ?? "";
}
