import { LIMITS } from "../../model/limits.ts";
import type { TokenCaller } from "../../model/permission.ts";
import { invalidField } from "../../model/user-error.ts";
import { insertBlob } from "../../persistence/blob-store.ts";
import { claimUploadedBlob, deleteUnusedUploads, insertUpload, type Upload } from "../../persistence/upload-store.ts";
import type { Deps } from "../deps.ts";
import { authorize, recorded } from "../guard.ts";
import { packEntries, type PackedSource } from "./pack-entries.ts";
import { readArchive } from "./read-archive.ts";
import { SourceRefused } from "./source-entry.ts";

/**
 * Keeps an archive that may become the source of a workspace. It is packed anew, so that the same content has the same
 * digest. `read` is asked only when the caller may do this. Throws INVALID_INPUT naming `archive`.
 */
export function uploadSource(deps: Deps, caller: TokenCaller, read: () => Promise<Buffer>): Promise<Upload> {
  return recorded(deps, caller, "uploadSource", null, async () => {
    authorize(caller, "source:upload", "sending sources");
    const { digest, archive } = await repack(await read());
    return deps.database.transaction(async (tx) => {
      const createdAt = deps.clock().toISOString();
      let blobId = await claimUploadedBlob(tx, digest);
      if (blobId === null) {
        blobId = deps.newId("blob");
        await insertBlob(tx, deps.cipher, { id: blobId, kind: "SOURCE", workspaceId: null, body: archive, createdAt });
      }
      const id = deps.newId("upload");
      const upload = { id, blobId, digest, size: archive.length, createdById: caller.actor.id, createdAt };
      await insertUpload(tx, upload);
      return upload;
    });
  });
}

async function repack(body: Buffer): Promise<PackedSource> {
  try {
    return await packEntries(await readArchive(body));
  } catch (error) {
    throw error instanceof SourceRefused ? invalidField("archive", error.message) : error;
  }
}

/** Whoever was told an hour ago that an upload is still good has finished by now. */
const GRACE_MS = 60 * 60 * 1000;

/** Removes uploads that no workspace uses and that can become the source of none any more; gives how many. */
export function sweepUploads(deps: Deps): Promise<number> {
  const before = new Date(deps.clock().getTime() - LIMITS.uploadKeptMs - GRACE_MS).toISOString();
  return deps.database.transaction((tx) => deleteUnusedUploads(tx, before));
}
