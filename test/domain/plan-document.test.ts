/** The document of a plan, from the runner's request to its storage and back, in Postgres and in a bucket. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPlanDocument } from "../../src/domain/policy/plan-document.ts";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { dumpDatabase } from "../../src/persistence/backup/dump.ts";
import type { BackupPart } from "../../src/persistence/backup/format.ts";
import { loadDatabase } from "../../src/persistence/backup/load.ts";
import { createBlobStore } from "../../src/persistence/blob/blobs.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import { type Bucket, startBucket } from "../support/bucket.ts";
import { createTestDatabase } from "../support/database.ts";
import { type FakeJob, fakePlan } from "../support/fake-runner.ts";
import { infracost, packDocument, SMALL_PLAN, unpackDocument } from "../support/plan-documents.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Scene } from "./scene.ts";

const DAY = 24 * 60 * 60 * 1000;
const CANARY = "canary-of-the-document";
const DOCUMENT = { plan: { ...SMALL_PLAN, note: CANARY }, custom: { infracost: infracost("10.5", "12", "1.5") } };

/** Plans, with a document that is sent before the plan is reported. */
async function plan(job: FakeJob, document: Buffer, content: Partial<PlanContent> = {}, query = "") {
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  await job.request("PUT", "archive", Buffer.from("archive"));
  expect(await job.request("PUT", `document${query}`, document)).toMatchObject({ status: 204 });
  return job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial, ...content }) });
}

describe.each(walk(["POSTGRES", "S3"] as const, 1))("in %s", (store) => {
  let bucket: Bucket | null = null;
  let scene: Scene;
  beforeAll(async () => {
    bucket = store === "S3" ? await startBucket() : null;
    scene = await openScene(1000, bucket === null ? {} : { objects: bucket.objects });
  });
  afterAll(async () => {
    expect(scene.server.reported).toEqual([]);
    await scene[Symbol.asyncDispose]();
    await bucket?.[Symbol.asyncDispose]();
  });

  const claimed = async (more: object = {}): Promise<{ runId: string; job: FakeJob }> => {
    const runId = await scene.createRun(await scene.createWorkspace(), more);
    return { runId, job: await scene.claim(runId) };
  };
  const planIdOf = async (runId: string): Promise<string> => {
    const [row] = await scene.rows("select id from plan where run_id = $1 order by version desc limit 1", runId);
    return String(row?.["id"]);
  };
  const stored = async (runId: string) => readPlanDocument(scene.server.deps, await planIdOf(runId));

  it("is stored with the plan, sealed, and read as it was sent", async () => {
    const { runId, job } = await claimed();
    const body = packDocument(DOCUMENT);
    await plan(job, body, {}, "?truncated=prior_state&truncated=custom.tfsec&truncated=prior_state");
    const document = await stored(runId);
    expect(document?.bytes.equals(body)).toBe(true);
    expect(unpackDocument(document?.bytes ?? Buffer.alloc(0))).toEqual(DOCUMENT);
    expect(document).toMatchObject({
      rawBytes: Buffer.byteLength(JSON.stringify(DOCUMENT)),
      truncated: ["prior_state", "custom.tfsec"],
      cost: { currency: "EUR", monthlyBefore: "10.50", monthlyAfter: "12.00", monthlyDelta: "1.50", unsupported: 3 },
    });
    const blobs =
      "select b.id, b.kind, b.store from plan_document d join blob b on b.id = d.blob_id join plan p on p.id = d.plan_id where p.run_id = $1";
    const [blob] = await scene.rows(blobs, runId);
    expect(blob).toMatchObject({ kind: "DOCUMENT", store });
    const pieces = await scene.rows(
      "select encode(body, 'escape') as body from blob_piece where blob_id = $1",
      String(blob?.["id"]),
    );
    expect(pieces).toHaveLength(store === "S3" ? 0 : 1);
    expect(JSON.stringify(pieces)).not.toContain(CANARY);
    expect(await scene.rows("select * from job_document")).toEqual([]);
  });

  it("is replaced by a later one, of which alone the bytes stay", async () => {
    const { runId, job } = await claimed();
    const count = "select count(*)::int as count from blob where kind = 'DOCUMENT'";
    const [before] = await scene.rows(count);
    await job.request("PUT", "document", packDocument({ plan: SMALL_PLAN, custom: { first: {} } }));
    await plan(job, packDocument({ plan: SMALL_PLAN, custom: { second: {} } }));
    expect(unpackDocument((await stored(runId))?.bytes ?? Buffer.alloc(0)).custom).toEqual({ second: {} });
    expect((await scene.rows(count))[0]?.["count"]).toBe(Number(before?.["count"]) + 1);
  });

  it("belongs to its version of the plan; an older runner sends none", async () => {
    const { runId, job } = await claimed();
    await plan(job, packDocument(DOCUMENT));
    const first = await planIdOf(runId);
    await scene.quick("replanRun", { runId, planVersion: 1 });
    await (await scene.claim(runId)).plan();
    expect(await stored(runId)).toBeNull();
    expect(await readPlanDocument(scene.server.deps, first)).toMatchObject({ truncated: [] });
  });

  it("has no cost with targets", async () => {
    const { runId, job } = await claimed({ targets: ["terraform_data.a"] });
    await plan(job, packDocument(DOCUMENT), { complete: false });
    expect((await stored(runId))?.cost).toBeNull();
  });

  it("is restored from a backup", async () => {
    const { runId, job } = await claimed();
    await plan(job, packDocument(DOCUMENT));
    const { database: source, cipher, clock } = scene.server.deps;
    const parts = await Array.fromAsync(dumpDatabase(source, { createdAt: clock().toISOString(), secrets: null }));
    async function* readParts(): AsyncGenerator<BackupPart> {
      yield* parts;
    }
    await using target = await createTestDatabase();
    const notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
    await using database = openDatabase(target.connection, { notifier, onError: () => undefined });
    await loadDatabase(database, readParts, null);
    const blobs = createBlobStore({ database, cipher, clock, onError: () => undefined }, bucket?.objects ?? null);
    const restored = await readPlanDocument({ database, blobs }, await planIdOf(runId));
    expect(unpackDocument(restored?.bytes ?? Buffer.alloc(0))).toEqual(DOCUMENT);
  });

  it("is kept as long as the archive, also that of a job without a plan; what is known of it stays", async () => {
    const { runId, job } = await claimed();
    await plan(job, packDocument(DOCUMENT));
    const failed = await claimed();
    await failed.job.message({ type: "prepared" });
    await failed.job.message({ type: "initialized" });
    await failed.job.request("PUT", "document", packDocument());
    await failed.job.message({
      type: "failed",
      failure: { code: "PLAN_FAILED", summary: "It failed.", message: "", evidence: [] },
    });
    await scene.quick("discardRun", { runId });
    const organizationId = DEFAULT_ORGANIZATION_ID;
    await scene.quick("updateOrganization", { organizationId, retention: { archiveDays: 30 } });
    const round = async () => {
      await retentionRound(scene.server.deps, () => undefined);
      await scene.server.deps.blobs.sweep();
    };
    scene.server.advance(29 * DAY);
    await round();
    expect(await stored(runId)).not.toBeNull();
    scene.server.advance(2 * DAY);
    await round();
    expect(await stored(runId)).toBeNull();
    const facts = "select d.blob_id, d.raw_bytes, d.cost from plan_document d where plan_id = $1";
    expect(await scene.rows(facts, await planIdOf(runId))).toMatchObject([
      { blob_id: null, cost: { currency: "EUR" } },
    ]);
    expect(await scene.rows("select * from job_document where run_id = $1", failed.runId)).toEqual([]);
  });
});

