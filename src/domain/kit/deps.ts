import type { NewId } from "../../model/kit/id.ts";
import type { Evaluator } from "../../model/policy/evaluator.ts";
import type { Prober } from "../../model/probe/prober.ts";
import type { BlobStore } from "../../persistence/blob/blobs.ts";
import type { Cipher } from "../../persistence/installation/cipher.ts";
import type { Database } from "../../persistence/database/database.ts";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { WebhookQueue } from "../../persistence/webhook/webhook-queue.ts";
import type { RightsCache } from "./rights-cache.ts";
import type { AppTokens } from "./app-tokens.ts";
import type { RefReader } from "./ref-reader.ts";
import type { GitFetcher } from "./git-fetcher.ts";

/** The dependencies of every use case. */
export interface Deps {
  database: Database;
  /** The rights of callers. */
  rights: RightsCache;
  cipher: Cipher;
  /** Stores sources, archives and states. */
  blobs: BlobStore;
  clock: () => Date;
  newId: NewId;
  randomBytes: (count: number) => Uint8Array;
  /** Folders that may contain directory sources; real paths. */
  sourceRoots: readonly string[];
  git: GitFetcher;
  refs: RefReader;
  appTokens: AppTokens;
  /** Evaluates policies, in processes of its own. */
  evaluator: Evaluator;
  /** Sends the requests of probes. */
  prober: Prober;
  /** Queues deliveries of webhooks. */
  webhooks: WebhookQueue;
  /** Targets that webhooks may use besides public addresses. */
  webhookAllow: readonly AllowedTarget[];
  /** Issuers that trust rules may name besides those at public addresses. */
  issuerAllow: readonly AllowedTarget[];
  /** The origin by which browsers reach the server; `null` if it is not known. */
  publicUrl: string | null;
  /** Whether people sign in by an identity provider. */
  hasIdentityProvider: boolean;
  /** How long a person who was invited counts as the one that invited it. */
  sponsoredMs: number;
  /** Reports a failure that the caller does not see. */
  reportError: (error: unknown, where: string) => void;
}
