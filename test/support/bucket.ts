/** A bucket on a server that speaks S3, on disk. It checks signatures, and fails on the demand of a test. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import S3rver from "s3rver";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { ObjectStore, S3Settings } from "../../src/persistence/blob/object-store.ts";
import { createS3ObjectStore } from "../../src/persistence/blob/s3-object-store.ts";
import { type KnownKey, signatureError } from "./s3-signature.ts";

const BUCKET = "artifacts";
const REGION = "us-east-1";
const SUFFIX = "._S3rver_object";
/** The only account of the server behind the check of signatures, which checks none of this version. */
const ACCOUNT = "S3RVER";
const ACCESS_KEY: KnownKey = { accessKeyId: "AKIDBUCKET", secretAccessKey: "bucket-secret-key", sessionToken: null };

/** A status, 404 of an object, a connection that is cut before or in the middle of the answer, or silence. */
export type Fault = number | "NO_SUCH_KEY" | "RESET" | "HALF" | "SILENT";

export interface Bucket extends AsyncDisposable {
  readonly settings: S3Settings & { readonly endpoint: string };
  /** The key of the settings. */
  readonly accessKey: KnownKey;
  /** Repeats attempts at once; the limit of silence is that of the product. */
  readonly objects: ObjectStore;
  /** `PUT prefix/key`, in the order in which they came. */
  readonly requests: string[];
  /** The newest token of a session. */
  token: string | null;
  /** Accepts another key. */
  addKey(key: Partial<KnownKey>): KnownKey;
  /** Faults of the next requests, one each; null: no fault. */
  faults: (Fault | null)[];
  /** The fault of every request without one of its own. */
  fault: Fault | null;
  keys(): Promise<string[]>;
  bytes(key: string): Promise<Buffer>;
  replace(key: string, bytes: Uint8Array): Promise<void>;
}

export async function startBucket(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), "holdpoint-bucket-"));
  const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  await s3.configureBuckets();
  const serve = s3.callback();
  const keys = [ACCESS_KEY];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const wrong = signatureError(request, keys, REGION) ?? unsupportedHeader(request);
    if (wrong !== null) return refuse(request, response, wrong === "NotImplemented" ? 501 : 403, wrong);
    request.headers.authorization = request.headers.authorization?.replace(/Credential=[^/]+/, `Credential=${ACCOUNT}`);
    serve(request, response);
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "");
    bucket.requests.push(`${request.method} ${path.replace(`/${BUCKET}/`, "")}`);
    bucket.token = request.headers["x-amz-security-token"]?.toString() ?? null;
    const fault = bucket.faults.shift() ?? bucket.fault;
    if (fault === null) answer(request, response);
    else fail(fault, request, response, () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const settings: Bucket["settings"] = {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: REGION,
    accessKey: ACCESS_KEY,
    prefix: "holdpoint/",
    pathStyle: true,
  };
  const file = (key: string): string => join(directory, BUCKET, settings.prefix, `${key}${SUFFIX}`);
  const bucket: Bucket = {
    settings,
    accessKey: ACCESS_KEY,
    objects: createS3ObjectStore(settings, { ...LIMITS.objectStore, retryMs: [1, 1] }),
    requests: [],
    token: null,
    faults: [],
    fault: null,
    addKey(key) {
      const added = { ...ACCESS_KEY, accessKeyId: `AKID${keys.length}`, ...key };
      keys.push(added);
      return added;
    },
    async keys() {
      const names = await readdir(join(directory, BUCKET), { recursive: true });
      return names.flatMap((name) => (name.endsWith(SUFFIX) ? [basename(name, SUFFIX)] : [])).toSorted();
    },
    bytes: (key) => readFile(file(key)),
    replace: (key, bytes) => writeFile(file(key), bytes),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      s3.logger.exceptions.unhandle();
      s3.logger.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return bucket;
}

function fail(fault: Fault, request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  if (fault === "SILENT") return;
  if (fault === "RESET") return void request.socket.destroy();
  if (fault === "HALF") {
    const write = response.write.bind(response) as (chunk: Buffer) => boolean;
    response.write = (chunk: Buffer) => {
      write(chunk);
      setImmediate(() => request.socket.destroy());
      return true;
    };
    return answer();
  }
  const [status, code] = fault === "NO_SUCH_KEY" ? [404, "NoSuchKey"] : [fault, CODES[fault] ?? "InternalError"];
  refuse(request, response, status, code);
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume();
  request.on("end", () => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
}

/** Refuses what several servers that speak S3 do not know: checksums, trailers, chunks and announced bodies. */
function unsupportedHeader({ headers }: IncomingMessage): "NotImplemented" | null {
  const isUnknown = Object.keys(headers).some((name) =>
    /^(?:x-amz-(?:sdk-)?checksum|x-amz-trailer|expect$)/.test(name),
  );
  return isUnknown || /aws-chunked/.test(headers["content-encoding"] ?? "") ? "NotImplemented" : null;
}

const CODES: Record<number, string> = { 403: "AccessDenied", 404: "NoSuchBucket", 429: "SlowDown", 503: "SlowDown" };
