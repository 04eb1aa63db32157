import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";
import { countBlobsElsewhere } from "./blob-store.ts";
import type { Reader } from "../database/database.ts";
import { InstallationError } from "../installation/installation-store.ts";
import { isRefused, type ObjectStore, type ObjectStoreLimits, type S3Settings } from "./object-store.ts";

/**
 * Opens the bucket of the configuration: an object is put there, read and removed. A bucket that cannot be reached is
 * reported as away, and the server starts, because it may come back. Throws InstallationError if the bucket refuses, or
 * if there are no credentials for it. The AWS SDK is loaded here and nowhere else.
 */
export async function openBucket(
  settings: S3Settings,
  limits: ObjectStoreLimits,
  { key, onAway }: { key: string; onAway: (error: Error) => void },
): Promise<ObjectStore> {
  const { createS3ObjectStore } = await import("./s3-object-store.ts");
  const store = createS3ObjectStore(settings, limits);
  const bytes = Buffer.from("Holdpoint was here.");
  try {
    await store.put(key, bytes.length, () => [bytes], 1);
    await Array.fromAsync(store.get(key));
    await store.remove(key);
  } catch (error) {
    if (isRefused(error)) throw new InstallationError(`HOLDPOINT_S3_BUCKET: ${error.message}`, { cause: error });
    if (!(error instanceof StoreUnavailable)) throw error;
    onAway(error);
  }
  return store;
}

/** Gives a warning for a server without a bucket on a database whose artifacts lie in one; null if there are none. */
export async function missingBucket(reader: Reader): Promise<string | null> {
  const { count } = await countBlobsElsewhere(reader);
  if (count === 0) return null;
  return `${count} artifacts lie in S3 and cannot be read: set HOLDPOINT_S3_BUCKET, which is not set`;
}
