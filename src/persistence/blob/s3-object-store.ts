/** Objects in a bucket that speaks S3, by the client of the AWS SDK. Only a server with a bucket loads this module. */
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { StoreUnavailable } from "../../model/runner/store-unavailable.ts";
import { credentialsOf } from "./bucket-credentials.ts";
import {
  BucketRefused,
  nameBucket,
  type ObjectStore,
  type ObjectStoreLimits,
  type S3Settings,
} from "./object-store.ts";

export function createS3ObjectStore(settings: S3Settings, limits: ObjectStoreLimits): ObjectStore {
  const client = new S3Client(clientConfig(settings));
  const target = (key: string) => ({ Bucket: settings.bucket, Key: `${settings.prefix}${key}` });
  const retried = <T>(attempt: (watch: Silence) => Promise<T>, attempts?: number): Promise<T> =>
    retry(settings, limits, attempt, attempts);
  return {
    put: (key, size, pieces, attempts) =>
      retried(async (watch) => {
        const body = Readable.from(watched(pieces(), watch), { objectMode: false });
        // The client pipes the body and listens to no error of it.
        body.once("error", (error) => watch.abort(error));
        const input = { ...target(key), Body: body, ContentLength: size, ContentType: "application/octet-stream" };
        try {
          await client.send(new PutObjectCommand(input), { abortSignal: watch.signal });
        } catch (error) {
          // No object is asked for here: an address that leads nowhere.
          throw isMissingObject(error) ? new BucketRefused(`${answerOf(settings, error)}.`, { cause: error }) : error;
        } finally {
          body.destroy();
        }
        watch.end();
      }, attempts),

    async *get(key, from = 0) {
      let offset = from;
      for (;;) {
        const before = offset;
        const { body, watch } = await retried(async (watching) => {
          const input = { ...target(key), ...(offset > 0 && { Range: `bytes=${offset}-` }) };
          const { Body, $metadata } = await client.send(new GetObjectCommand(input), { abortSignal: watching.signal });
          if (!(Body instanceof Readable)) throw new Error("the answer has no body");
          if (offset > 0 && $metadata.httpStatusCode !== 206) {
            Body.destroy();
            throw new BucketRefused(`The ${nameBucket(settings)} does not answer ranges of objects.`);
          }
          return { body: Body, watch: watching };
        });
        try {
          for await (const chunk of watched(body, watch)) {
            offset += chunk.length;
            yield chunk;
          }
          return;
        } catch (error) {
          // Another attempt continues after the bytes that came. One that brought none is not repeated for ever.
          if (offset === before) throw awayError(settings, watch.signal.aborted ? watch.signal.reason : error);
        } finally {
          watch.end();
        }
      }
    },

    remove: (key) =>
      retried(async (watch) => {
        try {
          await client.send(new DeleteObjectCommand(target(key)), { abortSignal: watch.signal });
        } catch (error) {
          // Amazon does not report a missing object, others do.
          if (!isMissingObject(error)) throw error;
        }
        watch.end();
      }),
  };
}

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

function clientConfig(settings: S3Settings): S3ClientConfig {
  return {
    region: settings.region,
    ...(settings.endpoint !== null && { endpoint: settings.endpoint }),
    forcePathStyle: settings.pathStyle,
    credentials: credentialsOf(settings),
    // A body is a stream, which only its creator can repeat.
    maxAttempts: 1,
    // By default the client sends CRC trailers, which several servers that speak S3 refuse. Reads check a SHA-256.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    // A request that waited for a socket would be taken for a silent one.
    requestHandler: { httpAgent: { maxSockets: Infinity }, httpsAgent: { maxSockets: Infinity } },
    // The client would write to the console.
    logger: SILENT,
  };
}

/** Ends an attempt that transfers nothing. */
interface Silence {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  moved(): void;
  end(): void;
}

function watchSilence(ms: number): Silence {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`nothing moved for ${ms / 1000} seconds`)), ms);
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    moved: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

async function* watched(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  watch: Silence,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    watch.moved();
    yield piece;
  }
}

/** Repeats an attempt. One that succeeds ends its watch on its own, because the body that it returns is watched too. */
async function retry<T>(
  settings: S3Settings,
  { retryMs, silentMs }: ObjectStoreLimits,
  attempt: (watch: Silence) => Promise<T>,
  attempts = retryMs.length + 1,
): Promise<T> {
  for (let attempted = 1; ; attempted++) {
    const watch = watchSilence(silentMs);
    try {
      return await Promise.race([attempt(watch), aborted(watch.signal)]);
    } catch (error) {
      watch.end();
      const failure = failureOf(settings, watch.signal.aborted ? watch.signal.reason : error);
      // Closes a connection whose request was answered before its body was sent.
      watch.abort(failure);
      if (failure instanceof BucketRefused || isMissingObject(error)) throw failure;
      if (attempted >= attempts) throw awayError(settings, failure);
      await pause(retryMs[attempted - 1] ?? 0);
    }
  }
}

/** Rejects when the signal aborts: the loading of credentials takes no signal. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

const HINTS: Readonly<Record<string, string>> = {
  NoSuchBucket: ": there is no such bucket",
  AccessDenied: ": the credentials do not allow it",
  InvalidAccessKeyId: ": there is no such access key",
  ExpiredToken: ": the session token has expired",
  InvalidToken: ": the session token is wrong",
  SignatureDoesNotMatch: ": the secret access key, or the region, is wrong",
  PermanentRedirect: ": the bucket is in another region",
  RequestTimeTooSkewed: ": the clock of this server is wrong",
};

/** Sorts an answer of the bucket into outages and refusals. Errors without an answer are returned as they are. */
function failureOf(settings: S3Settings, error: unknown): unknown {
  const status = statusOf(error);
  if (status === null) return error;
  const answer = answerOf(settings, error);
  if (status >= 500 || status === 429 || status === 408) return new StoreUnavailable(`${answer}.`, { cause: error });
  if (isMissingObject(error)) return new Error(`${answer}: there is no such object.`, { cause: error });
  return new BucketRefused(`${answer}${HINTS[codeOf(error)] ?? ""}.`, { cause: error });
}

function answerOf(settings: S3Settings, error: unknown): string {
  return `The ${nameBucket(settings)} answers ${statusOf(error)} ${codeOf(error)}`.trimEnd();
}

/** The status of an error that is an answer; null if nothing was answered. Answers without XML have another class. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("$metadata" in error)) return null;
  const { $metadata: metadata } = error;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return null;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}

/** The code in the XML of an answer; empty without one. */
function codeOf(error: unknown): string {
  return error instanceof S3ServiceException && /^[A-Z]\w{1,59}$/.test(error.name) ? error.name : "";
}

function isMissingObject(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) !== "NoSuchBucket";
}

function awayError(settings: S3Settings, error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return new StoreUnavailable(`The ${nameBucket(settings)} cannot be reached: ${message}.`, { cause: error });
}
