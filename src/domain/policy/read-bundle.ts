import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Json } from "../../model/plan/json.ts";
import { findUpload } from "../../persistence/blob/upload-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readArchive } from "../source/read-archive.ts";
import { type SourceEntry, SourceRefused } from "../source/source-entry.ts";

/** A compiled module with the data that it reads. */
export interface Bundle {
  module: Buffer;
  data: Json;
}

/**
 * Reads a bundle of OPA (`opa build -t wasm`), which was uploaded as a source: `policy.wasm`, and `data.json` if there is
 * one. Throws INVALID_INPUT naming `uploadId`.
 */
export async function readBundle(
  { database, blobs, clock }: Pick<Deps, "database" | "blobs" | "clock">,
  caller: ActorCaller,
  uploadId: string,
): Promise<Bundle> {
  const since = new Date(clock().getTime() - LIMITS.uploadKeptMs).toISOString();
  const upload = idKind(uploadId) === "upload" ? await findUpload(database, uploadId) : null;
  // An upload has no place: it is its uploader's.
  if (upload === null || upload.createdById !== caller.actor.id || upload.createdAt < since) {
    throw invalidField("uploadId", "must be the id of an upload of yours of the last 24 hours.");
  }
  const archive = Buffer.concat(await Array.fromAsync(await blobs.read(upload.blobId)));
  try {
    return await bundleOf(await readArchive(archive));
  } catch (error) {
    throw error instanceof SourceRefused ? invalidField("uploadId", error.message) : error;
  }
}

/** Finds the files of a bundle. Throws INVALID_INPUT naming `uploadId`. */
export async function bundleOf(entries: readonly SourceEntry[]): Promise<Bundle> {
  const module = await fileOf(entries, "policy.wasm")?.read();
  if (module === undefined) {
    throw invalidField("uploadId", "must be a bundle with a file policy.wasm, as of opa build -t wasm.");
  }
  if (module.length > LIMITS.policyModuleBytes) {
    throw invalidField("uploadId", `has a module of ${module.length} bytes, more than ${LIMITS.policyModuleBytes}.`);
  }
  const data = await fileOf(entries, "data.json")?.read();
  return { module, data: data === undefined ? {} : parse(data) };
}

function fileOf(entries: readonly SourceEntry[], name: string): SourceEntry | undefined {
  return entries.find((entry) => entry.name === name && entry.target === null);
}

function parse(data: Buffer): Json {
  try {
    const value: Json = JSON.parse(data.toString("utf8"));
    return value;
  } catch {
    throw invalidField("uploadId", "has a data.json that is no JSON.");
  }
}
