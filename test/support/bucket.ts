/** A bucket on a server that speaks S3, on disk, which fails as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import S3rver from "s3rver";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { createObjectStore, type ObjectStore, type S3Settings } from "../../src/persistence/blob/object-store.ts";

const BUCKET = "artifacts";
const SUFFIX = "._S3rver_object";

/** A status, 404 of an object, a connection that is cut before or in the middle of the answer, or silence. */
export type Fault = number | "NO_SUCH_KEY" | "RESET" | "HALF" | "SILENT";

export interface Bucket extends AsyncDisposable {
  readonly settings: S3Settings;
  /** Tries again at once; how long is silence is the product's. */
  readonly objects: ObjectStore;
  /** `PUT prefix/key`, in the order in which they came. */
  readonly requests: string[];
  /** The newest token of a session. */
  token: string | null;
  /** What happens to the next requests, one each; null: nothing. */
  faults: (Fault | null)[];
  /** What happens to every request without a fault of its own. */
  fault: Fault | null;
  keys(): Promise<string[]>;
  bytes(key: string): Promise<Buffer>;
  replace(key: string, bytes: Uint8Array): Promise<void>;
}

export async function startBucket(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), "holdpoint-bucket-"));
  const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  await s3.configureBuckets();
  const answer = s3.callback();
  const server = createServer((request, response) => {
    bucket.requests.push(`${request.method} ${(request.url ?? "").replace(`/${BUCKET}/`, "")}`);
    bucket.token = request.headers["x-amz-security-token"]?.toString() ?? null;
    const fault = bucket.faults.shift() ?? bucket.fault;
    if (fault === null) answer(request, response);
    else fail(fault, request, response, () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const settings: S3Settings = {
    bucket: BUCKET,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    sessionToken: null,
    prefix: "holdpoint/",
    pathStyle: true,
  };
  const file = (key: string): string => join(directory, BUCKET, settings.prefix, `${key}${SUFFIX}`);
  const bucket: Bucket = {
    settings,
    objects: createObjectStore(settings, { ...LIMITS.objectStore, retryMs: [1, 1] }),
    requests: [],
    token: null,
    faults: [],
    fault: null,
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
  request.resume();
  const [status, code] = fault === "NO_SUCH_KEY" ? [404, "NoSuchKey"] : [fault, CODES[fault] ?? "InternalError"];
  request.on("end", () => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`));
}

const CODES: Record<number, string> = { 403: "AccessDenied", 404: "NoSuchBucket", 429: "SlowDown", 503: "SlowDown" };
