import type { NewId } from "../../model/kit/id.ts";
import type { BlobStore } from "../../persistence/blob/blobs.ts";
import type { Cipher } from "../../persistence/installation/cipher.ts";
import type { Database } from "../../persistence/database/database.ts";
import type { AllowedTarget } from "../../model/webhook/webhook.ts";
import type { WebhookQueue } from "../../persistence/webhook/webhook-queue.ts";
import type { GitFetcher } from "./git-fetcher.ts";

/** What every use case is built from. */
export interface Deps {
  database: Database;
  cipher: Cipher;
  /** Where sources, archives and states lie. */
  blobs: BlobStore;
  clock: () => Date;
  newId: NewId;
  randomBytes: (count: number) => Uint8Array;
  /** Folders below which directory sources may lie; real paths. */
  sourceRoots: readonly string[];
  git: GitFetcher;
  /** Takes what webhooks are to be told. */
  webhooks: WebhookQueue;
  /** What webhooks may be sent to besides public addresses. */
  webhookAllow: readonly AllowedTarget[];
  /** Something failed that the caller is not told about. */
  reportError: (error: unknown, where: string) => void;
}