describe("a runner", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  const ACTION = {
    address: "action.aws_ec2_stop_instance.a",
    type: "aws_ec2_stop_instance",
    triggerAddress: "aws_instance.a",
    triggerEvent: "AfterCreate",
  };

  it("gets the key of the run with each plan, and with nothing else", async () => {
    const { job, runId } = await scene.reach("PREPARING");
    expect(job.job.documentKey).toMatch(/^[0-9a-f]{64}$/);
    const replan = await scene.reach("PREPARING/REPLAN");
    expect(replan.job.job.documentKey).not.toBe(job.job.documentKey);
    const [former] = await scene.rows("select count(*)::int as jobs from job where run_id = $1", replan.runId);
    expect(former?.["jobs"]).toBe(2);
    expect((await scene.reach("PREPARING/APPLY")).job.job.documentKey).toBeNull();
    expect(runId).not.toBe(replan.runId);
  });

  it("cannot hide an action that its document lists", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    const invocations = [{ address: ACTION.address, type: ACTION.type, name: "a" }];
    const document = packDocument({ plan: { ...SMALL_PLAN, action_invocations: invocations }, custom: {} });
    await job.request("PUT", "archive", Buffer.from("archive"));
    await job.request("PUT", "document", document);
    expect(await job.message({ type: "planned", plan: fakePlan() })).toMatchObject({
      status: 400,
      body: { code: "MALFORMED", message: expect.stringContaining("action invocations") },
    });
    expect(await scene.rows("select id from plan where run_id = $1", runId)).toEqual([]);
    const told = { type: "planned", plan: fakePlan({ actionInvocations: [ACTION] }) } as const;
    expect(await job.message(told, job.sequence)).toMatchObject({ status: 200 });
    expect(
      await scene.rows("select action_invocations, action_invocation_count from plan where run_id = $1", runId),
    ).toEqual([{ action_invocations: [ACTION], action_invocation_count: 1 }]);
  });

  it.each([
    ["CREATE_ONLY", false],
    ["NO_DESTROY", false],
    ["ALWAYS", true],
  ])("whose plan invokes an action is applied by itself with %s: %s", async (autoApply, applies) => {
    const planned = async (content: Partial<PlanContent>): Promise<boolean> => {
      const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", autoApply });
      const job = await scene.claim(await scene.createRun(workspaceId));
      return "next" in (await job.plan(content)).body;
    };
    expect(await planned({})).toBe(true);
    expect(await planned({ actionInvocations: [ACTION] })).toBe(applies);
  });
});
