import { invalidField } from "../../model/kit/user-error.ts";
import { commitUrl } from "../../model/repository/commit-url.ts";
import type { GitHostKind } from "../../model/repository/git-host.ts";
import type { SourceInputs } from "../../model/source/source-inputs.ts";
import type { GitSource, Workspace } from "../../model/workspace/workspace.ts";
import { findSourceBlob } from "../../persistence/blob/blob-store.ts";
import type { PutBlob } from "../../persistence/blob/blobs.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  upsertSourceInputs,
  listFoldersOfRepository,
  listReportedFolders,
} from "../../persistence/inputs/source-inputs-store.ts";
import type { RunSource } from "../../persistence/run/run-store.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import { findRepositories } from "../../persistence/repository/repository-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import { openSourceAccess } from "./host-access.ts";
import { packDirectory } from "./pack-directory.ts";
import type { FetchOptions, GitAccess, PackedSource, SourceCommit } from "../kit/git-fetcher.ts";
import { openScanCache } from "./scan-cache.ts";

/** The source of a new run. */
export type PreparedSource = {
  /** The commit of a repository, or the digest of the archive. */
  revision: string;
  /** The folder of the archive in which the engine runs. */
  workFolder: string;
  /** `null` if the source is no repository. */
  inputs: SourceInputs | null;
  /** The address of the page of the commit; `null` if there is none. */
  commitUrl: string | null;
} & ({ digest: string; put: PutBlob } | { uploadId: string });

/**
 * Fetches and packs the current source of a workspace, or that of a commit, before the transaction because it may be slow. Throws
 * INVALID_INPUT naming the field below `source`, and StoreUnavailable.
 */
export async function prepareSource(deps: Deps, workspace: Workspace, at?: SourceCommit): Promise<PreparedSource> {
  const { id, source } = workspace;
  switch (source.type) {
    case "directory": {
      const packed = await packDirectory(source.path, deps.sourceRoots);
      return { revision: packed.digest, ...WHOLE, ...(await putSource(deps, id, packed)) };
    }
    case "git": {
      const { kind, access } = await accessTo(deps, id, source);
      const options = { ...(await fetchOptions(deps, workspace, source)), at };
      const { commit, workFolder, inputs, ...packed } = await deps.git.fetch(source, access, options);
      const page = kind === null ? null : commitUrl(kind, source.url, commit);
      return { revision: commit, workFolder, inputs, commitUrl: page, ...(await putSource(deps, id, packed)) };
    }
    case "upload":
      return { revision: source.digest, ...WHOLE, uploadId: source.uploadId };
  }
}

/**
 * Returns the access to a repository: by the variables of the workspace, or that of the host. `kind`: that of the host; `null` if
 * the source names none.
 */
async function accessTo(
  deps: Deps,
  workspaceId: string,
  { repositoryId }: GitSource,
): Promise<{ kind: GitHostKind | null; access: GitAccess }> {
  const { database, cipher } = deps;
  if (repositoryId === undefined) {
    const [variables = []] = await listVariables(database, cipher, [workspaceId]);
    return { kind: null, access: variables };
  }
  const [repository = null] = await findRepositories(database, [repositoryId]);
  if (repository === null)
    throw invalidField("source.git.repositoryId", "is not there any more: its repository was deleted.");
  const access = await openSourceAccess(deps, repository);
  return { kind: access.kind, access };
}

/** An archive whose root is the folder of the workspace. */
const WHOLE = { workFolder: ".", inputs: null, commitUrl: null } as const;

/** Reads what decides, beside the commit, which files of a repository count for a workspace. */
async function fetchOptions(
  deps: Deps,
  { id, organizationId, trigger: { ignores, alsoReads } }: Workspace,
  { url }: GitSource,
): Promise<FetchOptions> {
  const folders = await listFoldersOfRepository(deps.database, organizationId, url);
  const reported = await listReportedFolders(deps.database, [id]);
  return {
    others: folders.filter(({ workspaceId }) => workspaceId !== id).map(({ path }) => path),
    reported: reported.map(({ path }) => path),
    ignores,
    alsoReads,
    scansOf: (mirror) => openScanCache(deps, mirror),
  };
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

/** Stores the archive unless it is stored already, and what is read of the repository. */
export async function storeSource(
  tx: Transaction,
  deps: Deps,
  workspaceId: string,
  source: PreparedSource,
): Promise<RunSource> {
  const { inputs, workFolder, commitUrl: page } = source;
  if (inputs !== null) await upsertSourceInputs(tx, workspaceId, inputs, deps.clock().toISOString());
  const blobId = await storeArchive(tx, deps, workspaceId, source);
  return { blobId, workFolder, inputsDigest: inputs?.digest ?? null, commitUrl: page };
}

async function storeArchive(tx: Transaction, deps: Deps, workspaceId: string, source: PreparedSource): Promise<string> {
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
