import type { StateVersion } from "../../model/state/state-version.ts";
import { findStateBlob } from "../../persistence/state/state-version-store.ts";
import type { Deps } from "../kit/deps.ts";

/** A version or a recovered state, and its bytes. */
export interface StateFile {
  version: Pick<StateVersion, "id" | "size" | "digest">;
  body: AsyncIterable<Buffer>;
}

/** Streams the bytes of a version, which must exist. */
export async function streamState(
  deps: Pick<Deps, "database" | "blobs">,
  versionId: string,
): Promise<AsyncIterable<Buffer>> {
  const blobId = await findStateBlob(deps.database, versionId);
  if (blobId === null) throw new Error(`There is no state ${versionId}.`);
  return deps.blobs.read(blobId);
}

/** Reads the bytes of a version as a whole. */
export async function readStateBytes(deps: Pick<Deps, "database" | "blobs">, versionId: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(await streamState(deps, versionId)));
}
