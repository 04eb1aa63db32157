/** Objects in a bucket that speaks S3, each written once and read as a stream. Nothing here knows what is in them. */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { StoreAway } from "../../model/runner/store-away.ts";

export interface S3Settings {
  readonly bucket: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a key that ends some time; null: of one that does not. */
  readonly sessionToken: string | null;
  /** Before every key: empty, or ends with a slash. */
  readonly prefix: string;
  /** The bucket stands in the path rather than in the name of the host. */
  readonly pathStyle: boolean;
}

export interface ObjectStoreLimits {
  /** Pauses between tries; there is one try more. */
  retryMs: readonly number[];
  /** A try in which nothing moves for so long has failed. */
  silentMs: number;
}

/** Every method throws StoreAway where the bucket cannot be reached or refuses, after it was tried again. */
export interface ObjectStore {
  /** `pieces` is asked anew with each try. `tries`: fewer than the limits say. */
  put(key: string, size: number, pieces: () => Iterable<Uint8Array>, tries?: number): Promise<void>;
  /** From an offset on; goes on where a broken connection ended. Throws where there is no such object. */
  get(key: string, from?: number): AsyncGenerator<Uint8Array>;
  /** Also where there is none. */
  remove(key: string): Promise<void>;
}

/** Not worth another try: what was asked is wrong, or not allowed. */
class Refused extends StoreAway {}

export function createObjectStore(settings: S3Settings, limits: ObjectStoreLimits): ObjectStore {
  const send = (request: Sent, watch: Silence) => sendOnce(settings, request, watch);
  const retried = <T>(attempt: (watch: Silence) => Promise<T>, tries?: number): Promise<T> =>
    untilDone(settings, limits, attempt, tries);
  return {
    put: (key, size, pieces, tries) =>
      retried(async (watch) => {
        const body = moving(pieces(), watch);
        const headers = { "content-length": String(size), "content-type": "application/octet-stream" };
        await text(await send({ method: "PUT", key, headers, body }, watch));
        watch.end();
      }, tries),

    async *get(key, from = 0) {
      let offset = from;
      for (;;) {
        const before = offset;
        const { body, watch } = await retried(async (watching) => {
          const headers: Record<string, string> = offset === 0 ? {} : { range: `bytes=${offset}-` };
          const response = await send({ method: "GET", key, headers, body: null }, watching);
          if (offset > 0 && response.statusCode !== 206) {
            response.destroy();
            throw new Refused(`${place(settings)} gives no parts of objects.`);
          }
          return { body: response, watch: watching };
        });
        try {
          for await (const chunk of moving(body, watch)) {
            offset += chunk.length;
            yield chunk;
          }
          return;
        } catch (error) {
          // What came is good: another try begins behind it. One that brought nothing is not repeated for ever.
          if (offset === before) throw away(settings, error);
        } finally {
          watch.end();
        }
      }
    },

    remove: (key) =>
      retried(async (watch) => {
        try {
          await text(await send({ method: "DELETE", key, headers: {}, body: null }, watch));
        } catch (error) {
          // Amazon says nothing of it, others do.
          if (!(error instanceof MissingObject)) throw error;
        }
        watch.end();
      }),
  };
}

interface Sent {
  method: "PUT" | "GET" | "DELETE";
  key: string;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array> | null;
}

/** Ends a try in which nothing moves. */
interface Silence {
  readonly signal: AbortSignal;
  moved(): void;
  end(): void;
}

function watchSilence(ms: number): Silence {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`nothing moved for ${ms / 1000} seconds`)), ms);
  return { signal: controller.signal, moved: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

async function* moving(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  watch: Silence,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    watch.moved();
    yield piece;
  }
}

/** An attempt that succeeds ends its watch itself: what is read of an answer is watched as well. */
async function untilDone<T>(
  settings: S3Settings,
  { retryMs, silentMs }: ObjectStoreLimits,
  attempt: (watch: Silence) => Promise<T>,
  tries = retryMs.length + 1,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    const watch = watchSilence(silentMs);
    try {
      return await attempt(watch);
    } catch (error) {
      watch.end();
      if (error instanceof Refused || error instanceof MissingObject) throw error;
      if (tried >= tries) throw away(settings, error);
      await pause(retryMs[tried - 1] ?? 0);
    }
  }
}

/** There is no such object. */
class MissingObject extends Error {
  override readonly name = "MissingObject";
}

async function sendOnce(settings: S3Settings, sent: Sent, { signal }: Silence): Promise<IncomingMessage> {
  const { method, key, headers } = sent;
  const { region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const url = addressOf(settings, key);
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) };
  const signer = new AwsV4Signer({ method, url, headers, service: "s3", region, ...credentials });
  const response = await exchange(await signer.sign(), sent, signal);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  const code = /<Code>(\w{1,60})<\/Code>/.exec(await text(response).catch(() => ""))?.[1] ?? "";
  const said = `${place(settings)} answers ${status}${code === "" ? "" : ` ${code}`}`;
  if (status === 404 && code !== "NoSuchBucket" && method !== "PUT") throw new MissingObject(`${said}: ${key}`);
  if (status >= 500 || status === 429 || status === 408) throw new Error(said);
  throw new Refused(`${said}${HINTS[code] ?? ""}.`);
}

/** Not by fetch, which has no way to say how long a streamed body is that its types know of. */
function exchange(
  { url, headers }: { url: URL; headers: Headers },
  { method, body }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, { method, headers: Object.fromEntries(headers), signal });
  request.on("response", resolve);
  // Also after the answer, which a bucket that refuses gives before it has read everything.
  request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
  if (body === null) request.end();
  else pipeline(Readable.from(body, { objectMode: false }), request).catch(reject);
  return promise;
}

const HINTS: Record<string, string> = {
  NoSuchBucket: ": there is no such bucket",
  AccessDenied: ": the access key may not use it",
  InvalidAccessKeyId: ": there is no such access key",
  ExpiredToken: ": the session token has ended",
  InvalidToken: ": the session token is wrong",
  SignatureDoesNotMatch: ": the secret access key, or the region, is wrong",
  PermanentRedirect: ": the bucket is in another region",
};

function addressOf({ endpoint, bucket, prefix, pathStyle }: S3Settings, key: string): string {
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  url.pathname = `${pathStyle ? `/${bucket}` : ""}/${prefix}${key}`;
  return url.href;
}

function place({ bucket, endpoint }: S3Settings): string {
  return `The bucket ${bucket} at ${endpoint}`;
}

function away(settings: S3Settings, error: unknown): StoreAway {
  if (error instanceof StoreAway) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  const text = message.startsWith(place(settings))
    ? `${message}.`
    : `${place(settings)} cannot be reached: ${message}.`;
  return new StoreAway(text, { cause: error });
}

/** The bucket answered, and will not have it: a mistake in the configuration rather than an outage. */
export function isRefused(error: unknown): error is StoreAway {
  return error instanceof Refused;
}
