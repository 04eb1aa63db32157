import { afterAll, beforeAll, expect, test } from "vitest";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { dumpDatabase } from "../../src/persistence/backup/dump.ts";
import type { BackupPart } from "../../src/persistence/backup/format.ts";
import { loadDatabase } from "../../src/persistence/backup/load.ts";
import { digestOf } from "../../src/persistence/blob/blob-store.ts";
import { createBlobStore } from "../../src/persistence/blob/blobs.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { missingBucket } from "../../src/persistence/blob/open-bucket.ts";
import type { Data } from "../support/api.ts";
import { type Bucket, startBucket } from "../support/bucket.ts";
import { createTestDatabase } from "../support/database.ts";
import { packed } from "../support/tar.ts";
import { openScene, type Scene } from "./scene.ts";

const DAY = 24 * 60 * 60 * 1000;
let bucket: Bucket;
let scene: Scene;
beforeAll(async () => {
  bucket = await startBucket();
  scene = await openScene(1000, { objects: bucket.objects });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

const stores = (): Promise<Data[]> => scene.rows("select kind, store from blob order by created_at, id");

test("a bucket that is away holds runners up, and no state is lost", async () => {
  const { runId } = await scene.reach("READY");
  const job = await scene.claim(runId);
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  bucket.fault = 503;
  const put = (): Promise<Data> => job.request("PUT", "archive", Buffer.from("archive"));
  const away = await put();
  expect(away).toMatchObject({ status: 503, body: { code: "STORE_UNAVAILABLE" } });
  expect(away.body.message).not.toContain(bucket.settings.endpoint);
  expect((await job.request("GET", "source")).status).toBe(503);
  bucket.fault = null;
  expect((await put()).status).toBe(204);
  // Put again, it replaces the earlier one, whose object goes with the next sweep.
  expect((await put()).status).toBe(204);
  expect(await bucket.keys()).toHaveLength(3);
  expect(await scene.server.deps.blobs.sweep()).toBeGreaterThan(0);
  expect(await bucket.keys()).toHaveLength(2);
  const spot = await scene.reach("APPLYING");
  await spot.job.lockState("lock");
  bucket.fault = 503;
  const state = { version: 4, serial: 1, lineage: "lineage", outputs: {}, resources: [] };
  expect((await spot.job.writeState("lock", state)).status).toBe(200);
  const read = await spot.job.request("GET", "state");
  expect(read).toMatchObject({ status: 200, body: state });
  bucket.fault = null;
  expect((await stores()).map(({ kind, store }) => `${kind} ${store}`)).toContain("STATE POSTGRES");
  expect(await spot.job.writeState("lock", { ...state, serial: 2 })).toMatchObject({ status: 200 });
  expect((await stores()).at(-1)).toEqual({ kind: "STATE", store: "S3" });
});

test("what is sent beside GraphQL is refused meanwhile, and the same source is put once", async () => {
  const archive = new Uint8Array(await packed([{ name: "main.tf", body: "# a" }]));
  const send = async (): Promise<Response> =>
    fetch(`${scene.server.url}/sources`, {
      method: "POST",
      headers: { authorization: `Bearer ${scene.api.token}`, "content-type": "application/gzip" },
      body: archive,
    });
  bucket.fault = 503;
  const away = await send();
  expect([away.status, ((await away.json()) as Data).code]).toEqual([503, "STORE_UNAVAILABLE"]);
  bucket.fault = null;
  const before = (await bucket.keys()).length;
  expect((await send()).status).toBe(201);
  expect((await send()).status).toBe(201);
  const workspaceId = await scene.createWorkspace();
  await scene.createRun(workspaceId);
  await scene.createRun(workspaceId);
  expect(await bucket.keys()).toHaveLength(before + 2);
});

test("a restored database reads what lies in the bucket, as long as that is configured", async () => {
  const { database: source, cipher, clock } = scene.server.deps;
  const parts = await Array.fromAsync(dumpDatabase(source, { createdAt: clock().toISOString(), secrets: null }));
  async function* readParts(): AsyncGenerator<BackupPart> {
    yield* parts;
  }
  await using target = await createTestDatabase();
  const notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using database = openDatabase(target.connection, { notifier, onError: () => undefined });
  await loadDatabase(database, readParts, null);
  const deps = { database, cipher, clock, onError: () => undefined };
  const rows = await database.sql.selectFrom("blob").select(["id", "store", "digest"]).execute();
  expect(new Set(rows.map(({ store }) => store))).toEqual(new Set(["POSTGRES", "S3"]));
  for (const { id, store, digest } of rows) {
    const body = Buffer.concat(await Array.fromAsync(await createBlobStore(deps, bucket.objects).read(id)));
    expect(digestOf(body)).toBe(digest);
    const without = createBlobStore(deps, null).read(id);
    if (store === "S3") await expect(without).rejects.toThrow("HOLDPOINT_S3_BUCKET");
  }
  expect(await missingBucket(database)).toMatch(/^\d+ artifacts lie in S3 and cannot be read/);
});

test("archives that are no longer kept leave the bucket", async () => {
  const planRunId = await scene.plan(await scene.createWorkspace());
  const blobOf = "select archive_blob_id as id from plan where run_id = $1";
  const [blob] = await scene.rows(blobOf, planRunId);
  expect(await bucket.keys()).toContain(blob?.id);
  scene.server.advance(40 * DAY);
  await scene.quick("updateOrganization", { organizationId: DEFAULT_ORGANIZATION_ID, retention: { archiveDays: 30 } });
  await retentionRound(scene.server.deps, () => undefined);
  await scene.server.deps.blobs.sweep();
  expect(await bucket.keys()).not.toContain(blob?.id);
  expect(await scene.rows(blobOf, planRunId)).toEqual([{ id: null }]);
});
