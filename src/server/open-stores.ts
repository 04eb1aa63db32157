/** Opens the stores that the configuration names besides the database: NATS and a bucket. */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { type BlobStore, createBlobStore } from "../persistence/blob/blobs.ts";
import type { Cipher } from "../persistence/installation/cipher.ts";
import type { Message, Notifier } from "../persistence/database/notifier.ts";
import type { NatsHints } from "../persistence/installation/nats-hints.ts";
import { missingBucket, openBucket } from "../persistence/blob/open-bucket.ts";

/** Opens hints over NATS, under a subject that only servers with this master key know. The client is loaded on demand. */
export async function openNats(
  settings: NonNullable<Config["nats"]>,
  { cipher, fallback, clock, log }: { cipher: Cipher; fallback: Notifier<Message>; clock: () => Date; log: Logger },
): Promise<NatsHints> {
  const { createNatsHints, natsSubject } = await import("../persistence/installation/nats-hints.ts");
  return createNatsHints(settings, natsSubject(cipher), {
    fallback,
    clock,
    onError: (error) => log.warn({ err: error }, "NATS cannot be reached: hints go over the database until it can"),
    onBack: () => log.info("NATS can be reached again"),
  });
}

/** Opens the store of artifacts: a bucket if one is configured, else Postgres. */
export async function openBlobs(
  config: Config,
  log: Logger,
  deps: Parameters<typeof createBlobStore>[0],
): Promise<BlobStore> {
  if (config.bucket === undefined) {
    const missing = await missingBucket(deps.database);
    if (missing !== null) log.warn(missing);
    return createBlobStore(deps, null);
  }
  const onAway = (error: Error): void => log.warn({ err: error }, "The bucket cannot be reached");
  const key = `start-${randomUUID()}`;
  return createBlobStore(deps, await openBucket(config.bucket, LIMITS.objectStore, { key, onAway }));
}
