/** Credentials for a bucket: static keys, and the sources of the default chain against servers on loopback. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { StoreUnavailable } from "../../src/model/runner/store-unavailable.ts";
import { isRefused, type ObjectStore } from "../../src/persistence/blob/object-store.ts";
import { openBucket } from "../../src/persistence/blob/open-bucket.ts";
import { createS3ObjectStore } from "../../src/persistence/blob/s3-object-store.ts";
import { type Bucket, startBucket } from "../support/bucket.ts";
import type { KnownKey } from "../support/s3-signature.ts";

const HOUR = 60 * 60 * 1000;
const SOURCES = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION"];
let bucket: Bucket;
let directory: string;
/** The metadata server of a container and STS. */
let cloud: Server;
let cloudUrl: string;
/** Answers one request to the cloud; null: never. */
let answer: (() => { status: number; body: string }) | null;
let asked: string[];

beforeAll(async () => {
  bucket = await startBucket();
  directory = await mkdtemp(join(tmpdir(), "holdpoint-aws-"));
  cloud = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      if (answer === null) return;
      const { status, body: text } = answer();
      response.writeHead(status, { "content-type": text.startsWith("{") ? "application/json" : "text/xml" }).end(text);
    });
  });
  await new Promise<void>((resolve) => cloud.listen(0, "127.0.0.1", resolve));
  cloudUrl = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  for (const name of SOURCES) vi.stubEnv(name, undefined);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_CONFIG_FILE", join(directory, "no-config"));
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(directory, "no-credentials"));
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await bucket[Symbol.asyncDispose]();
  cloud.closeAllConnections();
  await new Promise((resolve) => cloud.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

/** A store whose credentials come from the chain, which repeats nothing. */
function store(retryMs: readonly number[] = [], silentMs: number = LIMITS.objectStore.silentMs): ObjectStore {
  return createS3ObjectStore({ ...bucket.settings, accessKey: null }, { retryMs, silentMs });
}

async function putAndRemove(objects: ObjectStore): Promise<void> {
  await objects.put("object", 3, () => [Buffer.from("abc")]);
  expect(Buffer.concat(await Array.fromAsync(objects.get("object", 1))).toString()).toBe("bc");
  await objects.remove("object");
}

async function failureOf(objects: ObjectStore): Promise<StoreUnavailable> {
  const error: unknown = await objects.put("object", 3, () => [Buffer.from("abc")]).catch((thrown: unknown) => thrown);
  if (error instanceof StoreUnavailable) return error;
  throw new Error("It was put.", { cause: error });
}

function containerKey({ accessKeyId, secretAccessKey, sessionToken }: KnownKey, endsAtMs: number): string {
  const [Token, Expiration] = [sessionToken, new Date(endsAtMs).toISOString()];
  return JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token, Expiration });
}

