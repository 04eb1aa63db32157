import { invalidField } from "../../model/kit/user-error.ts";
import type { GitSource, Variable, Workspace } from "../../model/workspace/workspace.ts";
import { findSourceBlob } from "../../persistence/blob/blob-store.ts";
import type { PutBlob } from "../../persistence/blob/blobs.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import { findHostCredential } from "../../persistence/repository/git-host-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hostVariables } from "./git-credentials.ts";
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
      const { commit, ...packed } = await deps.git.fetch(source, await credentialVariables(deps, id, source));
      return { revision: commit, ...(await putSource(deps, id, packed)) };
    }
    case "upload":
      return { revision: source.digest, uploadId: source.uploadId };
  }
}

/** Returns the variables that hold the credential of a repository: those of the workspace, or that of the host. */
async function credentialVariables(
  { database, cipher }: Deps,
  workspaceId: string,
  { repositoryId }: GitSource,
): Promise<readonly Variable[]> {
  if (repositoryId === undefined) return (await listVariables(database, cipher, [workspaceId]))[0] ?? [];
  const [repository = null] = await findRepositories(database, [repositoryId]);
  if (repository === null)
    throw invalidField("source.git.repositoryId", "is not there any more: its repository was deleted.");
  return hostVariables(await findHostCredential(database, cipher, repository.gitHostId));
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
