/** The contract of a store of objects, each written once and read as a stream. The store does not know their contents. */
import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";

export interface S3Settings {
  readonly bucket: string;
  /** Scheme, host and port; null: the endpoint of Amazon for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** A static access key; null: the default chain of the AWS SDK finds credentials. */
  readonly accessKey: AccessKey | null;
  /** Precedes every key: empty, or ends with a slash. */
  readonly prefix: string;
  /** Puts the bucket into the path rather than into the name of the host. */
  readonly pathStyle: boolean;
}

interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to a temporary key; null for a permanent one. */
  readonly sessionToken: string | null;
}

export interface ObjectStoreLimits {
  /** Pauses between attempts; there is one attempt more. */
  retryMs: readonly number[];
  /** An attempt that transfers nothing for so long has failed. */
  silentMs: number;
}

/** Every method throws StoreUnavailable, after its attempts, if the bucket cannot be reached or refuses. */
export interface ObjectStore {
  /** `pieces` is called for each attempt. `attempts`: fewer than the limits allow. */
  put(key: string, size: number, pieces: () => Iterable<Uint8Array>, attempts?: number): Promise<void>;
  /** Reads from an offset, and resumes after a broken connection. Throws if there is no such object. */
  get(key: string, from?: number): AsyncGenerator<Uint8Array>;
  /** Succeeds also if there is no such object. */
  remove(key: string): Promise<void>;
}

/** The bucket answered and refuses, or there are no credentials for it: another attempt would fail in the same way. */
export class BucketRefused extends StoreUnavailable {}

/** Whether the configuration is wrong, rather than the bucket away. */
export function isRefused(error: unknown): error is BucketRefused {
  return error instanceof BucketRefused;
}

/** Names the bucket in messages. */
export function nameBucket({ bucket, endpoint, region }: S3Settings): string {
  return `bucket ${bucket} ${endpoint === null ? `in ${region}` : `at ${endpoint}`}`;
}