function roleKey({ accessKeyId, secretAccessKey, sessionToken }: KnownKey, endsAtMs: number): string {
  return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>
    <Credentials>
      <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
      <SessionToken>${sessionToken}</SessionToken><Expiration>${new Date(endsAtMs).toISOString()}</Expiration>
    </Credentials>
  </AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`;
}

/** The variables that Kubernetes sets for a service account with a role. */
async function stubWebIdentity(): Promise<void> {
  const file = join(directory, "token");
  await writeFile(file, "header.payload.signature");
  vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", file);
  vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/holdpoint");
  vi.stubEnv("AWS_ENDPOINT_URL_STS", cloudUrl);
}

test("a static key signs requests; a wrong secret is refused with the reason", async () => {
  const limits = { ...LIMITS.objectStore, retryMs: [1, 1] };
  await putAndRemove(createS3ObjectStore(bucket.settings, limits));
  const before = bucket.requests.length;
  const accessKey = { ...bucket.accessKey, secretAccessKey: "another-secret" };
  const error = await failureOf(createS3ObjectStore({ ...bucket.settings, accessKey }, limits));
  expect(error.message).toMatch(/answers 403 SignatureDoesNotMatch: the secret access key, or the region, is wrong\.$/);
  expect(isRefused(error)).toBe(true);
  expect(bucket.requests.length).toBe(before + 1);
});

test("a static key of the settings precedes the environment", async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDUNKNOWN");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "unknown");
  await putAndRemove(createS3ObjectStore(bucket.settings, LIMITS.objectStore));
});

test("keys of the environment are found", async () => {
  const key = bucket.addKey({ sessionToken: "token/of/a/session=" });
  vi.stubEnv("AWS_ACCESS_KEY_ID", key.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", key.secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", key.sessionToken ?? undefined);
  await putAndRemove(store());
});

test("keys of a profile are found", async () => {
  const key = bucket.addKey({ secretAccessKey: "secret-of-a-profile" });
  const file = join(directory, "credentials");
  const lines = [`aws_access_key_id = ${key.accessKeyId}`, `aws_secret_access_key = ${key.secretAccessKey}`];
  await writeFile(file, `[other]\naws_access_key_id = AKIDNONE\n[artifacts]\n${lines.join("\n")}\n`);
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
  vi.stubEnv("AWS_PROFILE", "artifacts");
  await putAndRemove(store());
});

test("a container's role is found, and asked again when its key has expired", async () => {
  const [first, second] = ["first", "second"].map((sessionToken) => bucket.addKey({ sessionToken }));
  if (first === undefined || second === undefined) throw new Error("There are two keys.");
  vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${cloudUrl}/role`);
  answer = () => ({ status: 200, body: containerKey(first, Date.now() - 1000) });
  const objects = store();
  await objects.put("object", 3, () => [Buffer.from("abc")]);
  expect(bucket.token).toBe("first");
  answer = () => ({ status: 200, body: containerKey(second, Date.now() + HOUR) });
  await putAndRemove(objects);
  expect(bucket.token).toBe("second");
  // A key that is valid is not asked for again.
  const before = asked.length;
  await putAndRemove(objects);
  expect(asked.length).toBe(before);
  expect(new Set(asked)).toEqual(new Set(["GET /role "]));
});

test("a role of a Kubernetes service account is assumed with its token", async () => {
  const key = bucket.addKey({ sessionToken: "role" });
  await stubWebIdentity();
  answer = () => ({ status: 200, body: roleKey(key, Date.now() + HOUR) });
  await putAndRemove(store());
  expect(bucket.token).toBe("role");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/Action=AssumeRoleWithWebIdentity/);
  expect(asked[0]).toContain("WebIdentityToken=header.payload.signature");
});

test("a role that is denied is a refusal; STS that is away is an outage", async () => {
  await stubWebIdentity();
  const fail = (status: number, type: string, code: string) => ({
    status,
    body: `<ErrorResponse><Error><Type>${type}</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
  });
  answer = () => fail(403, "Sender", "AccessDenied");
  const denied = await failureOf(store([1, 1]));
  expect(isRefused(denied)).toBe(true);
  expect(denied.message).toMatch(
    /^The credentials for the bucket artifacts at http.* cannot be loaded: AccessDenied: no/,
  );
  expect(asked).toHaveLength(1);
  answer = () => fail(503, "Receiver", "ServiceUnavailable");
  const away = await failureOf(store());
  expect(isRefused(away)).toBe(false);
  expect(away.message).toMatch(/cannot be loaded: \w+/);
  // After an outage the same store finds the role.
  const key = bucket.addKey({ sessionToken: "later" });
  const deadline = Date.now() + HOUR;
  const answers = [503, 503, 503, 503].map((status) => fail(status, "Receiver", "ServiceUnavailable"));
  answer = () => answers.shift() ?? { status: 200, body: roleKey(key, deadline) };
  await putAndRemove(store([1, 1]));
  expect(answers).toEqual([]);
});

test("without credentials a start ends, and names every source that was searched", async () => {
  const onAway = vi.fn<(error: Error) => void>();
  const opened = openBucket({ ...bucket.settings, accessKey: null }, LIMITS.objectStore, { key: "start", onAway });
  const error: unknown = await opened.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "InstallationError" });
  for (const source of [
    "HOLDPOINT_S3_BUCKET: No credentials were found for the bucket artifacts at http://127.0.0.1",
    "HOLDPOINT_S3_ACCESS_KEY_ID with HOLDPOINT_S3_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_PROFILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "role of the EC2 instance",
  ]) {
    expect(String(error)).toContain(source);
  }
  expect(onAway).not.toHaveBeenCalled();
});

test("a source of credentials that is silent ends the attempt", async () => {
  vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${cloudUrl}/role`);
  answer = null;
  const error = await failureOf(store([], 50));
  expect(isRefused(error)).toBe(false);
  expect(error.message).toMatch(/cannot be reached: nothing moved for 0.05 seconds\.$/);
});
