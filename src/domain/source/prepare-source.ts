import type { Workspace } from "../../model/workspace/workspace.ts";
import { findSourceBlob } from "../../persistence/blob/blob-store.ts";
import type { PutBlob } from "../../persistence/blob/blobs.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import { packDirectory } from "./pack-directory.ts";
import type { PackedSource } from "../kit/git-fetcher.ts";

/** The source of a new run. */
export type PreparedSource = {
  /** The commit of a repository, or the digest of the archive. */
  revision: string;
} & ({ digest: string; put: PutBlob } | { uploadId: string });

/**
 * Fetches and packs the current source of a workspace, before the transaction because it may be slow. Throws
 * INVALID_INPUT naming the field below `source`, and StoreUnavailable.
 */
export async function prepareSource(deps: Deps, { id, source }: Workspace): Promise<PreparedSource> {
  switch (source.type) {
    case "directory": {
      const packed = await packDirectory(source.path, deps.sourceRoots);
      return { revision: packed.digest, ...(await putSource(deps, id, packed)) };
    }
    case "git": {
      const [variables = []] = await listVariables(deps.database, deps.cipher, [id]);
      const { commit, ...packed } = await deps.git.fetch(source, variables);
      return { revision: commit, ...(await putSource(deps, id, packed)) };
    }
    case "upload":
      return { revision: source.digest, uploadId: source.uploadId };
  }
}

/** Uploads the archive unless it is stored already. */
async function putSource(
  deps: Deps,
  workspaceId: string,
  { digest, archive: body }: PackedSource,
): Promise<{ digest: string; put: PutBlob }> {
  const createdAt = deps.clock().toISOString();
  const blob = { id: deps.newId("blob"), kind: "SOURCE", workspaceId, body, createdAt } as const;
  const known = await findSourceBlob(deps.database, workspaceId, digest);
  return { digest, put: known === null ? await deps.blobs.put(blob) : { blob, store: "POSTGRES" } };
}

/** Stores the archive unless it is stored already; returns its blob. */
export async function storeSource(
  tx: Transaction,
  deps: Deps,
  workspaceId: string,
  source: PreparedSource,
): Promise<string> {
  if ("uploadId" in source) {
    const upload = await findUpload(tx, source.uploadId);
    if (upload === null) throw new Error(`The upload ${source.uploadId} of ${workspaceId} does not exist.`);
    return upload.blobId;
  }
  const known = await findSourceBlob(tx, workspaceId, source.digest);
  if (known !== null) return known;
  await deps.blobs.insert(tx, source.put);
  return source.put.blob.id;
}
