import { StoreAway } from "../../model/runner/store-away.ts";
import { countBlobsElsewhere } from "./blob-store.ts";
import type { Reader } from "../database/database.ts";
import { InstallationError } from "../installation/installation-store.ts";
import {
  createObjectStore,
  isRefused,
  type ObjectStore,
  type ObjectStoreLimits,
  type S3Settings,
} from "./object-store.ts";

/**
 * The bucket of the configuration, after an object was put there, read and removed. One that cannot be reached is said
 * to be away, and the server starts: it may come back. Throws InstallationError where it refuses.
 */
export async function openBucket(
  settings: S3Settings,
  limits: ObjectStoreLimits,
  { key, onAway }: { key: string; onAway: (error: Error) => void },
): Promise<ObjectStore> {
  const store = createObjectStore(settings, limits);
  const bytes = Buffer.from("Holdpoint was here.");
  try {
    await store.put(key, bytes.length, () => [bytes], 1);
    await Array.fromAsync(store.get(key));
    await store.remove(key);
  } catch (error) {
    if (isRefused(error)) throw new InstallationError(`HOLDPOINT_S3_BUCKET: ${error.message}`, { cause: error });
    if (!(error instanceof StoreAway)) throw error;
    onAway(error);
  }
  return store;
}

/** What to say to whoever starts a server without a bucket on a database whose artifacts lie in one; null: nothing. */
export async function missingBucket(reader: Reader): Promise<string | null> {
  const { count } = await countBlobsElsewhere(reader);
  if (count === 0) return null;
  return `${count} artifacts lie in S3 and cannot be read: HOLDPOINT_S3_BUCKET is not set`;
}
