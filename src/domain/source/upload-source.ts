import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  claimUploadedBlob,
  deleteUnusedUploads,
  insertUpload,
  type Upload,
} from "../../persistence/blob/upload-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recorded, requireSomewhere } from "../access/command.ts";
import type { PackedSource } from "../kit/git-fetcher.ts";
import { packEntries } from "./pack-entries.ts";
import { readArchive } from "./read-archive.ts";
import { SourceRefused } from "./source-entry.ts";

/**
 * Stores an archive that can become the source of a workspace. It is packed findSameContent, so that equal content has an equal
 * digest. `read` is called only if the caller may upload. Throws INVALID_INPUT naming `archive`.
 */
export function uploadSource(deps: Deps, caller: ActorCaller, read: () => Promise<Buffer>): Promise<Upload> {
  return recorded(deps, caller, { name: "uploadSource", subjectId: null }, async () => {
    // An archive has no place until a workspace names it.
    requireSomewhere(caller, { permission: "SOURCE_UPLOAD", words: "uploading sources" });
    const { digest, archive } = await repack(await read());
    const createdAt = deps.clock().toISOString();
    const upload = { id: deps.newId("upload"), digest, size: archive.length, createdById: caller.actor.id, createdAt };
    const earlier = await deps.database.transaction((tx) => findSameContent(tx, upload));
    if (earlier !== null) return earlier;
    const blobId = deps.newId("blob");
    const blob = { id: blobId, kind: "SOURCE", workspaceId: null, body: archive, createdAt } as const;
    return deps.blobs.bring(blob, (put) =>
      deps.database.transaction(async (tx) => {
        const meanwhile = await findSameContent(tx, upload);
        if (meanwhile !== null) return meanwhile;
        await deps.blobs.insert(tx, put);
        await insertUpload(tx, { ...upload, blobId });
        return { ...upload, blobId };
      }),
    );
  });
}

/** Returns an upload of content that is stored already; `null` if it is not. */
async function findSameContent(tx: Transaction, upload: Omit<Upload, "blobId">): Promise<Upload | null> {
  const blobId = await claimUploadedBlob(tx, upload.digest);
  if (blobId === null) return null;
  await insertUpload(tx, { ...upload, blobId });
  return { ...upload, blobId };
}

async function repack(body: Buffer): Promise<PackedSource> {
  try {
    return await packEntries(await readArchive(body));
  } catch (error) {
    throw error instanceof SourceRefused ? invalidField("archive", error.message) : error;
  }
}

/** A request that just checked an upload has finished by then. */
const GRACE_MS = 60 * 60 * 1000;

/** Removes uploads that no workspace uses and that have expired; returns their number. */
export function sweepUploads(deps: Deps): Promise<number> {
  const before = new Date(deps.clock().getTime() - LIMITS.uploadKeptMs - GRACE_MS).toISOString();
  return deps.database.transaction((tx) => deleteUnusedUploads(tx, before));
}
